"""Logs read, checked against the rules, and their rows spooled to files that DuckDB reads.

This takes one process, or several if that saves time. What a log is to the season is decided by the
caller, log by log in their order: however many processes there are, the season and the problems
reported are the same. Nothing is loaded before every log is known to be sound, so a bad log in the
middle changes nothing.

A log that was checked before is only hashed and folded. A log is what its lines hash to: if its
first lines have the root of a log that this release has checked, they are that log. Another release
may have had other rules, and a log from a store, an archive or another season's parts was never
checked here: none of them counts. A signed head shows whose log it is, and not that it keeps the
rules: it counts if a load asks for that and a policy accepts it, and a log that was taken so has
not been checked for the next time.

The files are of JSON, with some rows of one table in a line, column by column. So each line has a
column's name once for many rows, and DuckDB reads a whole column at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, ClassVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import InvalidLog, LedgerError
from ledger.fold import collector_paused
from ledger.problems import phrase
from ledger.proof.formats import HASH_BYTES
from ledger.tournament.state import Tournament
from projections.processes import processes
from projections.season.loading.folded_log import FoldedLog, Row
from projections.season.loading.rows import ROWS
from projections.season.loading.sources import FileLog, Source, opening_of
from projections.season.tables.database import THREADS
from projections.season.tables.definitions import SeasonTable, TableColumn, tables
from projections.season.tables.signed_heads import SignedPrefix, beginning, leaves_of, root_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ledger.proof.heads import Asked


class CheckedBefore(Struct, frozen=True):
    """How many events of a tournament were checked, and the root over their lines."""

    size: int
    root: str


class KnownChecks(Struct, frozen=True):
    """What counts as checked: logs by their tournaments, and with `by_head` accepted heads."""

    logs: Mapping[str, CheckedBefore] = MappingProxyType({})
    by_head: bool = False

    def beside(self, logs: Mapping[str, CheckedBefore]) -> KnownChecks:
        """Let these logs count as well."""
        return KnownChecks({**self.logs, **logs}, self.by_head)

    def events_checked(self, stream: str, leaves: bytes, root: str) -> int:
        """Return how many of a log's first events were checked, by the hashes of its lines.

        `root` is the one over all of them.
        """
        before = self.logs.get(stream)
        if before is None or before.size * HASH_BYTES > len(leaves):
            return 0
        is_whole = before.size * HASH_BYTES == len(leaves)
        found = root if is_whole else root_of(beginning(leaves, before.size))
        return before.size if found == before.root else 0

    def events_accepted(self, signed: SignedPrefix) -> int:
        """Return how many of them an accepted head vouches for, where that counts."""
        return signed.size if self.by_head and signed.by and signed.by_policy else 0


NOTHING_KNOWN = KnownChecks()


def checked_in(connection: DuckDBPyConnection, kept_in: str = "") -> dict[str, CheckedBefore]:
    """Read what a season says of the logs that this release has checked.

    `kept_in` stands before the names of its tables.
    """
    found = connection.execute(
        f"SELECT tournament, size, root FROM {kept_in}tournaments "  # noqa: S608 - our own name
        f"JOIN {kept_in}checked_by USING (tournament) WHERE release = $release",
        {"release": VERSION},
    ).fetchall()
    return {stream: CheckedBefore(size, root) for stream, size, root in found}


ROWS_AT_ONCE = 500
"""How many rows a line has at most: what reads them holds a few such lines in memory."""

LINE_BYTES = 4 << 20
"""The longest line that DuckDB is asked to read."""

_ENCODER = msgspec.json.Encoder()

_BY_LOG = MappingProxyType(
    {"tournaments": ("tournament", "size", "root", "signed_size", "signed_by", "by_policy")}
)
"""By table the columns that the load has of each log; of every other table it is the first one."""

_MOMENTS = ("TIMESTAMP", "DATE")
"""Types that are read as text, which may be none."""


@cache
def _of_rows(table: SeasonTable) -> tuple[TableColumn, ...]:
    """The columns that come with the rows."""
    return tuple(each for each in table.columns if each.name not in _of_log(table))


@cache
def _names(table: SeasonTable) -> tuple[str, ...]:
    return tuple(each.name for each in _of_rows(table))


def _of_log(table: SeasonTable) -> tuple[str, ...]:
    return _BY_LOG.get(table.name, ("tournament",))


def lines_of(table: SeasonTable, log: int, rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield lines that hold the rows of a log, which has a number in the load.

    Raises:
        InvalidLog: a row is longer than a line may be.
    """
    all_rows = list(rows)
    for start in range(0, len(all_rows), ROWS_AT_ONCE):
        yield from _lines(log, _names(table), all_rows[start : start + ROWS_AT_ONCE])


def _lines(log: int, names: tuple[str, ...], rows: list[Row]) -> Iterator[bytes]:
    columns = zip(*rows, strict=True)
    line = _ENCODER.encode({"log": log, **dict(zip(names, columns, strict=True))})
    if len(line) < LINE_BYTES:
        yield line + b"\n"
    elif len(rows) > 1:
        half = len(rows) // 2
        yield from _lines(log, names, rows[:half])
        yield from _lines(log, names, rows[half:])
    else:
        raise InvalidLog(
            phrase(
                "its data about one player is longer than {line_bytes} bytes",
                line_bytes=f"{LINE_BYTES:,}",
            )
        )


def insertion(table: SeasonTable) -> str:
    """Write the SQL that takes rows from files into a table, of the logs that the load takes."""
    columns = _of_rows(table)
    types = ", ".join(f"\"{each.name}\": '{_read_as(each)}[]'" for each in columns)
    known = ", ".join(f"logs.{name}" for name in _of_log(table))
    taken = ", ".join(map(_value, columns))
    return (
        f"INSERT INTO {table.name} SELECT {known}, {taken} "  # noqa: S608 - our own names
        "FROM read_json($files, format = 'newline_delimited', "
        f"maximum_object_size = {LINE_BYTES}, columns = {{log: 'INTEGER', {types}}}) AS columns "
        "JOIN logs ON logs.log = columns.log"
    )


def _kind(column: TableColumn) -> str:
    return column.type.removesuffix(" NOT NULL")


def _read_as(column: TableColumn) -> str:
    return "VARCHAR" if _kind(column) in _MOMENTS else _kind(column)


def _value(column: TableColumn) -> str:
    each = f'unnest(columns."{column.name}")'
    return f"TRY_CAST({each} AS {_kind(column)})" if _kind(column) in _MOMENTS else each


HASHED_BYTES = 1 << 20
"""How many bytes of hashes a row has at most: the reader of rows takes none of any length."""

BATCH_BYTES = 192 << 20
"""How many bytes of lines are derived at once: what a load needs of memory does not grow.

DuckDB shares the writing of a table out among threads from about 250,000 rows on.
"""


class Logged(Struct, frozen=True):
    """A log that was spooled: its number and batch in this load, and what it is known by."""

    log: int
    batch: int
    tournament: str
    size: int
    root: str
    signed: SignedPrefix = SignedPrefix()
    is_checked: bool = False
    """Whether each of its lines was held to the rules, now or before."""


class SpoolPart(Struct):
    """What one process spools for a batch, in files of a folder of its own: one of each kind."""

    folder: Path
    number: int
    size: int = 0
    """Bytes of the logs' lines."""

    files: dict[str, BinaryIO] = field(default_factory=dict)
    """Those that are open, by kind."""

    def write(self, kind: str, lines: Iterable[bytes]) -> None:
        """Add lines of a kind, each with its newline, so that any process can read them."""
        if text := b"".join(lines):
            if kind not in self.files:
                self.files[kind] = (self.folder / f"{kind}-{self.number}.ndjson").open("ab")
            self.files[kind].write(text)
            self.files[kind].flush()

    def close(self) -> None:
        """Write no more."""
        for file in self.files.values():
            file.close()


class Batch(Struct, frozen=True):
    """Some logs of one load, with the files of their rows."""

    folder: Path
    number: int
    logs: list[Logged]

    def files(self, kind: str) -> list[str]:
        """Where the rows of a kind stand; rows of other logs are passed over."""
        return sorted(map(str, self.folder.glob(f"*/{kind}-{self.number}.ndjson")))


class Spool:
    """Logs that one process spools for a load, in batches of `batch_bytes` of lines."""

    def __init__(self, folder: Path, batch_bytes: int) -> None:
        self._part = SpoolPart(Path(mkdtemp(dir=folder)), 0)
        self._batch_bytes = batch_bytes

    def close(self) -> None:
        """Write no more."""
        self._part.close()

    def add(
        self, number: int, tournament: Tournament, lines: list[bytes], leaves: bytes, root: str
    ) -> Logged:
        """Spool a checked log, and return what it is known by."""
        opening = tournament.opening
        assert opening is not None  # noqa: S101 - a checked log begins with it
        if self._part.size > self._batch_bytes:
            self.close()
            self._part = SpoolPart(self._part.folder, self._part.number + 1)
        part = self._part
        part.size += sum(map(len, lines))
        log = FoldedLog(tournament, lines)
        for table in tables():
            part.write(table.name, lines_of(table, number, ROWS[table.name](log)))
        part.write("leaves", [_ENCODER.encode_lines(_pieces(leaves, number))])
        return Logged(number, part.number, opening.tournament, len(lines), root)


def _pieces(leaves: bytes, log: int) -> list[dict[str, object]]:
    """The hashes of a log's lines, in as many rows as they take; JSON has them in base 64."""
    return [
        {"log": log, "piece": start, "hashes": leaves[start : start + HASHED_BYTES]}
        for start in range(0, len(leaves), HASHED_BYTES)
    ]


def batches_of(logs: Iterable[Logged], folder: Path) -> list[Batch]:
    """Join the logs that a load takes with what was spooled of them."""
    batches: dict[int, Batch] = {}
    for each in logs:
        batches.setdefault(each.batch, Batch(folder, each.batch, [])).logs.append(each)
    return [batches[number] for number in sorted(batches)]


PROCESSES = THREADS

WORTH_BYTES = 8 << 20
"""From how many bytes of logs on, further processes save more than their start takes."""

LOGS_AT_ONCE = 4
"""How many logs a process is handed at a time."""


class CheckedLog(Struct, frozen=True):
    """What is known of one log; without a stream it is not a log, and problem says why.

    `logged` is None where nothing had to be spooled: the season has as much of the tournament, or
    the log is wrong.
    """

    stream: str = ""
    size: int = 0
    leaves: bytes = b""
    root: str = ""
    signed: SignedPrefix = SignedPrefix()
    logged: Logged | None = None
    problem: LedgerError | None = None
    known: int = 0
    """How many of its events count as checked before."""


class LogChecker:
    """Checks logs; sizes says how much the season has of each tournament.

    With `trust` a log has to have a head that it accepts; `before` says what was checked already.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        spool: Spool,
        trust: Asked = None,
        before: KnownChecks = NOTHING_KNOWN,
    ) -> None:
        self._sizes = sizes
        self._spool = spool
        self._trust = trust
        self._before = before

    def check(self, number: int, source: Source) -> CheckedLog:
        """Read a log; check it and spool it, if there is more in it than the season has."""
        try:
            lines = source.lines()
            stream = opening_of(source, lines).tournament
            leaves = leaves_of(lines)
            root, signed = source.known_by(stream, lines, leaves, self._trust)
        except LedgerError as error:
            return CheckedLog(problem=error)
        size = len(lines)
        checked = CheckedLog(stream, size, leaves, root, signed)
        if size <= self._sizes.get(stream, 0):
            return checked
        held = self._before.events_checked(stream, leaves, root)
        known = max(held, self._before.events_accepted(signed))
        try:
            with collector_paused():
                tournament = source.checked(lines, known, leaves)
                logged = self._spool.add(number, tournament, lines, leaves, root)
        except LedgerError as error:
            return replace(checked, problem=error)
        is_checked = source.holds_to_rules and known == held
        logged = replace(logged, signed=signed, is_checked=is_checked)
        return replace(checked, logged=logged, known=known if source.holds_to_rules else 0)


def check_all(
    sources: Sequence[Source],
    sizes: Mapping[str, int],
    folder: Path,
    trust: Asked = None,
    before: KnownChecks = NOTHING_KNOWN,
) -> Generator[CheckedLog, None, None]:
    """Check logs, in their order, and spool them to the folder.

    `sizes` may grow while this goes on: what it says in time need not be checked. With `trust` each
    has to have a head that it accepts; `before` says what was checked already.

    Raises:
        Refused: a process was ended from outside.
    """
    files = [source for source in sources if isinstance(source, FileLog)]
    if len(files) == len(sources) and sum(file.size for file in files) >= WORTH_BYTES:
        yield from _in_processes(files, sizes, folder, trust, before)
    else:
        with closing(Spool(folder, BATCH_BYTES)) as spool:
            checker = LogChecker(sizes, spool, trust, before)
            yield from map(checker.check, count(1), sources)


def _in_processes(
    sources: Sequence[FileLog],
    sizes: Mapping[str, int],
    folder: Path,
    trust: Asked,
    before: KnownChecks,
) -> Iterator[CheckedLog]:
    plain = KnownChecks(dict(before.logs), before.by_head)  # a view of a mapping cannot be sent
    given = dict(sizes), folder, BATCH_BYTES // PROCESSES, trust, plain
    with processes(PROCESSES, _Worker.begin, *given) as working:
        yield from working.map(_Worker.check, count(1), sources, chunksize=LOGS_AT_ONCE)


class _Worker:
    """The checker of a further process."""

    checker: ClassVar[LogChecker]

    @classmethod
    def begin(
        cls,
        sizes: Mapping[str, int],
        folder: Path,
        room: int,
        trust: Asked,
        before: KnownChecks,
    ) -> None:
        cls.checker = LogChecker(sizes, Spool(folder, room), trust, before)

    @classmethod
    def check(cls, number: int, source: FileLog) -> CheckedLog:
        return cls.checker.check(number, source)
