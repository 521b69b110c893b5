"""Reporting, conceding and correcting results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.commands import (
    Command,
    Concede,
    CorrectFacts,
    CorrectNoShow,
    CorrectOutcome,
    CorrectPoints,
    ReportFacts,
    ReportNoShow,
    ReportOutcome,
    ReportPoints,
)
from ledger.commands.disputes import Told
from ledger.decisions.disputes import confirmed_by
from ledger.decisions.told import absent_result, by_outcome, by_points, found_match, told_result
from ledger.errors import Refused
from ledger.events.disputes import ResultDisputed
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultCorrected, ResultReported
from ledger.tournament import disputes, scoring
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.tournament.state import Tournament


def result_of(
    command: ReportOutcome | ReportPoints | ReportFacts | ReportNoShow, tournament: Tournament
) -> Result:
    """The result that a report tells, whether or not it would be admissible now.

    Raises:
        NotFound: no such match or outcome.
        Refused: the ruleset's results are told otherwise, or somebody does not sit there.
    """
    match = found_match(tournament, command.match)
    match command:
        case ReportOutcome(outcome=outcome):
            return by_outcome(tournament, match, outcome)
        case ReportPoints(points=points):
            return by_points(tournament, points)
        case ReportFacts():
            return _by_facts(tournament, command)
        case ReportNoShow(absent=absent):
            return absent_result(tournament, match, absent)


def _report(tournament: Tournament, number: int, result: Result, by: str) -> Iterator[Event]:
    """A first report; the same again confirms it, another one of the other side disputes it."""
    match = found_match(tournament, number)
    said = disputes.standing(tournament, match)
    if said is None:
        yield ResultReported(number, result)
        return
    player = disputes.speaker(tournament, by, match)
    dispute = disputes.dispute_of(tournament, number)
    if said.result == result:
        is_waiting = number in tournament.floor.unconfirmed and dispute is None
        if (player and player != said.player) or (is_waiting and not player):
            yield from confirmed_by(tournament, match, said, player)
    elif dispute is not None and disputes.is_repeated(dispute, player, result):
        return
    elif player and player != said.player:
        yield ResultDisputed(number, said.seq, player, result)
    else:
        yield ResultReported(number, result)


def _report_outcome(
    command: ReportOutcome, tournament: Tournament, _: Context, by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    yield from _report(tournament, match.number, by_outcome(tournament, match, command.outcome), by)


def _report_points(
    command: ReportPoints, tournament: Tournament, _: Context, by: str
) -> Iterator[Event]:
    yield from _report(tournament, command.match, by_points(tournament, command.points), by)


def _report_facts(
    command: ReportFacts, tournament: Tournament, _: Context, by: str
) -> Iterator[Event]:
    yield from _report(tournament, command.match, _by_facts(tournament, command), by)


def _report_no_show(
    command: ReportNoShow, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    result = absent_result(tournament, match, command.absent)
    if match.result != result:
        yield ResultReported(match.number, result)
    for player in match.players:
        if player in command.absent and tournament.players[player].status == "active":
            yield PlayerDropped(player, "no-show")


def concession(tournament: Tournament, player: int) -> Iterator[Event]:
    """Concede the player's open match: asked for, or what follows from an infraction or a loss.

    Raises:
        Refused: they have none.
    """
    match = open_match_of(tournament, player)
    if match is None:
        raise Refused(f"player {player} has no open match to concede")
    conceded = scoring.conceded(tournament.ruleset, first=match.first == player)
    yield ResultReported(match.number, conceded)


def _concede(command: Concede, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    yield from concession(tournament, command.player)


def _by_facts(tournament: Tournament, command: ReportFacts | CorrectFacts) -> Result:
    match = found_match(tournament, command.match)
    told = Told(command.outcome, facts=command.facts, ending=command.ending)
    return told_result(tournament, match, told)


def _correct(
    tournament: Tournament,
    result: Result,
    command: CorrectOutcome | CorrectPoints | CorrectFacts | CorrectNoShow,
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    said = disputes.standing(tournament, match)
    if said is None:
        raise Refused(f"{match.round}/{match.table} has no result to correct: use `report`")
    if match.result != result:
        reason, ruling = command.reason, command.ruling
        yield ResultCorrected(command.match, said.seq, result, reason, ruling)


def _correct_outcome(
    command: CorrectOutcome, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    yield from _correct(tournament, by_outcome(tournament, match, command.outcome), command)


def _correct_points(
    command: CorrectPoints, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield from _correct(tournament, by_points(tournament, command.points), command)


def _correct_facts(
    command: CorrectFacts, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield from _correct(tournament, _by_facts(tournament, command), command)


def _correct_no_show(
    command: CorrectNoShow, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = found_match(tournament, command.match)
    yield from _correct(tournament, absent_result(tournament, match, command.absent), command)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    ReportOutcome: _report_outcome,
    ReportPoints: _report_points,
    ReportFacts: _report_facts,
    ReportNoShow: _report_no_show,
    Concede: _concede,
    CorrectOutcome: _correct_outcome,
    CorrectPoints: _correct_points,
    CorrectFacts: _correct_facts,
    CorrectNoShow: _correct_no_show,
}
