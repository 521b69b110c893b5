"""Check the parts of a season folder that another machine made, before any part is used.

A manifest's hashes prove only that its maker listed these parts. The maker chose their content:
columns of any name and type, missing values, or rows of a tournament that another chunk lists. So
each part must have exactly the columns of its table, and only rows of the tournaments of its chunk.
The connection that reads them can open no other file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.season.loading.manifest import damaged, hold_part, table_names
from projections.season.tables.copying import ROWS_MAX
from projections.season.tables.database import empty_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.loading.manifest import ListedChunk, Manifest, TablePart

Columns = list[tuple[str, str, bool]]
"""The columns of a table: the name, the type, and whether there may be no value."""

_ROWS = "FROM read_parquet($file, hive_partitioning = false)"
_DAYS = ("DATE", "TIMESTAMP")


def hold_rows(folder: Path, manifest: Manifest) -> None:
    """Check every part of a folder against its table and the logs of its chunk.

    Raises:
        StoreUnavailable: a part is missing, was altered, or has rows that no season has.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    if not manifest.chunks:
        return
    with empty_tables() as connection:
        expected = {table: _columns_of(connection, f"FROM {table}", {}) for table in table_names()}
        paths = {part.file: hold_part(folder, part) for part in manifest.files()}
        _confine(connection, paths.values())
        for chunk in manifest.chunks:
            for table, part in chunk.parts.items():
                try:
                    wrong = _wrong(
                        connection, table, expected[table], chunk, part, paths[part.file]
                    )
                except duckdb.Error as error:
                    wrong = " ".join(str(error).split())[:200]
                if wrong:
                    raise damaged(folder, f"its part {part.file} does not fit the season: {wrong}")


def _confine(connection: DuckDBPyConnection, files: Iterable[Path]) -> None:
    quoted = ", ".join("'{}'".format(str(file).replace("'", "''")) for file in files)
    for setting in (
        "temp_directory = ''",
        f"allowed_paths = [{quoted}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _columns_of(connection: DuckDBPyConnection, rows: str, given: dict[str, object]) -> Columns:
    columns = connection.execute(f"DESCRIBE {rows}", given).fetchall()
    return [(name, kind, nullable == "YES") for name, kind, nullable, *_ in columns]


def _wrong(
    connection: DuckDBPyConnection,
    table: str,
    expected: Columns,
    chunk: ListedChunk,
    part: TablePart,
    path: Path,
) -> str:
    """Return what is wrong with a part; empty if nothing is."""
    file: dict[str, object] = {"file": str(path)}
    columns = _columns_of(connection, _ROWS, file)
    if [column[:2] for column in columns] != [column[:2] for column in expected]:
        return f"its columns are not those of {table}"
    (rows,) = connection.execute(f"SELECT count(*) {_ROWS}", file).fetchone() or (0,)
    if rows != part.rows or rows > ROWS_MAX:
        return f"it has {rows:,} rows, and {part.rows:,} are listed"
    logs = {log.tournament: (log.size, log.root) for log in chunk.logs}
    query = f"SELECT 1 {_ROWS} WHERE {' OR '.join(_conditions(expected))} LIMIT 1"
    if connection.execute(query, {**file, "logs": list(logs)}).fetchone():
        return "it has rows of another chunk, rows without a required value, or impossible days"
    if table == "tournaments":
        listed = connection.execute(f"SELECT tournament, size, root {_ROWS}", file).fetchall()
        if len(listed) != len(logs) or {key: tuple(rest) for key, *rest in listed} != logs:
            return "its tournaments are not the ones that its chunk lists"
    return ""


def _conditions(expected: Columns) -> Iterator[str]:
    """Yield the conditions of rows that no season has."""
    yield "NOT list_contains($logs, tournament)"
    for name, kind, is_nullable in expected:
        if not is_nullable:
            yield f'"{name}" IS NULL'
        if kind in _DAYS:
            yield f'NOT isfinite("{name}") OR year("{name}") NOT BETWEEN 1 AND 9999'
