"""From logs to the season's tables, step by step.

Run with `pytest tests/benchmarks/bench_season.py`. The figures are of the fastest turn. Checking a
log, making its rows from the fold and taking them into the tables are steps of their own. Beside
the last one stands what remains where nothing is read from text: the same rows from Parquet.
`season add` is all of it, as people wait for it.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ledger.fold import fold_lines
from projections.season.loading.adding import add, load
from projections.season.loading.checking import (
    BATCH_BYTES,
    LOGS_AT_ONCE,
    PROCESSES,
    Batch,
    Spool,
    batches_of,
)
from projections.season.loading.folded_log import FoldedLog
from projections.season.loading.rows import standings
from projections.season.loading.sources import FileLog, sources_of
from projections.season.tables.database import open_season, transaction
from projections.season.tables.definitions import tables
from projections.season.tables.signed_heads import leaves_of, root_of
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

    from ledger.tournament.state import Tournament

DAYS = 24
EVENTS = 300_000
SEASON = 10_000
TURNS = 3
HEAD = b'"type":"HeadRecorded"'
KEPT = (*(table.name for table in tables()), "leaves")


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
        yield renamed(lines, b"%032x" % number)
        count += len(lines)


def renamed(lines: list[bytes], stream: bytes) -> list[bytes]:
    """A day under another id: the root that it records at the start is that of its own lines."""
    head = lines[0].partition(b'"tournament":"')
    made = [head[0] + head[1] + stream + head[2][32:]]
    for line in lines[1:]:
        if HEAD in line:
            before, name, rest = line.partition(b'"root":"')
            root = root_of(leaves_of(made)).encode()
            made.append(before + name + root + rest[len(root) :])
        else:
            made.append(line)
    return made


def spooled(logs: Iterable[list[bytes]], folder: Path) -> list[Batch]:
    """Put logs aside as the processes of a load do, without checking them."""
    spools = [Spool(folder, BATCH_BYTES // PROCESSES) for _ in range(PROCESSES)]
    logged = []
    for number, lines in enumerate(logs, start=1):
        leaves = leaves_of(lines)
        spool = spools[number // LOGS_AT_ONCE % PROCESSES]
        logged.append(spool.add(number, fold_lines(lines), lines, leaves, root_of(leaves)))
    for spool in spools:
        spool.close()
    return batches_of(logged, folder)


def repeat(benchmark: BenchmarkFixture, work: Callable[[], object], rounds: int) -> object:
    """So many rounds of one call each; the last one's value."""
    return benchmark.pedantic(work, rounds=rounds)  # type: ignore[no-untyped-call] # ships no types


@cache
def folded_days() -> list[tuple[Tournament, list[bytes]]]:
    """The simulated days, each with what it adds up to."""
    return [(fold_lines(lines), lines) for lines in days()]


def fresh(path: Path) -> DuckDBPyConnection:
    """An empty season on the disk."""
    path.unlink(missing_ok=True)
    return open_season(path, create=True)


class Ways:
    """What is done with the same logs, each way into a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._season = folder / "season.duckdb"
        (folder / "spool").mkdir()
        self.batches = spooled(copies(EVENTS), folder / "spool")
        self._logs = folder / "logs"
        self._logs.mkdir()
        for number, lines in enumerate(copies(EVENTS)):
            write_log(self._logs / f"{number}.jsonl", lines)
        self._parquet = folder / "parquet"
        self._parquet.mkdir()
        self.tables()
        with open_season(self._season) as connection:
            for name in KEPT:
                connection.execute(f"COPY {name} TO '{self._parquet / name}.parquet'")

    def spooling(self) -> None:
        """Make the rows of logs that were folded, and put them into files."""
        folder = self._folder / "again"
        folder.mkdir()
        spool = Spool(folder, BATCH_BYTES)
        for number, (tournament, lines) in enumerate(folded_days(), start=1):
            spool.add(number, tournament, lines, b"", "")
        spool.close()
        shutil.rmtree(folder)

    def tables(self) -> None:
        """Take the rows from these files into the tables."""
        with fresh(self._season) as connection:
            load(connection, self.batches, [], lambda _: None)
            found = connection.execute("SELECT count(*) >= $1 FROM events", [EVENTS])
            assert found.fetchone() == (True,)

    def rows(self) -> None:
        """Write the same rows, which are there as Parquet: what any way of reading them takes."""
        with fresh(self._season) as connection, transaction(connection):
            for name in KEPT:
                connection.execute(f"INSERT INTO {name} FROM '{self._parquet / name}.parquet'")

    def verb(self) -> None:
        """Take the logs in by the command line: read, checked, folded, loaded."""
        season = self._folder / "verb.duckdb"
        season.unlink(missing_ok=True)
        run("add", self._logs, season)


def run(verb: str, logs: Path, season: Path, *options: str) -> None:
    """Run a verb of the season over logs, in a separate process."""
    words = ["-m", "cli.main", "season", verb, *options, str(logs), "--in", str(season)]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)


def parsed(lines: list[bytes]) -> None:
    """Parse every line as JSON, and keep nothing: what any reader of the same lines takes."""
    for line in lines:
        json.loads(line)


def processor_seconds() -> float:
    """What this process and the ones that it waited for have had of the processors."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def test_log_to_tables(tmp_path: Path) -> None:
    """Events a second, at best; of a second of one processor, at best and in the middle of five."""
    ways = Ways(tmp_path)
    folded_days()
    simulated = sum(map(len, days()))
    shown = {
        "rows into files": (ways.spooling, 5, simulated),
        "files into tables": (ways.tables, 5, EVENTS),
        "rows from Parquet": (ways.rows, 5, EVENTS),
        "season add, whole": (ways.verb, 2, EVENTS),
    }
    say(f"\n{EVENTS:,} events: a second, of one processor's, in the middle")
    for name, (work, turns, events) in shown.items():
        took = []
        for _ in range(turns):
            used = processor_seconds()
            lasted = seconds(work)
            took.append((lasted, processor_seconds() - used))
        lasted, used = (min(each) for each in zip(*took, strict=True))
        middle = median(used for _, used in took)
        say(f"{name:<22}{events / lasted:>12,.0f}{events / used:>12,.0f}{events / middle:>12,.0f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_A_MIB
    say(f"{peak} MiB at most")


def test_ratio_to_json(tmp_path: Path) -> None:
    """Events of a second of one processor, beside those of `json.loads` before and after.

    The verbs start processes of their own: their start is part of what they take. `rebuild --known`
    checks nothing that this release checked before.
    """
    logs, season = tmp_path / "logs", tmp_path / "season.duckdb"
    logs.mkdir()
    lines = []
    for number, log in enumerate(copies(EVENTS)):
        write_log(logs / f"{number}.jsonl", log)
        lines += log
    say(f"\n{len(lines):,} events: of a second of one processor, and of as many by json.loads")
    verbs = {
        "season add": lambda: run("add", logs, season),
        "season rebuild --known": lambda: run("rebuild", logs, season, "--known"),
    }
    for name, verb in verbs.items():
        by_json, by_verb = [], []
        for _ in range(TURNS):
            if name == "season add":
                season.unlink(missing_ok=True)
            by_json.append(used(lambda: parsed(lines)))
            by_verb.append(used(verb))
        by_json.append(used(lambda: parsed(lines)))
        parse, took = min(by_json), min(by_verb)
        rate, parsed_rate = len(lines) / took, len(lines) / parse
        say(f"{name:<24}{rate:>10,.0f} of {parsed_rate:>9,.0f}: 1/{took / parse:.1f}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // KIB_A_MIB
    say(f"{peak} MiB at most in one process")


def used(work: Callable[[], object]) -> float:
    """The seconds of a processor that a work takes."""
    before = processor_seconds()
    work()
    return processor_seconds() - before


def test_check_as_replay(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    logs = [FileLog(write_log(tmp_path / f"{n}.jsonl", lines)) for n, lines in enumerate(days())]
    told = [(log, lines, leaves_of(lines)) for log in logs for lines in [log.lines()]]

    repeat(benchmark, lambda: [log.checked(lines, leaves=leaves) for log, lines, leaves in told], 3)
    note_rate(benchmark, sum(map(len, days())))


def test_root(benchmark: BenchmarkFixture) -> None:
    repeat(benchmark, lambda: [root_of(leaves_of(lines)) for lines in days()], 5)
    note_rate(benchmark, sum(map(len, days())))


def test_standings_of_every_round(benchmark: BenchmarkFixture) -> None:
    def ranked() -> list[object]:
        return [list(standings(FoldedLog(*day))) for day in folded_days()]

    repeat(benchmark, ranked, 5)
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
        fresh_lines = renamed(days()[2], b"f%031x" % next(numbers))
        log = write_log(tmp_path / "more.jsonl", fresh_lines)
        with open_season(path) as connection:
            (taken,) = add(connection, list(sources_of([str(log)])), tmp_path, silent)
        assert taken.fate == "new"

    repeat(benchmark, one_more, 10)
    benchmark.extra_info["peak_mib"] = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_A_MIB
    )
