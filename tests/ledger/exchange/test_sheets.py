"""Whole rounds out of a spreadsheet: every kind of row, and every row that is wrong."""

from __future__ import annotations

import csv
import io
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InvalidLog
from ledger.exchange import Details, sheets
from ledger.exchange.sheets import read_rounds
from ledger.exchange.sheets.cells import PASSED_OVER, InvalidSheet
from ledger.exchange.sheets.reading import PLAIN
from ledger.exchange.sheets.result_columns import columns_of
from ledger.exchange.sheets.sheet_people import columns_of_people
from ledger.exchange.translating import translate
from ledger.fold import fold_lines
from ledger.rulesets import load, text_of
from ledger.rulesets.toml_files import PROBLEMS_MAX
from projections.standings.table import everyone, ranking, standings
from tests.truth.test_sixth_games import play

if TYPE_CHECKING:
    from ledger.facts.shared import Result
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk
    from tests.support.simulate import Day

MTG = """\
round,table,player1,player2,games1,games2,drawn,ended,result,drop
1,1,Ann,Bob,2,1,,,,
1,2,Cid,Dee,1,1,1,time,,
1,3,Eve,,,,,,bye,
2,1,Ann,Eve,0,2,,,,
2,2,Bob,Dee,2,0,,,,Dee
2,,Cid,,,,,,missed,
3,1,Eve,Bob,,,,,no-show2,
3,2,Ann,Cid,1,0,,concession,win,both
"""


def told(
    text: str | bytes, ruleset: str = "mtg", allowed: frozenset[str] = frozenset()
) -> Tournament:
    """The tournament that a file tells."""
    data = text if isinstance(text, bytes) else text.encode()
    details = Details(text_of(ruleset), "Test", "2026-03-14", is_whole=True, allowed=allowed)
    foreign = read_rounds(data, details)
    return fold_lines([line for _, line in translate(foreign, ranking)])


def wrong(text: str, ruleset: str = "mtg") -> tuple[str, ...]:
    """Everything that is wrong with a file."""
    with pytest.raises(InvalidSheet) as caught:
        told(text, ruleset)
    assert str(caught.value).isprintable()
    return caught.value.sentences


def by_name(tournament: Tournament) -> dict[str, tuple[int, tuple[Fraction, ...]]]:
    """Points and tiebreakers of everybody."""
    rows = everyone(tournament).rows
    return {tournament.names[f"p{row.player}"]: (row.points, row.tiebreakers) for row in rows}


def test_byes_draws_assigned_losses_no_shows_and_drops() -> None:
    """MTG-BYE, MTG-MISSED, FFG-DROP: by hand."""
    tournament = told(MTG)
    found = by_name(tournament)
    assert {name: points for name, (points, _) in found.items()} == {
        "Eve": 9, "Ann": 6, "Bob": 3, "Cid": 1, "Dee": 1,
    }  # fmt: skip
    assert found["Eve"][1] == (
        Fraction(6, 9),  # met Ann alone: the bye and the no-show are no opponents
        Fraction(1),
        Fraction(12, 21),  # Ann: 2-1, 0-2, 2-0 by concession
    )
    assert found["Cid"][1][1] == Fraction(1, 3)  # 4/15 of 1-1-1 and 0-2, raised to the floor
    statuses = {tournament.names[f"p{each.number}"]: each.status for each in tournament.players[1:]}
    assert statuses["Dee"] == "dropped"
    assert tournament.finished


def test_the_same_file_gives_the_same_bytes() -> None:
    details = Details(text_of("mtg"), "Test", "2026-03-14")
    lines = [translate(read_rounds(MTG.encode(), details), ranking) for _ in range(2)]
    assert lines[0] == lines[1]
    excel = "\ufeff" + MTG.replace(",", ";").replace("\n", "\r\n")
    assert by_name(told(excel)) == by_name(told(MTG))


def test_two_days_and_a_bracket() -> None:
    """FFG-CUT, FFG-WINNER: who did not go on keeps what they had; the bracket decides."""
    text = """\
round,stage,player1,player2,score1,score2,winner
1,1,Ann,Bob,200,10,
1,1,Cid,Dee,150,100,
2,1,Ann,Cid,90,80,
2,1,Bob,Dee,70,70,Dee
3,2,Ann,Cid,10,110,
4,cut,Ann,Cid,,,Ann
"""
    tournament = told(text, "xwing2")
    assert [stage.plan.kind for stage in tournament.stages] == ["swiss", "swiss", "single"]
    found = by_name(tournament)
    assert list(found) == ["Cid", "Ann", "Dee", "Bob"]
    assert found["Ann"] == (2, (Fraction(390 + 210 + 100), Fraction(4, 9)))  # Bob 0, Cid 2/3 twice
    assert found["Dee"] == (1, (Fraction(150 + 200), Fraction(1, 4)))  # Cid 1 of 2, Bob 0 of 2
    first_day = standings(tournament, 1).rows
    assert [row.tiebreakers for row in first_day if row.player in {2, 4}] == [
        row.tiebreakers for row in everyone(tournament).rows[2:]
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x,1,Ann,Bob,2,0,,,,", "row 2, round: 'x' is not a whole number of 1 or more"),
        ("1,0,Ann,Bob,2,0,,,,", "row 2, table: '0' is not a whole number of 1 or more"),
        ("1,1,,,2,0,,,,", "row 2, player1: is empty"),
        ("1,1,Ann,ann,2,0,,,,", "row 2, player2: 'ann' already sits in row 2"),
        ("1,1,Ann,Bob,2,,,,,", "row 2, games2: is empty, but games1 is not"),
        ("1,1,Ann,Bob,two,0,,,,", "row 2, games1: 'two' is not a whole number"),
        ("1,1,Ann,Bob,4,0,,,,", "row 2, games1: games must be from 0 to 3, not 4:0 (MTG-OUTCOME)"),
        (
            "1,1,Ann,Bob,3,3,,,,",
            "row 2, games1: games can be 3 for at most one side, not 3:3 (MTG-OUTCOME)",
        ),
        ("1,1,Ann,Bob,2,0,,tim,,", "row 2, ended: there is no ending 'tim'; did you mean time?"),
        ("1,1,Ann,Bob,2,0,,,lost,", "row 2, result: mtg has no outcome 'lost'; did you mean loss?"),
        (
            "1,1,Ann,Bob,2,0,,,loss,",
            "row 2, result: the facts give a win for the player named first",
        ),
        ("1,1,Ann,Bob,,,,,win,", "row 2, result: mtg needs games for both sides"),
        ("1,1,Ann,,,,,,draw,", "row 2, result: 'draw' without an opponent must be bye or"),
        ("1,1,Ann,Bob,2,0,,,,Eve", "row 2, drop: 'Eve' must be 1, 2, both or a player of the"),
        ("1,1,Ann,Bob,2,0,,,,,9", "row 2, column 11: '9' has no column title above it"),
        (
            "2,1,Ann,Bob,2,0,,,,",
            "row 2, round: there are no rows of round 1: number the rounds from 1",
        ),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(row: str, problem: str) -> None:
    titles = MTG.partition("\n")[0]
    (found,) = wrong(f"{titles}\n{row}\n")
    assert found.startswith(problem)


def test_everything_is_told_at_once_and_not_without_end() -> None:
    titles = MTG.partition("\n")[0]
    assert len(wrong(f"{titles}\n1,1,Ann,Bob,x,0,,,,\n1,2,Ann,Dee,2,y,,nap,,Z\n")) == 5
    many = "".join(f"{number},1,A,B,x,1,,,,\n" for number in range(1, 90))
    found = wrong(f"{titles}\n{many}")
    assert (len(found), found[-1]) == (PROBLEMS_MAX + 1, "and 49 more")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty: its first line must name the columns"),
        ("round,player1\n", "has no rows of rounds below the row of column names"),
        ("round,player1,round\n", "row 1, column 3: the column round appears twice"),
        ("table,player2\n", "row 1, round: the column round is missing"),
        ("round,player1,gamess1\n", "row 1, column 3: 'gamess1' is not a known column"),
        ('round,player1\n1,"Ann\n', 'row 2, column 2: a quote (") is never closed'),
        ("round,stage,player1\n1,2,Ann\n", "row 2, stage: '2' must be 1, 2 or cut"),
        (
            "round,stage,player1\n1,cut,Ann\n2,1,Ann\n",
            "row 3, round: round 2 is a Swiss round after the",
        ),
        (
            "round,stage,player1\n1,,A\n2,cut,A\n3,,A\n",
            "row 4, round: round 3 is a Swiss round after the",
        ),
        ("round,stage,player1\n1,1,Ann\n1,2,Bob\n", "row 2, stage: all rows of a round must name"),
        (
            "round,stage,player1\n1,1,Ann\n3,cut,Ann\n",
            "row 3, round: there are no rows of round 2: number the rounds",
        ),
    ],
)
def test_a_file_of_another_shape(text: str, problem: str) -> None:
    assert wrong(text)[0].startswith(problem)


def test_what_can_not_be_recorded_is_one_line() -> None:
    """A draw in the elimination; somebody cut who plays on."""
    cut = "round,stage,player1,player2,games1,games2\n1,cut,Ann,Bob,1,1\n"
    with pytest.raises(InvalidLog):
        told(cut)
    back = (
        "round,stage,player1,player2,games1,games2\n"
        "1,1,Ann,Bob,2,0\n1,1,Cid,Dee,2,0\n2,2,Ann,Cid,2,0\n3,2,Ann,Bob,2,0\n3,2,Cid,,,\n"
    )
    with pytest.raises(InvalidLog):
        told(back)


@pytest.mark.slow
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(InvalidLog):
        told("round,player1,player2\n" + text + "\nx")


def as_sheet(day: Day) -> str:
    """Write a simulated day as a spreadsheet would have it: names, facts, byes, losses."""
    tournament = day.tournament
    labels = list(tournament.ruleset.derives.labels) if tournament.ruleset.derives else []
    titles = ["round", "stage", "table", "player1", "player2", "ended", "result", "winner"]
    titles += [f"{label}{side}" for label in labels for side in "12"]
    out = io.StringIO()
    sheet = csv.DictWriter(out, titles)
    sheet.writeheader()
    for played in tournament.rounds:
        plain = tournament.stages[played.stage - 1].is_swiss
        common = {"round": played.number, "stage": played.stage if plain else "cut"}
        seated: set[int] = set()
        for match in played.matches:
            seated |= set(match.players)
            cells = dict(zip(("player1", "player2"), map(str, match.players), strict=False))
            sheet.writerow(common | {"table": match.table} | cells | _told_of(match.result))
        for player, seq in enumerate(played.seqs):
            if seq and player not in seated:
                sheet.writerow(common | {"player1": str(player), "result": "missed"})
    return out.getvalue()


def _told_of(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {}
    if result.manner == "no-show":
        losers = [outcome == "loss" for outcome in result.outcomes]
        return {"result": "no-show" if all(losers) else f"no-show{1 + losers.index(True)}"}
    if result.manner == "departure":
        return {"winner": 1 + (result.outcomes[0] == "loss")}
    cells: dict[str, Any] = {"ended": result.ending}
    for label, pair in result.facts.items():
        cells |= {f"{label}1": pair[0], f"{label}2": pair[1]}
    return cells


@pytest.mark.slow
@pytest.mark.parametrize("key", ["mtg", "xwing2"])
@pytest.mark.parametrize("number", range(30))
def test_a_simulated_day_through_a_spreadsheet_has_the_same_standings(
    key: str, number: int
) -> None:
    """XW2-MOV, MTG-OMW, FFG-CUT: points, tiebreakers and stages survive the way through a CSV."""
    day = play(key, number)
    imported = told(as_sheet(day), key)
    expected = {
        str(row.player): (row.points, row.tiebreakers)
        for row in everyone(day.tournament).rows
        if any(
            row.player < len(each.seqs) and each.seqs[row.player] for each in day.tournament.rounds
        )
    }
    assert by_name(imported) == expected


def test_a_csv_at_the_desk(desk: Desk) -> None:
    """Import, the same again, a change, and what is missing."""
    path = desk.folder / "league.csv"
    path.write_text(MTG, "utf-8")
    assert "needs --ruleset" in desk.type("import", "league.csv").err
    given = ("import", "league.csv", "--ruleset", "mtg", "--date", "2026-03-14")
    first = desk.done(*given, "--name", "Spring League", "--json").json
    assert desk.done(*given, "--name", "Spring League", "--json").json == first
    assert desk.done("standings", "--json").json[0]["name"] == "Eve"
    opening = json.loads(desk.log().partition("\n")[0])["data"]
    assert (opening["name"], opening["date"]) == ("Spring League", "2026-03-14")
    path.write_text(MTG.replace("2,1,Ann,Eve,0,2", "2,1,Ann,Eve,1,2"), "utf-8")
    assert "--as-new" in desk.refused(*given, "--name", "Spring League").err
    path.write_text(MTG.replace("1,1,Ann,Bob,2,1", "1,1,Ann,Bob,2,x").replace("Eve,0", "Eve,9"))
    answer = desk.type(*given, "--as-new")
    assert answer.code == 1
    assert [line.partition("csv: ")[2].partition(":")[0] for line in answer.err.splitlines()] == [
        "row 2, games2",
        "row 5, games1",
    ]
    assert desk.refused("import", "x.json", "--ruleset", "mtg").code in {2, 3}


def test_the_day_has_to_be_said(desk: Desk) -> None:
    (desk.folder / "league.csv").write_text(MTG, "utf-8")
    answer = desk.type("import", "league.csv", "--ruleset", "mtg")
    assert answer.code == 2
    assert "--date YYYY-MM-DD" in answer.err


def test_a_known_file_with_another_ruleset_is_refused(desk: Desk) -> None:
    (desk.folder / "league.csv").write_text(MTG, "utf-8")
    given = ("import", "league.csv", "--ruleset", "mtg", "--date", "2026-03-14")
    desk.done(*given)
    other = text_of("mtg").replace('key = "mtg"', 'key = "other"')
    (desk.folder / "other.toml").write_text(other, "utf-8")
    answer = desk.refused("import", "league.csv", "--ruleset", "other.toml", *given[4:])
    assert "with mtg, not other" in answer.err
    (desk.folder / "mtg.toml").write_text(f"# as it was\n{text_of('mtg')}", "utf-8")
    again = desk.done("import", "league.csv", "--ruleset", "mtg.toml", *given[4:])
    assert "already" in again.err


def test_equal_sheets_of_two_days_or_names_are_two_events(desk: Desk) -> None:
    (desk.folder / "league.csv").write_text(MTG, "utf-8")
    given = ("import", "league.csv", "--ruleset", "mtg", "--json")
    first = desk.done(*given, "--date", "2026-03-14").json["tournament"]
    other_day = desk.done(*given, "--date", "2026-03-21").json["tournament"]
    other_name = desk.done(*given, "--date", "2026-03-14", "--name", "Spring").json["tournament"]
    assert len({first, other_day, other_name}) == 3
    again = desk.done(*given, "--date", "2026-03-14").json
    assert again["tournament"] == first


def test_random_bytes_are_refused_in_one_piece() -> None:
    chance = random.Random(7)
    for _ in range(50):
        with pytest.raises(InvalidLog):
            told(bytes(chance.randrange(256) for _ in range(200)))


def test_the_page_tells_the_truth() -> None:
    """Its example can be read, and each column of it is known."""
    page = (Path(sheets.__file__).parent / "README.md").read_text("utf-8")
    example = page.split("```\n")[3]
    assert example.startswith("round,stage")
    found = by_name(told(example))
    assert [found[name][0] for name in ("Eve", "Ann", "Bob", "Cid", "Dee")] == [6, 3, 3, 1, 1]
    titles = {word for line in page.splitlines() if line.startswith("| `") for word in
              line.split("|")[1].replace("`", "").replace(",", " ").split()}  # fmt: skip
    known = {*PLAIN, *columns_of(load("mtg").ruleset), *columns_of(load("netrunner").ruleset)}
    known |= {*columns_of_people(("label",)), "label*1", "*label*1", "*label*2", *PASSED_OVER}
    assert titles <= known
