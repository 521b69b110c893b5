"""Looking back: any moment of a long log, and a number taken apart, as whole processes.

Run with `pytest tests/benchmarks/bench_audit.py`. Compare a moment with `now`, the same view with
the log read to its end, and `explain` with the plain standings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.shared import TournamentOpened
from ledger.lines.line import decode
from ledger.store import open_store
from tests.benchmarks.bench_fold import log_of
from tests.benchmarks.processes import tourney
from tests.support.simulate import play

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

EVENTS = 100_000
PLAYERS = 500


def store_of(folder: Path, lines: list[bytes]) -> Path:
    """A directory with a store that holds these lines."""
    recorded = [decode(line) for line in lines]
    opening = recorded[0].event
    assert isinstance(opening, TournamentOpened)
    entries = [(each.type, line) for each, line in zip(recorded, lines, strict=True)]
    with open_store(str(folder / "tourney.db"), create=True) as store:
        store.transact(opening.tournament, 0, lambda _: entries)
    return folder


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a log of 100,000 events, 4,000 players."""
    return store_of(tmp_path_factory.mktemp("long"), log_of(EVENTS))


@pytest.fixture(scope="module")
def large_day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with eight rounds of 500 players, drops and corrections among them, and a cut."""
    day = play(PLAYERS, PLAYERS, rounds=8, cut=16)
    return store_of(tmp_path_factory.mktemp("large"), day.lines)


@pytest.mark.parametrize(
    "moment",
    ["now", "1000", "25000", "50000", "75000", "99999", "round:3", "2026-03-20T12:00"],
)
def test_a_moment_of_a_long_log(benchmark: BenchmarkFixture, long_log: Path, moment: str) -> None:
    line = f"bracket --at {moment}"  # there is none: what is left is the way to the moment
    assert benchmark.pedantic(tourney, (long_log, line), rounds=7, warmup_rounds=1) == 3  # type: ignore[no-untyped-call] # the plugin leaves it untyped


@pytest.mark.parametrize(
    "line",
    [
        "standings",
        "explain 1",
        "explain 1 points",
        "explain 1 ESOS",
        "explain 1 ESOS --json",
        "explain 1 ESOS --depth 9",
        "explain pairing 8/1",
        "diff round:7 round:8",
    ],
)
def test_a_number_taken_apart(benchmark: BenchmarkFixture, large_day: Path, line: str) -> None:
    assert benchmark.pedantic(tourney, (large_day, line), rounds=7, warmup_rounds=1) == 0  # type: ignore[no-untyped-call] # as above
