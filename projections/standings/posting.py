"""The fixed serialisation of what is put on the wall: player numbers and exact fractions, no names.

    standings   rank player points tiebreaker...    one line a row, best first
    pairings    table player player                 one line a table; 0 for nobody: a bye

Decimal numbers, one space between two fields, a tiebreaker as `57/16` in lowest terms (`3` where it
is whole), ASCII, each line ended by one LF. `Posted` holds the SHA-256 of these bytes.
"""

from __future__ import annotations

import hashlib

from ledger.tournament.state import Round
from projections.standings.table import Standings


def posted_standings(table: Standings) -> bytes:
    """Serialise a stage's table."""
    return _lines([[row.rank, row.player, row.points, *row.tiebreakers] for row in table.rows])


def posted_pairings(round_: Round) -> bytes:
    """Serialise a round's tables."""
    return _lines([[match.table, match.first, match.second] for match in round_.matches])


def fingerprint(posted: bytes) -> str:
    """Return the SHA-256 of a serialisation, in hex."""
    return hashlib.sha256(posted).hexdigest()


def _lines(rows: list[list[object]]) -> bytes:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows).encode("ascii")
