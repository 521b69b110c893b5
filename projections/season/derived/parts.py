"""From a chunk of logs to its parts: a pure function, in any process, on any machine.

The same chunk gives the same bytes, in whatever process: rows are in one order, and one thread
writes them. Nothing is known here of other chunks, of the league, or of the manifest.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import InvalidLog, LedgerError
from ledger.fold import collector_paused
from projections.season.derived.chunks import Chunk, ChunkLog
from projections.season.derived.folder_views import digest_of, hold_part
from projections.season.derived.manifest import ListedChunk, TablePart, part_file, table_names
from projections.season.loading.filling import head_columns, load
from projections.season.loading.signed_prefix import leaves_of, root_of
from projections.season.loading.spooling import BATCH_BYTES, Logged, Spool, batches_of
from projections.season.tables.database import open_scratch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class WrongLog(Struct, frozen=True):
    """A log that a chunk cannot be derived with, and why."""

    tournament: str
    problem: LedgerError


class DerivedChunk(Struct, frozen=True):
    """What became of a chunk: its parts, or every log that is wrong, and then no part."""

    chunk: ListedChunk
    wrong: tuple[WrongLog, ...] = ()


def derive_chunk(chunk: Chunk, season: Path, into: Path) -> DerivedChunk:
    """Check a chunk's logs, derive every table from them, and write each as a part.

    Parts are written elsewhere and renamed, to their places as from a season's folder, but in the
    folder `into`: doing it twice does no harm. Rows of logs without a source are taken from the
    parts of the chunk before, in the folder `season`.

    Raises:
        StoreUnavailable: a part of the chunk before is missing or altered.
        OSError: there is no room.
    """
    room = Path(mkdtemp(prefix=".chunk-", dir=into))
    try:
        spooled, wrong = _spooled(chunk, room)
        listed = ListedChunk(chunk.name, chunk.year, tuple(x.listed for x in chunk.logs), {})
        if wrong:
            return DerivedChunk(listed, tuple(wrong))
        with open_scratch() as connection:
            _take_over(connection, chunk, season)
            load(connection, batches_of(spooled, room), (), lambda _done: None)
            parts = dict(_written(connection, chunk, room, into))
        return DerivedChunk(replace(listed, parts=parts))
    finally:
        shutil.rmtree(room)


def _spooled(chunk: Chunk, room: Path) -> tuple[list[Logged], list[WrongLog]]:
    """Check each log that has a source, as far as it was planned, and spool its rows."""
    logged, wrong = [], []
    with closing(Spool(room, BATCH_BYTES)) as spool:
        for number, log in enumerate(chunk.logs, start=1):
            try:
                if log.source is not None:
                    logged.append(_checked(log, number, spool))
            except LedgerError as error:
                wrong.append(WrongLog(log.listed.tournament, error))
    return logged, wrong


def _checked(log: ChunkLog, number: int, spool: Spool) -> Logged:
    assert log.source is not None  # noqa: S101 - as its caller asked
    listed = log.listed
    lines = log.source.lines()[: listed.size]
    leaves = leaves_of(lines)
    if root_of(leaves) != listed.root:
        raise InvalidLog(f"{log.source.where} changed while it was read: repeat it")
    with collector_paused():
        tournament = log.source.checked(lines, log.known, leaves)
        logged = spool.add(number, tournament, lines, leaves, listed.root)
    return replace(logged, signed=listed.signed)


def _take_over(connection: DuckDBPyConnection, chunk: Chunk, season: Path) -> None:
    """Take the rows of logs that are as they were from the parts before, with today's heads."""
    kept = [each.listed for each in chunk.logs if each.source is None]
    if not kept or chunk.before is None:
        return
    for table, part in chunk.before.parts.items():
        path = hold_part(season, part)
        connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet($file, "  # noqa: S608 - our own
            "hive_partitioning = false) WHERE list_contains($kept, tournament)",
            {"file": str(path), "kept": [each.tournament for each in kept]},
        )
    for each in kept:
        connection.execute(
            "UPDATE tournaments SET signed_size = ?, signed_by = ?, by_policy = ? "
            "WHERE tournament = ?",
            [*head_columns(each.signed), each.tournament],
        )


def _written(
    connection: DuckDBPyConnection, chunk: Chunk, room: Path, into: Path
) -> Iterator[tuple[str, TablePart]]:
    for table in table_names():
        draft = room / f"{table}.parquet"
        quoted = str(draft).replace("'", "''")
        written = connection.execute(
            f"COPY (FROM {table} ORDER BY ALL) TO '{quoted}' "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{season_format: '{chunk.version}'}})"
        ).fetchone()
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        name = part_file(table, chunk.year, chunk.name)
        part = TablePart(
            name, digest_of(draft), draft.stat().st_size, int(written[0] if written else 0)
        )
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        draft.replace(into / name)
        yield table, part
