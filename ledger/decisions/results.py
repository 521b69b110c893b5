"""Reporting, conceding and correcting results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.decisions.command import Command
from ledger.decisions.disputes import confirmed_by
from ledger.decisions.stated import (
    StatedResult,
    match_of,
    result_from,
)
from ledger.errors import Refused
from ledger.events.disputes import ResultDisputed
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultCorrected, ResultReported
from ledger.tournament import disputes, scoring
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament


class Report(Command, frozen=True):
    """Report a match; players who are stated to be absent are dropped.

    The same result again confirms it, another one of the other side disputes it.
    """

    match: int
    result: StatedResult

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        result = result_from(tournament, match, self.result)
        if self.result.absent:
            yield from _no_show(tournament, match, result, self.result.absent)
        else:
            yield from _reported(tournament, match, result, by)


def _reported(tournament: Tournament, match: Match, result: Result, by: str) -> Iterator[Event]:
    said = disputes.standing(tournament, match)
    if said is None:
        yield ResultReported(match.number, result)
        return
    player = disputes.speaker(tournament, by, match)
    dispute = disputes.dispute_of(tournament, match.number)
    if said.result == result:
        is_waiting = match.number in tournament.floor.unconfirmed and dispute is None
        if (player and player != said.player) or (is_waiting and not player):
            yield from confirmed_by(tournament, match, said, player)
    elif dispute is not None and disputes.is_repeated(dispute, player, result):
        return
    elif player and player != said.player:
        yield ResultDisputed(match.number, said.seq, player, result)
    else:
        yield ResultReported(match.number, result)


def _no_show(
    tournament: Tournament, match: Match, result: Result, absent: tuple[int, ...]
) -> Iterator[Event]:
    if match.result != result:
        yield ResultReported(match.number, result)
    for player in match.players:
        if player in absent and tournament.players[player].status == "active":
            yield PlayerDropped(player, "no-show")


class Concede(Command, frozen=True):
    """Concede the player's open match."""

    player: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = open_match_of(tournament, self.player)
        if match is None:
            raise Refused(f"player {self.player} has no open match to concede")
        conceded = scoring.conceded(tournament.ruleset, first=match.first == self.player)
        yield ResultReported(match.number, conceded)


class Correct(Command, frozen=True):
    """Replace a match's result by another one; nobody is dropped by that."""

    match: int
    result: StatedResult
    reason: str
    ruling: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        result = result_from(tournament, match, self.result)
        said = disputes.standing(tournament, match)
        if said is None:
            raise Refused(f"{match.round}/{match.table} has no result to correct: use `report`")
        if match.result != result:
            yield ResultCorrected(match.number, said.seq, result, self.reason, self.ruling)
