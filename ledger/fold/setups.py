"""What scenarios, draft groups, first players, sides and terrain do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
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
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def _scenario(tournament: Tournament, event: ScenarioDrawn, _: Recorded) -> None:
    tournament.floor.scenarios[event.round] = event


def _draft(tournament: Tournament, event: DraftGroupsDrawn, _: Recorded) -> None:
    tournament.floor.drafts = event.attempt
    tournament.floor.draft_groups = event.groups


def _chooser(tournament: Tournament, event: ChooserDrawn, _: Recorded) -> None:
    tournament.floor.choosers[event.match] = event.chooser


def _chosen(tournament: Tournament, event: FirstPlayerChosen, _: Recorded) -> None:
    tournament.floor.first_players[event.match] = event
    sides = tournament.ruleset.floor.sides
    if sides is not None and sides.chooser == "second player":
        tournament.floor.sides.pop(event.match, None)  # the other player chooses now


def _side(tournament: Tournament, event: SideTaken, _: Recorded) -> None:
    before = tournament.floor.sides.get(event.match)
    tournament.floor.sides[event.match] = event
    if before is not None and before.blue != event.blue:
        tournament.floor.battles.pop(event.match, None)  # the cards are blue's


def _battle(tournament: Tournament, event: BattleBuilt, _: Recorded) -> None:
    tournament.floor.battles[event.match] = event
    tournament.floor.lost_battles.discard(event.match)


def _terrain(tournament: Tournament, event: TerrainAnnounced, _: Recorded) -> None:
    tournament.floor.fixed_terrain = event.fixed


def _counted(tournament: Tournament, event: TerrainCounted, _: Recorded) -> None:
    tournament.floor.terrain[event.table] = event


def _verification(tournament: Tournament, _event: VerificationOrdered, recorded: Recorded) -> None:
    tournament.floor.verification = recorded.seq


def _first_five(tournament: Tournament, event: FirstFiveReviewed, _: Recorded) -> None:
    tournament.floor.reviewed.setdefault(event.match, []).append(event.player)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ScenarioDrawn: _scenario,
    DraftGroupsDrawn: _draft,
    ChooserDrawn: _chooser,
    FirstPlayerChosen: _chosen,
    SideTaken: _side,
    BattleBuilt: _battle,
    TerrainAnnounced: _terrain,
    TerrainCounted: _counted,
    VerificationOrdered: _verification,
    FirstFiveReviewed: _first_five,
}
