"""Unpairing, swapping, posting, starting and closing a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.checks.rounds import results_missing
from ledger.decisions.command import Command, Context
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.base import Waiver
from ledger.events.rounds import Posted, RoundClosed, RoundStarted, RoundUnpaired, SeatsSwapped
from ledger.problems import problem, remedy
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.progress import minutes_of, round_in_play
from ledger.tournament.state import Round, Tournament


def close_if_complete(tournament: Tournament, waiver: Waiver | None = None) -> Iterator[Event]:
    """Close the round in play, if there is one; Refused where results keep it open."""
    round_ = round_in_play(tournament)
    if round_ is None:
        return
    missing = list(results_missing(tournament, round_, waiver)) if round_.unreported else []
    if missing:
        raise Refused(*missing)
    results = tuple(match.result_seq for match in round_.matches)
    yield RoundClosed(round_.number, results, waiver if round_.unreported else None)


def over_disputes(tournament: Tournament, reason: str, *, asked: bool) -> Waiver | None:
    """Return the organizer's leave to go on over disputes, where it is asked for and needed."""
    return Waiver((OPEN_DISPUTE,), reason) if asked and unsettled(tournament) else None


def this_round(tournament: Tournament) -> Round:
    """Return the round in play; Refused where none is."""
    found = round_in_play(tournament)
    if found is None:
        raise Refused(problem("round.none", "no round is in play", remedy=remedy("pair")))
    return found


class UnpairRound(Command, frozen=True):
    """Take the pairing of the round in play back."""

    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        yield RoundUnpaired(this_round(tournament).number, self.reason)


class SwapSeats(Command, frozen=True):
    """Let two players of the round in play change places."""

    players: tuple[int, int]
    reason: str
    allow_rematch: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        waiver = None
        if self.allow_rematch:
            ban = tournament.ruleset.rematch.clause
            waiver = Waiver((ban, "FFG-BYE-LATER"), self.reason)
        yield SeatsSwapped(this_round(tournament).number, self.players, self.reason, waiver)


class PostTable(Command, frozen=True):
    """Record what was put on the wall."""

    what: Literal["pairings", "standings"]
    round: int
    up_to: int
    sha256: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        posted = Posted(self.what, self.round, self.up_to, self.sha256, context.engine)
        if not any(earlier.event == posted for earlier in tournament.postings):
            yield posted


class StartRound(Command, frozen=True):
    """Start the round in play and its clock."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        if round_.status != "started":
            yield RoundStarted(round_.number, minutes_of(tournament, round_))


class CloseRound(Command, frozen=True):
    """Close the round in play."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        this_round(tournament)
        yield from close_if_complete(tournament)
