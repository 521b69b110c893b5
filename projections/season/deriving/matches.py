"""Games as they were paired and are seated by now, each beside what it was paired from."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.tournament.state import Match
from projections.season.deriving.folded_log import FoldedLog, Row

_UNLISTED = (None, None)


def matches(log: FoldedLog) -> Iterator[Row]:
    """Yield every match, of pairings taken back as well.

    A pairing is looked at beside the standings that it was made from, as they are by now.
    """
    given = log.tournament.floor.extensions
    first_met: dict[tuple[int, int], int] = {}
    for pairing in sorted(log.pairings, key=lambda each: each.seq):
        made = pairing.made
        before = _before(log, made.stage, made.round)
        for match in pairing.matches:
            one, other = match.first, match.second
            yield (
                match.number,
                match.round,
                made.stage,
                match.table,
                one or None,
                other or None,
                (not one) != (not other),
                match.table <= made.by_hand,
                match.void,
                pairing.seq,
                given.get(match.number, 0),
                _met_before(first_met, match),
                *before.get(one, _UNLISTED),
                *before.get(other, _UNLISTED),
            )


def _before(log: FoldedLog, stage: int, round_: int) -> dict[int, tuple[int, int]]:
    """Points and place of everybody in the standings of the round before, of the same stage."""
    table = log.tables.get((stage, round_ - 1))
    return {row.player: (row.points, row.rank) for row in table.rows} if table else {}


def _met_before(first_met: dict[tuple[int, int], int], match: Match) -> bool:
    """Whether the two were paired before, by a pairing that stands; remembers this one."""
    one, other = match.first, match.second
    if not (one and other):
        return False
    pair = (one, other) if one < other else (other, one)
    if match.void:
        return pair in first_met
    return first_met.setdefault(pair, match.number) != match.number
