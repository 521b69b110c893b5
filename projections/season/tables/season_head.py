"""The signed head of a season: whose rows these are.

It is a checkpoint, as of a log: a name, a number of lines and the root of their tree (RFC 6962).
The first line has the version of the tables, how often the season was signed and the digest of the
aliases; each further line is a tournament whose rows were derived from its log by the signer: its
id, the size and root of the log, the digest of its rows and of its rows of people. A tournament
without a digest has no line: the head states nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from projections.season.tables.database import FORMAT
from projections.season.tables.head_notes import SeasonHead, SignWith, covers, signed_head
from projections.season.tables.row_digests import (
    RowDigest,
    aliases_digest,
    digests_of,
    persons_of,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


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
    for tournament, digest in digests_of(connection, made).items():
        connection.execute("DELETE FROM row_digests WHERE tournament = ?", [tournament])
        connection.execute("INSERT INTO row_digests VALUES (?, ?, ?)", [tournament, *digest])
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
    found = connection.execute("SELECT number, note, key FROM season_head").fetchmany(2)
    return SeasonHead(*found[0]) if len(found) == 1 else None


def claimed(connection: DuckDBPyConnection) -> dict[str, RowDigest]:
    """Read the digests that a season states, by tournament."""
    found = connection.execute("SELECT tournament, rows, persons FROM row_digests").fetchall()
    return {tournament: RowDigest(*digest) for tournament, *digest in found}


def lines_of(
    connection: DuckDBPyConnection, number: int, digests: Mapping[str, RowDigest]
) -> list[str]:
    """Return the lines that a head covers, in order."""
    found = connection.execute(
        "SELECT tournament, size, root FROM tournaments ORDER BY tournament"
    ).fetchall()
    return [
        f"season {FORMAT} {number} {aliases_digest(connection)}",
        *(
            f"{tournament} {size} {root} {digests[tournament].rows} {digests[tournament].persons}"
            for tournament, size, root in found
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
    fitting = frozenset(each for each, digest in digests.items() if actual.get(each) == digest)
    return Verified(head.key, fitting, len(digests) - len(fitting))
