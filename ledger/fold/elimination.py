"""What a cut and the replacement of a qualifier do to the tournament."""

from __future__ import annotations

from ledger.events import elimination
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def cut_made(tournament: Tournament, event: elimination.CutMade, recorded: Recorded) -> None:
    stage = tournament.stages[event.stage - 1]
    stage.cut_seq = recorded.seq
    stage.seeds = list(event.seeds)
    stage.entrants = list(event.seeds)
    stage.waiting = list(event.waiting)
    going_on = set(event.seeds)
    for player in tournament.registered():
        if player.status == "active" and player.number not in going_on:
            player.status = "cut"
            stage.cut_players.append(player.number)


def cut_withdrawn(tournament: Tournament, event: elimination.CutWithdrawn, _: Recorded) -> None:
    stage = tournament.stages[event.stage - 1]
    for number in stage.cut_players:
        if tournament.players[number].status == "cut":
            tournament.players[number].status = "active"
    stage.cut_seq = 0
    stage.seeds, stage.entrants, stage.waiting, stage.cut_players = [], [], [], []


def qualifier_replaced(
    tournament: Tournament, event: elimination.QualifierReplaced, _: Recorded
) -> None:
    stage = tournament.stages[event.stage - 1]
    stage.seeds.remove(event.leaver)
    stage.seeds.append(event.entrant)
    stage.entrants.append(event.entrant)
    stage.vacancies.remove(event.leaver)
    stage.waiting.remove(event.entrant)
    stage.cut_players.remove(event.entrant)
    tournament.players[event.entrant].status = "active"


def replacement_declined(
    tournament: Tournament, event: elimination.ReplacementDeclined, _: Recorded
) -> None:
    tournament.stages[event.stage - 1].waiting.remove(event.player)


def place_forfeited(tournament: Tournament, event: elimination.PlaceForfeited, _: Recorded) -> None:
    stage = tournament.stages[event.stage - 1]
    stage.seeds.remove(event.leaver)
    stage.vacancies.remove(event.leaver)
