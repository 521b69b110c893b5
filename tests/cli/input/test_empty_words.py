"""What a script's unset variable types: an empty text, which is no file, no word and no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

OPTIONS = [
    (("start", "custom", "--rounds", "1", "--word", ""), "start: --word needs a value;"),
    (("start", "custom", "--word="), "start: --word needs a value;"),
    (("new", "Day", "--ruleset", "l5r", "--organizer", ""), "new: --organizer needs a value;"),
    (("season", "add", "x", "--policy", ""), "season add: --policy needs a value;"),
    (("stats", "factions", "--agreed", ""), "stats: --agreed needs a value;"),
    (("stats", "factions", "--engine="), "stats: --engine needs a value;"),
    (("export", "-o", ""), "export: -o needs a value;"),
    (("export", "--for", ""), "tourney: --for needs a value"),
    (("season", "site", "x", "--scheme", ""), "season site: --scheme needs a value;"),
    (("standings", "--round", ""), "standings: --round needs a value;"),
]
FILES = [
    (("replay", ""), "replay: FILE is an empty name;"),
    (("backup", ""), "backup: FILE is an empty name;"),
    (("import", ""), "import: FILE is an empty name;"),
    (("publish", ""), "publish: FOLDER is an empty name;"),
    (("season", "add", ""), "season add: PATH is an empty name;"),
]


@pytest.mark.parametrize(("words", "told"), OPTIONS + FILES, ids=str)
def test_an_empty_text_is_refused(desk: Desk, words: tuple[str, ...], told: str) -> None:
    answer = desk.refused(*words)
    assert (answer.code, told in answer.err) == (2, True), answer.err


def test_an_empty_cell_is_none(desk: Desk) -> None:
    desk.open(0)
    desk.done("register", "Ann Lee", "--faction", "", "--league-id", "")
    desk.done("amend", "ann", "--faction", "", "--reason", "typed wrongly")
    assert [each["faction"] for each in desk.done("list", "--json").json] == [""]


def test_an_official_needs_a_name(desk: Desk) -> None:
    desk.open(0)
    for more in ((), ("--namesake",)):
        told = desk.refused("official", "add", "", "--role", "judge", *more).err
        assert "a name must not be empty" in told


def test_a_name_in_another_encoding(desk: Desk) -> None:
    desk.open(0)
    told = desk.refused("register", b"Jos\xe9".decode("utf-8", "surrogateescape")).err
    assert told == "tourney: a text contains bytes that are not valid UTF-8: type it again\n"


def test_a_latecomer_for_whom_nobody_waits(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    assert "`late" not in desk.done("register", "Late One").err
    assert "no opponent is free" in desk.refused("late", "5").err
    assert "to seat the player in this round: `late 6`" in desk.done("register", "Late Two").err
    desk.done("late", "6")


def test_an_import_names_the_options_that_it_does_not_take(desk: Desk) -> None:
    (desk.folder / "event.json").write_text('{"players": [], "rounds": []}')
    told = desk.refused("import", "event.json", "--date", "2026-01-02").err
    assert told.endswith("contains its game, name and date: omit --date\n")
