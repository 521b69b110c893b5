"""Digests of a season's rows, one for each tournament: the same rows, the same digest.

A row is written as a JSON array of texts, column by column: a day and a moment as microseconds
since 1970, a map as JSON, bytes in hexadecimal. The rows of a tournament in one table are sorted as
texts and hashed; the digest is the SHA-256 over the names of the tables and these hashes. Nothing
depends on the order of rows, or on how a release of DuckDB shows a value.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from duckdb import DuckDBPyConnection

PERSONS = "people"
_KEPT = {
    "leaves": (("tournament", "VARCHAR"), ("piece", "INTEGER"), ("hashes", "BLOB")),
    "checked_by": (("tournament", "VARCHAR"), ("release", "VARCHAR")),
    "unsigned_logs": (("tournament", "VARCHAR"), ("reason", "VARCHAR")),
}
"""The columns of the tables next to those of `schema.sql` whose rows belong to a tournament."""

_AS_TEXT = {
    "DATE": "epoch_us({}::TIMESTAMP)::VARCHAR",
    "TIMESTAMP": "epoch_us({})::VARCHAR",
    "MAP": "to_json({})::VARCHAR",
    "BLOB": "hex({})",
}


class RowDigest(NamedTuple):
    """The digests of a tournament: of its rows, and of its rows of people."""

    rows: str
    persons: str


def digests_of(
    connection: DuckDBPyConnection, tournaments: Iterable[str] | None = None
) -> dict[str, RowDigest]:
    """Return the digests of these tournaments, or of all, by tournament."""
    chosen = None if tournaments is None else list(tournaments)
    hashes: dict[str, dict[str, str]] = defaultdict(dict)
    for table, columns in _digested():
        for tournament, digest in _hashed(connection, table, columns, chosen):
            hashes[tournament][table] = digest
    return {tournament: _joined(found) for tournament, found in hashes.items()}


def persons_of(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the digest of each tournament's rows of people, by tournament."""
    columns = dict(_digested())[PERSONS]
    return dict(_hashed(connection, PERSONS, columns, None))


def aliases_digest(connection: DuckDBPyConnection) -> str:
    """Return the digest of the pseudonyms that the league merged or split."""
    rows = connection.execute(
        "SELECT to_json([tournament, league_id, person])::VARCHAR FROM aliases ORDER BY ALL"
    ).fetchall()
    return hashlib.sha256("\n".join(row for (row,) in rows).encode()).hexdigest()


def _joined(hashes: dict[str, str]) -> RowDigest:
    rows = (f"{table} {digest}" for table, digest in sorted(hashes.items()) if table != PERSONS)
    return RowDigest(
        hashlib.sha256("\n".join(rows).encode()).hexdigest(), hashes.get(PERSONS, "none")
    )


def _digested() -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    for table in tables():
        yield table.name, tuple((each.name, each.type) for each in table.columns)
    yield from _KEPT.items()


def _hashed(
    connection: DuckDBPyConnection,
    table: str,
    columns: tuple[tuple[str, str], ...],
    chosen: list[str] | None,
) -> list[tuple[str, str]]:
    texts = ", ".join(_text(name, kind) for name, kind in columns)
    only = "" if chosen is None else "WHERE list_contains($chosen, tournament)"
    return connection.execute(
        "SELECT tournament, sha256(string_agg(line, chr(10) ORDER BY line)) "  # noqa: S608 - our own
        f"FROM (SELECT tournament, to_json([{texts}])::VARCHAR AS line FROM {table} {only}) "
        "GROUP BY tournament",
        {} if chosen is None else {"chosen": chosen},
    ).fetchall()


def _text(name: str, kind: str) -> str:
    form = _AS_TEXT.get(kind.removesuffix(" NOT NULL").partition("(")[0], "{}::VARCHAR")
    return form.format(f'"{name}"')
