"""Rows on their way to DuckDB: files of JSON, some rows of one table in a line, column by column.

So a name of a column stands there once for many rows, and DuckDB reads a whole column at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from types import MappingProxyType

import msgspec

from ledger.errors import InvalidLog
from projections.season.loading.folded_log import Row
from projections.season.tables.definitions import SeasonTable, TableColumn

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
        raise InvalidLog(f"what it says of one player is longer than {LINE_BYTES:,} bytes")


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
