"""Reporting, conceding and correcting results."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger import scoring
from ledger.checks.results import find
from ledger.commands import Command
from ledger.commands import Concede
from ledger.commands import CorrectFacts
from ledger.commands import CorrectOutcome
from ledger.commands import CorrectPoints
from ledger.commands import ReportFacts
from ledger.commands import ReportNoShow
from ledger.commands import ReportOutcome
from ledger.commands import ReportPoints
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.progress import open_match_of
from ledger.setups import recorded_facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.state import Match
    from ledger.state import Tournament


def _found(tournament: Tournament, number: int) -> Match:
    match = find(tournament, number)
    if match is None:
        raise NotFound(f"there is no match {number}")
    return match


def _by_outcome(tournament: Tournament, match: Match, outcome: str) -> Result:
    rules = tournament.ruleset
    swiss = tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
    if rules.scoring.kind == "reported" and swiss:
        low, high = rules.scoring.points_min, rules.scoring.points_max
        raise Refused(f"{rules.key} reports points: {low} to {high} a side, as {high}-{low}")
    return scoring.by_outcome(rules, outcome)


def _by_points(tournament: Tournament, points: tuple[int, int]) -> Result:
    rules = tournament.ruleset
    if rules.scoring.kind != "reported":
        words = ", ".join(outcome.name for outcome in rules.outcomes)
        raise Refused(f"{rules.key} reports an outcome, not points: {words}")
    return scoring.by_points(rules, *points)


def _by_facts(tournament: Tournament, command: ReportFacts | CorrectFacts) -> Result:
    match = _found(tournament, command.match)
    stage = tournament.stages[tournament.rounds[match.round - 1].stage - 1]
    return scoring.by_facts(
        tournament.ruleset,
        command.ending,
        recorded_facts(tournament, match) | dict(command.facts),
        command.outcome,
        elimination=not stage.is_swiss,
    )


def result_of(
    command: ReportOutcome | ReportPoints | ReportFacts | ReportNoShow, tournament: Tournament
) -> Result:
    """The result that a report tells, whether or not it would be admissible now.

    Raises:
        NotFound: no such match or outcome.
        Refused: the ruleset's results are told otherwise, or somebody does not sit there.
    """
    match command:
        case ReportOutcome():
            match_told = _found(tournament, command.match)
            return _by_outcome(tournament, match_told, command.outcome)
        case ReportPoints():
            return _by_points(tournament, command.points)
        case ReportFacts():
            return _by_facts(tournament, command)
        case ReportNoShow():
            return _absence(command, tournament)


def _absence(command: ReportNoShow, tournament: Tournament) -> Result:
    match = _found(tournament, command.match)
    strangers = set(command.absent) - set(match.players)
    if strangers:
        raise Refused(f"player {min(strangers)} does not sit at {match.round}/{match.table}")
    absent = (match.first in command.absent, match.second in command.absent)
    return scoring.absence(tournament.ruleset, absent)


def _report(tournament: Tournament, number: int, result: Result) -> Iterator[Event]:
    match = _found(tournament, number)
    if match.result != result:
        yield ResultReported(number, result)


def _report_outcome(
    command: ReportOutcome, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = _found(tournament, command.match)
    yield from _report(tournament, match.number, _by_outcome(tournament, match, command.outcome))


def _report_points(
    command: ReportPoints, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield from _report(tournament, command.match, _by_points(tournament, command.points))


def _report_facts(
    command: ReportFacts, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    yield from _report(tournament, command.match, _by_facts(tournament, command))


def _report_no_show(
    command: ReportNoShow, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = _found(tournament, command.match)
    yield from _report(tournament, match.number, _absence(command, tournament))
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


def _correct(tournament: Tournament, number: int, result: Result, reason: str) -> Iterator[Event]:
    match = _found(tournament, number)
    if match.result is None:
        raise Refused(f"{match.round}/{match.table} has no result to correct: use `report`")
    if match.result != result:
        yield ResultCorrected(number, match.result_seq, result, reason)


def _correct_outcome(
    command: CorrectOutcome, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    match = _found(tournament, command.match)
    result = _by_outcome(tournament, match, command.outcome)
    yield from _correct(tournament, command.match, result, command.reason)


def _correct_points(
    command: CorrectPoints, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    result = _by_points(tournament, command.points)
    yield from _correct(tournament, command.match, result, command.reason)


def _correct_facts(
    command: CorrectFacts, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    result = _by_facts(tournament, command)
    yield from _correct(tournament, command.match, result, command.reason)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    ReportOutcome: _report_outcome,
    ReportPoints: _report_points,
    ReportFacts: _report_facts,
    ReportNoShow: _report_no_show,
    Concede: _concede,
    CorrectOutcome: _correct_outcome,
    CorrectPoints: _correct_points,
    CorrectFacts: _correct_facts,
}
