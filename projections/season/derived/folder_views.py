"""The folder of a derived season as tables of DuckDB: what its manifest lists, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from stat import S_ISREG
from typing import IO, TYPE_CHECKING
from weakref import finalize

from msgspec.structs import astuple

from projections.season.derived.manifest import (
    Manifest,
    TablePart,
    damaged,
    read_manifest,
    table_names,
)
from projections.season.loading.scratch import open_lock

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

THREADS = 4
"""How many parts are hashed at once."""

PEOPLE = """
SELECT
    parts.tournament,
    parts.player,
    coalesce(here.person, everywhere.person, parts.person) AS person,
    parts.known
FROM {rows} AS parts
LEFT JOIN {aliases} AS here
    ON parts.known AND here.tournament = parts.tournament AND here.league_id = parts.person
LEFT JOIN {aliases} AS everywhere
    ON parts.known AND everywhere.tournament = '' AND everywhere.league_id = parts.person
"""
"""Everybody as the league tells persons apart; parts know of no league."""

READERS = ".readers.lock"
"""Locked by each who reads the season, together; who has it alone may remove old parts."""


def locked(path: Path, *, alone: bool) -> IO[bytes] | None:
    """Lock a file for as long as what is returned is open; None where nothing can be locked.

    Raises:
        BlockingIOError: somebody else has it locked.
    """
    try:
        import fcntl  # noqa: PLC0415 - Windows has none

        lock = open_lock(path)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(lock, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise
    except OSError:
        lock.close()
        return None
    return lock


def read_held(folder: Path, connection: DuckDBPyConnection, version: int) -> Manifest:
    """Read a manifest whose parts stay, and are as listed, until the connection goes.

    Raises:
        NotFound: the folder has no season.
        StoreUnavailable: the manifest, or a part that it lists, is missing or damaged.
    """
    lock = locked(folder / READERS, alone=False)
    if lock is not None:
        finalize(connection, lock.close)
    manifest = read_manifest(folder, version)
    with ThreadPoolExecutor(THREADS) as pool:  # hashing lets other threads go on
        for _ in pool.map(hold_part, repeat(folder), manifest.files()):
            pass
    return manifest


def show_parts(connection: DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Put what is listed in the place of the empty tables of a connection's database, as views.

    A connection that is confined later reads these files, and no others.
    """
    (database,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    aliases, named = list(map(astuple, manifest.aliases)), f"{database}.main.aliases"
    if aliases:
        connection.executemany("INSERT INTO aliases VALUES (?, ?, ?)", aliases)
    connection.execute("UPDATE season_format SET version = ?", [manifest.tables])
    checked = [(each.tournament, each.checked_by) for each in manifest.logs() if each.checked_by]
    if checked:
        columns = list(map(list, zip(*checked, strict=True)))
        connection.execute("INSERT INTO checked_by SELECT unnest(?), unnest(?)", columns)
    reasons = [(each.tournament, each.unsigned) for each in manifest.logs() if each.unsigned]
    if reasons:
        connection.executemany("INSERT INTO unsigned_logs VALUES (?, ?)", reasons)
    own = [each.tournament for each in manifest.logs() if each.is_own]
    connection.execute("INSERT INTO row_digests SELECT unnest(?), '', ''", [own])
    if not manifest.chunks:
        return
    for table in table_names():
        files = ", ".join(_files(folder, manifest, table))
        rows = f"read_parquet([{files}], hive_partitioning = false)"
        shown = PEOPLE if table == "people" and aliases else "FROM {rows}"
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE VIEW {table} AS {shown.format(rows=rows, aliases=named)}")
    every = ", ".join(each for table in table_names() for each in _files(folder, manifest, table))
    connection.execute(f"SET allowed_paths = [{every}]")


def _files(folder: Path, manifest: Manifest, table: str) -> Iterator[str]:
    """Yield where the parts of a table are, as SQL."""
    for chunk in manifest.chunks:
        path = str(folder.resolve() / chunk.parts[table].file)
        yield "'{}'".format(path.replace("'", "''"))


def hold_part(season: Path, part: TablePart) -> Path:
    """Hold a part to what the manifest says of it; StoreUnavailable if it is another, or gone."""
    path = season / part.file
    try:
        found = path.stat()
        is_in_folder = path.resolve().is_relative_to(season.resolve()) and S_ISREG(found.st_mode)
        is_of_size = is_in_folder and found.st_size == part.bytes
        is_as_listed = is_of_size and digest_of(path) == part.sha256
    except OSError as error:
        raise damaged(season, f"its part {part.file} cannot be had ({error.strerror})") from None
    if not is_as_listed:
        raise damaged(season, f"its part {part.file} is not what its manifest lists")
    return path


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def leaves_in(part: Path, tournament: str) -> bytes | None:
    """Read the hashes of a log's lines from a part that has them."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    with duckdb.connect() as connection:
        pieces = connection.execute(
            "SELECT hashes FROM read_parquet($file, hive_partitioning = false) "
            "WHERE tournament = $tournament ORDER BY piece",
            {"file": str(part), "tournament": tournament},
        ).fetchall()
    return b"".join(hashes for (hashes,) in pieces) or None
