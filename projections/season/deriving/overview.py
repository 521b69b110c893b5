"""The tournament itself, and every event of its log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ledger.events.opening import TournamentStarted
from projections.season.deriving.folded_log import FoldedLog, Row


def tournaments(log: FoldedLog) -> Iterator[Row]:
    """Yield the one row of the tournament."""
    tournament = log.tournament
    opening, announced = tournament.opening, tournament.announced
    assert opening is not None  # noqa: S101 - a checked log begins with it
    rules, ruleset = tournament.ruleset, opening.ruleset
    starts = [log.moments[seq] for seq, _ in log.of(TournamentStarted)]
    first = log.places[0] if log.places and tournament.finished else None
    yield (
        *(opening.name, opening.date, opening.time_zone, opening.tier),
        *(ruleset.key, ruleset.edition, ruleset.sha256, rules.full_win.name, rules.full_points),
        opening.format.key if opening.format else None,
        announced.structure if announced else None,
        opening.engine,
        opening.imported.kind if opening.imported else None,
        log.moments[1],
        min(starts, default=None),
        log.at(tournament.finished_seq),
        tournament.finished,
        sum(1 for _ in tournament.registered()),
        len(tournament.rounds),
        first.player if first and first.rank == 1 else None,
    )


def events(log: FoldedLog) -> Iterator[Row]:
    """Yield every event."""
    return zip(count(1), log.types[1:], log.moments[1:], log.authors[1:])
