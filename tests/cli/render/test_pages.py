"""Pages for a printer: 76 columns, 60 lines, everybody on them, no slip cut in two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cli.terminal.visible import cells
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def paired(desk: Desk) -> Desk:
    """135 players, so that a table fills more than a page and somebody has the bye."""
    desk.open(135, "custom", "--rounds", "1")
    desk.done("rename", "7", "Ärmel " + "x" * 200)
    desk.done("pair")
    return desk


def pages(text: str) -> list[list[str]]:
    return [page.splitlines() for page in text.split("\f")]


def test_everybody_stands_on_the_wall_twice(paired: Desk) -> None:
    printed = pages(paired.done("pairings", "--print").out)
    assert len(printed) == 2 + 3
    for page in printed:
        assert len(page) <= 60
        assert all(cells(line) <= 76 for line in page)
        assert "page" in page[0]
    by_table = "\n".join(line for page in printed[:2] for line in page)
    by_name = [line for page in printed[2:] for line in page[5:]]
    for number in [*range(1, 7), *range(8, 136)]:
        assert len(re.findall(rf"Player {number:02}\b", by_table)) == 1
    names = [re.split(r" {2,}", line)[0] for line in by_name]
    assert len(names) == 135
    assert names[0].startswith("Ärmel x")
    assert names[1:] == sorted(names[1:])


def test_tables_and_players_agree(paired: Desk) -> None:
    printed = pages(paired.done("pairings", "--print").out)
    games = paired.done("pairings", "--json").json
    table_of = {
        name: "-- bye --" if game["bye"] else str(game["table"])
        for game in games
        for name in game["names"]
        if name
    }
    for line in (line for page in printed[2:] for line in page[6:]):
        name, table = re.split(r" {2,}", line)[:2]
        assert table_of[name] == table


def test_a_slip_for_every_match_that_is_played(paired: Desk) -> None:
    printed = pages(paired.done("pairings", "--slips").out)
    tables = [[int(line.split()[1]) for line in page if "TABLE" in line] for page in printed]
    places = max(map(len, tables))
    cut = [page[place] for place in range(places) for page in tables if place < len(page)]
    assert cut == list(range(1, 68))
    assert places == 4
    for page in printed:
        assert len(page) <= 60
        assert all(cells(line) <= 76 for line in page)
        assert page[-1].startswith("- - -")
        assert sum("[ ] win  [ ] modified win" in line for line in page) == 2 * sum(
            "TABLE" in line for line in page
        )


def test_slips_ask_for_points_where_points_are_reported(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1", ruleset="netrunner")
    desk.done("pair")
    assert desk.done("pairings", "--slips").out.count("points ______ (0 to 6)") == 4


def test_a_slip_names_its_players(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1")
    desk.done("rename", "1", "Ann Lee")
    desk.done("rename", "2", "Bob")
    desk.done("pair")
    lines = desk.done("pairings", "--slips").out.splitlines()
    assert re.fullmatch(r"TABLE 1 +event [0-9]+: [a-z]+( [a-z]+){5}", lines[0])
    assert "[ ] Ann Lee" in " ".join(lines)
    assert "[ ] Bob" in " ".join(lines)
    assert "first player" not in " ".join(lines)
    assert any("start ___" in line and "end ___" in line and "judge ___" in line for line in lines)


@pytest.mark.slow
def test_standings_and_bracket_for_the_wall(desk: Desk) -> None:
    desk.open(0)
    sheet = "".join(f"Player {number:03},Clan {number % 7}\n" for number in range(1, 71))
    desk.done("register", "--file", "-", stdin=f"name,clan\n{sheet}")
    desk.done("start", "custom", "--rounds", "1", "--cut", "64")
    desk.done("pair")
    desk.report_all()
    printed = pages(desk.done("standings", "--print").out)
    date = desk.done("tournaments", "--json").json[0]["date"]
    assert [page[0].split()[-4:] for page in printed] == [
        ["page", str(each), "of", "2"] for each in (1, 2)
    ]
    for page in printed:
        assert page[0].startswith("Library Night - standings")
        assert page[1] == f"{date}, after 1 round"
        assert all(cells(line) <= 76 for line in page)
        assert "faction" in page[4]
    rows = [line for page in printed for line in page[5:]]
    assert len(rows) == 70
    assert all(re.search(r"Player \d{3} +Clan \d", row) for row in rows)
    desk.done("cut")
    desk.done("pair")
    printed = pages(desk.done("bracket", "--print").out)
    assert all(len(page) <= 60 and all(cells(line) <= 76 for line in page) for page in printed)
    assert "round 2 (round of 64)" in printed[0][0]
    assert sum("Clan" in line for page in printed for line in page) == 64
    desk.done("bracket", "--print", "-o", "bracket.html")
    sheets = (desk.folder / "bracket.html").read_text("utf-8")
    assert [f"bracket, part {number} of 5" in sheets for number in range(1, 7)] == [True] * 5 + [
        False
    ]


def test_both_at_once(paired: Desk) -> None:
    both = paired.done("pairings", "--print", "--slips").out
    assert both == "\f".join(
        paired.done("pairings", option).out for option in ("--print", "--slips")
    )


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["24", "40", "60", "80", "200"])
def test_tables_fit_the_terminal(paired: Desk, columns: str) -> None:
    paired.patch.setenv("COLUMNS", columns)
    paired.report_all()
    for verb in ("list", "pairings", "standings", "log", "tournaments", "official"):
        lines = paired.done(verb).out.splitlines()
        assert max(map(cells, lines)) <= int(columns), verb


def test_in_a_pipe_tables_have_every_cell_whole(paired: Desk) -> None:
    names = [each["name"] for each in paired.done("list", "--json").json]
    answer = paired.done("list")
    assert max(map(cells, answer.out.splitlines())) > 80
    assert all(name in answer.out for name in names if name.isascii() and name.isprintable())
    assert "no room" not in answer.err
