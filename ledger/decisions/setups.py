"""The set-up: what is drawn is drawn here, what the table chose is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.setups import has_outline, no_draft, no_season, season_of
from ledger.commands import (
    AnnounceTerrain,
    BuildBattle,
    ChooseFirstPlayer,
    CountTerrain,
    DrawChooser,
    DrawDraftGroups,
    DrawScenario,
    OrderVerification,
    ReviewFirstFive,
    TakeSide,
)
from ledger.decisions.told import found_match
from ledger.errors import Refused
from ledger.events.setups import (
    BattleBuilt,
    ChooserDrawn,
    DraftGroupsDrawn,
    FirstFiveReviewed,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainAnnounced,
    TerrainCounted,
    VerificationOrdered,
)
from ledger.tournament.battle_cards import Battle, sealed
from ledger.tournament.progress import round_in_play
from ledger.tournament.setups import drawn_before, group_sizes, lower_total, unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Match, Tournament

SCENARIO = "scenario@1"
DRAFT = "draft@1"
CHOOSER = "chooser@1"


def _scenario(
    command: DrawScenario, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    played = round_in_play(tournament)
    if played is None:
        raise Refused("no round is in play: use `pair`")
    if command.deployment or command.objective:
        if not has_outline(tournament):
            raise Refused("a scenario is drawn, not chosen, without an event outline (RW-SCENARIO)")
        yield ScenarioDrawn(played.number, command.deployment, command.objective)
        return
    if played.number in tournament.floor.scenarios:
        return
    season = season_of(tournament)
    if season is None:
        raise Refused(no_season(tournament))
    deployments, objectives = drawn_before(tournament, played.number)
    draws = context.draws(tournament, SCENARIO, played.stage, played.number)
    pools = unused(season.deployments, deployments), unused(season.objectives, objectives)
    deployment, objective = (pool[draws.below(len(pool))] for pool in pools)
    yield ScenarioDrawn(played.number, deployment, objective)


def _draft(
    _command: DrawDraftGroups, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    rules = tournament.ruleset.floor.draft
    if rules is None:
        raise Refused(no_draft(tournament))
    attempt = tournament.floor.drafts + 1
    sizes = group_sizes(len(tournament.active()))
    if not sizes:
        raise Refused(f"draft groups need two players at least ({rules.clause})")
    drawn = context.draws(tournament, DRAFT, attempt).shuffled(tournament.active())
    groups = []
    for size in sizes:
        groups.append(tuple(drawn[:size]))
        del drawn[:size]
    yield DraftGroupsDrawn(attempt, tuple(groups))


def _draw_chooser(
    command: DrawChooser, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    if match.number in tournament.floor.choosers:
        return
    draws = context.draws(tournament, CHOOSER, match.number)
    chooser = match.players[draws.below(len(match.players))]
    yield ChooserDrawn(match.number, chooser, command.totals)


def _only(tournament: Tournament, match: Match, totals: tuple[int, int]) -> int:
    """Who chooses by army totals; where they are equal, whoever was drawn."""
    lower = lower_total(match, totals)
    chooser = lower[0] if len(lower) == 1 else tournament.floor.choosers.get(match.number)
    if chooser is None:
        raise Refused(
            "equal army totals: leave the player out to draw who chooses, or name who won at the "
            "table with --chooser"
        )
    return chooser


def _first(
    command: ChooseFirstPlayer, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    chooser = command.chooser
    if not chooser and command.totals:
        chooser = _only(tournament, match, command.totals)
    elif not chooser and command.rolls:
        last = command.rolls[-1]
        chooser = match.first if last[0] > last[1] else match.second
    elif not chooser and match.number not in tournament.floor.choosers:
        raise Refused("say who chose, with --chooser")
    chooser = chooser or tournament.floor.choosers[match.number]
    chosen = FirstPlayerChosen(match.number, chooser, command.first, command.totals, command.rolls)
    if tournament.floor.first_players.get(match.number) != chosen:
        yield chosen


def _side(command: TakeSide, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    chooser = command.chooser
    if not chooser and command.totals:
        chooser = _only(tournament, match, command.totals)
    elif not chooser:
        chosen = tournament.floor.first_players.get(match.number)
        if chosen is None:
            rules = tournament.ruleset.floor.sides
            if rules is not None and rules.chooser == "second player":
                raise Refused(f"the first player is chosen first: use `first` ({rules.clause})")
            raise Refused("say who chose, with --chooser, or the army totals")
        chooser = next(player for player in match.players if player != chosen.first)
    taken = SideTaken(match.number, chooser, command.blue, command.totals, command.edge)
    if tournament.floor.sides.get(match.number) != taken:
        yield taken


def _battle(
    command: BuildBattle, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    battle = Battle(command.objectives, command.deployments, command.conditions, command.struck)
    if problems := tuple(battle.problems()):
        raise Refused(*problems)
    key = context.key_to_seal_with()
    built = BattleBuilt(match.number, sealed(tournament, key, match.number, battle))
    if tournament.floor.battles.get(match.number) != built:
        yield built


def _terrain(
    command: AnnounceTerrain, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if tournament.floor.fixed_terrain is not command.fixed:
        yield TerrainAnnounced(command.fixed)


def _count(command: CountTerrain, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    counted = TerrainCounted(command.table, command.covered, command.pieces)
    if tournament.floor.terrain.get(command.table) != counted:
        yield counted


def _verify(
    _command: OrderVerification, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if not tournament.floor.verification:
        yield VerificationOrdered()


def _review(
    command: ReviewFirstFive, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    found_match(tournament, command.match)
    yield FirstFiveReviewed(command.match, command.player, command.official, command.reviewer)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    DrawScenario: _scenario,
    DrawDraftGroups: _draft,
    DrawChooser: _draw_chooser,
    ChooseFirstPlayer: _first,
    TakeSide: _side,
    BuildBattle: _battle,
    AnnounceTerrain: _terrain,
    CountTerrain: _count,
    OrderVerification: _verify,
    ReviewFirstFive: _review,
}
