"""Rounds and check-in: when a round may be changed, posted, started and closed; the commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.errors import Refused
from ledger.facts import rounds
from ledger.facts.base import Event, Waiver
from ledger.facts.list_rules import check_clause
from ledger.facts.rounds import (
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
from ledger.pairing.meetings import Grounds, grounds_of, rematch_problem
from ledger.problems import Phrase, Player, Problem, Problems, marked, phrase, problem, remedy
from ledger.rules.clock import length_problems, without_minutes
from ledger.rules.command import Command, Context, this_round
from ledger.rules.components import may_be_paired
from ledger.rules.leaders import every_match_has_a_ruling
from ledger.rules.lists import held_back
from ledger.rules.references import (
    clause_of_results,
    is_waived,
    not_active,
    not_in_play,
    of_round,
    reasoned,
    table_of,
)
from ledger.rules.setups import scenario_missing
from ledger.tournament.disputes import OPEN_DISPUTE, dispute_of, is_reported, unsettled
from ledger.tournament.progress import (
    check_in_now,
    find_player,
    has_more_byes,
    latest_round,
    minutes_of,
    open_matches,
    round_in_play,
    second_bye,
    time_over,
)
from ledger.tournament.state import Match, Round, Tournament

TABLES_NAMED = 10
"""How many tables a refusal names."""


def tables_named(round_: Round) -> Phrase:
    """The tables without a result, as a short phrase."""
    tables = [match.table for match in open_matches(round_)]
    shown, more = tuple(tables[:TABLES_NAMED]), len(tables) - TABLES_NAMED
    if more > 0:
        return phrase("tables {tables} and {count} more", tables=shown, count=more)
    if len(tables) == 1:
        return phrase("table {table}", table=tables[0])
    return phrase("tables {tables}", tables=shown)


def results_missing(
    tournament: Tournament, round_: Round, waiver: Waiver | None = None
) -> Problems:
    """Yield which tables keep a round open; a disputed one may wait for its ruling by a waiver."""
    waiting = [m for m in open_matches(round_) if m.number in tournament.floor.unconfirmed]
    if round_.unreported > len(waiting):
        text, tables = marked("round {round}: no result yet at {tables}"), tables_named(round_)
        clause = clause_of_results(tournament, round_)
        yield problem(
            "result.missing_in_round", text, clause=clause, round=round_.number, tables=tables
        )
        return
    lifted = is_waived(OPEN_DISPUTE, waiver, tournament)
    swiss = tournament.stages[round_.stage - 1].is_swiss
    over = (remedy("pair.over_dispute"),) if swiss else ()
    if lifted and not swiss:
        text = marked(
            "round {round}: every table of an elimination round needs a winner before "
            "the next round"
        )
        yield problem("round.winner_missing", text, round=round_.number)
    for match in waiting:
        where = table_of(match)
        if not (dispute := dispute_of(tournament, match.number)):
            text = marked("{table} is reported but not confirmed")
            way = remedy("confirm", table=where)
            clause = clause_of_results(tournament, round_)
            yield problem("result.unconfirmed", text, clause=clause, table=where, remedy=way)
        elif not lifted:
            ways = (remedy("rule", table=where), *over)
            yield problem(
                "result.disputed",
                "{table} is disputed (event {dispute}) and has no result: {who} must rule on it",
                clause="FFG-RULING",
                remedy=ways,
                table=where,
                dispute=dispute.seq,
                who=tournament.ruleset.floor.authority.first_word,
            )


@of_round
def round_unpaired(tournament: Tournament, event: rounds.RoundUnpaired, round_: Round) -> Problems:
    if any(is_reported(tournament, match) for match in round_.matches):
        is_open = any(not is_reported(tournament, match) for match in round_.matches)
        instead = (remedy("swap"), remedy("repair")) if is_open else (remedy("correct"),)
        text = marked("round {round} has results: its pairing can no longer be undone")
        yield problem("round.has_results", text, round=event.round, remedy=instead)


@reasoned("FFG-SWISS-LATER")
@of_round
def seats_swapped(tournament: Tournament, event: rounds.SeatsSwapped, round_: Round) -> Problems:
    stage = tournament.stages[round_.stage - 1]
    if not stage.is_swiss:
        text = marked("the pairings of an elimination are fixed by the bracket")
        yield problem("pairing.by_bracket", text, clause="FFG-ELIM-NEXT", remedy=remedy("bracket"))
    seats = {player: match for match in round_.matches for player in match.players}
    for player in event.players:
        if player not in seats:
            text = marked("{player} has no seat in round {round}")
            absent = Player(player)
            seat = remedy("seat", player=absent)
            yield problem("swap.not_seated", text, remedy=seat, player=absent, round=event.round)
        elif is_reported(tournament, seats[player]):
            yield _seats_stay(seats[player])
    one, other = event.players
    trade = {one: other, other: one}
    touched = [m.players for m in round_.matches if trade.keys() & set(m.players)]
    games = [tuple(trade.get(player, player) for player in seated) for seated in touched]
    yield from every_match_has_a_ruling(tournament, games)
    if one == other or (one in seats and seats.get(one) is seats.get(other)):
        text = marked("these two players already sit at the same table: name players of two tables")
        yield problem("swap.same_table", text)
    elif one in seats and other in seats:
        yield from _new_neighbours(tournament, event, one, seats[other])
        yield from _new_neighbours(tournament, event, other, seats[one])


def _new_neighbours(
    tournament: Tournament, event: rounds.SeatsSwapped, player: int, match: Match
) -> Problems:
    """What forbids the player the seat that the other one leaves."""
    round_ = tournament.rounds[match.round - 1]
    if not is_waived(tournament.ruleset.rematch.clause, event.waiver, tournament):
        known = grounds_of(tournament, round_)
        bars, _ = known.bars([seated for each in round_.matches for seated in each.players])
        for facing in set(match.players) - set(event.players):
            if facing in bars[player]:
                yield rematch_problem(tournament, known, (player, facing), remedy("swap.rematch"))
    if not match.is_bye or is_waived("FFG-BYE-LATER", event.waiver, tournament):
        return
    if has_more_byes(tournament, player):
        yield second_bye(player, remedy("swap.rematch"))


@of_round
def players_seated(tournament: Tournament, event: rounds.PlayersSeated, round_: Round) -> Problems:
    stage = tournament.stages[round_.stage - 1]
    if not stage.is_swiss:
        text = marked("players cannot join an elimination: the pairings are fixed by the bracket")
        yield problem("seat.elimination", text, clause="FFG-ELIM-NEXT")
        return
    who = list(_who_sits_down(tournament, event, round_))
    if problems := who or list(_free_seat(event, round_)):
        yield from problems
        return
    yield from every_match_has_a_ruling(tournament, [event.game])
    yield from may_be_paired(tournament, event.round, [event.game])
    yield from held_back(tournament, event.waiver, event.newcomers)
    yield from _late_neighbours(tournament, event, round_)


def _who_sits_down(tournament: Tournament, event: rounds.PlayersSeated, round_: Round) -> Problems:
    """Only who plays on and has no table; nobody who sits anywhere moves."""
    tables = {player: match for match in round_.matches for player in match.players}
    active = set(tournament.active())
    for player in event.newcomers:
        if player not in active:
            yield not_active(player)
        elif player in tables:
            text = marked("{player} already sits at {table}")
            where = table_of(tables[player])
            yield problem("seat.taken", text, player=Player(player), table=where)
    if not event.newcomers or len(set(event.game)) < len(event.game):
        yield problem(
            "seat.nobody", "seat one player who has no seat, or two such players at a new table"
        )


def _free_seat(event: rounds.PlayersSeated, round_: Round) -> Problems:
    """The seat opposite a bye, or a new table at the end; its bye only where nobody has one."""
    number, games = event.round, round_.matches
    if event.was == (0, 0):
        if event.table != len(games) + 1:
            text = marked("table {table} is not the next table of round {round}")
            yield problem("seat.not_next", text, table=event.table, round=number)
        if not event.game[0]:
            yield problem("seat.first", "a player with a bye must be in the first seat")
        if not all(event.game) and any(
            match.is_bye and match.players and not match.named for match in games
        ):
            text = marked("round {round} already has a bye: use the free seat opposite")
            yield problem("seat.opposite", text, clause="FFG-BYE-LATER", round=number)
        return
    match = games[event.table - 1] if event.table <= len(games) else None
    if not match or (match.first, match.second) != event.was:
        text = marked("the seats of table {table} of round {round} have changed")
        yield problem("seat.changed", text, table=event.table, round=number)
    elif all(event.was) or not all(event.game):
        yield problem("seat.full", "{table} has no free seat", table=table_of(match))
    elif any(old and old != new for old, new in zip(event.was, event.game, strict=True)):
        text = marked("seating a latecomer must not move another player")
        yield problem("seat.moved", text, table=table_of(match))


def _late_neighbours(
    tournament: Tournament, event: rounds.PlayersSeated, round_: Round
) -> Problems:
    """What is against the game: a rematch, or that a latecomer has a bye before others."""
    one, other = event.game
    if other and not is_waived(tournament.ruleset.rematch.clause, event.waiver, tournament):
        known = grounds_of(tournament, round_)
        bars, _ = known.bars([one, other])
        if other in bars[one]:
            way = remedy("seat.rematch", players=tuple(map(Player, event.newcomers)))
            yield rematch_problem(tournament, known, (one, other), way)
    if other or is_waived("FFG-BYE-LATER", event.waiver, tournament):
        return
    if has_more_byes(tournament, one):
        yield second_bye(one, remedy("seat.rematch", players=(Player(one), "--bye")))


def _seats_stay(match: Match) -> Problem:
    """Say that a table with a result keeps its players."""
    text = marked("table {table} has a result: its seats can no longer change")
    instead = (remedy("undo"), remedy("correct", table=table_of(match)))
    return problem("swap.table_reported", text, remedy=instead, table=match.table)


@reasoned("FFG-SWISS-LATER")
def seating_withdrawn(tournament: Tournament, event: rounds.SeatingWithdrawn) -> Problems:
    round_ = round_in_play(tournament)
    if not round_ or round_.number != event.round:
        yield not_in_play(event.round)
        return
    match = round_.matches[event.table - 1] if event.table <= len(round_.matches) else None
    sits = match and round_.reseated.get(match.number) == event.withdraws
    if not match or not sits:
        text = marked(
            "table {table} of round {round} has changed since then: the seating can no longer be "
            "undone"
        )
        yield problem("seat.changed_since", text, table=event.table, round=event.round)
    elif is_reported(tournament, match):
        yield _seats_stay(match)
    elif event.was == (0, 0) and match is not round_.matches[-1]:
        text = marked("a later table was opened: undo that first")
        yield problem("seat.not_last", text)


def posted(tournament: Tournament, event: rounds.Posted) -> Problems:
    if event.up_to > tournament.seq:
        yield problem("posting.not_written", "event {event} does not exist yet", event=event.up_to)
    if event.round > len(tournament.rounds):
        yield problem("round.unknown", "there is no round {round}", round=event.round)


@of_round
def round_started(tournament: Tournament, event: rounds.RoundStarted, round_: Round) -> Problems:
    if round_.status == "started" and event.minutes and not round_.minutes:
        yield without_minutes(round_)
    elif round_.status == "started":
        yield problem("round.started", "round {round} has already started", round=event.round)
    elif time_over(tournament, event.round):
        text = marked("time has already been called in round {round}: its clock cannot start")
        yield problem("round.time_called", text, remedy=remedy("undo"), round=event.round)
    else:
        yield from length_problems(tournament, round_, event.minutes)
        yield from scenario_missing(tournament, round_)


@of_round
def round_closed(tournament: Tournament, event: rounds.RoundClosed, round_: Round) -> Problems:
    if event.results != tuple(match.result_seq for match in round_.matches):
        text = marked("the close of round {round} must name the results of the round")
        yield problem("round.results_named", text, round=event.round)
    if round_.unreported and not tournament.importing:
        yield from results_missing(tournament, round_, event.waiver)


def round_reopened(tournament: Tournament, event: rounds.RoundReopened) -> Problems:
    latest = latest_round(tournament)
    if latest is None or latest.number != event.round or latest.status != "closed":
        text = marked("round {round} is not the round that was closed last")
        yield problem("round.not_last_closed", text, round=event.round)
    elif any(stage.cut_seq and not stage.rounds for stage in tournament.stages):
        yield problem(
            "round.cut_made",
            "the cut was made from the results of this round: undo the cut first",
        )


def check_in_opened(tournament: Tournament, _: rounds.CheckInOpened) -> Problems:
    if check_in_now(tournament):
        yield problem("check_in.open", "there is already a check-in for the next pairing")
    elif round_in_play(tournament):
        text = marked("a round is being played: a check-in can open only before the next pairing")
        yield problem("check_in.playing", text)


def checked_in(tournament: Tournament, event: rounds.CheckedIn) -> Problems:
    player, check_in = find_player(tournament, event.player), check_in_now(tournament)
    if not player or player.status != "active":
        yield not_active(event.player)
    elif not check_in:
        yield no_check_in()
    elif event.player in check_in.present:
        text = marked("{player} has already checked in")
        yield problem("check_in.twice", text, player=Player(event.player))


def no_check_in() -> Problem:
    """Say that there is no check-in before the next pairing."""
    return problem("check_in.none", "no check-in is open", remedy=remedy("check_in.open"))


def check_in_closed(tournament: Tournament, _: rounds.CheckInClosed) -> Problems:
    check_in = check_in_now(tournament)
    if not check_in or check_in.closed:
        yield no_check_in()


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
            text = marked("give one player to seat, or two for a new table, not {count}")
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
        text = marked(
            "no opponent is free in round {round}: {player} gets an unpaired loss, "
            "unless another latecomer arrives or the organizer gives a bye"
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
        check_in = check_in_now(tournament)
        if check_in and check_in.closed:
            text = marked("the check-in before the next pairing is closed (event {event})")
            remedies = (remedy("undo"), remedy("check_in"))
            raise Refused(problem("check_in.ended", text, remedy=remedies, event=check_in.closed))
        if not check_in:
            yield CheckInOpened()


class CheckIn(Command, frozen=True):
    """Say that players are here."""

    players: tuple[int, ...]

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        opened = check_in_now(tournament)
        if opened and self.was_before(opened.seq):
            text = marked("a new check-in was opened meanwhile: load the page again, then check in")
            raise Refused(problem("seen.check_in", text))
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
