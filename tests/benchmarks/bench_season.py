"""From logs to the season's tables, beside DuckDB's own `read_json` of the same lines.

Run with `pytest tests/benchmarks/bench_season.py`. Compare events per second within one run: the
floor reads the lines and keeps them, ours derives every table from them, on the disk. Checking a
log and folding it for the standings are steps of their own, and measured apart.
"""

from __future__ import annotations

import resource
from functools import cache
from typing import TYPE_CHECKING

import pytest

from ledger.fold import fold_lines
from projections.season.adding import add
from projections.season.database import open_season
from projections.season.database import transaction
from projections.season.loading import TOLD
from projections.season.loading import load_batch
from projections.season.roots import leaves_of
from projections.season.roots import root_of
from projections.season.snapshots import standings_of
from projections.season.sources import FileLog
from projections.season.sources import sources_of
from projections.season.spooling import Batch
from projections.season.spooling import Spool
from projections.season.tables import sql
from tests.benchmarks.bench_fold import note_rate
from tests.season import silent
from tests.season import write_log
from tests.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection
    from pytest_benchmark.fixture import BenchmarkFixture

DAYS = 24
EVENTS = 300_000
SEASON = 10_000
KIB_A_MIB = 1_024


@cache
def days() -> list[list[bytes]]:
    """Simulated days of 16 to 120 players."""
    sizes = (16, 24, 32, 48, 64, 120)
    return [play(seed, sizes[seed % 6], structure="advanced").lines for seed in range(1, DAYS + 1)]


def copies(events: int) -> Iterator[list[bytes]]:
    """Days under further ids, until there are so many events."""
    count = number = 0
    while count < events:
        lines = days()[number % DAYS]
        number += 1
        head = lines[0].partition(b'"tournament":"')
        yield [head[0] + head[1] + b"%032x" % number + head[2][32:], *lines[1:]]
        count += len(lines)


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> list[Batch]:
    spool = Spool(tmp_path_factory.mktemp("spool"))
    for lines in copies(EVENTS):
        leaves = leaves_of(lines)
        spool.add(fold_lines(lines), lines, leaves, root_of(leaves))
    return spool.batches


def repeat(benchmark: BenchmarkFixture, work: Callable[[], object], rounds: int) -> object:
    """So many rounds of one call each; the last one's value."""
    return benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call] # ships no types


def fresh(folder: Path) -> DuckDBPyConnection:
    """An empty season on the disk."""
    path = folder / "season.duckdb"
    path.unlink(missing_ok=True)
    return open_season(path, create=True)


def test_floor_read_json(benchmark: BenchmarkFixture, batches: list[Batch], tmp_path: Path) -> None:
    def read() -> None:
        with fresh(tmp_path) as connection:
            for batch in batches:
                connection.execute(sql("read"), {"file": str(batch.file("lines"))})

    repeat(benchmark, read, 5)
    note_rate(benchmark, EVENTS)


def _without_standings(batches: list[Batch], folder: Path) -> list[Batch]:
    """The same lines with no rows of the fold beside them."""
    bare = []
    for batch in batches:
        made = Batch(folder, batch.number, list(batch.logs), batch.size)
        made.file("lines").unlink(missing_ok=True)
        made.file("lines").symlink_to(batch.file("lines"))
        for kind in ("standings", *TOLD):
            made.file(kind).write_bytes(b"")
        bare.append(made)
    return bare


@pytest.mark.parametrize("snapshots", [False, True], ids=["tables", "tables and standings"])
def test_log_to_tables(
    benchmark: BenchmarkFixture, batches: list[Batch], tmp_path: Path, *, snapshots: bool
) -> None:
    taken = batches if snapshots else _without_standings(batches, tmp_path)

    def load() -> object:
        with fresh(tmp_path) as connection:
            with transaction(connection):
                for batch in taken:
                    load_batch(connection, batch)
            return connection.execute("SELECT count(*) >= $1 FROM events", [EVENTS]).fetchone()

    assert repeat(benchmark, load, 5) == (True,)
    note_rate(benchmark, EVENTS)


def test_check_as_replay(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    logs = [FileLog(write_log(tmp_path / f"{n}.jsonl", lines)) for n, lines in enumerate(days())]
    told = [(log, log.lines()) for log in logs]

    repeat(benchmark, lambda: [log.checked(lines) for log, lines in told], 3)
    note_rate(benchmark, sum(map(len, days())))


def test_root(benchmark: BenchmarkFixture) -> None:
    repeat(benchmark, lambda: [root_of(leaves_of(lines)) for lines in days()], 5)
    note_rate(benchmark, sum(map(len, days())))


def test_standings_of_every_round(benchmark: BenchmarkFixture) -> None:
    folded = [fold_lines(lines) for lines in days()]

    repeat(benchmark, lambda: [list(standings_of(each, 1)) for each in folded], 5)
    note_rate(benchmark, sum(map(len, days())))


def test_one_more_tournament_in_a_season_of_10000(
    benchmark: BenchmarkFixture, tmp_path: Path
) -> None:
    """The season is filled from one batch repeated under further ids, by SQL alone."""
    folder = tmp_path / "spool"
    folder.mkdir()
    spool = Spool(folder)
    for lines in copies(SEASON * 20):
        leaves = leaves_of(lines)
        spool.add(fold_lines(lines), lines, leaves, root_of(leaves))
    path = tmp_path / "season.duckdb"
    with open_season(path, create=True) as connection:
        for batch in spool.batches:
            load_batch(connection, batch)
        (kept,) = connection.execute("SELECT count(*) FROM tournaments").fetchone() or (0,)
        for table in ("tournaments", "events", "matches", "results", "entrants", "standings"):
            connection.execute(
                f"INSERT INTO {table} SELECT {table}.* REPLACE (n || tournament AS tournament) "
                f"FROM {table}, range({SEASON // kept}) AS copies(n)"
            )
    numbers = iter(range(1_000))

    def one_more() -> None:
        lines = days()[2]
        head = lines[0].partition(b'"tournament":"')
        fresh_lines = [head[0] + head[1] + b"f%031x" % next(numbers) + head[2][32:], *lines[1:]]
        log = write_log(tmp_path / "more.jsonl", fresh_lines)
        with open_season(path) as connection:
            (taken,) = add(connection, list(sources_of([str(log)])), tmp_path, silent)
        assert taken.fate == "new"

    repeat(benchmark, one_more, 10)
    benchmark.extra_info["peak_mib"] = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_A_MIB
    )
