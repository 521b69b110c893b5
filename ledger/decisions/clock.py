"""The clock: extra time, extensions of a table, time called."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.decisions.command import Command, Context
from ledger.decisions.rounds import this_round
from ledger.events import Event
from ledger.events.clock import ExtraTimeAnnounced, TableExtended, TimeCalled
from ledger.tournament.state import Tournament


class AnnounceExtraTime(Command, frozen=True):
    """Make every round but the final longer, before the event."""

    minutes: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.floor.extra_minutes != self.minutes:
            yield ExtraTimeAnnounced(self.minutes)


class ExtendTable(Command, frozen=True):
    """Give a match more minutes."""

    says = TableExtended

    match: int
    minutes: int
    reason: str


class CallTime(Command, frozen=True):
    """Call out that how many minutes are left; 0: time is over."""

    left: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        called = [call.left for call in tournament.floor.calls.get(round_.number, ())]
        if called[-1:] != [self.left]:
            yield TimeCalled(round_.number, self.left)
