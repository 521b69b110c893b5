"""The signed head of a season over the digests of its rows: whose rows these are.

A head is a checkpoint, as of a log: a name, a number of lines and the root of their tree (RFC
6962). The first line has the version of the tables, how often the season was signed and the digest
of the aliases; each further line is a tournament whose rows were derived from its log by the
signer: its id, the size and root of the log, the digest of its rows and of its rows of people. A
tournament without a digest has no line: the head states nothing about it.

The same rows have the same digest. A row is written as a JSON array of texts, column by column: a
day and a moment as microseconds since 1970, a map as JSON, bytes in hexadecimal. The rows of a
tournament in one table are sorted as texts and hashed; the digest is the SHA-256 over the names of
the tables and these hashes. Nothing depends on the order of rows, or on how a release of DuckDB
shows a value.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from projections.season.tables.database import FORMAT
from projections.season.tables.definitions import tables
from projections.season.tables.signed_heads import SeasonHead, SignWith, covers, signed_head

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    return {tournament: _joined(hashes_of_table) for tournament, hashes_of_table in hashes.items()}


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
        yield table.name, tuple((column.name, column.type) for column in table.columns)
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
        "SELECT tournament, sha256(array_to_string(list_sort(list(line)), chr(10))) "  # noqa: S608 - our own
        f"FROM (SELECT tournament, to_json([{texts}])::VARCHAR AS line FROM {table} {only}) "
        "GROUP BY tournament",
        {} if chosen is None else {"chosen": chosen},
    ).fetchall()


def _text(name: str, kind: str) -> str:
    form = _AS_TEXT.get(kind.removesuffix(" NOT NULL").partition("(")[0], "{}::VARCHAR")
    return form.format(f'"{name}"')


class Verified(Struct, frozen=True):
    """What a head proves: who signed it (a verifier key), and the tournaments whose rows fit."""

    by: str = ""
    tournaments: frozenset[str] = frozenset()
    altered: int = 0
    """Number of tournaments whose rows are not those that were signed."""


UNSIGNED = Verified()


def seal(connection: DuckDBPyConnection, made: Iterable[str], sign_with: SignWith | None) -> None:
    """Sign the season after a change, within the same transaction.

    `made` are the tournaments whose rows were derived from their logs just now. Without a key
    nothing is claimed of any row: the head and all digests go.
    """
    if sign_with is None:
        connection.execute("DELETE FROM season_head; DELETE FROM row_digests")
        return
    digests = [(tournament, *digest) for tournament, digest in digests_of(connection, made).items()]
    if digests:
        columns = list(map(list, zip(*digests, strict=True)))
        connection.execute(
            "DELETE FROM row_digests WHERE list_contains(?, tournament)", columns[:1]
        )
        connection.execute(
            "INSERT INTO row_digests SELECT unnest(?), unnest(?), unnest(?)", columns
        )
    _renew_persons(connection)
    before = head_of(connection)
    number = before.number + 1 if before is not None else 1
    head = signed_head(sign_with(), number, lines_of(connection, number, claimed(connection)))
    connection.execute("DELETE FROM season_head")
    connection.execute("INSERT INTO season_head VALUES (?, ?, ?)", [number, head.note, head.key])


def _renew_persons(connection: DuckDBPyConnection) -> None:
    """Bring the digests of people up to date, which a decision of the league changes."""
    persons = persons_of(connection)
    for tournament, digest in claimed(connection).items():
        if (now := persons.get(tournament, "none")) != digest.persons:
            connection.execute(
                "UPDATE row_digests SET persons = ? WHERE tournament = ?", [now, tournament]
            )


def head_of(connection: DuckDBPyConnection) -> SeasonHead | None:
    """Read the head of a season; None if it has none, or more than one."""
    rows = connection.execute("SELECT number, note, key FROM season_head").fetchmany(2)
    return SeasonHead(*rows[0]) if len(rows) == 1 else None


def claimed(connection: DuckDBPyConnection) -> dict[str, RowDigest]:
    """Read the digests that a season states, by tournament."""
    rows = connection.execute("SELECT tournament, rows, persons FROM row_digests").fetchall()
    return {tournament: RowDigest(*digest) for tournament, *digest in rows}


def lines_of(
    connection: DuckDBPyConnection, number: int, digests: Mapping[str, RowDigest]
) -> list[str]:
    """Return the lines that a head covers, in order."""
    rows = connection.execute(
        "SELECT tournament, size, root FROM tournaments ORDER BY tournament"
    ).fetchall()
    return [
        f"season {FORMAT} {number} {aliases_digest(connection)}",
        *(
            f"{tournament} {size} {root} {digests[tournament].rows} {digests[tournament].persons}"
            for tournament, size, root in rows
            if tournament in digests
        ),
    ]


def verified(connection: DuckDBPyConnection) -> Verified:
    """Return what the head of a season proves of its rows; UNSIGNED if it proves nothing.

    The caller decides whose key it is.
    """
    head = head_of(connection)
    digests = claimed(connection)
    if head is None:
        return UNSIGNED
    if not covers(head, lines_of(connection, head.number, digests)):
        return Verified(altered=len(digests))
    actual = digests_of(connection, digests)
    fitting = frozenset(
        tournament for tournament, digest in digests.items() if actual.get(tournament) == digest
    )
    return Verified(head.key, fitting, len(digests) - len(fitting))
