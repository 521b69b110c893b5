"""From logs to the season's tables, beside DuckDB's own reading of the same lines.

Run with `pytest tests/benchmarks/bench_season.py`. Compare within one run: every way takes its turn
in every round, and the figures are of the fastest. The floors read the lines from NDJSON and from
Parquet and keep them; ours derives every table from them, on the disk. What remains of it where
there is nothing to derive is the same rows, read from Parquet and written into the same tables.
Checking a log and folding it for the standings are steps of their own; `season add` is all of it,
as people wait for it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ledger.fold import fold_lines
from projections.season.loading.adding import add
from projections.season.loading.checking import LOGS_AT_ONCE, PROCESSES
from projections.season.loading.filling import SQL_FILES, derive, load
from projections.season.loading.signed_prefix import leaves_of, root_of
from projections.season.loading.snapshots import ROW_FILES, standings_of
from projections.season.loading.sources import FileLog, sources_of
from projections.season.loading.spooling import BATCH_BYTES, LINES, Batch, Spool, batches_of
from projections.season.tables.database import open_season, transaction
from projections.season.tables.definitions import tables
from tests.benchmarks.bench_fold import note_rate
from tests.benchmarks.bench_store import seconds
from tests.benchmarks.processes import KIB_A_MIB
from tests.support.season import silent, write_log
from tests.support.simulate import play
from tests.support.store_worker import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from duckdb import DuckDBPyConnection
    from pytest_benchmark.fixture import BenchmarkFixture

DAYS = 24
EVENTS = 300_000
SEASON = 10_000
KEPT = (*(table.name for table in tables()), "leaves")
KEEP_JSON = """
SELECT log, seq, type, TRY_CAST("at" AS TIMESTAMP) AS moment, "by" AS entered_by, data
FROM read_json(
    {files},
    format = 'newline_delimited',
    maximum_object_size = 70000,
    columns = {{
        log: 'INTEGER', seq: 'INTEGER', type: 'VARCHAR', 'at': 'VARCHAR', 'by': 'VARCHAR',
        data: 'JSON'
    }}
)
"""


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


def spooled(logs: Iterable[list[bytes]], folder: Path) -> list[Batch]:
    """Put logs aside as the processes of a load do, without checking them."""
    spools = [Spool(folder, BATCH_BYTES // PROCESSES) for _ in range(PROCESSES)]
    logged = []
    for number, lines in enumerate(logs, start=1):
        leaves = leaves_of(lines)
        spool = spools[number // LOGS_AT_ONCE % PROCESSES]
        logged.append(spool.add(number, fold_lines(lines), lines, leaves, root_of(leaves)))
    return batches_of(logged, folder)


def repeat(benchmark: BenchmarkFixture, work: Callable[[], object], rounds: int) -> object:
    """So many rounds of one call each; the last one's value."""
    return benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call] # ships no types


def fresh(path: Path) -> DuckDBPyConnection:
    """An empty season on the disk."""
    path.unlink(missing_ok=True)
    return open_season(path, create=True)


class Ways:
    """What is done with the same lines, each way into a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._season = folder / "season.duckdb"
        (folder / "spool").mkdir()
        self.batches = spooled(copies(EVENTS), folder / "spool")
        self.bare = [self._without_standings(batch) for batch in self.batches]
        self._logs = folder / "logs"
        self._logs.mkdir()
        for number, lines in enumerate(copies(EVENTS)):
            write_log(self._logs / f"{number}.jsonl", lines)
        self._parquet = folder / "lines.parquet"
        files = [name for batch in self.batches for kind in LINES for name in batch.files(kind)]
        self._floor = KEEP_JSON.format(files=files)
        with fresh(self._season) as connection:
            connection.execute(f"COPY ({self._floor}) TO '{self._parquet}'")
        self._rows = folder / "rows"
        self._rows.mkdir()
        self.whole()
        with open_season(self._season) as connection:
            for name in KEPT:
                connection.execute(f"COPY {name} TO '{self._rows / name}.parquet'")

    def _without_standings(self, batch: Batch) -> Batch:
        """The same lines with no rows of the fold beside them."""
        made = self._folder / "bare"
        for file in map(Path, (name for kind in LINES for name in batch.files(kind))):
            target = made / file.parent.name / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(file)
            for kind in (*SQL_FILES, *ROW_FILES):
                (target.parent / f"{kind}-{batch.number}.ndjson").touch()
        return Batch(made, batch.number, batch.logs)

    def read_json(self) -> None:
        """Keep the lines, with what each event says as text."""
        self._keep(self._floor)

    def read_parquet(self) -> None:
        """Keep them from Parquet."""
        self._keep(f"FROM read_parquet('{self._parquet}')")

    def _keep(self, told: str) -> None:
        with fresh(self._season) as connection:
            connection.execute(f"CREATE TEMP TABLE lines AS {told}")

    def typed(self) -> None:
        """Read every member that a table needs into its type: the derivation's first step."""
        with fresh(self._season) as connection:
            for batch in self.batches:
                derive(connection, batch, ("lines",))

    def without_standings(self) -> None:
        """Derive what SQL can."""
        self._load(self.bare)

    def whole(self) -> None:
        """Derive it, and read what the fold says."""
        self._load(self.batches)

    def rows(self) -> None:
        """Write the rows that come of it, which are there: what any way of deriving them takes."""
        with fresh(self._season) as connection, transaction(connection):
            for name in KEPT:
                connection.execute(f"INSERT INTO {name} FROM '{self._rows / name}.parquet'")

    def _load(self, batches: list[Batch]) -> None:
        with fresh(self._season) as connection:
            load(connection, batches, [], lambda _: None)
            found = connection.execute("SELECT count(*) >= $1 FROM events", [EVENTS])
            assert found.fetchone() == (True,)

    def verb(self) -> None:
        """Take the logs in by the command line: read, checked, folded, loaded."""
        season = self._folder / "verb.duckdb"
        season.unlink(missing_ok=True)
        words = ["-m", "cli.main", "season", "add", str(self._logs), "--in", str(season)]
        subprocess.run([sys.executable, *words], check=True, capture_output=True)


def processor_seconds() -> float:
    """What this process and the ones that it waited for have had of the processors."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def test_log_to_tables(tmp_path: Path) -> None:
    """Events a second, at best; of a second of one processor, at best and in the middle of five.

    The last two columns are the best ones as shares of read_json.
    """
    ways = Ways(tmp_path)
    shown = {
        "read_json": (ways.read_json, 5),
        "read_parquet": (ways.read_parquet, 5),
        "typed lines": (ways.typed, 5),
        "tables without standings": (ways.without_standings, 5),
        "tables": (ways.whole, 5),
        "their rows from Parquet": (ways.rows, 5),
        "season add, whole": (ways.verb, 1),
    }
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in shown}
    for turn in range(5):
        for name, (work, turns) in shown.items():
            if turn < turns:
                used = processor_seconds()
                lasted = seconds(work)
                took[name].append((lasted, processor_seconds() - used))
    floor = [min(each) for each in zip(*took["read_json"], strict=True)]
    say(f"\n{EVENTS:,} events a second, of one processor's, in the middle; shares of read_json")
    for name, turns_of in took.items():
        lasted, used = (min(each) for each in zip(*turns_of, strict=True))
        middle = median(used for _, used in turns_of)
        say(
            f"{name:<26}{EVENTS / lasted:>12,.0f}{EVENTS / used:>12,.0f}{EVENTS / middle:>12,.0f}"
            f"{floor[0] / lasted:>8.2f}{floor[1] / used:>6.2f}"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_A_MIB
    say(f"{peak} MiB at most")


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
    batches = spooled(copies(SEASON * 20), folder)
    path = tmp_path / "season.duckdb"
    with open_season(path, create=True) as connection:
        load(connection, batches, [], lambda _: None)
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
