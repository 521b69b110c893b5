"""From stored lines to a tournament, beside the event store library's own aggregates.

Run with `pytest tests/benchmarks/bench_fold.py`. Both sides read back what they had stored: ours
from lines of canonical JSON, the library's from its mapper's bytes. Compare events per second: the
rounds are of so many events each as the name says.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import DatetimeAsISO, JSONTranscoder, Mapper, StoredEvent, UUIDAsHex

from ledger.facts.shared import Stage
from ledger.fold import fold_lines
from ledger.rules.opening import StartTournament
from ledger.rules.results import Correct, StatedResult
from tests.support.simulate import Day

if TYPE_CHECKING:
    from uuid import UUID

    from pytest_benchmark.fixture import BenchmarkFixture

OUTCOMES = ("win", "loss", "modified win", "modified loss")


def note_rate(benchmark: BenchmarkFixture, events: int) -> None:
    """Add events a second, of the fastest round, to what the benchmark saves."""
    if benchmark.stats is not None:
        benchmark.extra_info["events_a_second"] = round(events / benchmark.stats.stats.min)


@cache
def log_of(events: int) -> list[bytes]:
    """A log of so many events: registrations, rounds, results, each result corrected twice."""
    players = max(40, events // 25)
    day = Day(players + players % 2)
    day.do(StartTournament("custom", (Stage("swiss", 30),)))
    while len(day.log) < events:
        for place, match in enumerate(day.pair()):
            for turn in range(3):
                outcome = OUTCOMES[(place + turn) % 4]
                if turn == 0:
                    day.report(match, outcome)
                else:
                    day.do(Correct(match.number, StatedResult(outcome), "the slip"))
    return day.lines[:events]


@pytest.mark.parametrize("events", [1_000, 10_000, 100_000])
def test_decode_and_fold(benchmark: BenchmarkFixture, events: int) -> None:
    lines = log_of(events)
    tournament = benchmark(fold_lines, lines)
    note_rate(benchmark, events)
    assert tournament.seq == events


class Board(Aggregate):
    """What a tournament would be as an aggregate of the library, with results alone."""

    @event("Opened")
    def __init__(self) -> None:
        self.results: dict[int, tuple[str, str, int, int]] = {}

    @event("Reported")
    def report(self, match: int, one: str, other: str, first: int, second: int) -> None:
        """Take a result."""
        self.results[match] = (one, other, first, second)


@cache
def stored_by_the_library(events: int) -> tuple[Mapper[UUID], list[StoredEvent]]:
    transcoder = JSONTranscoder()
    transcoder.register(UUIDAsHex())
    transcoder.register(DatetimeAsISO())
    mapper: Mapper[UUID] = Mapper(transcoder)
    board = Board()
    for number in range(events - 1):
        board.report(number, "win", "loss", 10, 1)
    return mapper, [mapper.to_stored_event(each) for each in board.collect_events()]


@pytest.mark.parametrize("events", [1_000, 10_000])
def test_the_librarys_aggregate(benchmark: BenchmarkFixture, events: int) -> None:
    mapper, stored = stored_by_the_library(events)

    def replay() -> Board | None:
        board: Board | None = None
        for each in stored:
            board = mapper.to_domain_event(each).mutate(board)  # type: ignore[attr-defined] # untyped
        return board

    board = benchmark(replay)
    note_rate(benchmark, events)
    assert board is not None
    assert len(board.results) == events - 1
