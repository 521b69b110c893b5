"""A key of the draws that stays on the organizer's machine: other desks, and those who read there.

Two desks share a store, each with a key folder and a machine name of its own.
"""

from __future__ import annotations

import json
import re
import socket
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING
from typing import NamedTuple

import pytest

from cli.desk.draw_keys import machine_name
from ledger.store import open_store
from ledger.vault import DRAW_KEY_AT
from ledger.vault import SHUFFLE_KEY
from tests.vaults import events
from tests.vaults import secrets

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli_desk import Answer
    from tests.cli_desk import Desk

PHRASE = "TOURNEY_PASSPHRASE"
OWN, HALL = "olgas-laptop", "hall-desk"
SAVED, LOG = "day.backup", "day.jsonl"
NEW = ("new", "Library Night", "--ruleset", "l5r", "--organizer", "Kim Larsen", "--draw-key")


class Event(NamedTuple):
    """A day whose key of the draws is a file at the organizer's desk."""

    desk: Desk
    location: str

    def go_to(self, machine: str) -> Desk:
        """Be at the desk of a machine."""
        self.desk.patch.setenv("TOURNEY_KEYS", f"{machine}-keys")
        self.desk.patch.setattr(socket, "gethostname", lambda: machine)
        return self.desk

    def refused(self, *words: str) -> str:
        """What the one line says to an act that is refused, and writes nothing."""
        lines, vault = self._stored()
        answer = self.desk.type(*words)
        assert answer.code == 1, (words, answer)
        assert answer.err.count("\n") == 1, answer.err
        assert self._stored() == (lines, vault)
        return answer.err

    def _stored(self) -> tuple[list[bytes], dict[str, bytes]]:
        with open_store(self.location) as store:
            stream = store.streams()[0]
            return store.lines(stream), store.vault_items(stream)

    def file(self, machine: str = OWN) -> Path:
        """The file of the key of the draws at a machine."""
        (found,) = self.desk.folder.glob(f"{machine}-keys/draws-*.key")
        return found

    def key(self) -> bytes:
        """The key itself, of a file without a passphrase."""
        found = re.fullmatch(r"PRIVATE\+DRAWS\+[0-9a-f]{32}\+([0-9a-f]{64})\n", self.text())
        assert found is not None
        return bytes.fromhex(found[1])

    def text(self) -> str:
        """What is in the file."""
        return self.file().read_text("ascii")

    def play(self) -> None:
        """Pair a round, and report it."""
        self.desk.done("pair")
        self.desk.report_all()


def opened(desk: Desk, location: str, *words: str) -> Event:
    """An event of four that has not started."""
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    desk.done(*NEW, "here", *words)
    names = "".join(f"Player {number:02}\n" for number in range(1, 5))
    desk.done("register", "--csv", "-", stdin=f"name\n{names}")
    return event


@pytest.fixture
def event(desk: Desk, location: str) -> Event:
    """On each kind of store, two rounds announced, nobody paired."""
    event = opened(desk, location)
    desk.done("start", "custom", "--rounds", "2", "--word", "plum")
    return event


def test_another_desk_pairs_nothing_and_the_organizers_does(event: Event) -> None:
    event.go_to(HALL)
    for words in (("pair",), ("register", "Late Lee")):
        said = event.refused(*words)
        assert f"the draws of this event are made on the machine {OWN}: " in said
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


def test_another_desk_starts_nothing(desk: Desk, location: str) -> None:
    event = opened(desk, location)
    event.go_to(HALL)
    assert f"{OWN}: do it there" in event.refused("start", "custom", "--rounds", "2")
    event.go_to(OWN)
    desk.done("start", "custom", "--rounds", "2")


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
    assert "nobody to ask" in event.refused("pair")
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

    monkeypatch.setattr("cli.desk.keyring.asked", ask)
    monkeypatch.setattr("cli.desk.keyring._typed", {})
    event = opened(desk, location, "--passphrase")
    count = len(asked)
    desk.done("start", "custom", "--rounds", "2")
    event.play()
    event.play()
    assert event.text().startswith('{"scrypt":131072,')
    assert len(asked) == count  # within one process what opened a file is known


def test_a_file_that_is_lost_is_missed_and_replaced_on_record(event: Event) -> None:
    event.play()
    said = event.refused("key", "draws", "--reason", "to have other tables")
    assert "there is nothing to replace" in said
    event.file().unlink()
    assert f"{OWN}, this one, and their key is not in {OWN}-keys here" in event.refused("pair")
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


def test_where_the_machine_is_lost_another_one_goes_on(event: Event) -> None:
    event.play()
    event.go_to(HALL)
    event.desk.done("key", "draws", "--reason", "the laptop fell into the river")
    event.go_to(OWN)
    assert f"{HALL}: pair there" in event.refused("pair")
    event.go_to(HALL)
    event.play()
    event.desk.done("finish")


def test_who_may_not_replace_it_leaves_no_file(event: Event) -> None:
    event.desk.done("official", "Pat Jones", "--role", "judge")
    event.go_to(HALL)
    event.refused("--as", "pat", "key", "draws", "--reason", "lost")
    assert not list(event.desk.folder.glob(f"{HALL}-keys/draws-*"))


@pytest.mark.parametrize(
    "text", ["", "PRIVATE+DRAWS+{}", "PRIVATE+DRAWS+" + "0" * 32 + "+" + "0" * 64]
)
def test_a_file_that_is_not_its_key_draws_nothing(event: Event, text: str) -> None:
    event.file().write_text(f"{text}\n")
    said = event.refused("pair")
    assert "is not the key of the draws of this tournament" in said


def test_a_flipped_key_draws_nothing(event: Event) -> None:
    line = event.text()
    event.file().write_text(line[:-2] + ("0" if line[-2] != "0" else "1") + "\n")
    assert "this is not the key that line 1 commits to" in event.refused("pair")


def test_a_file_that_others_may_read_is_not_used(event: Event) -> None:
    event.file().chmod(0o644)
    assert "others may read the key" in event.refused("pair")


def restored(event: Event) -> Answer:
    """Take the backup into a store of its own, on another machine."""
    event.go_to(HALL)
    event.desk.patch.setenv("TOURNEY_STORE", str(event.desk.folder / "elsewhere.db"))
    return event.desk.done("restore", SAVED)


def test_a_backup_says_which_file_it_does_not_hold(event: Event) -> None:
    event.play()
    said = event.desk.done("backup", SAVED).err
    name = event.file().name
    assert f"the key of the draws is not in it: copy {OWN}-keys/{name} on the machine {OWN}" in said
    assert "damaged" not in said
    assert "not there" not in said
    answer = restored(event)
    assert f"{name} on the machine {OWN}" in answer.err
    assert "not there" not in answer.err
    assert event.desk.type("pair").err.count(f"machine {OWN}: pair there") == 1
    event.desk.done("verify")
    (event.desk.folder / f"{HALL}-keys").mkdir(exist_ok=True)
    event.file().rename(event.desk.folder / f"{HALL}-keys" / name)
    event.play()
    event.desk.done("finish")
    assert "key of the draws" not in event.desk.done("backup", "later.backup").err


def test_the_key_that_is_away_is_neither_missing_nor_damaged(event: Event) -> None:
    said = event.desk.done("verify").err
    assert f"the key of the draws is not in it, but in {OWN}-keys/draws-" in said
    assert "damaged" not in said
    assert "not there" not in said
    event.desk.done("export", "-o", LOG)


def test_after_the_end_nobody_needs_the_file(event: Event) -> None:
    event.play()
    event.desk.done("--id", "two", "pair")
    event.desk.report_all()
    event.desk.done("--id", "end", "finish")
    (end,) = events(event.desk, "TournamentFinished")
    assert bytes.fromhex(end["data"]["shuffle_key"]) == event.key()
    event.file().unlink()
    event.go_to(HALL)
    event.desk.done("verify")
    event.desk.done("--id", "two", "pair")
    event.desk.done("--id", "end", "finish")
    first, second = events(event.desk, "RoundPaired")[0]["data"]["games"][0]
    event.desk.done("whatif", "1/1", f"#{second}")
    event.desk.done("explain", "pairing", "1/1")
    assert first


def test_the_same_line_again_makes_no_second_key(desk: Desk, location: str) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    first = desk.done("--id", "once", *NEW, "here", "--json").json
    before = event.text()
    again = desk.done("--id", "once", *NEW, "here", "--json").json
    assert again == first
    assert first["draw_key_at"] == OWN
    assert event.text() == before
    event.file().unlink()
    assert desk.done("--id", "once", *NEW, "here", "--json").json == first


def test_the_same_pairing_again_is_answered_where_the_key_is(event: Event) -> None:
    first = event.desk.done("--id", "once", "pair", "--json").json
    assert event.desk.done("--id", "once", "pair", "--json").json == first
    event.go_to(HALL)
    assert f"{OWN}: pair there" in event.refused("--id", "once", "pair")


def test_without_it_any_desk_draws(desk: Desk, location: str) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    assert desk.done(*NEW[:-1], "--json").json["draw_key_at"] is None
    desk.done("register", "--csv", "-", stdin="name\nAnn\nBob\n")
    event.go_to(HALL)
    desk.done("start", "custom", "--rounds", "1")
    assert "there is no file to seal" in event.refused(
        "key", "draws", "--passphrase", "--reason", "lost"
    )
    assert desk.type(*NEW, "there").code == 2


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("olga", "olga"),
        ("olga brandt's\x1b[31m", "olga-brandt-s-31m"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("x" * 300, "x" * 64),
        ("büro", "b-ro"),
    ],
)
def test_a_machines_name_is_shown_as_plain_text(
    monkeypatch: pytest.MonkeyPatch, host: str, shown: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    assert machine_name() == shown


@pytest.mark.parametrize("name", [b"\x1b[31mred", b"two\nlines", b"", b"x" * 65, b"\xff", b"a b"])
def test_a_name_in_the_vault_that_none_of_ours_writes_is_never_shown(
    event: Event, name: bytes
) -> None:
    with open_store(event.location) as store:
        store.vault_put(store.streams()[0], DRAW_KEY_AT, name)
    event.go_to(HALL)
    said = event.refused("pair")
    assert "the shuffle key of this tournament is not in this store" in said
    event.go_to(OWN)
    event.desk.done("pair")


def test_a_backup_names_no_machine_for_a_key_that_is_here(desk: Desk, location: str) -> None:
    """A forged name of a machine takes no draws away from the desks that make them."""
    desk.patch.setenv("TOURNEY_STORE", location)
    desk.open(4, "custom", "--rounds", "2")
    with open_store(location) as store:
        stream = store.streams()[0]
        key = store.vault_items(stream)[SHUFFLE_KEY]
        store.vault_delete(stream, SHUFFLE_KEY)
        store.vault_put(stream, DRAW_KEY_AT, b"nowhere")
    desk.done("backup", SAVED)
    with open_store(location) as store:
        store.vault_put(stream, SHUFFLE_KEY, key)
        store.vault_delete(stream, DRAW_KEY_AT)
    desk.done("restore", SAVED)
    assert DRAW_KEY_AT not in secrets(location)
    desk.done("pair")


@pytest.mark.parametrize(
    ("ruleset", "words"), [("runewars", ("scenario", "draw")), ("ashes", ("draft", "draw"))]
)
def test_whatever_draws_is_done_where_the_key_is(
    desk: Desk, location: str, ruleset: str, words: tuple[str, ...]
) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    desk.done(*[ruleset if each == "l5r" else each for each in NEW], "here")
    names = "".join(f"Player {number:02}\n" for number in range(1, 9))
    desk.done("register", "--csv", "-", stdin=f"name\n{names}")
    desk.done("start", "custom", "--rounds", "2")
    if ruleset == "runewars":
        desk.done("pair")
    event.go_to(HALL)
    assert f"{OWN}: do it there" in event.refused(*words)
    event.go_to(OWN)
    desk.done(*words)


def test_what_would_have_been_drawn_is_left_out_elsewhere(event: Event) -> None:
    event.play()
    event.play()
    first, second = events(event.desk, "RoundPaired")[0]["data"]["games"][0]
    wins = events(event.desk, "ResultReported")[0]["data"]["result"]["outcomes"][0] == "win"
    other = f"#{second if wins else first}"
    assert "left out" not in event.desk.done("whatif", "1/1", other).err
    event.go_to(HALL)
    said = event.desk.done("whatif", "1/1", other).err
    assert f"made on the machine {OWN}, so which tables would have been drawn is left out" in said


def test_a_vault_that_lost_the_machines_name_loses_no_key(event: Event) -> None:
    with open_store(event.location) as store:
        store.vault_delete(store.streams()[0], DRAW_KEY_AT)
    assert "there is nothing to replace" in event.refused("key", "draws", "--reason", "lost")
    event.desk.done("pair")
