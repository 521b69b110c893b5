"""What a withdrawal comes to: an `ActWithdrawn` names an event, and what it does follows from that.

Rules, fold and words are cut by what is taken back; they meet it here as an event of their theme,
which is never stored.
"""

from __future__ import annotations

import msgspec

from ledger.events import Event
from ledger.events.undo import ActWithdrawn
from ledger.events.vocabulary import MEANINGS
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def meaning(tournament: Tournament, event: Event) -> Event:
    """Return what a withdrawal comes to; any other event as it is."""
    if not isinstance(event, ActWithdrawn):
        return event
    named = tournament.withdrawable.get(event.withdraws)
    if named is None:
        return event
    return MEANINGS[type(named)].of(named, event.withdraws, event.reason)


def with_meaning(tournament: Tournament, recorded: Recorded) -> Recorded:
    """Return the event at its place with what it comes to."""
    if not isinstance(recorded.event, ActWithdrawn):
        return recorded
    event = meaning(tournament, recorded.event)
    return recorded if event is recorded.event else msgspec.structs.replace(recorded, event=event)
