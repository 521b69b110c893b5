"""The results that a sweep considers for a match that is still open.

Where an outcome says it all: every outcome of the ruleset. Where points are reported: a full win
of either side, and the even score where there is a draw. Where results follow from facts: what
the main fact makes of a game that was played out, with the least and the most of each field that
every outcome and score of points can come with; and a concession, where it is worth something
else. So who concedes, or leaves during a game, is thought of. Who fails to come is not: a match
that nobody played is no meeting, and then the standings are no sum of the matches any more.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.errors import Refused
from ledger.scoring import by_facts
from ledger.scoring import by_outcome
from ledger.scoring import by_points
from ledger.scoring import conceded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.events.results import Result
    from ledger.rulesets import Procedure
    from ledger.rulesets import Ruleset

SMALL = 4
"""A main fact of no wider range is tried at every value."""


def considered(rules: Ruleset) -> list[Result]:
    """List the results, the first player's best first.

    Raises:
        Refused: none can be made up: the ruleset asks a table for more than its main fact.
    """
    declared = rules.derives
    if rules.scoring.kind == "reported":
        found = _reported(rules)
    elif declared is None or declared.bare:
        found = [by_outcome(rules, outcome.name) for outcome in rules.outcomes]
    else:
        found = _extremes(list(_derived(rules, declared)))
    if not found:
        raise Refused(f"{rules.key} asks a table for more than one number: nothing to sweep over")
    return sorted(_with_concessions(rules, found), key=_standing, reverse=True)


def _standing(result: Result) -> tuple[object, ...]:
    first = [(label, pair[0] - pair[1]) for label, pair in sorted(result.fields.items())]
    return result.points[0] - result.points[1], first, result.outcomes[0]


def _reported(rules: Ruleset) -> list[Result]:
    least, most = rules.scoring.points_min, rules.scoring.points_max
    scores = [(most, least), (least, most)]
    if any(outcome.record == "D" for outcome in rules.outcomes):
        scores.append(((least + most) // 2,) * 2)
    return [by_points(rules, *score) for score in scores]


def _derived(rules: Ruleset, declared: Procedure) -> Iterator[Result]:
    """Yield what the main fact's scores can be, in every ending that is no concession."""
    endings = [one.name for one in declared.endings if one.manner in {"played", "time"}]
    claims = ["", *(outcome.name for outcome in rules.outcomes)]
    for ending, score, claim in product(endings, _scores(declared), claims):
        try:
            yield by_facts(rules, ending, {declared.main: score}, claim)
        except LedgerError:
            continue  # no game ends so


def _scores(declared: Procedure) -> list[tuple[int, int]]:
    fact = declared.labels[declared.main]
    if fact.max - fact.min <= SMALL:
        every = range(fact.min, fact.max + 1)
        return list(product(every, every))
    edges = {fact.min, fact.max}
    values = edges | {fact.min + 1, fact.max - 1}
    for band in declared.bands:
        values |= {band.margin_min, band.margin_max or fact.max}
    inside = sorted(value for value in values if fact.min <= value <= fact.max)
    return [pair for pair in product(inside, inside) if edges & set(pair)]


def _extremes(results: Sequence[Result]) -> list[Result]:
    """Keep, of every outcome and score of points, what has the least or most of a field."""
    kinds: dict[object, list[Result]] = {}
    for result in results:
        kinds.setdefault((result.outcomes, result.points), []).append(result)
    kept: dict[object, Result] = {}
    for kind in kinds.values():
        labels = sorted({label for result in kind for label in result.fields})
        chosen = [kind[0]] if not labels else []
        for label, side, extreme in product(labels, (0, 1), (min, max)):
            chosen.append(extreme(kind, key=lambda one: one.fields.get(label, (0, 0))[side]))
        for result in chosen:
            kept.setdefault(_worth(result), result)
    return list(kept.values())


def _with_concessions(rules: Ruleset, results: list[Result]) -> list[Result]:
    """Add what a concession of either side comes to, where no game played out is worth the same."""
    known = {_worth(result) for result in results}
    either = (conceded(rules, first=True), conceded(rules, first=False))
    return results + [result for result in either if _worth(result) not in known]


def _worth(result: Result) -> tuple[object, ...]:
    return result.outcomes, result.points, tuple(sorted(result.fields.items()))
