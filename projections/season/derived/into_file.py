"""A derived season into a season's file: its rows as they are, each log compared as any other is.

There are no lines here that a head could be held to, so no log counts as signed; what the file has
of heads decides as always where two histories meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import InvalidLog
from ledger.tournament.state import Tournament
from projections.season.derived.folder_views import read_held
from projections.season.derived.manifest import LEAVES, ListedChunk, ListedLog
from projections.season.loading.adding import intake_of
from projections.season.loading.checking import CheckedLog
from projections.season.loading.filling import remove
from projections.season.loading.sources import FileLog
from projections.season.loading.spooling import Logged
from projections.season.tables.copying import wrong_day
from projections.season.tables.database import FORMAT, transaction, wrong_value
from projections.season.tables.definitions import sql
from projections.season.tables.season_head import seal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.loading.intake import LoadTerms, LogOutcome


class _ListedFile(FileLog):
    """A log of a folder, of which there are rows and hashes alone."""

    def lines(self) -> list[bytes]:
        """Nothing: its lines are elsewhere."""
        return []

    def checked(self, _lines: object, _known: int = 0, _leaves: object = None) -> Tournament:
        """Nothing: it was checked when it was derived."""
        return Tournament()


def take_parts(
    connection: DuckDBPyConnection, folders: Iterable[Path], terms: LoadTerms
) -> list[LogOutcome]:
    """Take derived seasons into the tables of a file: all of them, or with a wrong log nothing.

    Raises:
        LedgerError: what is wrong with a folder, or with a log; nothing has changed.
    """
    with transaction(connection):
        taken = [each for folder in folders for each in _take(connection, folder, terms)]
        connection.execute(sql("tables/retell"))
        if wrong := wrong_value(connection) or wrong_day(connection):
            raise InvalidLog(f"the rows cannot be taken: {wrong}; nothing was changed")
        seal(connection, (), terms.sign_with)
    return taken


def _take(connection: DuckDBPyConnection, folder: Path, terms: LoadTerms) -> list[LogOutcome]:
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    with duckdb.connect() as reading:
        manifest = read_held(folder, reading, FORMAT)
        intake = intake_of(connection, "", terms)
        for chunk in manifest.chunks:
            for listed, leaves in _with_leaves(reading, folder, chunk):
                where = f"{listed.tournament[:8]} of {folder}"
                intake.take_or_skip(_ListedFile(Path(where)), _as_checked(listed, leaves))
        remove(connection, intake.replaced)
        for chunk in manifest.chunks:
            tournaments = (each.tournament for each in chunk.logs)
            taken = [each for each in tournaments if each in intake.logs]
            _insert(connection, folder, chunk, taken)
    return intake.taken


def _as_checked(listed: ListedLog, leaves: bytes) -> CheckedLog:
    logged = Logged(0, 0, listed.tournament, listed.size, listed.root)
    return CheckedLog(listed.tournament, listed.size, leaves, listed.root, logged=logged)


def _with_leaves(
    reading: DuckDBPyConnection, folder: Path, chunk: ListedChunk
) -> Iterator[tuple[ListedLog, bytes]]:
    found = reading.execute(
        "SELECT tournament, hashes FROM read_parquet($file, hive_partitioning = false) "
        "ORDER BY tournament, piece",
        {"file": str(folder / chunk.parts[LEAVES].file)},
    ).fetchall()
    pieces: dict[str, list[bytes]] = {}
    for tournament, hashes in found:
        pieces.setdefault(tournament, []).append(hashes)
    for listed in chunk.logs:
        yield listed, b"".join(pieces.get(listed.tournament, ()))


def _insert(
    connection: DuckDBPyConnection, folder: Path, chunk: ListedChunk, taken: list[str]
) -> None:
    for table, part in chunk.parts.items():
        connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet($file, "  # noqa: S608 - our own
            "hive_partitioning = false) WHERE list_contains($taken, tournament)",
            {"file": str(folder / part.file), "taken": taken},
        )
    connection.execute(
        "UPDATE tournaments SET signed_size = 0, signed_by = NULL, by_policy = FALSE "
        "WHERE list_contains($taken, tournament)",
        {"taken": taken},
    )
