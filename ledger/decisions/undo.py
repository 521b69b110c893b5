"""Taking the last own act back: for each of its events the one that answers it.

Nothing is erased. The answering event is checked like any other, so an act that something depends
on is refused by the rule that it would break.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.decisions.command import Command
from ledger.errors import Refused
from ledger.events.office import OfficialResumed, OfficialStoodDown
from ledger.events.people import PersonRecorded
from ledger.events.results import ResultCorrected
from ledger.events.rounds import (
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.events.setups import TerrainAnnounced
from ledger.events.undo import ActWithdrawn
from ledger.fold.undo import TAKE_BACK
from ledger.tournament.withdrawals import MEANINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Tournament


ANSWERS: Mapping[type[Event], Callable[[Any, int, str], Event]] = MappingProxyType(
    {
        **dict.fromkeys(
            (*MEANINGS.keys() - {ResultCorrected}, *TAKE_BACK),
            lambda _, seq, reason: ActWithdrawn(seq, reason),
        ),
        RoundPaired: lambda event, _, reason: RoundUnpaired(event.round, reason),
        SeatsSwapped: lambda event, _, reason: SeatsSwapped(
            event.round, event.players, reason, event.waiver
        ),
        TablesRepaired: lambda event, _, reason: TablesRepaired(
            event.round, event.tables, event.were, event.games, event.procedure, reason
        ),
        RoundClosed: lambda event, _, reason: RoundReopened(event.round, reason),
        OfficialStoodDown: lambda event, _, _reason: OfficialResumed(event.official),
        OfficialResumed: lambda event, _, _reason: OfficialStoodDown(event.official),
        TerrainAnnounced: lambda event, _, _reason: TerrainAnnounced(not event.fixed),
    }
)
"""The event that answers each one that can be taken back, from the event, its `seq`, a reason."""

SIDE_EFFECTS = frozenset({PersonRecorded, RoundUnpaired})
"""What needs no answer where it came with a registration, or with a qualifier's departure."""


class Undo(Command, frozen=True):
    """Take the last own act back, where nothing depends on it."""

    reason: str = "undone"

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        act = tournament.last_act(by)
        if not act:
            raise Refused("there is no act of yours to undo")
        for recorded in reversed(act):
            kind = type(recorded.event)
            if kind in ANSWERS:
                yield ANSWERS[kind](recorded.event, recorded.seq, self.reason)
            elif kind not in SIDE_EFFECTS or len(act) == 1:
                raise Refused(
                    f"your last act, {recorded.type} (event {recorded.seq}), can not be undone"
                )
