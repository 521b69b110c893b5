"""Intervals of factions, by simulation: labels that mean nothing are excluded as rarely as said.

Persons of unequal strength and diligence play several games each, so games are not independent. A
label is drawn for each person and has no effect: its score is one half, and of intervals that hold
95 % about one in twenty leaves that out. Each simulated season is a ruleset of one file.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from projections.season.asking import answer, prepare, question_named
from projections.season.tables.database import open_season
from tests.support.chance.made_rows import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SEASONS = 240
PERSONS = 60
ROUNDS = 30
LABELS = ("Ash", "Birch", "Cedar", "Elm")
WEIGHTS = (4, 3, 2, 1)
DRAWS = 0.1

TABLE = {4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 20: 2.086, 60: 2.000, 1_000: 1.962}
"""Student's t that holds 95 %, two-sided, as any table has it."""


def simulated(number: int, drawn: Random) -> Iterator[tuple[Any, ...]]:
    """The results of a season: first player, second, and the letter of either."""
    strengths = [drawn.gauss(0, 1) for _ in range(PERSONS)]
    diligence = [drawn.random() for _ in range(PERSONS)]
    match = 0
    for played in range(ROUNDS):
        there = [person for person in range(PERSONS) if drawn.random() < diligence[person]]
        drawn.shuffle(there)
        for one, other in zip(there[::2], there[1::2], strict=False):
            match += 1
            wins = drawn.random() < 1 / (1 + exp(strengths[other] - strengths[one]))
            letters = "DD" if drawn.random() < DRAWS else "WL" if wins else "LW"
            yield str(number), match, played + 1, one + 1, other + 1, *letters


@pytest.fixture(scope="module")
def seasons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    drawn = Random(19)
    file = tmp_path_factory.mktemp("intervals") / "season.duckdb"
    numbers, persons = range(SEASONS), range(1, PERSONS + 1)
    with open_season(file, create=True) as connection:
        fill(connection, "tournaments", [(str(each), f"game{each:03}") for each in numbers])
        labels = [
            (str(each), person, drawn.choices(LABELS, WEIGHTS)[0], "active")
            for each in numbers
            for person in persons
        ]
        fill(connection, "entrants", labels)
        people = [(str(each), who, f"{each}/{who}", True) for each in numbers for who in persons]
        fill(connection, "people", people)
        fill(connection, "results", [row for each in numbers for row in simulated(each, drawn)])
        for table in ("tournaments", "entrants", "people", "results"):
            connection.execute(f"UPDATE {table} SET tournament = lpad(tournament, 32, '0')")
        connection.execute("UPDATE tournaments SET root = repeat('0', 64), size = 1")
    return file


@pytest.mark.slow
@pytest.mark.parametrize("name", ["factions", "faction-matchups"])
def test_labels_without_effect_are_excluded_one_time_in_twenty(seasons: Path, name: str) -> None:
    """An interval by game, which takes each game for one of its own, leaves out a third of them."""
    with open_season(seasons, read_only=True) as connection:
        prepare(connection)
        found = answer(connection, question_named(name))
    places = [found.columns.index(each) for each in ("low", "high")]
    told = [(row[places[0]], row[places[1]]) for row in found.rows]
    intervals = [(low, high) for low, high in told if low is not None]
    assert len(intervals) > 3 * SEASONS
    held = sum(low <= 0.5 <= high for low, high in intervals) / len(intervals)
    assert 0.94 <= held <= 0.96


@pytest.mark.parametrize(("freedom", "expected"), TABLE.items())
def test_students_quantile(tmp_path: Path, freedom: int, expected: float) -> None:
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        prepare(connection)
        (found,) = connection.execute("SELECT student_95(?)", [freedom]).fetchone() or (0,)
    assert found == pytest.approx(expected, rel=0.003)


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_an_interval_ends_at_none_and_all(tmp_path: Path, end: float) -> None:
    """Floats would miss both ends by a hair: -0.0 % was shown, and more than 1 written."""
    with open_season(tmp_path / "season.duckdb", create=True) as connection:
        prepare(connection)
        for persons in (5, 6.7, 33):
            low, high = connection.execute(
                "SELECT share_low($1, 0, $2), share_high($1, 0, $2)", [end, persons]
            ).fetchone() or (None, None)
            assert (low, high).index(end) == end
            assert 0 <= low < high <= 1
