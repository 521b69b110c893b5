"""The set-up: what is drawn is drawn here, what the table chose is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ledger.checks.references import table_of
from ledger.checks.setups import no_season, season_of
from ledger.decisions.command import Command, Context, event_of, match_of, this_round
from ledger.errors import Refused
from ledger.events import Event, setups
from ledger.problems import Problem, problem, remedy
from ledger.tournament.lists.battle_cards import Battle, sealed
from ledger.tournament.setups import (
    drawn_before,
    group_sizes,
    has_outline,
    lower_total,
    missing_parts,
    unused,
)
from ledger.tournament.state import Match, Tournament

SCENARIO = "scenario@1"
DRAFT = "draft@1"
CHOOSER = "chooser@1"


class DrawScenario(Command, frozen=True):
    """Draw the scenario of the round in play.

    By name where an outline has it, and where it was drawn by hand, with cards or a die.
    """

    deployment: str = ""
    objective: str = ""
    by_hand: bool = False

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        if self.deployment or self.objective:
            if not (self.by_hand or has_outline(tournament)):
                text = "a scenario is drawn, not chosen, without an event outline"
                way = remedy("scenario.by_hand")
                raise Refused(problem("scenario.drawn", text, clause="RW-SCENARIO", remedy=way))
            drawn = event_of(setups.ScenarioDrawn, self, round=round_.number)
            if tournament.floor.scenarios.get(round_.number) != drawn:
                yield drawn
            return
        if self.by_hand:
            text = "a draw by hand names the deployment and the objective"
            raise Refused(problem("scenario.unnamed", text, clause="RW-SCENARIO"))
        if round_.number in tournament.floor.scenarios:
            return
        season = season_of(tournament)
        if season is None:
            raise Refused(no_season(tournament))
        deployments, objectives = drawn_before(tournament, round_.number)
        draws = context.draws(tournament, SCENARIO, round_.stage, round_.number)
        pools = unused(season.deployments, deployments), unused(season.objectives, objectives)
        deployment, objective = (pool[draws.below(len(pool))] for pool in pools)
        yield setups.ScenarioDrawn(round_.number, deployment, objective)


class DrawDraftGroups(Command, frozen=True):
    """Draw who drafts with whom."""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        rules = tournament.ruleset.floor.draft
        if rules is None:
            raise Refused(missing_parts(tournament)["draft"])
        attempt = tournament.floor.drafts + 1
        sizes = group_sizes(len(tournament.active()))
        if not sizes:
            text = "draft groups need two players at least"
            raise Refused(problem("draft.too_few", text, clause=rules.clause))
        drawn = context.draws(tournament, DRAFT, attempt).shuffled(tournament.active())
        rest = iter(drawn)
        yield setups.DraftGroupsDrawn(attempt, tuple(tuple(islice(rest, size)) for size in sizes))


class DrawChooser(Command, frozen=True):
    """Draw who chooses the first player or the side, where chance decides it."""

    match: int
    totals: tuple[int, int] | None = None

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        if match.number in tournament.floor.choosers:
            return
        draws = context.draws(tournament, CHOOSER, match.number)
        chooser = match.players[draws.below(len(match.players))]
        yield setups.ChooserDrawn(match.number, chooser, self.totals)


def _only(tournament: Tournament, match: Match, totals: tuple[int, int]) -> int:
    """Who chooses by army totals; where they are equal, the one who was drawn."""
    lower = lower_total(match, totals)
    chooser = lower[0] if len(lower) == 1 else tournament.floor.choosers.get(match.number)
    if chooser is None:
        text = "equal army totals: draw who chooses, or say who won at the table"
        raise Refused(problem("chooser.equal_totals", text))
    return chooser


class ChooseFirstPlayer(Command, frozen=True):
    """Record who is first player; chooser 0: who it has to be by totals or rolls."""

    match: int
    first: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    rolls: tuple[tuple[int, int], ...] = ()
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        chooser = self.chooser
        if not chooser and self.totals:
            chooser = _only(tournament, match, self.totals)
        elif not chooser and self.rolls:
            last = self.rolls[-1]
            chooser = match.first if last[0] > last[1] else match.second
        elif not chooser and match.number not in tournament.floor.choosers:
            raise Refused(problem("chooser.missing", "say who chose"))
        chooser = chooser or tournament.floor.choosers[match.number]
        chosen = event_of(setups.FirstPlayerChosen, self, chooser=chooser)
        if tournament.floor.first_players.get(match.number) != chosen:
            yield chosen


class TakeSide(Command, frozen=True):
    """Record who is blue; chooser 0: who it has to be."""

    match: int
    blue: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    edge: str = ""
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        chooser = self.chooser
        if not chooser and self.totals:
            chooser = _only(tournament, match, self.totals)
        elif not chooser:
            chosen = tournament.floor.first_players.get(match.number)
            if chosen is None:
                raise Refused(_nobody_chose(tournament, match))
            chooser = next(player for player in match.players if player != chosen.first)
        taken = event_of(setups.SideTaken, self, chooser=chooser)
        if tournament.floor.sides.get(match.number) != taken:
            yield taken


def _nobody_chose(tournament: Tournament, match: Match) -> Problem:
    rules = tournament.ruleset.floor.sides
    if rules is not None and rules.chooser == "second player":
        text, way = "the first player is chosen first", remedy("first", table=table_of(match))
        return problem("first.missing", text, clause=rules.clause, remedy=way)
    return problem("chooser.or_totals_missing", "say who chose, or the army totals")


class BuildBattle(Command, frozen=True):
    """Record the cards revealed and what was struck out; what is played follows from it."""

    match: int
    objectives: setups.Three
    deployments: setups.Three
    conditions: setups.Three
    struck: tuple[setups.Struck, setups.Struck, setups.Struck, setups.Struck]

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        battle = Battle(self.objectives, self.deployments, self.conditions, self.struck)
        if problems := tuple(battle.problems()):
            raise Refused(*problems)
        key = context.key_to_seal_with()
        built = setups.BattleBuilt(match.number, sealed(tournament, key, match.number, battle))
        if tournament.floor.battles.get(match.number) != built:
            yield built


class AnnounceTerrain(Command, frozen=True):
    """Say whether the terrain is fixed."""

    fixed: bool

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.floor.fixed_terrain is not self.fixed:
            yield setups.TerrainAnnounced(self.fixed)


class CountTerrain(Command, frozen=True):
    """Record what stands on a table."""

    table: int
    covered: int
    pieces: dict[str, int]

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        counted = event_of(setups.TerrainCounted, self)
        if tournament.floor.terrain.get(self.table) != counted:
            yield counted


class OrderVerification(Command, frozen=True):
    """Let the players verify each other's army totals."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not tournament.floor.verification:
            yield setups.VerificationOrdered()


class ReviewFirstFive(Command, frozen=True):
    """Record who looked at a player's First Five."""

    says = setups.FirstFiveReviewed

    match: int
    player: int
    official: int = 0
    reviewer: int = 0
