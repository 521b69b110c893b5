"""Sealed names from the command line: what is shown, what an export tells, and `forget`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

NAMES = ("Ann Leverkusen", "Bob Ångström", "Cy Coëllo", "王小明同学")


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, round 1 played, a penalty of Ann's with words about her."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsenowski")
    desk.done("register", "--file", "-", stdin="\n".join(["name", *NAMES]) + "\n")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("penalty", "ann", "warning", "--for-what", "Zwischenruf der Ann Leverkusen")
    desk.report_all()
    return desk


def data_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


@pytest.mark.slow
def test_new_seals_and_says_how_not_to(day: Desk) -> None:
    log = day.log()
    assert json.loads(log.split("\n")[0])["data"]["names"] == "sealed"
    assert not any(name in log for name in (*NAMES, "Zwischenruf", "Kim Larsenowski"))
    assert [row["name"] for row in day.done("list", "--json").json] == list(NAMES)
    assert "Zwischenruf" in day.done("log").out
    day.done("new", "Open", "--ruleset", "l5r", "--organizer", "Kim Larsenowski", "--open-names")
    assert "Kim Larsenowski" in day.log()
    assert day.refused("forget", "o1").err == (
        "tourney: this log was opened with open names: names are permanent in its lines, so "
        "no person can be forgotten\n"
    )


@pytest.mark.slow
def test_forgotten_everywhere(day: Desk) -> None:
    before = day.done("standings", "--json").json
    log = day.log()
    answer = day.done("forget", "ann", "--json")
    assert answer.json["keys_destroyed"] == 2
    assert [each["type"] for each in answer.json["events"]] == ["PersonForgotten"]
    assert "not erased" in answer.err
    for view in ("list", "standings", "pairings", "log", "standings --json", "list --json"):
        shown = day.done(*view.split()).out
        assert "Leverkusen" not in shown
        assert "forgotten" in shown, view
    assert ": (forgotten)" in day.done("log").out
    after = day.done("standings", "--json").json
    assert [row | {"name": ""} for row in after] == [row | {"name": ""} for row in before]
    assert day.log().startswith(log)
    assert day.refused("concede", "ann").code == 3
    assert day.refused("concede", "forgotten").code == 3
    day.done("export", "-o", "day.jsonl")
    replayed = day.done("replay", "day.jsonl").out
    assert "forgotten 1" in replayed
    assert "Bob Ångström" in replayed
    for name in ("Leverkusen", "Zwischenruf"):
        assert name.encode() not in data_of(day.folder)


def test_forgetting_is_done_once(day: Desk) -> None:
    day.done("forget", "1", "--id", "x")
    lines = day.log()
    assert (
        "nothing to change: the name and texts of p1 were erased before;"
        in day.done("forget", "1").err
    )
    day.done("forget", "1", "--id", "x")
    assert day.log() == lines
    assert "cannot be undone" in day.refused("undo").err


def test_the_same_id_again_needs_no_name(day: Desk) -> None:
    first = day.done("forget", "Cy Coëllo", "--id", "gone", "--json").json
    again = day.done("forget", "Cy Coëllo", "--id", "gone", "--json").json
    assert (again["id"], again["events"]) == (first["id"], first["events"])
    assert "another command" in day.refused("forget", "bob", "--id", "gone").err
    assert day.refused("forget", "Cy Coëllo").code == 3


def test_an_equal_backup_brings_nobody_back(day: Desk) -> None:
    """Words about the forgotten, sealed since, are in a backup; `forget` again took the key."""
    day.done("forget", "1")
    day.done("penalty", "1", "warning", "--for-what", "Nachruf")
    day.done("backup", "b")
    assert day.done("forget", "1", "--json").json["keys_destroyed"] == 1
    day.done("restore", "b")
    assert "Nachruf" not in day.done("log").out
    assert day.done("forget", "1", "--json").json["keys_destroyed"] == 0


def test_only_the_organizer_and_only_who_is_there(day: Desk) -> None:
    day.done("official", "add", "Sue Miller", "--role", "scorekeeper")
    assert "is reserved for the organizer" in day.refused("forget", "1", "--as", "sue").err
    assert day.refused("forget", "nobody").code == 3
    assert day.refused("forget", "99").code == 3


def test_a_terminal_is_asked_first(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing takes it back, and a part of a name is soon typed."""
    monkeypatch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
    before = day.log()
    for answer in ("n\n", ""):
        told = day.type("forget", "ann", stdin=answer)
        assert (told.code, day.log()) == (1, before)
        assert "permanently forget Ann Leverkusen (p1)" in told.err
    assert "[y/N]" in day.done("forget", "ann", stdin="y\n").err
    assert "[y/N]" not in day.done("forget", "1", stdin="").err
    assert "[y/N]" not in day.done("forget", "bob", "--yes", stdin="").err


def test_another_record_of_the_same_name_is_told(day: Desk) -> None:
    day.done("official", "add", NAMES[0], "--role", "scorekeeper", "--namesake")
    assert "if it is the same person, also type: forget o2" in day.done("forget", "1").err
    day.done("forget", "o2")
    assert "forgotten o2" in day.done("official").out


def test_an_export_with_and_without_names(day: Desk, tmp_path: Path) -> None:
    day.done("export", "-o", "with.jsonl")
    day.done("export", "-o", "without.jsonl", "--without-names")
    assert day.done("export").out == (day.folder / "with.jsonl").read_text("utf-8")
    assert day.done("log", "--json").out == (day.folder / "without.jsonl").read_text("utf-8")
    plain = day.done("replay", "without.jsonl").out
    assert "player 1" in plain
    assert "Ann" not in plain
    for file, shown in (
        ("without.jsonl", "player 1 (name sealed)"),
        ("with.jsonl", "Ann Leverkusen"),
    ):
        day.done("import", file, "--store", f"{tmp_path}/other.db")
        rows = day.done("list", "--json", "--store", f"{tmp_path}/other.db").json
        assert rows[0]["name"] == shown
        assert "warning: (sealed)" in day.done("log", "--store", f"{tmp_path}/other.db").out


def test_without_the_keys_an_export_says_what_to_type(day: Desk, tmp_path: Path) -> None:
    day.done("export", "-o", "without.jsonl", "--without-names")
    store = ("--store", f"{tmp_path}/other.db")
    day.done("import", "without.jsonl", *store)
    answer = day.type("export", *store)
    assert (answer.code, answer.out) == (3, "")
    assert "keys of 5 of 5 names: use `export --without-names`" in answer.err
    day.done("export", "--without-names", *store)


@pytest.mark.parametrize("typed", ["sealed:2:", "sealed:2:AAAA:BBBB"])
def test_nobody_can_type_a_seal(day: Desk, typed: str) -> None:
    assert "is reserved for sealed text" in day.refused("register", typed).err
    assert (
        "is reserved for sealed text"
        in day.refused("penalty", "2", "warning", "--for-what", typed).err
    )
