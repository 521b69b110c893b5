"""`merge`: two desks went on with one tournament by themselves, and one takes the other's acts."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ledger.store import open_store
from ledger.store.backup import BEGINNING
from tests.support.cli_desk import typed_once
from tests.support.days.kept_drafts import judge_with_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

OTHER = "other.backup"


day = typed_once(judge_with_key)


@pytest.fixture
def other(day: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a second desk, as it was when both lost sight of each other."""
    folder = tmp_path_factory.mktemp("other") / "desk"
    shutil.copytree(day.folder, folder)
    return folder


@contextmanager
def at_other(desk: Desk, folder: Path) -> Iterator[None]:
    """Type at the other desk, which makes a backup in the end."""
    desk.patch.chdir(folder)
    try:
        yield
        desk.done("backup", OTHER)
    finally:
        desk.patch.chdir(desk.folder)
    shutil.copy(folder / OTHER, desk.folder / OTHER)


def table_of(desk: Desk, player: int) -> int:
    """The table of a player in round 1."""
    games = desk.done("pairings", "--json").json
    found: int = next(each["table"] for each in games if player in each["players"])
    return found


def test_what_fits_lands_what_differs_is_listed_and_a_second_merge_changes_nothing(
    day: Desk, other: Path
) -> None:
    with at_other(day, other):
        day.done("report", str(table_of(day, 1)), "#1", "loss")
        table = 3 - table_of(day, 1)
        day.done("report", str(table), f"#{day.seats(table)[0]}", "win")
        day.done("register", "Late Larry")
    day.done("report", str(table_of(day, 1)), "#1", "win")
    day.done("register", "Early Eve")
    before = day.log()
    refused = day.type("merge", OTHER)
    assert refused.code == 1
    assert "nothing was written" in refused.err
    assert day.log() == before

    found = day.done("merge", OTHER, "--yes", "--json").json
    assert [each["type"] for each in found["landed"]][-2:] == ["PlayerRegistered", "PersonRecorded"]
    (listed,) = found["sheet"]
    assert listed["type"] == "ResultReported"
    assert listed["problems"][0]["code"] == "result.reported"
    assert [each["event"] for each in listed["ours"]] == [listed["event"]]
    assert day.log().startswith(before)
    assert "Late Larry" in day.done("list").out
    after = day.log()
    assert "nothing to change" in day.done("merge", OTHER).err
    again = day.done("merge", OTHER, "--json").json
    assert (again["landed"], again["sheet"]) == (found["landed"], found["sheet"])
    assert day.log() == after
    day.done("verify")


def test_a_signed_act_waits_for_its_signer(day: Desk, other: Path) -> None:
    with at_other(day, other):
        day.done("note", "Ben was late", "--as", "mara")
    day.done("note", "all is well")
    found = day.done("merge", OTHER, "--yes", "--json").json
    (draft,) = found["drafts"]
    assert (draft["type"], draft["by"]) == ("NoteTaken", "o2")
    (waiting,) = day.done("sign", "--json").json
    assert "Ben was late" in waiting["what"]
    day.done("sign", "now", "1")
    assert '"sig":"' in day.log().splitlines()[-1]
    assert "nothing to change" not in day.done("merge", OTHER, "--yes").err
    assert day.done("sign", "--json").json == []
    day.done("verify")


def test_the_sheet_is_printed(day: Desk, other: Path) -> None:
    with at_other(day, other):
        day.done("concede", "#1")
    day.done("concede", "#2")
    day.done("merge", OTHER, "--yes", "-o", "sheet.html")
    page = (day.folder / "sheet.html").read_text("utf-8")
    assert "<table" in page
    assert "two desks merged" in page


def test_what_is_no_other_desk_is_refused_in_one_line(day: Desk, other: Path) -> None:
    with at_other(day, other):
        day.done("note", "a note")
    shutil.copy(other / OTHER, day.folder / OTHER)
    day.done("new", "Another", "--ruleset", "l5r")
    assert "has no copy of this tournament" in day.refused("merge", OTHER, "--yes").err
    (day.folder / "broken.backup").write_bytes(BEGINNING + b"2}\n")
    assert "is damaged" in day.refused("merge", "broken.backup", "--yes").err


def test_what_no_known_key_signed_needs_a_reason(day: Desk, other: Path) -> None:
    """The other desk lost the log's key, and made one of its own."""
    with at_other(day, other):
        shutil.rmtree(other / ".tourney-keys")
        day.done("key", "renew", "--lost", "--reason", "the key is not on this computer")
        day.done("note", "a note")
    before = day.log()
    assert "--unsigned REASON" in day.refused("merge", OTHER, "--yes").err
    found = day.done("merge", OTHER, "--yes", "--json", "--unsigned", "Kim was there").json
    assert [each["type"] for each in found["landed"]] == ["NoteTaken"]
    assert "KeyRegistered" in {each["type"] for each in found["sheet"]}
    assert not any(each["type"].startswith("Key") for each in found["landed"])
    assert day.log().startswith(before)


def test_what_a_key_signed_that_was_revoked_here_needs_a_reason(day: Desk, other: Path) -> None:
    """The other computer was stolen: its thief makes acts up, and signs them with its key."""
    with at_other(day, other):
        day.done("report", str(table_of(day, 1)), "#1", "loss")
    day.done("key", "renew", "--reason", "the other laptop was stolen")
    before = day.log()
    refused = day.refused("merge", OTHER, "--yes").err
    assert "its key was revoked here" in refused
    assert "--unsigned REASON" in refused
    assert day.log() == before
    day.done("merge", OTHER, "--yes", "--unsigned", "Kim has it again")


def test_a_merge_that_was_cut_off_ends_the_same(day: Desk, other: Path) -> None:
    """What was decided is in the vault before the lines are in the store: without them it waits."""
    with at_other(day, other):
        day.done("report", str(table_of(day, 1)), "#1", "loss")
        day.done("register", "Late Larry")
    lines = day.log()
    kept = shutil.copytree(day.folder, day.folder.parent / "kept", symlinks=True)
    day.done("merge", OTHER, "--yes")
    after = [json.loads(line)["id"] for line in day.log().splitlines()]
    with open_store(str(day.folder / "tourney.db"), create=False) as store:
        (stream,) = store.streams()
        merged = store.vault_items(stream)["merged"]
    for name in ("tourney.db", ".tourney-keys"):
        gone = day.folder / name
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        made = kept / name
        (shutil.copytree if made.is_dir() else shutil.copy)(made, gone)
    with open_store(str(day.folder / "tourney.db"), create=False) as store:
        assert store.vault_items(stream)["merged"] == merged
    assert day.log() == lines
    day.done("merge", OTHER, "--yes")
    assert [json.loads(line)["id"] for line in day.log().splitlines()] == after
