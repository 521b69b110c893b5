"""What a change of some logs moves in a season: the rows that go and the rows that come.

The changed logs are derived into tables beside the season's, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from projections.season.loading.adding import Progress, add
from projections.season.loading.intake import DEFAULT_TERMS, LoadTerms, LogOutcome
from projections.season.loading.sources import Source
from projections.season.points import Scheme, SeasonRow, championship
from projections.season.tables.database import open_beside
from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Sign = Literal["-", "+"]

_READ_BY_THE_CHAMPIONSHIP = ("tournaments", "entrants", "people")

KEY_COLUMNS = MappingProxyType({"tournaments": 1, "standings": 4, "cuts": 3, "schedules": 3})
"""How many of a table's first columns tell its rows apart, where it is not the first two."""


class Change(Struct, frozen=True):
    """A row that goes (`-`) or comes (`+`), by column."""

    table: str
    sign: Sign
    row: dict[str, Any]


def key_of(change: Change) -> tuple[tuple[str, Any], ...]:
    """The columns that say which row of its table it is, each with its value."""
    return tuple(change.row.items())[: KEY_COLUMNS.get(change.table, 2)]


class Restatement(Struct, frozen=True):
    """What became of the logs, every row that changes, and everybody whose season does.

    `moved` has the season's rows before and after; None where a person was or will not be in it.
    """

    taken: list[LogOutcome]
    changes: list[Change]
    moved: list[tuple[SeasonRow | None, SeasonRow | None]]


def restate(
    path: Path,
    sources: Sequence[Source],
    folder: Path,
    progress: Progress,
    scheme: Scheme | None = None,
    terms: LoadTerms = DEFAULT_TERMS,
) -> Restatement:
    """Compare a season with what it would be if it took these logs in; nothing is changed.

    `terms` name the policy that has to accept each head, if any.

    Raises:
        LedgerError: what is wrong with a log, or with the season's file.
    """
    with open_beside(path) as connection:
        taken = add(connection, sources, folder, progress, terms, kept_in="season.")
        touched = [each.tournament for each in taken if each.fate in {"new", "grown"}]
        changes = [each for table in tables() for each in _changes(connection, table.name, touched)]
        moved = _moved(connection, scheme, touched) if scheme is not None else []
    return Restatement(taken, changes, moved)


def _changes(connection: DuckDBPyConnection, table: str, touched: list[str]) -> list[Change]:
    """The rows of a table that only one side has, by key; what goes before what comes."""
    before = f"SELECT * FROM season.main.{table} WHERE list_contains($touched, tournament)"  # noqa: S608 - our own name
    after = f"SELECT * FROM memory.main.{table}"  # noqa: S608 - as above
    changes: list[Change] = []
    signs: tuple[tuple[Sign, str, str], ...] = (("-", before, after), ("+", after, before))
    for sign, one, other in signs:
        asked = f"({one}) EXCEPT ALL ({other}) ORDER BY ALL"
        found = connection.execute(asked, {"touched": touched})
        names = [column[0] for column in found.description]
        rows = (dict(zip(names, row, strict=True)) for row in found.fetchall())
        changes += [Change(table, sign, row) for row in rows]
    return sorted(changes, key=lambda each: [value for _, value in key_of(each)])


def _moved(
    connection: DuckDBPyConnection, scheme: Scheme, touched: list[str]
) -> list[tuple[SeasonRow | None, SeasonRow | None]]:
    connection.execute("USE season.main")
    before = {row.person: row for row in championship(connection, scheme).rows}
    connection.execute("USE memory.main")
    connection.execute("CREATE SCHEMA after")
    connection.execute("CREATE TEMP TABLE touched AS SELECT unnest($1) AS tournament", [touched])
    for table in _READ_BY_THE_CHAMPIONSHIP:
        connection.execute(
            f"CREATE VIEW after.{table} AS FROM season.main.{table} "
            f"ANTI JOIN touched USING (tournament) UNION ALL FROM memory.main.{table}"
        )
    connection.execute("USE memory.after")
    after = {row.person: row for row in championship(connection, scheme).rows}
    return [
        (before.get(person), after.get(person))
        for person in sorted(before.keys() | after.keys())
        if before.get(person) != after.get(person)
    ]
