"""The cut and its replacements: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts import base
from ledger.facts.base import ORGANIZER, Event, Meaning, Recording
from ledger.problems import marked, remedy
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


class CutMade(Event, frozen=True):
    """The players who go on to `stage`, best seed first; all others leave (FFG-CUT).

    `waiting` are the next ranked after a cut by the standings, in the order in which they are
    asked to replace a qualifier who leaves (FFG-CUT-REPLACE).
    """

    recording = Recording(
        marked("making the cut"), ORGANIZER, withdrawable=True, instead=remedy("cut.withdraw")
    )

    stage: base.Ordinal
    seeds: tuple[base.Number, ...]
    waiting: tuple[base.Number, ...] = ()
    waiver: base.Waiver | None = None


class CutWithdrawn(Meaning, frozen=True):
    """A cut is taken back before its stage has been paired."""

    recording = Recording(marked("undoing the cut"), ORGANIZER)
    takes_back = (CutMade,)

    stage: base.Ordinal


class QualifierReplaced(Event, frozen=True):
    """The next ranked accepted the place of a qualifier who left, as the lowest seed."""

    recording = Recording(
        marked("replacing a qualifier"),
        ORGANIZER,
        instead=remedy("drop"),
        stays=marked("if the player leaves, the next one is asked"),
    )

    stage: base.Ordinal
    leaver: base.Number
    entrant: base.Number


class ReplacementDeclined(Event, frozen=True):
    """The next ranked was asked to replace a qualifier and said no (FFG-CUT-ACCEPT)."""

    recording = Recording(
        marked("declining a replacement"),
        ORGANIZER,
        stays=marked("the answer is final, and the next one is asked"),
    )

    stage: base.Ordinal
    player: base.Number


class PlaceForfeited(Event, frozen=True):
    """Nobody is left to replace a qualifier: the lowest place of the cut stays empty."""

    recording = Recording(
        marked("forfeiting a place of the cut"),
        ORGANIZER,
        stays=marked("the place was the last one to be filled"),
    )

    stage: base.Ordinal
    leaver: base.Number


def cut_made(tournament: Tournament, event: CutMade, recorded: Recorded) -> None:
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


def cut_withdrawn(tournament: Tournament, event: CutWithdrawn, recorded: Recorded) -> None:
    stage = tournament.stages[event.stage - 1]
    for number in stage.cut_players:
        if tournament.players[number].status == "cut":
            tournament.players[number].status = "active"
    stage.cut_seq = 0
    while stage.seeds:  # from the lowest seed on: the others keep theirs
        tournament.lose_seed(stage, stage.seeds[-1], recorded.seq)
    stage.entrants, stage.waiting, stage.cut_players = [], [], []


def qualifier_replaced(
    tournament: Tournament, event: QualifierReplaced, recorded: Recorded
) -> None:
    stage = tournament.stages[event.stage - 1]
    tournament.lose_seed(stage, event.leaver, recorded.seq)
    stage.seeds.append(event.entrant)
    stage.entrants.append(event.entrant)
    stage.vacancies.remove(event.leaver)
    stage.waiting.remove(event.entrant)
    stage.cut_players.remove(event.entrant)
    tournament.players[event.entrant].status = "active"


def replacement_declined(tournament: Tournament, event: ReplacementDeclined, _: Recorded) -> None:
    tournament.stages[event.stage - 1].waiting.remove(event.player)


def place_forfeited(tournament: Tournament, event: PlaceForfeited, recorded: Recorded) -> None:
    stage = tournament.stages[event.stage - 1]
    tournament.lose_seed(stage, event.leaver, recorded.seq)
    stage.vacancies.remove(event.leaver)
