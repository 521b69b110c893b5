"""Points schemes, and the season's table against a second way of counting it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidRuleset
from ledger.fold import fold_lines
from projections.season.points import (
    Borders,
    SeasonRow,
    championship,
    parse_scheme,
    ranked_within,
)
from projections.standings.bracket import finishing_order
from tests.support.sample_season import SCHEME, league, tournament
from tests.support.season import opened, take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def days() -> list[list[bytes]]:
    members = league()
    return [tournament(number, members).lines for number in range(16)]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory, days: list[list[bytes]]) -> Path:
    folder = tmp_path_factory.mktemp("points")
    logs = [write_log(folder / f"{n}.jsonl", lines) for n, lines in enumerate(days)]
    take_in(folder / "season.duckdb", *logs)
    return folder / "season.duckdb"


def counted_by_hand(
    days: list[list[bytes]], last: str, best: int = 4, of: int = 6
) -> dict[str, tuple[int, int]]:
    """Points and tournaments by person, without the season, its SQL or the scheme's code."""
    weights = {"relaxed": 1, "formal": 2, "premier": 4}
    small = {1: 10, 2: 5, 3: 5, 4: 5}
    large = {1: 20, 2: 14, 3: 10, 4: 10, 5: 6, 6: 6, 7: 6, 8: 6}
    had: dict[str, list[int]] = {}
    for lines in days:
        day = fold_lines(lines)
        assert day.opening is not None
        if day.opening.date > last:
            continue
        entrants = len(list(day.registered()))
        for place in finishing_order(day):
            player = day.players[place.player]
            if player.league_id and player.status != "disqualified":
                worth = 1 + small.get(place.rank, 0)
                if entrants > 15:
                    worth = 2 + large.get(place.rank, 1)
                had.setdefault(player.league_id, []).append(worth * weights[day.opening.tier])
    return {
        person: (sum(sorted(points[:of], reverse=True)[:best]), len(points))
        for person, points in had.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("last", ["2026-12-31", "2026-02-09", "2026-01-10"])
def test_points_as_counted_by_hand(season: Path, days: list[list[bytes]], last: str) -> None:
    with opened(season) as connection:
        table = championship(connection, parse_scheme(SCHEME), last)
    assert {row.person: (row.points, row.tournaments) for row in table.rows} == counted_by_hand(
        days, last
    )
    points = [row.points for row in table.rows]
    assert points == sorted(points, reverse=True)
    assert [row.qualified for row in table.rows] == [row.rank <= 16 for row in table.rows]


@pytest.mark.slow
@pytest.mark.parametrize(("best", "of"), [(1, 1), (1, 2), (2, 2), (2, 3)])
def test_the_best_of_the_first(season: Path, days: list[list[bytes]], best: int, of: int) -> None:
    scheme = parse_scheme(SCHEME.replace("best = 4\nof = 6", f"best = {best}\nof = {of}"))
    with opened(season) as connection:
        table = championship(connection, scheme)
    counted = counted_by_hand(days, "2026-12-31", best, of)
    assert {row.person: (row.points, row.tournaments) for row in table.rows} == counted


@pytest.mark.slow
def test_equal_seasons_share_a_rank(season: Path) -> None:
    with opened(season) as connection:
        rows = championship(connection, parse_scheme(SCHEME), "2026-01-10").rows
    places = [row.rank for row in rows]
    assert len(set(places)) < len(places)
    for one, other in pairwise(rows):
        same = [x.points for x in one.results] == [x.points for x in other.results]
        assert (one.rank == other.rank) == same


@pytest.mark.slow
def test_only_the_games_that_count(season: Path) -> None:
    with opened(season) as connection:
        some = championship(connection, parse_scheme('rulesets = ["ashes"]\n' + SCHEME))
        none = championship(connection, parse_scheme('rulesets = ["mtg"]\n' + SCHEME))
    assert 0 < max(row.tournaments for row in some.rows) <= 4
    assert none.rows == []


WRONG = {
    "players_min = 16": (
        "players_min = 18",
        "bands 2 (18-): there is a gap before it: the previous one ends at 15",
    ),
    "players_min = 16 ": ("players_min = 15", "bands 2 (15-): overlaps the previous one, which"),
    "{ first = 9, points = 1 }": (
        "{ first = 9, last = 12, points = 1 }",
        "places: there is a gap: no place above 12",
    ),
    "{ first = 5, last = 8": ("{ first = 6, last = 8", "places 4 (6-8): there is a gap before it"),
    "{ first = 1, last = 1, points = 20 }": (
        "{ first = 2, last = 1, points = 20 }",
        "there is a gap: place 1 has no points",
    ),
    "best = 4": ("best = 7", "of: 6 tournaments are fewer than the best 7"),
    'ends = "2026-12-31"': ('ends = "2026-02-30"', "ends: 2026-02-30 is not a day"),
    'tier = "formal"': ('tier = "relaxed"', "tiers: relaxed is listed twice"),
    "weight = 2": ("weight = 0", "weight"),
    "qualify = 16": ("qualfy = 16", "unknown entry 'qualfy'; did you mean qualify"),
}


@pytest.mark.parametrize("old", WRONG)
def test_a_scheme_that_is_wrong(old: str) -> None:
    new, problem = WRONG[old]
    text = SCHEME.replace(old.strip(), new, 1)
    assert text != SCHEME
    with pytest.raises(InvalidRuleset, match=re.escape(problem)):
        parse_scheme(text)


def test_a_band_that_ends() -> None:
    text = SCHEME.replace("players_min = 16", "players_min = 16\nplayers_max = 99")
    with pytest.raises(InvalidRuleset, match="bands: there is a gap: no players above 99"):
        parse_scheme(text)


def rows_of(scheme: str, season: Path) -> list[tuple[str, int, str, str]]:
    with opened(season) as connection:
        table = championship(connection, parse_scheme(scheme))
    return [(row.division, row.rank, row.person, row.move) for row in table.rows]


def test_who_goes_up_and_down(season: Path) -> None:
    plain = rows_of(SCHEME, season)
    moved = rows_of("promote = 2\nrelegate = 3\n" + SCHEME, season)
    assert [row[:3] for row in moved] == [row[:3] for row in plain]
    total = len(moved)
    with opened(season) as connection:
        table = championship(connection, parse_scheme("promote = 2\nrelegate = 3\n" + SCHEME))
    for row in table.rows:
        equals = [each.rank for each in table.rows].count(row.rank)
        last = row.rank + equals - 1
        wanted = (
            "promoted" if last <= 2 else "promotion tied" if row.rank <= 2
            else "relegated" if row.rank > total - 3
            else "relegation tied" if last > total - 3 else ""
        )  # fmt: skip
        assert row.move == wanted


@pytest.mark.parametrize(
    ("points", "promote", "relegate", "moves", "ties"),
    [
        ([9, 8, 7, 6], 1, 1, ["promoted", "", "", "relegated"], []),
        ([9, 9, 7, 6], 1, 1, ["promotion tied"] * 2 + ["", "relegated"], [("promote", 1, 2, 1)]),
        ([9, 8, 6, 6], 1, 1, ["promoted", "", *["relegation tied"] * 2], [("relegate", 3, 2, 1)]),
        ([9, 8, 6, 6], 1, 2, ["promoted", "", "relegated", "relegated"], []),
        ([9, 8, 7], 2, 2, ["promoted", "promoted", "relegated"], []),
        ([9, 9, 9], 2, 2, ["promotion tied"] * 3, [("promote", 1, 3, 2), ("relegate", 1, 3, 1)]),
        ([9, 8], 3, 3, ["promoted", "promoted"], []),
        ([], 1, 1, [], []),
    ],
)
def test_ties_at_the_border_are_said_and_not_cut(
    points: list[int], promote: int, relegate: int, moves: list[str],
    ties: list[tuple[str, int, int, int]],
) -> None:  # fmt: skip
    rows = [
        SeasonRow(0, str(n), worth, 1, qualified=False, results=())
        for n, worth in enumerate(points)
    ]
    ranked, found = ranked_within(rows, Borders("", 0, promote, relegate))
    assert [row.move for row in ranked] == moves
    assert [(tie.border, tie.rank, tie.persons, tie.places) for tie in found] == ties


def test_a_tie_for_qualification_is_said() -> None:
    rows = [SeasonRow(0, str(n), 5, 1, qualified=False, results=()) for n in range(3)]
    ranked, ties = ranked_within(rows, Borders("", 2, 0, 0))
    assert all(row.qualified for row in ranked)
    assert [(tie.border, tie.persons, tie.places) for tie in ties] == [("qualify", 3, 2)]


def test_divisions_have_their_own_ranks_and_the_absent_are_in_them(season: Path) -> None:
    persons = [row[2] for row in rows_of(SCHEME, season)]
    upper = [*persons[5:9], "nobody-here-1"]
    divisions = (
        f'[[divisions]]\nname = "First"\nmembers = {upper!r}\n[[divisions]]\nname = "Second"\n'
    ).replace("'", '"')
    found = rows_of(f"promote = 1\nrelegate = 2\n{SCHEME}\n{divisions}", season)
    first = [row for row in found if row[0] == "First"]
    assert [row[2] for row in first] == upper
    assert [row[3] for row in first] == ["", "", "", "relegated", "relegated"]
    second = [row for row in found if row[0] == "Second"]
    assert [row[2] for row in second] == [each for each in persons if each not in upper]
    assert (second[0][1], second[0][3], second[-1][3]) == (1, "promoted", "")
    with opened(season) as connection:
        scheme = parse_scheme(f"qualify = 1\n{SCHEME.replace('qualify = 16', '')}\n{divisions}")
        table = championship(connection, scheme)
    assert [row.person for row in table.rows if row.qualified] == [upper[0]]
    closed = divisions.replace('"Second"\n', f'"Second"\nmembers = ["{persons[0]}"]\n')
    assert {row[2] for row in rows_of(f"{SCHEME}\n{closed}", season)} == {*upper, persons[0]}


@pytest.mark.parametrize(
    ("divisions", "problem"),
    [
        ([("A", "x")], "has no effect"),
        ([("A", "x"), ("A", "y")], "A is listed twice"),
        ([("A", "x"), ("B", "x")], "x is a member of two divisions"),
        ([("A", ""), ("B", "x")], "A has no members"),
    ],
)
def test_divisions_that_contradict_themselves(
    divisions: list[tuple[str, str]], problem: str
) -> None:
    text = "".join(
        f'[[divisions]]\nname = "{name}"\n' + (f'members = ["{member}"]\n' if member else "")
        for name, member in divisions
    )
    with pytest.raises(InvalidRuleset, match=problem):
        parse_scheme(f"{SCHEME}\n{text}")
