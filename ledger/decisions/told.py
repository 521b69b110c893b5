"""What somebody tells of a match, as a result of the ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.checks.results import find
from ledger.errors import NotFound, Refused
from ledger.tournament import scoring
from ledger.tournament.setups import recorded_facts

if TYPE_CHECKING:
    from ledger.commands.disputes import Told
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament


def found_match(tournament: Tournament, number: int) -> Match:
    """The match of that id.

    Raises:
        NotFound: there is none, or its pairing was taken back.
    """
    match = find(tournament, number)
    if match is None:
        raise NotFound(f"there is no match {number}")
    return match


def told_result(tournament: Tournament, match: Match, told: Told) -> Result:
    """The result that a person's words come to.

    Raises:
        Refused: the ruleset asks for other words, or they contradict each other.
        NotFound: no such outcome, or a stranger to the match is said to be absent.
    """
    if told.absent:
        return absent_result(tournament, match, told.absent)
    if told.facts is not None:
        return scoring.by_facts(
            tournament.ruleset,
            told.ending,
            recorded_facts(tournament, match) | told.facts,
            told.outcome,
            elimination=not _is_swiss(tournament, match),
        )
    if told.points is not None:
        return by_points(tournament, told.points)
    return by_outcome(tournament, match, told.outcome)


def absent_result(tournament: Tournament, match: Match, absent: tuple[int, ...]) -> Result:
    """The result of a match that some did not come to.

    Raises:
        Refused: one of them does not sit at it.
    """
    strangers = set(absent) - set(match.players)
    if strangers:
        raise Refused(f"player {min(strangers)} does not sit at {match.round}/{match.table}")
    gone = (match.first in absent, match.second in absent)
    return scoring.absence(tournament.ruleset, gone)


def by_outcome(tournament: Tournament, match: Match, outcome: str) -> Result:
    """The result of an outcome of the first player.

    Raises:
        Refused: the ruleset reports points.
        NotFound: it has no such outcome.
    """
    rules = tournament.ruleset
    if rules.scoring.kind == "reported" and _is_swiss(tournament, match):
        low, high = rules.scoring.points_min, rules.scoring.points_max
        raise Refused(f"{rules.key} reports points: {low} to {high} a side, as {high}-{low}")
    return scoring.by_outcome(rules, outcome)


def by_points(tournament: Tournament, points: tuple[int, int]) -> Result:
    """The result of both sides' points.

    Raises:
        Refused: the ruleset reports an outcome.
    """
    rules = tournament.ruleset
    if rules.scoring.kind != "reported":
        words = ", ".join(outcome.name for outcome in rules.outcomes)
        raise Refused(f"{rules.key} reports an outcome, not points: {words}")
    return scoring.by_points(rules, *points)


def _is_swiss(tournament: Tournament, match: Match) -> bool:
    return tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
