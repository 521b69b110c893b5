"""Rows of a season's tables made by hand, where a simulated season needs no logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

ZERO = {"VARCHAR": "''", "BOOLEAN": "TRUE", "INTEGER": "0", "BIGINT": "0"}

SAID: dict[str, tuple[str, ...]] = {
    "tournaments": ("tournament", "ruleset"),
    "entrants": ("tournament", "player", "faction", "status"),
    "people": ("tournament", "player", "person", "known"),
    "results": ("tournament", "match", "round", "player1", "player2", "record1", "record2"),
}
"""Which columns rows have where it is not said."""


def fill(
    connection: DuckDBPyConnection,
    table: str,
    rows: Sequence[tuple[Any, ...]],
    names: tuple[str, ...] = (),
) -> None:
    """Put rows into a table by their columns' names; what is not said is empty."""
    said = names or SAID[table]
    described = connection.execute(f"DESCRIBE {table}").fetchall()
    others = [
        (name, "MAP {}" if kind.startswith("MAP") else ZERO.get(kind, "NULL"))
        for name, kind, *_ in described
        if name not in said
    ]
    kinds = {name: kind for name, kind, *_ in described}
    given = ", ".join(f"unnest(?::{kinds[name]}[]) AS {name}" for name in said)
    empty = ", ".join(f"{value} AS {name}" for name, value in others)
    connection.execute(
        f"INSERT INTO {table} BY NAME SELECT {given}{', ' + empty if empty else ''}",
        [list(column) for column in zip(*rows, strict=True)],
    )
