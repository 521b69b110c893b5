"""Rows as the bytes of a Parquet file, made by a database in memory that has nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.files.access import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OBJECT_BYTES_MAX = 1 << 30


def parquet_of(rows: bytes, kinds: Mapping[str, str], folder: Path) -> bytes:
    """Return an array of JSON objects as Parquet, each column of the type in DuckDB that it has.

    The same rows give the same bytes. The folder is for files that exist only meanwhile.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    columns = ", ".join(f"{_name(name)}: {_text(kind)}" for name, kind in kinds.items())
    with duckdb.connect() as connection:
        source, target = folder / "rows.json", folder / "rows.parquet"
        write_whole(source, [rows])
        connection.execute("SET threads = 1")
        connection.execute(
            f"COPY (FROM read_json({_text(str(source))}, format = 'array', "
            f"maximum_object_size = {OBJECT_BYTES_MAX}, columns = {{{columns}}})) "
            f"TO {_text(str(target))} (FORMAT parquet, COMPRESSION zstd)"
        )
        return target.read_bytes()


def _name(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))
