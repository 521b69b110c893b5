"""Points schemes, and the season's table against a second way of counting it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidRuleset
from ledger.fold import fold_lines
from projections.season.points import championship, parse_scheme
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
