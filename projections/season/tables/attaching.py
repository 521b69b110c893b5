"""A season's file attached for reading: only the rows of its base tables are used.

The maker of a file chooses everything else that it holds: views, macros that have the names of
built-in functions, generated columns, defaults, triggers. None of these runs. The file is attached
to a database in memory, read only; the names that a statement uses resolve in that database, which
has our own macros and our own views; and a view of ours reads a table of the file only if the table
is a base table that is made exactly as `schema.sql` makes it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duckdb import DuckDBPyConnection

STORED = "stored"
"""The name of the attached file within a connection."""

KEPT = ("season_format", "aliases", "leaves")
"""Tables that every season's file has next to those of `schema.sql`."""

LATER = ("checked_by", "unsigned_logs", "row_digests", "season_head")
"""Tables that a file of an earlier release may lack; without one, no row is read."""

MACROS = frozenset(
    {
        "as_many",
        "as_number",
        "faction_scores",
        "in_billionths",
        "person_high",
        "person_low",
        "share_high",
        "share_low",
        "side_scores",
        "student_95",
        "tiebreaker",
        "wilson_high",
        "wilson_low",
    }
)
"""The macros of a season's file. What writes a season calls none of them."""

_WOULD_RUN = (
    ("macro", "function_name", "duckdb_functions() WHERE NOT internal"),
    ("trigger", "trigger_name", "duckdb_triggers()"),
    ("index", "index_name", "duckdb_indexes()"),
    ("view", "view_name", "duckdb_views() WHERE NOT internal"),
)
"""What runs when a file is written: its kind, the column of its name, and what lists it."""


def names() -> list[str]:
    """List the tables of a season's file that are read."""
    return [*(table.name for table in tables()), *KEPT, *LATER]


def attach(connection: DuckDBPyConnection, path: Path) -> None:
    """Attach a file to a connection, read only.

    Raises:
        duckdb.Error: it is damaged, or in use.
    """
    quoted = str(path).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS {STORED} (READ_ONLY, TYPE duckdb)")


def made_as(connection: DuckDBPyConnection, database: str) -> dict[str, str]:
    """Return how each base table in a database's main schema is made, as SQL, by its name."""
    found = connection.execute(
        "SELECT database_name, schema_name, table_name, sql FROM system.main.duckdb_tables()"
    ).fetchall()
    place = (database, "main")
    return {table: sql for base, schema, table, sql in found if (base, schema) == place}


def wrong_table(expected: Mapping[str, str], stored: Mapping[str, str]) -> str:
    """Return the first table that a season's file lacks or makes otherwise; empty if none is."""
    for name in names():
        if stored.get(name) != expected[name] and (name in stored or name not in LATER):
            return name
    return ""


def show_stored(connection: DuckDBPyConnection) -> None:
    """Put the tables of the attached file in the place of a connection's own, as views."""
    stored = made_as(connection, STORED)
    for table in names():
        if table in stored:
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"CREATE VIEW {table} AS FROM {STORED}.main.{table}")


def would_run(connection: DuckDBPyConnection, database: str) -> list[str]:
    """List what a file holds that runs when it is written and is not a season's: "macro count".

    A macro stands for every function of its name, so all names here are qualified and no function
    is called that a macro could replace.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    found = []
    for kind, column, listing in _WOULD_RUN:
        asked = f"SELECT database_name, {column} FROM system.main.{listing}"  # noqa: S608 - our own
        with suppress(duckdb.CatalogException):  # an earlier DuckDB has no triggers
            for base, name in connection.execute(asked).fetchall():
                if base == database and not _is_idle(kind, name):
                    found.append(f"{kind} {name}")
    return sorted(found)


def _is_idle(kind: str, name: str) -> bool:
    """Return whether nothing that writes a season names this macro or view."""
    return (kind == "macro" and name in MACROS) or (kind == "view" and name not in names())
