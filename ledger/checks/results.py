"""When a result may be reported, corrected and withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.components import result_allowed
from ledger.events.base import LEADERS
from ledger.events.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.tournament import scoring
from ledger.tournament.disputes import (
    current_claim,
    decided,
    is_appealed,
    latest_dispute,
    put_right,
    ruling_on,
    state_of,
)
from ledger.tournament.setups import recorded_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import Dispute


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
    elif waiting := tournament.floor.unconfirmed.get(match.number):
        yield (
            f"{match.round}/{match.table} is reported otherwise by player {waiting.player} (event "
            f"{waiting.seq}): use `correct`"
        )
    elif tournament.rounds[match.round - 1].status == "closed":
        yield f"round {match.round} is closed"
    else:
        yield from rules_problems(tournament, match, event.result)
        yield from result_allowed(tournament, match, event.result)


def _corrected(tournament: Tournament, event: ResultCorrected) -> Iterator[str]:
    match = find(tournament, event.match)
    said = current_claim(tournament, match) if match else None
    if match is None:
        yield f"there is no match {event.match}"
    elif said is None:
        yield f"{match.round}/{match.table} has no result to correct: use `report`"
    elif said.seq != event.corrects:
        yield f"the result of {match.round}/{match.table} is event {said.seq}"
    else:
        yield from bracket_stands(tournament, match, event.result)
        yield from rules_problems(tournament, match, event.result)
        yield from by_ruling(tournament, match, event.ruling, event.result)
    if not event.reason.strip():
        yield "a correction needs a reason"


def by_ruling(tournament: Tournament, match: Match, ruling: int, result: Result) -> Iterator[str]:
    """Yield why a result does not rest on the ruling named, or why it has to rest on one."""
    dispute = latest_dispute(tournament, match.number)
    if dispute is not None and not dispute.closed:
        yield from _as_settled(tournament, dispute, ruling, result)
    elif ruling:
        yield from _as_ruled(tournament, match, ruling)


def _as_settled(
    tournament: Tournament, dispute: Dispute, ruling: int, result: Result
) -> Iterator[str]:
    """What is in question is entered as the ruling in force says, and by its leave alone."""
    match = tournament.matches[dispute.match]
    state, where = state_of(tournament, dispute), f"{match.round}/{match.table}"
    force = ruling_on(tournament, dispute)
    if state in {"open", "appealed"}:
        who = "a judge rules on it" if state == "open" else "a marshal reviews the ruling"
        yield f"{where} is {dispute.opened}: {who} first"
    elif force is not None and ruling != force.seq:
        done = f"the book says so: {put_right(force)}"
        todo = f"`correct --ruling {force.seq}` carries that out"
        yield f"{where} is ruled on: {done if state == 'settled' else todo}"
    elif result != decided(tournament, dispute):
        yield f"that is not what ruling {ruling} decided"


def _as_ruled(tournament: Tournament, match: Match, ruling: int) -> Iterator[str]:
    """Where nobody has said what the result is, a correction may rest on any ruling there."""
    made = tournament.floor.ruling(ruling)
    if made is None or made.made.match != match.number:
        yield f"event {ruling} is no ruling on {match.round}/{match.table}"
    elif made.reviewed_by:
        yield f"ruling {ruling} was reviewed: event {made.reviewed_by} is in force"
    elif is_appealed(made):
        yield f"a review of ruling {ruling} was asked for: a marshal decides first"


def bracket_stands(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
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
        way = "the bracket stands" if tournament.finished else "unpair that round first"
        yield f"the winner of {match.round}/{match.table} has played on: {way}"


def _withdrawn(tournament: Tournament, event: ResultWithdrawn) -> Iterator[str]:
    match = find(tournament, event.match)
    said = current_claim(tournament, match) if match else None
    if match is None:
        yield f"there is no match {event.match}"
    elif said is None:
        yield f"{match.round}/{match.table} has no result"
    elif said.seq != event.withdraws:
        yield f"the result of {match.round}/{match.table} is event {said.seq}"
    elif (latest := latest_dispute(tournament, match.number)) and not latest.closed:
        state, by = ("ruled on", latest.ruling) if latest.ruling else ("disputed", latest.seq)
        yield f"{match.round}/{match.table} is {state} (event {by}): take that back first"
    elif tournament.floor.confirmed.get(match.number):
        yield f"{match.round}/{match.table} is confirmed: use `correct`"
    elif tournament.rounds[match.round - 1].status == "closed":
        yield f"round {match.round} is closed: use `correct`"


def rules_problems(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    """Yield what the ruleset has against a result of this match."""
    played = tournament.rounds[match.round - 1]
    stage = tournament.stages[played.stage - 1]
    yield from scoring.problems(tournament.ruleset, result, elimination=not stage.is_swiss)
    if any(result.adjusted) and (not tournament.importing or not stage.is_swiss):
        yield "points beside a result stand only where the Swiss rounds of an import have them"
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
