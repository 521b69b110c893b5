"""What tables there are and what their columns mean, as `schema.sql` says it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

_SEASON = Path(__file__).parent.parent
_TABLE = re.compile(r"((?:^-- .*\n)+)^CREATE TABLE (\w+) \(\n((?:^ .*\n)+)^\);", re.MULTILINE)
_COLUMN = re.compile(r"^    (\w+) (.+?),?  -- (.*(?:\n        -- .*)*)$", re.MULTILINE)


class TableColumn(NamedTuple):
    """A column: its name, its type in DuckDB, its meaning and unit."""

    name: str
    type: str
    meaning: str


class SeasonTable(NamedTuple):
    """A table: its name, what a row of it is, and its columns in order."""

    name: str
    about: str
    columns: tuple[TableColumn, ...]


def sql(name: str) -> str:
    """Read a file of SQL by its path in the season's folder: `tables/schema`."""
    return (_SEASON / f"{name}.sql").read_text("utf-8")


@cache
def tables() -> tuple[SeasonTable, ...]:
    """List the tables, in the order of `schema.sql`."""
    return tuple(
        SeasonTable(name, _joined(about), tuple(_columns(body)))
        for about, name, body in _TABLE.findall(sql("tables/schema"))
    )


def _columns(body: str) -> list[TableColumn]:
    return [
        TableColumn(name, kind.removesuffix(","), _joined(f"-- {meaning}"))
        for name, kind, meaning in _COLUMN.findall(body)
    ]


def _joined(comment: str) -> str:
    return " ".join(line.strip().removeprefix("--").strip() for line in comment.splitlines())
