"""Named questions and ratings on a season of 1,000,000 matches, made by SQL alone.

Run with `pytest -s tests/benchmarks/bench_stats.py`. The floor joins the results with the entrants
of one side, which is the least that a question on people does: compare with it within one run. What
each takes of memory is what a process of its own held at most, from the command line to the table.
`-k growth` prints what each question takes of seasons from 1,000 matches on.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, TypeVar

import pytest

from projections.season.asking import answer_in_part, prepare
from projections.season.ratings import SYSTEMS, games_of
from projections.season.tables.database import open_season
from projections.season.tables.definitions import questions
from tests.benchmarks.processes import peak_mib
from tests.support.season import silent
from tests.support.store_worker import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection
    from pytest_benchmark.fixture import BenchmarkFixture

    from projections.season.ratings import Rated
    from projections.season.tables.definitions import Question

Found = TypeVar("Found")

MATCHES = 1_000_000
ROWS_SHOWN = 40
SECONDS_QUESTION = 0.5
MIB = 1_024
SECONDS_RATING = {"elo": 10, "glicko2": 60, "bayes": 60}
FLOOR = """
SELECT faction, count(*)
FROM results
LEFT JOIN entrants ON entrants.tournament = results.tournament AND player = player1
WHERE met
GROUP BY ALL
"""
FILL = Path(__file__).with_name("million_matches.sql")
DAYS, MATCHES_A_DAY = "range(10417)", 96
GROWTH = (1_000, 10_000, 100_000, MATCHES)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """10,417 tournaments of 32 players and six rounds; 20,000 persons, five games."""
    return filled(tmp_path_factory.mktemp("season") / "season.duckdb", MATCHES)


def filled(path: Path, matches: int) -> Path:
    """Make a season of at least so many matches."""
    days = f"range({-(-matches // MATCHES_A_DAY)})"
    with open_season(path, create=True) as connection:
        connection.execute(FILL.read_text("utf-8").replace(DAYS, days))
        connection.execute("CHECKPOINT")
    return path


@pytest.fixture(scope="module")
def one_game(season: Path) -> Path:
    """The same season, all of one game, as a rating is."""
    path = season.with_name("one_game.duckdb")
    shutil.copyfile(season, path)
    with open_season(path) as connection:
        connection.execute("UPDATE tournaments SET ruleset = 'l5r'")
    return path


@pytest.fixture
def connection(season: Path) -> Iterator[DuckDBPyConnection]:
    with open_season(season, read_only=True) as opened:
        prepare(opened)
        yield opened


def test_floor(benchmark: BenchmarkFixture, connection: DuckDBPyConnection) -> None:
    found = measured(benchmark, lambda: connection.execute(FLOOR).fetchall(), 5)
    assert sum(games for _, games in found) >= MATCHES


@pytest.mark.parametrize("question", questions(), ids=lambda each: each.name)
def test_question(
    benchmark: BenchmarkFixture, connection: DuckDBPyConnection, question: Question
) -> None:
    """Each answers from the tables as they are: the first rows, and how many there are."""
    found, count = measured(
        benchmark, lambda: answer_in_part(connection, question, "", ROWS_SHOWN), 5
    )
    assert len(found.rows) == min(count, ROWS_SHOWN) > 0
    benchmark.extra_info["aim_seconds"] = SECONDS_QUESTION


def test_growth(season: Path, tmp_path: Path) -> None:
    """Shown: of each question the seconds waited for, and those of the processors, as it grows."""
    took: dict[str, list[tuple[float, float]]] = {each.name: [] for each in questions()}
    for matches in GROWTH:
        path = season if matches == MATCHES else filled(tmp_path / f"{matches}.duckdb", matches)
        with open_season(path, read_only=True) as connection:
            prepare(connection)
            for question in questions():
                took[question.name].append(fastest(partial(shown, connection, question)))
    sizes = "".join(f"{matches:>16,}" for matches in GROWTH)
    say(f"\n{'matches':<18}{sizes}   seconds waited for, and of the processors")
    for name, each in took.items():
        say(f"{name:<18}" + "".join(f"{waited:>9.3f}{used:>7.3f}" for waited, used in each))
        *smaller, whole = (used for _, used in each)
        assert max(smaller) <= whole * 1.5, "of a smaller season it is planned otherwise"


def shown(connection: DuckDBPyConnection, question: Question) -> None:
    """Ask a question as people do."""
    answer_in_part(connection, question, "", ROWS_SHOWN)


def fastest(work: Callable[[], None]) -> tuple[float, float]:
    """The seconds and the processors' seconds of the fastest of five."""
    took = []
    for _ in range(5):
        begun, used = perf_counter(), process_time()
        work()
        took.append((perf_counter() - begun, process_time() - used))
    return min(waited for waited, _ in took), min(used for _, used in took)


@pytest.mark.parametrize("system", SYSTEMS)
def test_rating(benchmark: BenchmarkFixture, connection: DuckDBPyConnection, system: str) -> None:
    """From the tables to everybody's rating."""

    def rate() -> Rated:
        return SYSTEMS[system].rate(games_of(connection, silent))

    rated = measured(benchmark, rate, 1)
    assert len(rated.expected) > MATCHES * 0.99  # some persons meet themselves
    benchmark.extra_info["aim_seconds"] = SECONDS_RATING[system]


def test_memory(season: Path, one_game: Path) -> None:
    """Shown: the most MiB that each held, as a table; the largest answer in full, too."""
    largest = ("stats", "head-to-head", "--in", str(season))
    asked = {
        **{each.name: ("stats", each.name, "--in", str(season)) for each in questions()},
        **{each: ("rating", each, "--in", str(one_game)) for each in SYSTEMS},
        "head-to-head --csv": (*largest, "--csv"),
        "head-to-head --json": (*largest, "--json"),
    }
    peaks = {}
    for name, words in asked.items():
        peaks[name] = peak_mib(season.parent, "-m", "cli.main", *words)
        say(f"{name:<20}{peaks[name]:>6} MiB")
    assert max(peaks.values()) <= MIB


def measured(benchmark: BenchmarkFixture, work: Callable[[], Found], rounds: int) -> Found:
    """Measure it so many times, and give what it came to."""
    found: Found = benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call] # ships no types
    return found
