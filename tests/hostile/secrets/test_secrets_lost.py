"""Secrets that are missing or lost for good: who hears of it, what is never lost, the way on."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import SHUFFLE, SHUFFLE_KEY
from ledger.facts.opening import TournamentFinished
from ledger.rules.keys import ReplaceShuffleKey
from ledger.store import open_store
from tests.support.days.sealed_days import act, opened
from tests.support.days.vaults import (
    LOG,
    LOST,
    SAVED,
    STORE,
    VAULT,
    a_day,
    destroy,
    events,
    flip,
    refused,
    secrets,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.store import Store
    from tests.support.cli_desk import Desk


@pytest.fixture
def day(desk: Desk, location: str) -> Desk:
    """A day of four on each kind of store, one round played."""
    return a_day(desk, location)


@pytest.mark.slow
def test_the_whole_way_on_with_a_key_that_is_lost(day: Desk, location: str) -> None:
    day.done("pair")
    day.report_all()
    told = refused(day, "key", "draws", "--reason", "to have other tables").err
    assert "there is nothing to replace" in told
    flip(location, SHUFFLE_KEY)
    refused(day, "pair")
    assert day.type("key", "draws").code == 2
    day.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    (replaced,) = events(day, "ShuffleKeyReplaced")
    again_ = day.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    assert "draws use a new key" in again_.err
    assert events(day, "ShuffleKeyReplaced") == [replaced]
    assert day.done("standings").err == "after 2 rounds\n"
    day.done("pair")
    day.report_all()
    day.done("finish")
    day.done("backup", SAVED)
    day.done("export", "-o", LOG)
    (end,) = events(day, "TournamentFinished")
    revealed = bytes.fromhex(end["data"]["shuffle_key"])
    assert revealed == secrets(location)[f"{SHUFFLE_KEY}:once"]
    for words in (("verify",), ("verify", LOG)):
        answer = day.done(*words, "--json").json
        told = answer["draws"]["unchecked"]
        assert told.startswith("rounds 1, 2 and 1 other draw ")
        assert f"{LOST}: line {replaced['seq']} " in told
        assert answer["draws"]["checked"] == 1
    (found,) = day.done("audit", "--json").json["findings"][-1:]
    assert {"draw-key"} <= {each["kind"] for each in day.done("audit", "--json").json["findings"]}
    assert found
    assert "can never be checked again: their key was lost" in day.done("replay", LOG).err
    day.done("explain", "pairing", "1/1")
    day.done("explain", "pairing", "3/1")
    games = events(day, "RoundPaired")[0]["data"]["games"]
    day.done("whatif", "1/1", f"#{games[0][1]}")
    with open_store(f"{day.folder}/elsewhere.db") as elsewhere:
        pass
    day.done("import", LOG, "--store", elsewhere.where)
    day.done("verify", "--store", elsewhere.where)


@pytest.mark.slow
def test_a_draw_after_it_that_is_not_what_the_new_key_gives(day: Desk, location: str) -> None:
    flip(location, SHUFFLE_KEY)
    day.done("key", "draws", "--reason", "lost")
    day.done("pair")
    day.report_all()
    day.done("pair")
    day.report_all()
    day.done("finish")
    lines = day.log().splitlines()
    place = next(i for i, line in enumerate(lines) if '"round":3' in line and "RoundPaired" in line)
    event = json.loads(lines[place])
    assert event["data"]["games"]
    event["data"]["games"] = [game[::-1] for game in event["data"]["games"]]
    lines[place] = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    (day.folder / LOG).write_text("\n".join(lines) + "\n", "utf-8")
    day.patch.setenv("TOURNEY_KEYS", "elsewhere")  # where no head is at hand
    answer = day.type("verify", LOG, "--unsigned", "forged")
    assert f"line {place + 1}: RoundPaired does not match its draw" in answer.err


@pytest.mark.slow
def test_who_may_replace_it_and_when(day: Desk, location: str) -> None:
    day.done("official", "add", "Pat Jones", "--role", "judge")
    destroy(location, SHUFFLE_KEY)
    assert day.type("--as", "pat", "key", "draws", "--reason", "lost").code == 1
    day.done("key", "draws", "--reason", "lost")
    day.done("pair")
    for _ in range(2):
        day.report_all()
        day.type("pair")
    day.done("finish")
    destroy(location)
    answer = day.type("key", "draws", "--reason", "lost")
    assert answer.code == 1
    assert "play is closed" in answer.err


@pytest.mark.slow
def test_the_same_act_sent_again_when_its_key_is_lost(day: Desk, location: str) -> None:
    day.done("--id", "second", "pair")
    day.report_all()
    flip(location, SHUFFLE_KEY)
    day.done("key", "draws", "--reason", "lost")
    told = refused(day, "--id", "second", "pair").err
    assert "the key of those draws is lost" in told


def test_the_key_that_is_revealed_is_the_last_one(store: Store) -> None:
    """A log whose end opens an earlier commitment than the last is refused."""
    book = opened(store)
    first = store.vault_items(book.stream)[SHUFFLE_KEY]
    store.vault_delete(book.stream, SHUFFLE_KEY)
    act(book, ReplaceShuffleKey(book.another_secret(SHUFFLE, "x"), "lost"), "x")
    assert book.context().shuffle_key == store.vault_items(book.stream)[f"{SHUFFLE_KEY}:x"]
    from ledger.rules.opening import tournament_finished  # noqa: PLC0415 - the check alone

    finished = TournamentFinished(first.hex())
    told = list(map(str, tournament_finished(book.tournament, finished)))
    size = len(book.lines)
    assert f"the revealed shuffle key does not match the commitment of event {size}" in told


@pytest.mark.slow
def test_without_the_vault_every_verb_says_so_once(day: Desk, location: str) -> None:
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    destroy(location)
    for words in (
        ("list",),
        ("standings",),
        ("pairings",),
        ("pairings", "--print"),
        ("log",),
        ("match", "1/1"),
        ("audit",),
        ("explain", "#1"),
        ("round",),
        ("verify",),
        ("export", "--without-names"),
    ):
        answer = day.done(*words)
        assert answer.err.count("the vault is missing: ") == 1, words
        assert "vault" in answer.err.partition(" holds nothing of this tournament")[0]
        assert "Player 01" not in answer.out
    for words in (("list",), ("standings",), ("pairings", "--print")):
        assert "player 1 (name sealed)" in day.done(*words).out
    assert "9 of 9 secrets are not there" in day.done("verify", "--json").err
    for words in (("backup", "other"), ("pair",), ("export",)):
        assert day.type(*words).code in {1, 3}
    for options in ((), ("--incomplete",)):
        assert day.type("backup", *options, SAVED).code == 1
    assert (day.folder / SAVED).read_bytes() == good
    assert not (day.folder / "other").exists()
    assert "were restored from it" in day.done("restore", SAVED).err
    assert day.done("list").err.count("\n") == 1
    day.done("pair")


@pytest.mark.slow
def test_without_the_vault_nothing_more_is_said_than_is_true(day: Desk, location: str) -> None:
    day.done("pair")
    destroy(location)
    names = [f"player {each} (name sealed) (#{each})" for each in day.seats(1)]
    answer = day.type("report", "1", "nobody")
    assert answer.err.splitlines()[-1].endswith(f"this table has {' and '.join(names)}")
    table = day.done("verify", "--json").json
    assert table["names"]["unchecked"] == "not all of their keys are in the vault"
    saved = day.done("backup", "--incomplete", "rest").err
    assert "the remaining secrets" in saved
    assert "secrets of the draws" not in saved


@pytest.mark.slow
@pytest.mark.parametrize("place", [".", "..", "/"])
def test_a_backup_is_no_directory(day: Desk, place: str) -> None:
    assert "is a directory: name the file in it" in refused(day, "backup", place).err


@pytest.mark.slow
def test_a_draw_key_that_is_not_there_is_no_plain_yes(day: Desk, location: str) -> None:
    day.done("pair")
    whole = day.done("whatif", "1/1", "none", "--json")
    assert "shuffle key" not in whole.err
    for words in (("verify",), ("export",), ("export", "--without-names"), ("export", "-o", LOG)):
        assert "secret" not in day.done(*words).err
    destroy(location, SHUFFLE_KEY)
    for words in (("verify",), ("export",), ("export", "--without-names"), ("export", "-o", LOG)):
        answer = day.type(*words)
        assert "secrets is not there: the shuffle key (event 1)" in answer.err, words


@pytest.mark.slow
@pytest.mark.parametrize("harm", [flip, destroy])
def test_what_is_drawn_again_says_that_its_key_is_not_here(
    day: Desk, location: str, harm: Callable[[str, str], None]
) -> None:
    day.done("pair")
    harm(location, SHUFFLE_KEY)
    for words in (("whatif", "1/1", "none"), ("whatif", "--sweep", "1/1")):
        answer = day.type(*words)
        assert "so the tables that would have been drawn are not shown" in answer.err, words


def test_a_store_copied_without_its_vault_makes_none_by_reading(desk: Desk) -> None:
    desk.open(4, "basic")
    (desk.folder / VAULT).unlink()
    for words in (("list",), ("standings",), ("log",), ("pairings",)):
        desk.type(*words)
    assert not (desk.folder / VAULT).exists()
    (desk.folder / VAULT).touch()
    assert "the vault is missing" in desk.done("list").err
    assert not (desk.folder / VAULT).stat().st_size
    told = desk.type("note", "from here on").err
    assert "the vault is missing" in told


@pytest.mark.slow
def test_an_older_backup_gives_back_what_was_lost_and_no_more(day: Desk, location: str) -> None:
    day.done("backup", SAVED)
    day.done("forget", "2")
    day.done("pair")
    before = secrets(location)
    assert "older than the store" in refused(day, "restore", SAVED).err
    flip(location, SHUFFLE_KEY)
    destroy(location, "master:p1")
    day.done("restore", SAVED)
    after = secrets(location)
    assert before.items() <= after.items()
    assert "master:p2" not in after
    assert "forgotten 2" in day.done("list").out
    day.done("verify")


@pytest.mark.slow
def test_a_backup_that_holds_more_is_never_written_over(day: Desk) -> None:
    day.done("backup", SAVED)
    shorter = f"{day.folder}/shorter.db"
    day.done("restore", SAVED, "--store", shorter)
    day.done("pair")
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    with day.patch.context() as patch:
        patch.setenv("TOURNEY_KEYS", "elsewhere")  # at a desk that is not held to the head
        answer = day.type("backup", SAVED, "--store", shorter)
    assert answer.code == 1
    assert "name another file" in answer.err
    day.done("new", "Other Night", "--ruleset", "l5r", "--organizer", "Kim", "--store", shorter)
    answer = day.type("backup", SAVED, "--store", shorter, "-t", "Other Night")
    assert "which this one would not have" in answer.err
    assert (day.folder / SAVED).read_bytes() == good
    day.done("forget", "2", "-t", "Library")
    day.done("backup", SAVED, "-t", "Library")  # what was destroyed on purpose is no loss


@pytest.mark.slow
def test_an_import_comes_without_some_and_lacks_nothing(day: Desk, tmp_path: Path) -> None:
    day.done("export", "-o", LOG)
    day.done("export", "-o", "bare.jsonl", "--without-names")
    for file in (LOG, "bare.jsonl"):
        store = ("--store", f"{tmp_path}/{file}.db")
        day.done("import", file, *store)
        assert "vault" not in day.done("list", *store).err
        day.done("verify", *store)
        day.done("backup", f"{file}.backup", *store)
    destroy(f"{tmp_path}/{LOG}.db")
    assert "the vault is missing" in day.done("list", "--store", f"{tmp_path}/{LOG}.db").err
    assert day.type("backup", "third", "--store", f"{tmp_path}/{LOG}.db").code == 1


def test_a_copied_folder_is_a_store(desk: Desk, tmp_path: Path) -> None:
    """What README names as a store's files is all there is to it."""
    desk.open(4, "basic")
    desk.done("pair")
    place = tmp_path / "copy"
    place.mkdir()
    for path in desk.folder.iterdir():
        if path.name.startswith((STORE, ".tourney")):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, place / path.name)
    desk.patch.chdir(place)
    desk.report_all()
    desk.done("pair")
    desk.done("verify")


@pytest.mark.slow
def test_keys_that_are_not_here_are_not_said_to_be_destroyed(day: Desk, location: str) -> None:
    kept = secrets(location)
    destroy(location)
    answer = day.done("forget", "1", "--json", "--id", "gone")
    assert answer.json["keys_destroyed"] == 0
    assert "repeat `forget` after restoring the vault" in answer.err
    with open_store(location) as store:
        store.vault_put_all(store.streams()[0], kept)
    assert day.done("forget", "1", "--json").json["keys_destroyed"] > 0
    assert "master:p1" not in secrets(location)
