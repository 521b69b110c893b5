"""What scenarios, draft groups, first players, sides and terrain do to the tournament."""

from __future__ import annotations

from ledger.events import setups
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def scenario_drawn(tournament: Tournament, event: setups.ScenarioDrawn, _: Recorded) -> None:
    tournament.floor.scenarios[event.round] = event


def draft_groups_drawn(tournament: Tournament, event: setups.DraftGroupsDrawn, _: Recorded) -> None:
    tournament.floor.drafts = event.attempt
    tournament.floor.draft_groups = event.groups


def chooser_drawn(tournament: Tournament, event: setups.ChooserDrawn, _: Recorded) -> None:
    tournament.floor.choosers[event.match] = event.chooser


def first_player_chosen(
    tournament: Tournament, event: setups.FirstPlayerChosen, _: Recorded
) -> None:
    tournament.floor.first_players[event.match] = event
    sides = tournament.ruleset.floor.sides
    if sides is not None and sides.chooser == "second player":
        tournament.floor.sides.pop(event.match, None)  # the other player chooses now


def side_taken(tournament: Tournament, event: setups.SideTaken, _: Recorded) -> None:
    before = tournament.floor.sides.get(event.match)
    tournament.floor.sides[event.match] = event
    if before is not None and before.blue != event.blue:
        tournament.floor.battles.pop(event.match, None)  # the cards are blue's


def battle_built(tournament: Tournament, event: setups.BattleBuilt, _: Recorded) -> None:
    tournament.floor.battles[event.match] = event
    tournament.floor.lost_battles.discard(event.match)


def terrain_announced(tournament: Tournament, event: setups.TerrainAnnounced, _: Recorded) -> None:
    tournament.floor.fixed_terrain = event.fixed


def terrain_counted(tournament: Tournament, event: setups.TerrainCounted, _: Recorded) -> None:
    tournament.floor.terrain[event.table] = event


def verification_ordered(
    tournament: Tournament, _event: setups.VerificationOrdered, recorded: Recorded
) -> None:
    tournament.floor.verification = recorded.seq


def first_five_reviewed(
    tournament: Tournament, event: setups.FirstFiveReviewed, _: Recorded
) -> None:
    tournament.floor.reviewed.setdefault(event.match, []).append(event.player)
