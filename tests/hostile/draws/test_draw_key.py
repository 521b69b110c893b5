"""A key of the draws that stays on the organizer's machine: other desks, and those who read there.

Two desks share a store, each with a key folder and a machine name of its own.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import DRAW_KEY_AT, SHUFFLE_KEY
from ledger.store import open_store
from tests.support.days.vaults import events, secrets

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk
from tests.support.days.draw_desks import HALL, LOG, OWN, PHRASE, SAVED, Event, opened


@pytest.mark.slow
def test_another_desk_pairs_nothing_and_the_organizers_does(event: Event) -> None:
    event.go_to(HALL)
    for words in (("pair",), ("register", "Late Lee")):
        said = event.refused(*words)
        assert f"the draws of this tournament are made on the computer {OWN}: " in said
    assert f"{OWN}: pair there" in event.refused("pair")
    event.desk.done("note", "a quiet hall")
    event.go_to(OWN)
    event.desk.done("pair")
    event.go_to(HALL)
    event.desk.report_all()
    event.go_to(OWN)
    event.play()
    event.go_to(HALL)
    assert f"{OWN}: finish there" in event.refused("finish")
    event.go_to(OWN)
    event.desk.done("finish")
    event.desk.done("verify")


@pytest.mark.slow
def test_another_desk_starts_nothing(desk: Desk, location: str) -> None:
    event = opened(desk, location)
    event.go_to(HALL)
    assert f"{OWN}: do it there" in event.refused("start", "custom", "--rounds", "2")
    event.go_to(OWN)
    desk.done("start", "custom", "--rounds", "2")


@pytest.mark.slow
def test_neither_vault_nor_store_nor_backup_holds_the_key(event: Event) -> None:
    event.play()
    event.desk.done("backup", SAVED)
    event.desk.done("export", "-o", LOG)
    secret = event.key()
    with open_store(event.location) as store:
        stream = store.streams()[0]
        held = b"\n".join([*store.lines(stream), *store.vault_items(stream).values()])
    places = [each for each in event.desk.folder.rglob("*") if each.is_file()]
    for path in places:
        if path != event.file():
            held += path.read_bytes()
    for form in (secret, secret.hex().encode(), b64encode(secret).rstrip(b"=")):
        assert form not in held
    assert SHUFFLE_KEY not in secrets(event.location)
    assert secrets(event.location)[DRAW_KEY_AT] == OWN.encode()


@pytest.mark.slow
def test_who_reads_the_vault_foretells_nothing(event: Event) -> None:
    """What is in the vault opens no commitment of line 1 but that of hidden cards."""
    event.desk.done("pair")
    opening = json.loads(event.desk.log().splitlines()[0])["data"]
    digests = {sha256(each).hexdigest() for each in secrets(event.location).values()}
    assert opening["hidden"] in digests
    assert opening["commitment"] not in digests
    assert opening["commitment"] == sha256(event.key()).hexdigest()


@pytest.mark.slow
def test_a_passphrase_seals_it_with_the_logs_key(desk: Desk, location: str) -> None:
    desk.patch.setenv(PHRASE, "cherry")
    event = opened(desk, location, "--passphrase")
    assert event.text().startswith('{"scrypt":131072,')
    for phrase in ("plum", ""):
        desk.patch.setenv(PHRASE, phrase)
        assert "passphrase" in event.refused("start", "custom", "--rounds", "2")
    desk.patch.setenv(PHRASE, "cherry")
    desk.done("start", "custom", "--rounds", "2")
    desk.patch.setenv(PHRASE, "plum")
    assert "this is not the passphrase of the key at" in event.refused("pair")
    desk.patch.delenv(PHRASE)
    assert "no terminal to ask at" in event.refused("pair")
    desk.done("note", "a quiet hall")
    desk.patch.setenv(PHRASE, "cherry")
    event.play()
    event.play()
    desk.done("finish")


@pytest.mark.slow
def test_one_passphrase_is_typed_once_for_both(
    desk: Desk, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one of the log's key, typed for `new`, seals the key of the draws and opens both."""
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "cherry"

    monkeypatch.setattr("cli.machine.keyring.asked", ask)
    monkeypatch.setattr("cli.machine.keyring._typed", {})
    event = opened(desk, location, "--passphrase")
    count = len(asked)
    desk.done("start", "custom", "--rounds", "2")
    event.play()
    event.play()
    assert event.text().startswith('{"scrypt":131072,')
    assert len(asked) == count  # within one process what opened a file is known


@pytest.mark.slow
def test_a_file_that_is_lost_is_missed_and_replaced_on_record(event: Event) -> None:
    event.play()
    said = event.refused("key", "draws", "--reason", "to have other tables")
    assert "there is nothing to replace" in said
    event.file().unlink()
    assert f"on this computer, {OWN}, but their key is not in {OWN}-keys" in event.refused("pair")
    event.desk.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    (replaced,) = events(event.desk, "ShuffleKeyReplaced")
    event.desk.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    assert events(event.desk, "ShuffleKeyReplaced") == [replaced]
    assert {SHUFFLE_KEY, f"{SHUFFLE_KEY}:once"}.isdisjoint(secrets(event.location))
    event.go_to(HALL)
    assert f"{OWN}: pair there" in event.refused("pair")
    event.go_to(OWN)
    event.play()
    event.desk.done("finish")
    told = event.desk.done("verify", "--json").json["draws"]["unchecked"]
    assert "can never be shown again" in told
    kinds = {each["kind"] for each in event.desk.done("audit", "--json").json["findings"]}
    assert "draw-key" in kinds


@pytest.mark.slow
def test_where_the_machine_is_lost_another_one_goes_on(event: Event) -> None:
    event.play()
    event.go_to(HALL)
    event.desk.done("key", "draws", "--reason", "the laptop fell into the river")
    event.go_to(OWN)
    assert f"{HALL}: pair there" in event.refused("pair")
    event.go_to(HALL)
    event.play()
    event.desk.done("finish")


@pytest.mark.slow
def test_who_may_not_replace_it_leaves_no_file(event: Event) -> None:
    event.desk.done("official", "add", "Pat Jones", "--role", "judge")
    event.go_to(HALL)
    event.refused("--as", "pat", "key", "draws", "--reason", "lost")
    assert not list(event.desk.folder.glob(f"{HALL}-keys/draws-*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["", "PRIVATE+DRAWS+{}", "PRIVATE+DRAWS+" + "0" * 32 + "+" + "0" * 64]
)
def test_a_file_that_is_not_its_key_draws_nothing(event: Event, text: str) -> None:
    event.file().write_text(f"{text}\n")
    said = event.refused("pair")
    assert "is not this tournament's draw key" in said


@pytest.mark.slow
def test_a_flipped_key_draws_nothing(event: Event) -> None:
    line = event.text()
    event.file().write_text(line[:-2] + ("0" if line[-2] != "0" else "1") + "\n")
    assert "this is not the key that line 1 commits to" in event.refused("pair")


@pytest.mark.slow
def test_a_file_that_others_may_read_is_not_used(event: Event) -> None:
    event.file().chmod(0o644)
    assert "other users can read the key" in event.refused("pair")
