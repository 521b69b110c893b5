"""What a withdrawal comes to: an `ActWithdrawn` names an event, and what it does follows from that.

Rules, fold and words are cut by what is taken back; they meet it here as an event of their theme,
which is never stored.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.events.disputes import (
    AppealMade,
    AppealWithdrawn,
    ConfirmationWithdrawn,
    DisputeWithdrawn,
    ResultConfirmed,
    ResultDisputed,
    RulingWithdrawn,
)
from ledger.events.elimination import CutMade, CutWithdrawn
from ledger.events.office import RulingMade
from ledger.events.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    RegistrationWithdrawn,
)
from ledger.events.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.events.undo import ActWithdrawn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament


def _result(event: ResultReported | ResultCorrected, seq: int, reason: str) -> ResultWithdrawn:
    return ResultWithdrawn(event.match, seq, reason)


def _confirmation(event: ResultConfirmed, seq: int, reason: str) -> ConfirmationWithdrawn:
    return ConfirmationWithdrawn(event.match, seq, reason)


def _dispute(event: ResultDisputed, seq: int, reason: str) -> DisputeWithdrawn:
    return DisputeWithdrawn(event.match, seq, reason)


def _ruling(event: RulingMade, seq: int, reason: str) -> RulingWithdrawn:
    return RulingWithdrawn(event.official, seq, reason, event.match)


def _appeal(event: AppealMade, seq: int, reason: str) -> AppealWithdrawn:
    return AppealWithdrawn(event.ruling, event.player, seq, reason)


def _drop(event: PlayerDropped, seq: int, reason: str) -> DropWithdrawn:
    return DropWithdrawn(event.player, seq, reason)


def _disqualification(
    event: PlayerDisqualified, seq: int, reason: str
) -> DisqualificationWithdrawn:
    return DisqualificationWithdrawn(event.player, seq, reason)


def _registration(event: PlayerRegistered, _: int, reason: str) -> RegistrationWithdrawn:
    return RegistrationWithdrawn(event.player, reason)


def _cut(event: CutMade, seq: int, reason: str) -> CutWithdrawn:
    return CutWithdrawn(event.stage, seq, reason)


MEANINGS: Mapping[type[Event], Callable[[Any, int, str], Event]] = MappingProxyType(
    {
        PlayerRegistered: _registration,
        ResultReported: _result,
        ResultCorrected: _result,
        ResultConfirmed: _confirmation,
        ResultDisputed: _dispute,
        RulingMade: _ruling,
        AppealMade: _appeal,
        PlayerDropped: _drop,
        PlayerDisqualified: _disqualification,
        CutMade: _cut,
    }
)
"""What taking an event back comes to, by its type; acts of the floor mean what they say."""


def meaning(tournament: Tournament, event: Event) -> Event:
    """Return what a withdrawal comes to; any other event as it is."""
    if not isinstance(event, ActWithdrawn):
        return event
    named = tournament.withdrawable.get(event.withdraws)
    if named is None:
        return event
    return MEANINGS[type(named)](named, event.withdraws, event.reason)


def meant(tournament: Tournament, recorded: Recorded) -> Recorded:
    """Return the event at its place with what it comes to."""
    if not isinstance(recorded.event, ActWithdrawn):
        return recorded
    event = meaning(tournament, recorded.event)
    return recorded if event is recorded.event else msgspec.structs.replace(recorded, event=event)
