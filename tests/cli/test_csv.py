"""Every table with --csv, on a played day: a line for each row that --json has."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from cli.terminal.tables import WIDTH
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from tests.support.days.table_day import ON_THE_DAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk
    from tests.support.days.table_day import CsvDay

ROWS: dict[str, Callable[[Any], int]] = {
    "round": lambda value: sum(not each["reported"] for each in value["tables"]),
    "scenario": lambda value: len(value["tables"]),
    "component": lambda value: len(value["record"]),
    "match": lambda value: len(value["story"]),
    "bracket": lambda value: sum(len(each["games"]) for each in value["rounds"]),
    "audit": lambda value: len(value["findings"]),
    "repair-round": lambda value: sum(len(each["tables"]) for each in value),
    "stats show": lambda value: len(value["columns"]),
    "query tables": lambda value: sum(len(each["columns"]) for each in value),
    "diff": lambda value: len(value["rows"]),
    "diff FILE FILE": lambda value: sum(len(each["changes"]) or 1 for each in value["differences"]),
    "whatif": lambda value: len(value["differences"]["rows"]),
    "whatif --sweep R/T": lambda value: len(value["outcomes"]),
    "whatif --sweep": lambda value: len(value["hopes"]),
    "rehearse": lambda value: len(value["took"]),
    "import FOLDER": lambda value: len(value["files"]),
    "reproduce": lambda value: sum(not each["agrees"] for each in value["figures"]),
    "format check": lambda value: len(value["findings"]),
}
"""How many rows a table has whose --json is more than a list of them."""

NO_COUNT = {"log", "ruleset show", "format show"}
"""Tables of which --json gives the text alone."""


MEASURED = {"rehearse"}
"""Tables that measure: the figures of two are not the same."""


@pytest.mark.slow
@ON_THE_DAY
def test_every_table_has_a_line_for_each_row(every_verb: CsvDay) -> None:
    assert len(every_verb.tables) > 25
    for line, answers in every_verb.tables.items():
        for as_json, as_csv in answers:
            head, *rows = csv.reader(io.StringIO(as_csv, newline=""))
            assert all(head), (line, head)
            assert len(set(head)) == len(head), (line, head)
            assert all(len(row) == len(head) for row in rows), line
            if line not in NO_COUNT:
                count = ROWS.get(line, len)(json.loads(as_json))
                assert len(rows) == count, (line, rows)


@pytest.mark.slow
@ON_THE_DAY
def test_every_line_of_every_table_ends_in_lf(every_verb: CsvDay) -> None:
    for line, answers in every_verb.tables.items():
        for _, as_csv in answers:
            assert "\r" not in as_csv, line
            assert as_csv.endswith("\n"), line


@pytest.mark.slow
@ON_THE_DAY
def test_a_pipe_has_no_width(every_verb: CsvDay) -> None:
    """No column vanishes from `| cat`, and no cell is cut short."""
    wider = 0
    for line, answers in every_verb.piped.items():
        for in_pipe, at_any_width in answers:
            shown = [answer.out.splitlines() for answer in (in_pipe, at_any_width)]
            if line in MEASURED:
                shown = [lines[:1] for lines in shown]
            assert shown[0] == shown[1], line
            assert "no room for" not in in_pipe.err, line
            wider += max(map(len, in_pipe.out.splitlines()), default=0) > WIDTH
    assert wider > 5


def test_what_has_no_table_refuses_it_before_anything_is_done(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1")
    desk.done("pair")
    for line in ("drop 1", "key new Pat", "rule 1/1 so", "season add x", "export", "demo"):
        answer = desk.refused(*line.split(), "--csv")
        assert (answer.code, "--csv" in answer.err) == (2, True), line


def test_a_formula_stays_a_text(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "=Kim")
    desk.done("register", "@SUM(A1)", "--faction", "a,b")
    assert next(csv.DictReader(io.StringIO(desk.done("list", "--csv").out))) == {
        "player": "1",
        "name": "'@SUM(A1)",
        "faction": "a,b",
        "league_id": "",
        "status": "active",
    }
    assert "'=Kim" in desk.done("official", "--csv").out


def test_one_form_at_a_time(desk: Desk) -> None:
    assert "choose one" in desk.refused("list", "--csv", "--json").err


RULESETS = ("l5r", "legion", "ashes")
"""Games that together have every verb of the table."""

LISTS = [
    path
    for path, verb in VERBS.items()
    if path not in {"rehearse", "round"}
    and (hasattr(function_of(verb), "shows_table") or verb.lists)
]


@pytest.mark.parametrize("name", [*LISTS, "draft"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_lists_nothing_says_so(desk: Desk, name: str, ruleset: str) -> None:
    """In a tournament in which nothing has happened, and in a season without anybody."""
    desk.done("new", "Night", "--ruleset", ruleset)
    (desk.folder / "rounds.csv").write_text("round,player1,player2,result\n1,A,B,win\n", "utf-8")
    desk.done("season", "people", "name", "Ann Lee")
    answer = desk.type(*name.split())
    assert answer.out + answer.err
    desk.done("import", "rounds.csv", "--ruleset", "l5r", "--date", "2026-03-14")
    answer = desk.type(*name.split())
    assert answer.out + answer.err


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("links", "links print"),
        ("lists", "register"),
        ("list", "register"),
        ("prize", "prize offer"),
        ("draft", "draft draw"),
        ("season people acts", "season people merge"),
    ],
)
def test_what_lists_nothing_names_the_verb_that_makes_one(desk: Desk, line: str, verb: str) -> None:
    desk.done("new", "Night", "--ruleset", "ashes")
    desk.done("season", "people", "name", "Ann Lee")
    answer = desk.done(*line.split())
    assert (answer.out, f"`{verb}`" in answer.err) == ("", True)
    assert desk.done(*line.split(), "--json").err == ""


def test_ended_links_are_not_taken_for_none(desk: Desk) -> None:
    desk.open(2)
    desk.done("links", "print", "1", "--address", "http://192.0.2.1:8600")
    desk.done("links", "revoke", "1")
    assert "`links --all`" in desk.done("links").err


def test_season_standings_say_where_a_points_scheme_is_shown(desk: Desk) -> None:
    assert "`help league`" in desk.refused("season", "standings").err


def test_a_sweep_has_no_empty_column(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    assert "other rounds" not in desk.done("whatif", "--sweep", "1/1").out


def test_a_table_without_print_goes_to_a_file_by_the_shell(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    assert "--csv > FILE" in desk.refused("standings", "--csv", "-o", "x.csv").err
