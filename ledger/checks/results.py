"""When a result may be reported, corrected and withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger import scoring
from ledger.authority import LEADERS
from ledger.checks.components import result_allowed
from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.events.results import ResultWithdrawn
from ledger.setups import recorded_facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.state import Match
    from ledger.state import Tournament


def find(tournament: Tournament, number: int) -> Match | None:
    """The match of that id, if it stands."""
    match = tournament.matches[number] if 0 < number < len(tournament.matches) else None
    return None if match is None or match.void else match


def _reported(tournament: Tournament, event: ResultReported) -> Iterator[str]:
    match = find(tournament, event.match)
    if match is None:
        yield f"there is no match {event.match}"
    elif match.is_bye:
        yield f"{match.round}/{match.table} is a bye: its result is given"
    elif match.result is not None:
        outcome = match.result.outcomes[0]
        points = f"{match.result.points[0]}-{match.result.points[1]}"
        yield (
            f"{match.round}/{match.table} has a result (event {match.result_seq}): player "
            f"{match.first} has a {outcome}, {points}; use `correct`"
        )
    elif tournament.rounds[match.round - 1].status == "closed":
        yield f"round {match.round} is closed"
    else:
        yield from _rules(tournament, match, event.result)
        yield from result_allowed(tournament, match, event.result)


def _corrected(tournament: Tournament, event: ResultCorrected) -> Iterator[str]:
    match = find(tournament, event.match)
    if match is None:
        yield f"there is no match {event.match}"
    elif match.result is None:
        yield f"{match.round}/{match.table} has no result to correct: use `report`"
    elif match.result_seq != event.corrects:
        yield f"the result of {match.round}/{match.table} is event {match.result_seq}"
    else:
        yield from _bracket_stands(tournament, match, event.result)
        yield from _rules(tournament, match, event.result)
    if not event.reason.strip():
        yield "a correction needs a reason"


def _bracket_stands(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    """A bracket that went on can not be played back: its winner stays."""
    played = tournament.rounds[match.round - 1]
    stage = tournament.stages[played.stage - 1]
    if stage.is_swiss or match.round == stage.rounds[-1] or tournament.importing:
        return
    outcomes = match.result.outcomes if match.result else ()
    advances = tournament.ruleset.outcome
    if all(name in tournament.ruleset.records for name in result.outcomes) and [
        advances(name).advances for name in outcomes
    ] != [advances(name).advances for name in result.outcomes]:
        yield f"the winner of {match.round}/{match.table} has played on: unpair that round first"


def _withdrawn(tournament: Tournament, event: ResultWithdrawn) -> Iterator[str]:
    match = find(tournament, event.match)
    if match is None or match.result is None:
        yield f"match {event.match} has no result"
    elif match.result_seq != event.withdraws:
        yield f"the result of {match.round}/{match.table} is event {match.result_seq}"
    elif tournament.rounds[match.round - 1].status == "closed":
        yield f"round {match.round} is closed: use `correct`"


def _rules(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    played = tournament.rounds[match.round - 1]
    stage = tournament.stages[played.stage - 1]
    yield from scoring.problems(tournament.ruleset, result, elimination=not stage.is_swiss)
    yield from _official_problems(tournament, result)
    yield from _recorded_problems(tournament, match, result)


def _recorded_problems(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    """What the set-up of the match recorded is not told otherwise afterwards."""
    declared = tournament.ruleset.derives
    for label, pair in recorded_facts(tournament, match).items():
        if declared and result.facts.get(label, pair) != pair:
            clause = declared.labels[label].clause
            yield f"{label} is {pair[0]}:{pair[1]} by the set-up of this match ({clause})"


def _official_problems(tournament: Tournament, result: Result) -> Iterator[str]:
    """Whoever confirmed a count at the table is a leader of this event."""
    declared = tournament.ruleset.derives
    labels = declared.labels if declared and result.facts else {}
    for label, (number, _) in result.facts.items():
        if label not in labels or not labels[label].official:
            continue
        known = 0 < number < len(tournament.officials)
        if not known or not LEADERS & set(tournament.officials[number].roles):
            yield f"{label}: official {number} is no leader ({labels[label].clause})"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ResultReported: _reported,
    ResultCorrected: _corrected,
    ResultWithdrawn: _withdrawn,
}
