"""From what a table reports to outcomes and points, and what is wrong with a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.events.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.results import Manner
    from ledger.rulesets import Outcome
    from ledger.rulesets import Ruleset

UNPLAYED = frozenset({"no-show", "departure"})
"""Manners in which nobody met anybody: no opponent for the tiebreakers, no rematch later."""


def by_outcome(rules: Ruleset, outcome: str, manner: Manner = "played") -> Result:
    """The result in which the first player has `outcome` and the other what stands against it.

    Raises:
        NotFound: the ruleset has no such outcome.
    """
    first = rules.outcome(outcome)
    return Result((first.name, first.against), _worth(rules, first), manner)


def by_points(rules: Ruleset, first: int, second: int) -> Result:
    """The result of reported points: more is a win.

    Raises:
        Refused: they are equal, and the ruleset has no draw.
    """
    outcome = rules.compared(first, second)
    return Result((outcome.name, outcome.against), (first, second))


def absence(rules: Ruleset, absent: tuple[bool, bool], manner: Manner = "no-show") -> Result:
    """The result of a match that was not played: a bye for who is there, a missed round else."""
    first, second = (rules.unpaired_loss if gone else rules.bye for gone in absent)
    labels = sorted(first.fields | second.fields)
    return Result(
        (_absent_outcome(rules, absent[0]), _absent_outcome(rules, absent[1])),
        (first.points, second.points),
        manner,
        {label: (first.fields.get(label, 0), second.fields.get(label, 0)) for label in labels},
    )


def _absent_outcome(rules: Ruleset, gone: bool) -> str:  # noqa: FBT001 - the one argument there is
    return rules.full_win.against if gone else rules.full_win.name


def conceded(rules: Ruleset, *, first: bool) -> Result:
    """The result of a concession by the first player, or else by the second (FFG-CONCEDE)."""
    win = rules.full_win
    if rules.scoring.kind == "reported":
        most = rules.scoring.points_max
        points = (0, most) if first else (most, 0)
        outcomes = (win.against, win.name) if first else (win.name, win.against)
        return Result(outcomes, points, "concession")
    return by_outcome(rules, win.against if first else win.name, "concession")


def _concessions(rules: Ruleset) -> tuple[Result, Result]:
    return conceded(rules, first=True), conceded(rules, first=False)


def turned(result: Result) -> Result:
    """The same result seen from the other side of the table."""
    return Result(
        (result.outcomes[1], result.outcomes[0]),
        (result.points[1], result.points[0]),
        result.manner,
        {label: (values[1], values[0]) for label, values in result.fields.items()},
    )


def _worth(rules: Ruleset, first: Outcome) -> tuple[int, int]:
    """What both sides get; 0 to 0 where points are reported and only a winner is named."""
    if rules.scoring.kind == "reported":
        return (0, 0)
    return rules.points(first)


def problems(rules: Ruleset, result: Result, *, elimination: bool) -> Iterator[str]:
    """Yield what the ruleset has against a result."""
    unknown = [outcome for outcome in result.outcomes if outcome not in rules.records]
    if unknown:
        yield f"{rules.key} knows no outcome {unknown[0]!r}"
        return
    if result.manner == "departure" and not elimination:
        yield "who leaves a Swiss round concedes or did not come (FFG-DROP)"
        return
    if result.manner in UNPLAYED:
        yield from _absence_problems(rules, result)
        return
    if result.manner == "concession" and result not in _concessions(rules):
        yield "a concession is a full win (FFG-CONCEDE)"
        return
    first, second = (rules.outcome(outcome) for outcome in result.outcomes)
    if first.against != second.name:
        yield f"against {first.name!r} stands {first.against!r}, not {second.name!r}"
    else:
        yield from _points_problems(rules, result, elimination=elimination)
    yield from _field_problems(rules, result)
    if elimination and first.advances == second.advances:
        yield "an elimination game needs one who goes on"


def _absence_problems(rules: Ruleset, result: Result) -> Iterator[str]:
    loss = rules.full_win.against
    first, second = (outcome == loss for outcome in result.outcomes)
    if not (first or second) or absence(rules, (first, second), result.manner) != result:
        yield "a match that was not played is worth a bye to who came (FFG-BYE-WIN)"


def _points_problems(rules: Ruleset, result: Result, *, elimination: bool) -> Iterator[str]:
    given = f"{result.points[0]}:{result.points[1]}"
    if rules.scoring.kind == "outcome":
        worth = _worth(rules, rules.outcome(result.outcomes[0]))
        if result.points != worth:
            yield f"a {result.outcomes[0]} is worth {worth[0]}:{worth[1]}, not {given}"
        return
    low, high = rules.scoring.points_min, rules.scoring.points_max
    if not all(low <= points <= high for points in result.points):
        yield f"points go from {low} to {high} a side, not {given}"
    elif not (elimination and result.points == (0, 0)):
        yield from _comparison_problems(rules, result)


def _comparison_problems(rules: Ruleset, result: Result) -> Iterator[str]:
    try:
        compared = by_points(rules, *result.points)
    except LedgerError as error:
        yield str(error)
        return
    if compared.outcomes != result.outcomes:
        yield f"{result.points[0]}:{result.points[1]} is no {result.outcomes[0]}"


def _field_problems(rules: Ruleset, result: Result) -> Iterator[str]:
    declared = {each.name: each for each in rules.fields}
    for label, values in result.fields.items():
        if label not in declared:
            yield f"{rules.key} has no field {label!r}"
        elif not all(declared[label].min <= value <= declared[label].max for value in values):
            yield f"{label} goes from {declared[label].min} to {declared[label].max}"
