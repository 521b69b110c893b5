"""Around the tables: rulings, penalties, disputes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events.office import ConductNoted, PenaltyGiven
from projections.season.deriving.folded_log import FoldedLog, Row


def rulings(log: FoldedLog) -> Iterator[Row]:
    """Yield each ruling that was not taken back."""
    officials = log.tournament.officials
    for each in log.tournament.floor.rulings:
        made = each.made
        yield (
            *(each.seq, log.latest_round(each.seq), made.match or None, made.official),
            *(officials[made.official].player or None, made.clause, made.raised),
            *(made.player or None, made.review or bool(each.appealed), made.reviews or None),
            *(each.reviewed_by or None, log.moments[each.seq]),
        )


def penalties(log: FoldedLog) -> Iterator[Row]:
    """Yield each penalty, and each conduct noted, that was not taken back."""
    floor = log.tournament.floor
    for each in (*floor.penalties, *floor.conduct):
        given = each.event
        if isinstance(given, PenaltyGiven | ConductNoted):
            is_penalty = isinstance(given, PenaltyGiven)
            yield (
                *(each.seq, log.latest_round(each.seq), given.match or None, given.player),
                *("penalty" if is_penalty else "conduct", given.kind),
                *(given.clause if isinstance(given, PenaltyGiven) else "", each.at, each.by),
            )


def disputes(log: FoldedLog) -> Iterator[Row]:
    """Yield each dispute: no ruling on what nobody disputed."""
    tournament = log.tournament
    for each in tournament.floor.disputes:
        if not each.unasked:
            yield (
                *(each.seq, each.match, tournament.matches[each.match].round),
                *(log.types[each.seq], log.moments[each.seq], log.authors[each.seq]),
                each.ruling or each.closed or None,
            )
