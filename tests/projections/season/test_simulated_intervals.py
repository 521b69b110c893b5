"""Intervals of months and of gaps, by simulation: what they promise to hold, they hold as often.

Of a month's field: persons of unequal diligence enter several events, mostly with one faction, so
entries are not independent. Of the gaps of a round: the tables of one event are alike. Each
simulated season is a ruleset of one file. An interval that takes entries or tables for independent
is the control: it holds far less.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from projections.season.asking import answer, prepare, question_named
from projections.season.tables.database import open_season
from tests.support.chance.made_rows import fill

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

SEASONS = 500
PERSONS = 40
DAYS = 8
FACTIONS = {"Ash": 0.4, "Birch": 0.3, "Cedar": 0.2, "Elm": 0.1}
FAITHFUL = 0.8
"""How often somebody enters with the faction that is usually theirs."""

ROUNDS = 1_200
EVENTS = (8, 24)
TABLES = (4, 20)
SQUARES = 2.0
FULL_WIN = 2
MARGIN = 0.012
"""About twice the standard error of a share of that many intervals."""

NORMAL_95 = 1.96
MEAN_GAP = 1.0
"""Of half of four throws, each as likely as not in the mean of events, in full wins."""

SPREADS = """
SELECT avg(gap), stddev_samp(gap) / sqrt(count(*))
FROM (
    SELECT ruleset, (points_before1 - points_before2) / full_points AS gap
    FROM matches JOIN tournaments USING (tournament)
) GROUP BY ruleset
"""
"""Of each season the mean gap and its standard error, each table for itself."""

Row = tuple[object, ...]


def entries(season: int, drawn: Random) -> Iterator[Row]:
    """Yield who entered which event of a month, and with what."""
    names, weights = list(FACTIONS), list(FACTIONS.values())
    usual = drawn.choices(names, weights, k=PERSONS)
    diligence = [drawn.random() for _ in range(PERSONS)]
    for day in range(DAYS):
        for person in range(PERSONS):
            if drawn.random() < diligence[person]:
                faithful = drawn.random() < FAITHFUL
                faction = usual[person] if faithful else drawn.choices(names, weights)[0]
                yield f"{season}/{day}", person + 1, faction, f"{season}-{person}"


def month_of(connection: DuckDBPyConnection, drawn: Random) -> None:
    held = date(2026, 5, 2)
    numbers = [(season, day) for season in range(SEASONS) for day in range(DAYS)]
    events = [(f"{season}/{day}", f"game{season:03}", held) for season, day in numbers]
    fill(connection, "tournaments", events, ("tournament", "ruleset", "held_on"))
    rows = [row for season in range(SEASONS) for row in entries(season, drawn)]
    entrants = [(*row[:3], "active") for row in rows]
    fill(connection, "entrants", entrants)
    fill(connection, "people", [(*row[:2], row[3], True) for row in rows])


def rounds_of(connection: DuckDBPyConnection, drawn: Random) -> None:
    """Fill in tables of one round; in some events gaps are wide, in others they are not."""
    tables: list[Row] = []
    events: list[Row] = []
    for season in range(ROUNDS):
        for event in range(drawn.randint(*EVENTS)):
            name, wide = f"{season}/{event}", drawn.random()
            events.append((name, f"game{season:04}", FULL_WIN))
            for table in range(drawn.randint(*TABLES)):
                gap = sum(drawn.random() < wide for _ in range(FULL_WIN * 2))
                tables.append((name, table + 1, 2, 1, table + 1, 1, 2, False, 3 + gap, 3))
    fill(connection, "tournaments", events, ("tournament", "ruleset", "full_points"))
    fill(
        connection,
        "stages",
        [(each[0], 1, "swiss") for each in events],
        ("tournament", "stage", "kind"),
    )
    names = ("tournament", "match", "round", "stage", "table_number", "player1", "player2", "void")
    fill(connection, "matches", tables, (*names, "points_before1", "points_before2"))


def asked(connection: DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    prepare(connection)
    found = answer(connection, question_named(name))
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def held(intervals: Iterable[tuple[float, float, float]]) -> float:
    """Say which share of intervals holds what is true: of lower end, truth and upper end."""
    found = [low <= true <= high for low, true, high in intervals]
    assert len(found) >= SEASONS
    return sum(found) / len(found)


def around(middle: float, true: float, half: float) -> tuple[float, float, float]:
    return middle - half, true, middle + half


@pytest.mark.slow
def test_a_month_holds_the_share_of_the_field(tmp_path: Path) -> None:
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        month_of(connection, Random(20))
        rows = asked(connection, "faction-trend")
    assert (
        abs(held((row["low"], FACTIONS[row["faction"]], row["high"]) for row in rows) - 0.95)
        < MARGIN
    )
    whole: Counter[str] = Counter()
    for row in rows:
        whole[row["ruleset"]] += row["entrants"]
    by_entry = held(
        around(
            row["field"], FACTIONS[row["faction"]], usual_half(row["field"], whole[row["ruleset"]])
        )
        for row in rows
    )
    assert by_entry < 0.8


def usual_half(share: float, count: int) -> float:
    """Return half of the interval of a share of that many entries, each of its own."""
    return NORMAL_95 * sqrt(share * (1 - share) / count)


@pytest.mark.slow
def test_a_round_holds_the_mean_gap(tmp_path: Path) -> None:
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        rounds_of(connection, Random(21))
        rows = asked(connection, "pairing-quality")
        found = connection.execute(SPREADS).fetchall()
    assert abs(held((row["low"], MEAN_GAP, row["high"]) for row in rows) - 0.95) < MARGIN
    assert held(around(mean, MEAN_GAP, NORMAL_95 * spread) for mean, spread in found) < 0.8
