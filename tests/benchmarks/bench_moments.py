"""Opening a log of 100,000 events: from its nearest snapshot, and folded from the start.

Run with `pytest tests/benchmarks/bench_moments.py`. The moments with the most to fold are those
just before the place of a snapshot; `now` is at one. Whole processes too: compare the two rows of
each pair. The snapshots cost what the first look at a log takes more than a fold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import snapshots
from ledger.books import open_book
from ledger.lines import decode
from ledger.moments import AfterEvent
from ledger.store import open_store
from projections.standings import ranking
from tests.benchmarks.bench_fold import log_of
from tests.benchmarks.processes import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.store import Store

EVENTS = 100_000
STREAM = "5" * 32
MOMENTS = (EVENTS // 2, EVENTS // 2 - 1, EVENTS - 1, EVENTS)
HOW = pytest.mark.parametrize("how", ["snapshots", "from the start"])
AT = pytest.mark.parametrize("moment", MOMENTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stores of the same log; of one the state is kept on the way, of the other never."""
    place = tmp_path_factory.mktemp("long")
    entries = [(decode(line).type, line) for line in log_of(EVENTS)]
    for name in ("snapshots.db", "plain.db"):
        with open_store(str(place / name)) as store:
            store.transact(STREAM, 0, lambda _: entries)
    with open_store(str(place / "snapshots.db")) as store:
        open_book(store, STREAM, ranking)
    return place


@pytest.fixture
def opened(folder: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    if how == "from the start":
        monkeypatch.setattr(snapshots, "EVERY", EVENTS + 1)
    name = "snapshots.db" if how == "snapshots" else "plain.db"
    with open_store(str(folder / name)) as store:
        yield store


@AT
@HOW
def test_opening(benchmark: BenchmarkFixture, opened: Store, moment: int) -> None:
    book = benchmark(open_book, opened, STREAM, ranking, None, AfterEvent(moment))
    assert book.tournament.seq == moment


@AT
def test_a_view_as_a_process(benchmark: BenchmarkFixture, folder: Path, moment: int) -> None:
    line = f"-m cli.main --store snapshots.db standings --at {moment}".split()
    code = benchmark.pedantic(run, (folder, *line), rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call] # the plugin leaves it untyped
    assert code == 0


def test_the_first_look_makes_the_snapshots(benchmark: BenchmarkFixture, folder: Path) -> None:
    def first() -> None:
        with open_store(str(folder / "snapshots.db")) as store:
            store.snapshot_put_all(STREAM, dict.fromkeys(store.snapshot_seqs(STREAM), b""))
            open_book(store, STREAM, ranking)

    benchmark.pedantic(first, rounds=3)  # type: ignore[no-untyped-call] # as above
