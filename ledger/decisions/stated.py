"""What somebody states of a match, as a result of the ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.checks.results import find
from ledger.errors import NotFound, Refused
from ledger.tournament import scoring
from ledger.tournament.setups import recorded_facts

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament


class StatedResult(Struct, frozen=True):
    """A result in a person's words: an outcome of the first player, points, or facts.

    Facts are what the table saw, its numbers side by side; `ending` is how the game ended, "" as
    usual; an `outcome` beside them must follow from them. `absent` are players who did not come.
    """

    outcome: str = ""
    points: tuple[int, int] | None = None
    facts: dict[str, tuple[int, int]] | None = None
    ending: str = ""
    absent: tuple[int, ...] = ()


def match_of(tournament: Tournament, number: int) -> Match:
    """Return the match of that number.

    Raises:
        NotFound: there is none, or its pairing was taken back.
    """
    match = find(tournament, number)
    if match is None:
        raise NotFound(f"there is no match {number}")
    return match


def result_from(tournament: Tournament, match: Match, stated: StatedResult) -> Result:
    """Return the result that a person's words come to, whether or not it is admissible now.

    Raises:
        Refused: the ruleset asks for other words, or they contradict each other.
        NotFound: the ruleset has no such outcome.
    """
    rules, is_swiss = tournament.ruleset, _is_swiss(tournament, match)
    reports_points = rules.scoring.kind == "reported"
    if stated.absent:
        _refuse_strangers(match, stated.absent)
        return scoring.absence(rules, (match.first in stated.absent, match.second in stated.absent))
    if stated.facts is not None:
        facts = recorded_facts(tournament, match) | stated.facts
        ending, outcome = stated.ending, stated.outcome
        return scoring.by_facts(rules, ending, facts, outcome, elimination=not is_swiss)
    if stated.points is not None:
        if not reports_points:
            words = ", ".join(outcome.name for outcome in rules.outcomes)
            raise Refused(f"{rules.key} reports an outcome, not points: {words}")
        return scoring.by_points(rules, *stated.points)
    if reports_points and is_swiss:
        low, high = rules.scoring.points_min, rules.scoring.points_max
        raise Refused(f"{rules.key} reports points: {low} to {high} a side, as {high}-{low}")
    return scoring.by_outcome(rules, stated.outcome)


def _refuse_strangers(match: Match, absent: tuple[int, ...]) -> None:
    strangers = set(absent) - set(match.players)
    if strangers:
        raise Refused(f"player {min(strangers)} does not sit at {match.round}/{match.table}")


def _is_swiss(tournament: Tournament, match: Match) -> bool:
    return tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
