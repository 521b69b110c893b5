"""What an independent reader needs to confirm that no fewer wrong results change a cut.

By points, a result moves two players towards each other by no more than its greatest move. If for
every pair the greatest moves of N results sum up to less than the gap between the two, no set of N
results changes the cut. If the sum equals the gap, the results that bring the two level were tried
with all tiebreakers: these sets of matches are listed as `level`.

`tests/truth/cuts/margin_checker.py` reads a certificate without this program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.events.results import Result
from projections.whatif.fewest_changes import (
    CutRecord,
    Moves,
    Score,
    ScoredGame,
    Shift,
    level_sets,
)


class CertifiedPair(Struct, frozen=True):
    """A pair at the line: its gap, and the greatest moves of as many results as are excluded.

    `leaver` or `entrant` is 0 in a cut by points, where a player crosses a line instead. `level`
    are the sets of matches that bring the two level: tiebreakers decided there.
    """

    leaver: int
    entrant: int
    gap: int
    moves: tuple[Shift, ...]
    level: tuple[tuple[int, ...], ...] = ()


class MarginCertificate(Struct, frozen=True):
    """The proof that `fewer` wrong results do not change a cut.

    `widest` is the most that one result moves a pair: pairs with a gap above `fewer` times `widest`
    are not listed. `scores` are all points that a match may give, `results` those that were tried
    for the `level` sets; `line` are the points that a cut by points asks for, or 0.
    """

    fewer: int
    widest: int
    inside: tuple[int, ...]
    outside: tuple[int, ...]
    line: int
    scores: tuple[Score, ...]
    games: tuple[ScoredGame, ...]
    pairs: tuple[CertifiedPair, ...]
    results: tuple[Result, ...]


def certificate_of(record: CutRecord, fewer: int, results: Sequence[Result]) -> MarginCertificate:
    """Make the certificate of a cut that no set of this size changes."""
    moves = Moves(record)
    pairs = tuple(_pairs(record, moves, fewer)) if fewer else ()
    used = results if any(pair.level for pair in pairs) else ()
    return MarginCertificate(
        fewer,
        moves.widest,
        tuple(record.inside),
        tuple(record.outside),
        record.line,
        tuple(record.scores),
        tuple(record.games),
        pairs,
        tuple(used),
    )


def _pairs(record: CutRecord, moves: Moves, fewer: int) -> Iterator[CertifiedPair]:
    points = record.points
    if record.line:
        for player in record.inside:
            gap = points[player] - record.line + 1
            yield _certified(record, player, 0, gap, moves.lost_by(player), fewer)
        for player in record.outside:
            gap = record.line - points[player]
            yield _certified(record, 0, player, gap, moves.won_by(player), fewer)
        return
    for leaver in record.inside:
        for entrant in record.outside:
            gap = points[leaver] - points[entrant]
            if gap <= fewer * moves.widest:
                every = moves.of_pair(leaver, entrant)
                yield _certified(record, leaver, entrant, gap, every, fewer)


def _certified(
    record: CutRecord, leaver: int, entrant: int, gap: int, moves: Sequence[Shift], fewer: int
) -> CertifiedPair:
    best = tuple(moves[:fewer])
    level: tuple[tuple[int, ...], ...] = ()
    if not record.line and sum(move.gain for move in best) == gap:
        sets = level_sets(record, moves, fewer)
        level = tuple(tuple(move.match for move in chosen) for chosen in sets)
    return CertifiedPair(leaver, entrant, gap, best, level)
