"""The clock: extra time, extensions of a table, time called."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.decisions.command import Command, Context, event_of, match_of, this_round
from ledger.events import Event
from ledger.events.clock import (
    ExtraTimeAnnounced,
    PaceModerated,
    PaceRemedy,
    RoundExtended,
    RoundPaused,
    RoundResumed,
    TableExtended,
    TimeCalled,
)
from ledger.events.results import ResultReported
from ledger.tournament import scoring
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


class ExtendRound(Command, frozen=True):
    """Give every table of the round in play more minutes."""

    minutes: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundExtended(this_round(tournament).number, self.minutes, self.reason)


class PauseRound(Command, frozen=True):
    """Stop the clock of the round in play."""

    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundPaused(this_round(tournament).number, self.reason)


class ResumeRound(Command, frozen=True):
    """Let the clock of the round in play go on."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundResumed(this_round(tournament).number)


class ModeratePace(Command, frozen=True):
    """See to the pace of a match; a forfeit is its result."""

    match: int
    asked: int = 0
    remedy: PaceRemedy = "none"
    player: int = 0
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        yield event_of(PaceModerated, self)
        if self.remedy == "forfeit":
            lost = scoring.forfeited(tournament.ruleset, first=match.first == self.player)
            yield ResultReported(match.number, lost)
