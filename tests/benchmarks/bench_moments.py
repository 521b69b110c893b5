"""Opening a log of 100,000 events, and a day of 5,000 players, at moments of its past.

Run with `pytest tests/benchmarks/bench_moments.py`. Every view folds its lines from the first one
on: what this costs as a whole process is what a person waits for. Aims: 0.9 s at event 96,000 of
the long log, 0.4 s for the largest day that there can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.books.book import open_book
from ledger.books.open_log import AfterEvent
from ledger.facts.shared import Stage
from ledger.lines.line import decode
from ledger.rules.opening import StartTournament
from ledger.store import open_store
from projections.standings.table import ranking
from tests.benchmarks.bench_fold import log_of
from tests.benchmarks.processes import run
from tests.support.simulate import Day

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

EVENTS = 100_000
DAY_EVENTS = 40_000
STREAM = "5" * 32
AT = pytest.mark.parametrize(
    ("name", "moment"), [("long", EVENTS // 2), ("long", 96_000), ("day", DAY_EVENTS)]
)


def day_of(players: int, events: int) -> list[bytes]:
    """Lines of a day with so many players, each match reported once."""
    day = Day(players)
    day.do(StartTournament("custom", (Stage("swiss", 30),)))
    while len(day.log) < events:
        for place, match in enumerate(day.pair()):
            day.report(match, "win" if place % 2 else "loss")
    return day.lines[:events]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stores: the long log, and the largest day."""
    place = tmp_path_factory.mktemp("long")
    for name, lines in (("long", log_of(EVENTS)), ("day", day_of(5_000, DAY_EVENTS))):
        entries = [(decode(line).type, line) for line in lines]
        with open_store(str(place / f"{name}.db")) as store:
            store.transact(STREAM, 0, lambda _, entries=entries: entries)  # type: ignore[misc] # bound now
    return place


@AT
def test_opening(benchmark: BenchmarkFixture, folder: Path, name: str, moment: int) -> None:
    with open_store(str(folder / f"{name}.db")) as store:
        book = benchmark(open_book, store, STREAM, ranking, None, AfterEvent(moment))
    assert book.tournament.seq == moment


@AT
def test_a_view_as_a_process(
    benchmark: BenchmarkFixture, folder: Path, name: str, moment: int
) -> None:
    line = f"-m cli.main --store {name}.db standings --at {moment}".split()
    code = benchmark.pedantic(run, (folder, *line), rounds=7, warmup_rounds=1)  # type: ignore[no-untyped-call] # the plugin leaves it untyped
    assert code == 0
