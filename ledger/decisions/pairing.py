"""The pairing of a round as an event: by hand first, the rest drawn."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import field

from ledger.checks.pairing import is_ranked
from ledger.decisions.command import Command, Context
from ledger.decisions.rounds import close_if_complete, over_disputes
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.base import Waiver
from ledger.events.rounds import RoundPaired
from ledger.pairing import Field, pair_swiss
from ledger.pairing.brackets import from_cut, next_round, opening
from ledger.pairing.meetings import Grounds, barred, grounds
from ledger.pairing.shuffling import Draws
from ledger.problems import Player, problem, remedy
from ledger.tournament import progress
from ledger.tournament.byes import bye_order, has_more_byes
from ledger.tournament.disputes import OPEN_DISPUTE, unsettled
from ledger.tournament.lists.list_rules import check_clause, decks_failing, decks_unchecked
from ledger.tournament.state import Stage, Tournament

SWISS = "swiss@1"
ELIMINATION = "elimination@1"
BY_HAND = "by-hand@1"


class PairRound(Command, frozen=True):
    """Pair the next round; `by_hand` sets tables first, the rest is drawn.

    `unchecked` seats players whose decks are still to be checked, or failed. `despite_dispute`
    goes on over what is disputed, for `reason`; so in the commands to make the cut and to finish.
    """

    by_hand: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    allow_rematch: bool = False
    unchecked: bool = False
    despite_dispute: bool = False
    byes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Who of those with a bye by hand has one that the ruleset has by a name."""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if missing := progress.draws_wait_for(tournament):
            raise Refused(missing)
        over = over_disputes(tournament, self.reason, asked=self.despite_dispute)
        yield from close_if_complete(tournament, over)
        stage = progress.next_stage(tournament)
        if tournament.finished:
            raise Refused(problem("day.finished", "the tournament is finished: nothing is paired"))
        if stage is None:
            text = "all announced rounds have been played"
            raise Refused(problem("day.over", text, remedy=remedy("finish")))
        if not tournament.active():
            raise Refused(problem("players.none", "nobody plays on", remedy=remedy("finish")))
        if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
            text = "stage {stage} begins with a cut"
            raise Refused(problem("cut.first", text, remedy=remedy("cut"), stage=stage.number))
        if stage.is_swiss:
            yield swiss_round(self, tournament, context, stage, grounds(tournament, stage))
        elif self.by_hand:
            text = "the bracket says who meets whom"
            raise Refused(problem("pairing.bracket", text, clause="FFG-ELIM-NEXT"))
        else:
            yield elimination_round(self, tournament, context, stage)


def swiss_round(
    command: PairRound, tournament: Tournament, context: Context, stage: Stage, known: Grounds
) -> RoundPaired:
    """Pair a Swiss round by what is known (FFG-SWISS-FIRST, FFG-SWISS-LATER, FFG-BYE-LATER).

    Refused where no legal round exists, or a table by hand makes no sense.
    """
    _refuse_nonsense_by_hand(command, tournament)
    set_by_hand = {player for table in command.by_hand for player in table if player}
    players = [player for player in tournament.active() if player not in set_by_hand]
    games = list(command.by_hand)
    passed_over: tuple[int, ...] = ()
    number, attempt = progress.next_round_number(tournament), progress.next_attempt(tournament)
    if players:
        draws = context.draws(tournament, SWISS, stage.number, number, attempt)
        met, spare = known.bars(players)
        field = Field(
            players=players,
            score=known.score,
            met=met,
            bye_order=_bye_order(players, tournament, context, stage, draws),
            spare=spare,
            clause=tournament.ruleset.rematch.clause,
        )
        pairing = pair_swiss(field, draws, allow_rematch=command.allow_rematch)
        passed_over = tuple(pairing.bye_passed_over)
        games += [*pairing.tables, (pairing.bye, 0)] if pairing.bye else pairing.tables
    return RoundPaired(
        stage=stage.number,
        round=number,
        attempt=attempt,
        procedure=SWISS if players else BY_HAND,
        games=tuple(games),
        by_hand=len(command.by_hand),
        passed_over=passed_over,
        reason=command.reason,
        waiver=_waiver(command, tournament, games, known),
        byes=command.byes,
    )


def _refuse_nonsense_by_hand(command: PairRound, tournament: Tournament) -> None:
    active = set(tournament.active())
    seated: set[int] = set()
    for table in command.by_hand:
        for player in table:
            if player and player not in active:
                text = "{player} does not play on and cannot be paired"
                raise Refused(problem("player.not_to_be_paired", text, player=Player(player)))
            if player and player in seated:
                text = "{player} is set at two tables"
                raise Refused(problem("pairing.twice", text, player=Player(player)))
            seated.add(player)


def _bye_order(
    players: list[int], tournament: Tournament, context: Context, stage: Stage, draws: Draws
) -> list[int]:
    """Who is first to get the bye: by rank, and at random while nothing ranks the players."""
    if len(players) % 2 == 0:
        return []
    best_first = context.ranking(tournament) if is_ranked(stage) else draws.shuffled(players)
    return bye_order(tournament, set(players), best_first)


def _waiver(
    command: PairRound, tournament: Tournament, games: list[tuple[int, int]], known: Grounds
) -> Waiver | None:
    clauses = _leave(command, tournament)
    named = {player for players in command.byes.values() for player in players}
    byes = [max(game) for game in games if 0 in game and max(game) not in named]
    byes = byes if command.allow_rematch else []
    if command.allow_rematch and any(barred(known, games, len(command.by_hand))):
        clauses.append(tournament.ruleset.rematch.clause)
    if any(has_more_byes(tournament, player) for player in byes):
        clauses.append(tournament.ruleset.cites("FFG-BYE-LATER"))
    return Waiver(tuple(clauses), command.reason) if clauses else None


def _leave(command: PairRound, tournament: Tournament) -> list[str]:
    """What the command waives for all who meet: open disputes, decks that nobody has checked."""
    clauses = []
    if command.despite_dispute and unsettled(tournament):
        clauses.append(OPEN_DISPUTE)
    if command.unchecked and (decks_unchecked(tournament) or decks_failing(tournament)):
        clauses.append(check_clause(tournament))
    return clauses


def elimination_round(
    command: PairRound, tournament: Tournament, context: Context, stage: Stage
) -> RoundPaired:
    """Pair an elimination round (FFG-ELIM-CUT, FFG-ELIM-NEXT, FFG-ELIM-OPEN)."""
    if stage.plan.kind != "single":
        text = (
            "stage {stage} is a {kind} elimination, which is not paired here: play it on where it "
            "was recorded, and import the file of it as a tournament of its own"
        )
        raise Refused(problem("stage.recorded", text, stage=stage.number, kind=stage.plan.kind))
    number, attempt = progress.next_round_number(tournament), progress.next_attempt(tournament)
    if stage.rounds:
        games = next_round(progress.survivors(tournament, tournament.rounds[stage.rounds[-1] - 1]))
    elif stage.plan.entry == "all":
        draws = context.draws(tournament, ELIMINATION, stage.number, number, attempt)
        games = opening(tournament.active(), draws)
    else:
        games = from_cut(stage.seeds)
    clauses = _leave(command, tournament)
    return RoundPaired(
        stage=stage.number,
        round=number,
        attempt=attempt,
        procedure=ELIMINATION,
        games=tuple((one, other) for one, other in games),
        waiver=Waiver(tuple(clauses), command.reason) if clauses else None,
    )
