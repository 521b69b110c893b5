"""The cut and its replacements: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.errors import Refused
from ledger.facts import elimination
from ledger.facts.base import Event
from ledger.facts.elimination import (
    CutMade,
    CutWithdrawn,
    PlaceForfeited,
    QualifierReplaced,
    ReplacementDeclined,
)
from ledger.facts.opening import TournamentFinished
from ledger.facts.undo import ActWithdrawn
from ledger.problems import Player, Problem, Problems, marked, problem, remedy
from ledger.rules.command import Command, Context
from ledger.rules.references import Ranking, guard, needs_reason
from ledger.rules.results import held_up
from ledger.rules.rounds import close_if_complete, over_disputes
from ledger.tournament.progress import (
    cut_problem,
    is_over,
    next_stage,
    not_started,
    stage_points,
    still_to_be_played,
)
from ledger.tournament.state import Stage, Tournament


def cut_made(tournament: Tournament, event: CutMade) -> Problems:
    stage = next_stage(tournament)
    if stage is None or stage.number != event.stage or stage.rounds:
        text = marked("the next step is not a cut to stage {stage}")
        yield problem("cut.not_next", text, stage=event.stage)
        return
    if stage.cut_seq:
        text = marked("the cut to stage {stage} has already been made (event {event})")
        yield problem("cut.made", text, stage=stage.number, event=stage.cut_seq)
    if stage.plan.entry == "all":
        text = marked("all players enter stage {stage}: no cut was announced")
        yield problem("cut.not_announced", text, clause="FFG-ANNOUNCE", stage=stage.number)
    active = set(tournament.active())
    if len(set(event.seeds)) != len(event.seeds) or set(event.seeds) & set(event.waiting):
        yield problem("cut.named_twice", "the cut names a player twice")
    if outsiders := sorted((set(event.seeds) | set(event.waiting)) - active):
        text = marked("{player} is not an active player and cannot be in the cut")
        yield problem("cut.player_left", text, clause="FFG-CUT", player=Player(outsiders[0]))
    if event.waiting and stage.plan.entry != "top":
        text = marked("only a cut by the standings has a waiting list")
        yield problem("cut.filled_by_standings", text, clause="FFG-CUT-REPLACE")
    yield from held_up(tournament, event.waiver, remedy("cut.over_dispute"))
    if not tournament.importing:
        yield from _size(tournament, stage, event)


def _size(tournament: Tournament, stage: Stage, event: CutMade) -> Problems:
    size = stage.plan.size
    if against := cut_problem(tournament, stage):
        yield against
        return
    if stage.plan.entry == "top" and len(event.seeds) != size:
        text = marked("the announced cut is to {size} players, not {count}")
        yield problem("cut.size", text, clause="FFG-ANNOUNCE", size=size, count=len(event.seeds))
    if stage.plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        enough = {number for number in tournament.active() if points[number] >= size}
        if set(event.seeds) != enough:
            text = marked(
                "the cut must contain all players with {size} points or more, and no other player"
            )
            shown = tournament.ruleset.scoring.shown(size)
            yield problem("cut.points", text, clause="FFG-CUT", size=shown)
    if not event.seeds:
        yield problem("cut.empty", "the cut would be empty")


def cut_withdrawn(tournament: Tournament, event: CutWithdrawn) -> Problems:
    stages = [stage for stage in tournament.stages if stage.cut_seq == event.withdraws]
    if not stages or stages[0].number != event.stage or not event.withdraws:
        text = marked("event {event} is not a cut to stage {stage}")
        yield problem("cut.unknown", text, event=event.withdraws, stage=event.stage)
    elif stages[0].rounds:
        text = marked("stage {stage} has begun: its cut can no longer be undone")
        yield problem("cut.stage_begun", text, stage=event.stage)
    elif stages[0].vacancies or stages[0].seeds != stages[0].entrants:
        yield problem(
            "cut.qualifier_left",
            "a qualifier has left since the cut: the cut can no longer be undone",
        )
    yield from needs_reason(event, "FFG-CUT")


@guard
def _of_vacancy(tournament: Tournament, event: Any) -> Stage | Problem:  # noqa: ANN401 - as there
    """Of a place of the cut that is to be filled."""
    stage, clause = tournament.pending_cut(), "FFG-CUT-REPLACE"
    if stage is None or stage.number != event.stage or not stage.vacancies:
        return problem("cut.no_vacancy", "there is no vacant place in a cut", clause=clause)
    if stage.rounds:
        text = marked("the round is already paired: undo the pairing before filling a place")
        return problem("cut.round_paired", text, clause=clause, remedy=remedy("unpair"))
    return stage


@_of_vacancy
def qualifier_replaced(_: Tournament, event: QualifierReplaced, stage: Stage) -> Problems:
    yield from _has_left(stage, event.leaver)
    if stage.waiting[:1] != [event.entrant]:
        yield from _next_in_line(stage)


@_of_vacancy
def replacement_declined(_: Tournament, event: ReplacementDeclined, stage: Stage) -> Problems:
    if stage.waiting[:1] != [event.player]:
        yield from _next_in_line(stage)


@_of_vacancy
def place_forfeited(_: Tournament, event: PlaceForfeited, stage: Stage) -> Problems:
    yield from _has_left(stage, event.leaver)
    if stage.waiting:
        yield from _next_in_line(stage)


def _has_left(stage: Stage, leaver: int) -> Problems:
    if leaver not in stage.vacancies:
        text = marked("{player} has not left a place in the cut")
        yield problem("cut.place_not_left", text, player=Player(leaver))


def nobody_in_line() -> Problem:
    """Say that no player is left who could take a free place in the cut."""
    text = marked("all players in line have been asked")
    return problem("cut.nobody_in_line", text, remedy=remedy("cut.forfeit"))


def _next_in_line(stage: Stage) -> Problems:
    if stage.waiting:
        text, player = marked("{player} must be asked next"), Player(stage.waiting[0])
        yield problem("cut.next_in_line", text, clause="FFG-CUT-REPLACE", player=player)
    else:
        yield nobody_in_line()


def seeded_by_rank(tournament: Tournament, event: CutMade, ranking: Ranking) -> Problems:
    """Yield where a cut is not by the standings."""
    active = set(tournament.active())
    ranked = [player for player in ranking(tournament) if player in active]
    plan = tournament.stages[event.stage - 1].plan
    going_on = set(ranked[: plan.size] if plan.entry == "top" else event.seeds)
    if list(event.seeds) != [player for player in ranked if player in going_on]:
        yield problem("cut.seeds", "the seeds do not match the standings", clause="FFG-CUT")
    others = [player for player in ranked if player not in going_on]
    if list(event.waiting) != (others if plan.entry == "top" else []):
        text = marked("the waiting list does not match the standings")
        yield problem("cut.waiting", text, clause="FFG-CUT-REPLACE")


class MakeCut(Command, frozen=True):
    """Decide who goes on to the next stage; with players only where its entry is a list."""

    players: tuple[int, ...] = ()
    despite_dispute: bool = False
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if not tournament.started:
            raise Refused(not_started())
        over = over_disputes(tournament, self.reason, asked=self.despite_dispute)
        yield from close_if_complete(tournament, over)
        stage = next_stage(tournament)
        if stage is None or is_over(tournament):
            text = marked("there is nothing left to play")
            raise Refused(problem("day.nothing_left", text, remedy=remedy("finish")))
        if stage.number == 1 or stage.rounds:
            raise Refused(problem("cut.early", "no cut is due yet", remedy=remedy("pair")))
        if stage.cut_seq:
            return
        active = set(tournament.active())
        ranked = [player for player in context.ranking(tournament) if player in active]
        seeds = _qualified(self, tournament, stage, ranked)
        going_on = set(seeds)
        by_standings = stage.plan.entry == "top"
        waiting = [player for player in ranked if player not in going_on] if by_standings else []
        yield elimination.CutMade(stage.number, tuple(seeds), tuple(waiting), over)


class TakeBackCut(Command, frozen=True):
    """Take a cut back before its stage is paired, to make it again."""

    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        cuts = [stage for stage in tournament.stages if stage.cut_seq]
        if not cuts:
            raise Refused(problem("cut.none", "no cut has been made"))
        yield ActWithdrawn(cuts[-1].cut_seq, self.reason)


def _qualified(
    command: MakeCut, tournament: Tournament, stage: Stage, ranked: list[int]
) -> list[int]:
    plan = stage.plan
    if plan.entry == "list":
        if not command.players:
            raise Refused(problem("cut.by_list", "this cut is made from a list: name the players"))
        listed = set(command.players)
        if outsiders := sorted(listed - set(ranked)):
            text, player = marked("{player} is not an active player"), Player(outsiders[0])
            raise Refused(problem("player.gone", text, clause="FFG-CUT", player=player))
        return [player for player in ranked if player in listed]
    if command.players:
        text = marked("the announced cut is by the standings, not by a list")
        raise Refused(problem("cut.by_standings", text, clause="FFG-ANNOUNCE"))
    if plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        return [player for player in ranked if points[player] >= plan.size]
    return ranked[: plan.size]


class AnswerReplacement(Command, frozen=True):
    """The next ranked was asked to replace a qualifier who left: yes or no."""

    player: int
    accepts: bool

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        stage = stage_with_vacancy(tournament)
        if self.accepts:
            yield elimination.QualifierReplaced(stage.number, stage.vacancies[0], self.player)
        else:
            yield elimination.ReplacementDeclined(stage.number, self.player)


class ForfeitPlace(Command, frozen=True):
    """Leave a qualifier's place empty: nobody is left to take it."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        stage = stage_with_vacancy(tournament)
        yield elimination.PlaceForfeited(stage.number, stage.vacancies[0])


def stage_with_vacancy(tournament: Tournament) -> Stage:
    """Return the stage whose cut has a place to be filled; Refused where none has one."""
    stage = tournament.pending_cut()
    if stage is None or not stage.vacancies:
        text = marked("there is no vacant place in a cut")
        raise Refused(problem("cut.no_vacancy", text, clause="FFG-CUT-REPLACE"))
    return stage


class FinishTournament(Command, frozen=True):
    """Close play; the shuffle key is revealed."""

    despite_dispute: bool = False
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if tournament.finished:
            return
        over = over_disputes(tournament, self.reason, asked=self.despite_dispute)
        yield from close_if_complete(tournament, over)
        if not is_over(tournament):
            raise Refused(still_to_be_played(tournament))
        yield TournamentFinished(*context.keys_to_reveal(tournament), over)
