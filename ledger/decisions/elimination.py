"""Making the cut, replacing a qualifier, finishing."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.decisions.command import Command, Context
from ledger.decisions.rounds import close_if_complete, over_disputes
from ledger.errors import Refused
from ledger.events import Event, elimination
from ledger.events.opening import TournamentFinished
from ledger.events.undo import ActWithdrawn
from ledger.problems import Player, problem, remedy
from ledger.tournament.early_finish import still_to_be_played
from ledger.tournament.progress import is_over, next_stage, stage_points
from ledger.tournament.state import Stage, Tournament


class MakeCut(Command, frozen=True):
    """Decide who goes on to the next stage; with players only where its entry is a list."""

    players: tuple[int, ...] = ()
    despite_dispute: bool = False
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        over = over_disputes(tournament, self.reason, asked=self.despite_dispute)
        yield from close_if_complete(tournament, over)
        stage = next_stage(tournament)
        if stage is None or is_over(tournament):
            text = "nothing is left to be played"
            raise Refused(problem("day.nothing_left", text, remedy=remedy("finish")))
        if stage.number == 1 or stage.rounds:
            raise Refused(problem("cut.early", "no cut comes yet", remedy=remedy("pair")))
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
            raise Refused(problem("cut.none", "no cut is made"))
        yield ActWithdrawn(cuts[-1].cut_seq, self.reason)


def _qualified(
    command: MakeCut, tournament: Tournament, stage: Stage, ranked: list[int]
) -> list[int]:
    plan = stage.plan
    if plan.entry == "list":
        if not command.players:
            raise Refused(problem("cut.by_list", "this cut is by a list: name the players"))
        listed = set(command.players)
        if outsiders := sorted(listed - set(ranked)):
            text, player = "{player} does not play on", Player(outsiders[0])
            raise Refused(problem("player.gone", text, clause="FFG-CUT", player=player))
        return [player for player in ranked if player in listed]
    if command.players:
        text = "the announced cut goes by the standings, not by a list"
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
        text = "no place of a cut is free"
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
