"""A season's tables as Parquet files that another engine reads: those of its folder, or a copy."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import astuple

from projections.season.derived.manifest import Manifest, read_manifest
from projections.season.tables.database import FORMAT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class SeasonFiles(NamedTuple):
    """The files of each table, and whom the league takes for one person, where they say nothing."""

    of_table: Mapping[str, Sequence[str]]
    aliases: Sequence[tuple[str, str, str]] = ()


def size_of(place: Path) -> int:
    """Return how many bytes a season has, in its file or in its folder."""
    if not place.is_dir():
        return place.stat().st_size
    return sum(part.bytes for part in read_manifest(place, FORMAT).files())


def files_of(
    place: Path, connection: DuckDBPyConnection, tables: Collection[str], room: Path
) -> SeasonFiles:
    """Say where the rows of tables are; those of a season's file are copied into a room."""
    if place.is_dir():
        return _listed(place.resolve(), read_manifest(place, FORMAT), tables)
    return SeasonFiles({table: [_copied(connection, table, room)] for table in sorted(tables)})


def _listed(folder: Path, manifest: Manifest, tables: Collection[str]) -> SeasonFiles:
    of_table = {
        table: [str(folder / chunk.parts[table].file) for chunk in manifest.chunks]
        for table in sorted(tables)
    }
    return SeasonFiles(of_table, [astuple(each) for each in manifest.aliases])


def _copied(connection: DuckDBPyConnection, table: str, room: Path) -> str:
    """Copy a whole table, whatever a filter lets the connection see of it."""
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    path = str(room / f"{table}.parquet")
    rows = 'FROM "{}".main.{}'.format(season.replace('"', '""'), table)
    connection.execute("COPY ({}) TO '{}' (FORMAT parquet)".format(rows, path.replace("'", "''")))
    return path
