"""Unpairing, swapping, posting, starting and closing a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.checks.rounds import results_missing
from ledger.decisions.command import Command, Context, this_round
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.base import Waiver
from ledger.events.rounds import (
    CheckedIn,
    CheckInClosed,
    CheckInOpened,
    PlayersSeated,
    Posted,
    RoundClosed,
    RoundStarted,
    RoundUnpaired,
    SeatsSwapped,
)
from ledger.pairing.meetings import Grounds, grounds_of
from ledger.problems import Player, problem, remedy
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.lists.list_rules import check_clause
from ledger.tournament.progress import check_in_now, minutes_of, round_in_play
from ledger.tournament.state import Match, Round, Tournament


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
            rules = tournament.ruleset
            bans = rules.rematch.clause, rules.cites("FFG-BYE-LATER")
            waiver = Waiver(tuple(dict.fromkeys(bans)), self.reason)
        yield SeatsSwapped(this_round(tournament).number, self.players, self.reason, waiver)


SEATS = 2
"""Number of seats at a table."""


class SeatPlayers(Command, frozen=True):
    """Seat one who came late, or two at a table of their own; nobody else moves.

    One takes the free seat opposite the bye; where that may not be, the table is opened with
    another who has none. `bye` lets them have the round's bye instead.
    """

    players: tuple[int, ...]
    bye: bool = False
    reason: str = ""
    allow_rematch: bool = False
    unchecked: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not 1 <= len(self.players) <= SEATS:
            text = "one player is seated, or two at a table; these are {count}"
            raise Refused(problem("seat.players", text, count=len(self.players)))
        round_ = this_round(tournament)
        table, was, game = len(round_.matches) + 1, (0, 0), (self.players[0], 0)
        if len(self.players) > 1:
            game = (self.players[0], self.players[1])
        elif not self.bye and _could_be_seated(tournament, round_, self.players[0]):
            table, was, game = _best_seat(tournament, round_, self.players[0])
        clauses = []
        if self.allow_rematch:
            clauses += [tournament.ruleset.rematch.clause, "FFG-BYE-LATER"]
        if self.unchecked:
            clauses.append(check_clause(tournament))
        waiver = Waiver(tuple(clauses), self.reason) if clauses else None
        yield PlayersSeated(round_.number, table, game, was, self.reason, waiver)


def _could_be_seated(tournament: Tournament, round_: Round, player: int) -> bool:
    """Whether there is a seat to look for; else the rules say why not."""
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    return is_swiss and player in free_seats(tournament, round_)[1]


def free_seats(tournament: Tournament, round_: Round) -> tuple[Match | None, list[int]]:
    """Return the round's bye, and who plays on and has no seat in it."""
    seated = round_.seated
    bye = next(
        (match for match in round_.matches if match.is_bye and match.players and not match.named),
        None,
    )
    return bye, [player for player in tournament.active() if player not in seated]


def _best_seat(
    tournament: Tournament, round_: Round, player: int
) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """Return the table, its seats before and after, that are best for a latecomer.

    No rematch; then opposite the bye, so that nobody unasked is seated; else with the other
    latecomer who is nearest in points, of several the first by the random rank.
    """
    bye, others = free_seats(tournament, round_)
    known = grounds_of(tournament, round_)
    found: list[tuple[tuple[int, ...], Match | None, int]] = []
    for match, other in [(bye, max(bye.players, default=0) if bye else 0)] + [
        (None, each) for each in others if each != player
    ]:
        if other:
            found.append((_against(tournament, known, player, other, match), match, other))
    if not found:
        text = (
            "nobody waits for a game in round {round}: {player} has an unpaired loss for it, "
            "unless somebody else comes late or the organizer gives them a bye"
        )
        way = remedy("seat.bye", players=Player(player))
        late, number, clause = Player(player), round_.number, "FFG-REJOIN"
        raise Refused(
            problem("seat.none", text, clause=clause, remedy=way, round=number, player=late)
        )
    _, match, other = min(found, key=lambda each: each[0])
    if not match:
        return len(round_.matches) + 1, (0, 0), (player, other)
    was = (match.first, match.second)
    return match.table, was, (match.first or player, match.second or player)


def _against(
    tournament: Tournament, known: Grounds, player: int, other: int, match: Match | None
) -> tuple[int, ...]:
    """What is against a game of the two, the worst first."""
    has_met = other in known.bars([player, other])[0][player]
    gap = abs(known.score[player] - known.score[other])
    return has_met, not match, gap, tournament.players[other].random_rank


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
    """Start the round in play and its clock; for minutes where the ruleset leaves that open."""

    minutes: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        if round_.status != "started" or self.minutes not in {0, round_.minutes}:
            minutes = self.minutes or minutes_of(tournament, round_)
            yield RoundStarted(round_.number, minutes)


class CloseRound(Command, frozen=True):
    """Close the round in play."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        this_round(tournament)
        yield from close_if_complete(tournament)


class OpenCheckIn(Command, frozen=True):
    """From here on everybody says that they are here; done already where a check-in is open."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not check_in_now(tournament):
            yield CheckInOpened()


class CheckIn(Command, frozen=True):
    """Say that players are here."""

    players: tuple[int, ...]

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        for player in dict.fromkeys(self.players):
            check_in = check_in_now(tournament)
            if not (check_in and player in check_in.present):
                yield CheckedIn(player)


class CloseCheckIn(Command, frozen=True):
    """Close the check-in; done already where it is closed."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        check_in = check_in_now(tournament)
        if not (check_in and check_in.closed):
            yield CheckInClosed()
