"""One file under two rulesets in two stores of a folder: two logs of one id, each with its past."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk

SHEET = "round,table,player1,player2,winner\n1,1,Ann,Ben,Ann\n1,2,Cleo,Dana,Cleo\n"
FILES = ("", "-vault", "-wal", "-shm")


@pytest.fixture
def two(desk: Desk) -> Desk:
    """The sheet in two stores: as a game of cards in one, and as plain Swiss in the other."""
    (desk.folder / "rounds.csv").write_text(SHEET)
    for store, game in (("a.db", "l5r"), ("b.db", "swiss")):
        details = ("--ruleset", game, "--name", "Night", "--date", "2026-03-14")
        desk.done("--store", store, "import", "rounds.csv", *details)
    return desk


def at(desk: Desk, store: str, *words: str) -> Answer:
    return desk.type("--store", store, *words)


def copied(desk: Desk, old: str, new: str) -> None:
    """Put a copy of a store in the place of another one, as a file manager does."""
    for end in FILES:
        (desk.folder / f"{new}{end}").unlink(missing_ok=True)
        if (desk.folder / f"{old}{end}").exists():
            shutil.copy(desk.folder / f"{old}{end}", desk.folder / f"{new}{end}")


def test_each_store_is_read_and_written_without_an_alarm(two: Desk) -> None:
    for store in ("a.db", "b.db", "a.db", "b.db"):
        for words in (("standings",), ("note", "all is well"), ("log",), ("audit",)):
            answer = at(two, store, *words)
            assert answer.code == 0, answer.err
            assert "the past changed" not in answer.err


def test_each_store_that_goes_back_is_refused(two: Desk) -> None:
    for store in ("a.db", "b.db"):
        copied(two, store, f"old-{store}")
        assert at(two, store, "note", "seen").code == 0
        copied(two, f"old-{store}", store)
        answer = at(two, store, "standings")
        assert answer.code
        assert "the store is older than" in answer.err


def test_a_store_that_was_moved_or_copied_is_compared_as_before(two: Desk) -> None:
    for store in ("a.db", "b.db"):
        copied(two, store, f"old-{store}")
        assert at(two, store, "note", "seen").code == 0
        copied(two, store, f"moved-{store}")
        assert at(two, f"moved-{store}", "standings").code == 0
        answer = at(two, f"old-{store}", "standings")
        assert answer.code
        assert "the store is older than" in answer.err


def test_one_log_in_the_place_of_the_other_is_refused(two: Desk) -> None:
    copied(two, "a.db", "kept.db")
    copied(two, "b.db", "a.db")
    answer = at(two, "a.db", "standings")
    assert answer.code
    assert "the past changed" in answer.err
    assert "had another log when this desk saw it last" in answer.err
    copied(two, "kept.db", "a.db")
    assert at(two, "a.db", "standings").code == 0


def test_one_of_two_is_signed_and_the_other_one_goes_on_without_an_alarm(desk: Desk) -> None:
    """The key of the id on this machine is that of the log that was signed first."""
    (desk.folder / "rounds.csv").write_text(SHEET)
    details = ("--name", "Night", "--date", "2026-03-14")
    line = ("import", "rounds.csv", *details)
    desk.done("--store", "a.db", *line, "--ruleset", "l5r", "--sign")
    desk.done("--store", "b.db", *line, "--ruleset", "swiss")
    answer = at(desk, "b.db", *line, "--ruleset", "swiss", "--sign")
    assert answer.code == 1
    assert "already signs another import of the same file" in answer.err
    for store in ("b.db", "a.db", "b.db"):
        for words in (("standings",), ("note", "all is well"), ("verify",), ("export",)):
            answer = at(desk, store, *words)
            assert answer.code == 0, (store, words, answer.err)
            assert "restore a backup" not in answer.err
        at(desk, store, "backup", f"{store}.backup")
    desk.done("--store", "c.db", "restore", "b.db.backup")
    desk.done("--store", "b.db", "finish")
    copied(desk, "a.db", "old-a.db")
    desk.done("--store", "a.db", "finish")
    assert "is older than its signed head" in at(desk, "old-a.db", "standings").err


def test_a_file_that_is_imported_again_after_its_store_was_removed_is_no_alarm(desk: Desk) -> None:
    """The wrong game, a removed store, and the right one: the desk itself made the new store."""
    (desk.folder / "rounds.csv").write_text(SHEET)
    line = ("import", "rounds.csv", "--name", "Night", "--date", "2026-03-14", "--ruleset")
    desk.done(*line, "l5r")
    for end in FILES:
        (desk.folder / f"tourney.db{end}").unlink(missing_ok=True)
    desk.done(*line, "swiss")
    assert "the past changed" not in desk.done("standings").err


def test_exports_of_both_are_verified(two: Desk) -> None:
    for store in ("a.db", "b.db"):
        at(two, store, "export", "-o", f"{store}.jsonl")
        answer = two.type("verify", f"{store}.jsonl")
        assert "a different history" not in answer.err


def test_a_log_that_began_here_has_one_first_line_in_every_store(desk: Desk) -> None:
    """Its id is random: no file gives it, so another first line is another past, in any store."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    log = desk.log()
    number = desk.done("tournaments", "--json").json[0]["tournament"]
    desk.done("--store", "b.db", "new", "Another", "--ruleset", "swiss", "--organizer", "Kim")
    (desk.folder / "forged.jsonl").write_text(log.replace('"name":"Night"', '"name":"Noght"'))
    answer = desk.type("--store", "c.db", "import", "forged.jsonl")
    assert answer.code, number
    assert "the past changed" in answer.err or "head" in answer.err
