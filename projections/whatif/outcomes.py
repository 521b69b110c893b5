"""The results that a match may end in: every one that is accepted, those of one worth once.

What a result is worth to the standings are its outcomes, points and fields. Where an outcome says
it all, there is one for each; reported points are taken at every score; what follows from facts
comes from games that cover everything their procedure can come to (`ledger.procedures.covering`).
So whatever is played, timed out, conceded or declared is thought of. Who fails to come is not: a
match that nobody played is no meeting, and then the standings are no sum of the matches any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError, Refused
from ledger.events.results import Result
from ledger.procedures import derive
from ledger.procedures.covering import covering
from ledger.rulesets import Ruleset
from ledger.tournament.scoring import by_outcome, by_points, conceded, problems

VALUES_MAX = 2_000
"""A number of a wider range is tried at its ends alone."""

RESULTS_MAX = 50_000
"""How many games are tried at every number that they can have."""

Worth = tuple[object, ...]


class Accepted(Struct, frozen=True):
    """One result of each worth, the first player's best first, and whether none is left out."""

    results: list[Result]
    whole: bool


class ResultKind(Struct, frozen=True):
    """The results of one outcome and one score of points: their places in a list of results."""

    outcomes: tuple[str, str]
    points: tuple[int, int]
    places: list[int]


class _TooMany(Exception):  # noqa: N818 - named for what happened
    """There is more to try than is tried."""


def accepted(rules: Ruleset) -> Accepted:
    """List what a Swiss match may end in where both came; Refused where that cannot be made up."""
    whole = True
    try:
        found = _distinct(rules, _every)
    except _TooMany:
        whole, found = False, _distinct(rules, _ends)
    if not found:
        raise Refused(f"{rules.key} asks a table for more than one number: nothing to sweep over")
    return Accepted(sorted(found, key=_best_first), whole)


def kinds(results: Sequence[Result]) -> list[ResultKind]:
    """Put results of one outcome and one score of points together, in their order."""
    found: dict[tuple[object, object], ResultKind] = {}
    for place, result in enumerate(results):
        kind = ResultKind(result.outcomes, result.points, [])
        found.setdefault((result.outcomes, result.points), kind).places.append(place)
    return list(found.values())


def considered(rules: Ruleset) -> list[Result]:
    """List of each outcome and score what has a field's least or most; Refused if none may be."""
    results = accepted(rules).results
    chosen: dict[int, None] = {}
    for kind in kinds(results):
        labels = sorted({label for place in kind.places for label in results[place].fields})
        extremes = [kind.places[0]] if not labels else []
        for label, side, extreme in product(labels, (0, 1), (max, min)):
            value = [results[place].fields.get(label, (0, 0))[side] for place in kind.places]
            extremes.append(kind.places[value.index(extreme(value))])
        chosen |= dict.fromkeys(extremes)
    return [results[place] for place in sorted(chosen)]


def _best_first(result: Result) -> tuple[object, ...]:
    ahead = [(label, pair[1] - pair[0]) for label, pair in sorted(result.fields.items())]
    return result.points[1] - result.points[0], -result.points[0], result.outcomes, ahead


def _distinct(rules: Ruleset, values: Callable[[int, int], Sequence[int]]) -> list[Result]:
    """Try what may be reported; of each worth the first, which is played rather than conceded."""
    found: dict[Worth, Result] = {}
    for tried, result in enumerate(_tried(rules, values)):
        if tried > RESULTS_MAX:
            raise _TooMany
        worth = (result.outcomes, result.points, tuple(sorted(result.fields.items())))
        found.setdefault(worth, result)
    return list(found.values())


def _tried(rules: Ruleset, values: Callable[[int, int], Sequence[int]]) -> Iterator[Result]:
    for result in _reported(rules, values):
        if not any(problems(rules, result, elimination=False)):
            yield result
    for ending, facts in covering(rules, values):
        with suppress(LedgerError):  # no game ends so
            yield derive(rules, ending, facts)
    for first in (True, False):
        yield conceded(rules, first=first)


def _reported(rules: Ruleset, values: Callable[[int, int], Sequence[int]]) -> Iterator[Result]:
    """Yield what is reported without facts: outcomes or points, with any fields."""
    scoring = rules.scoring
    if scoring.kind == "reported":
        numbers = values(scoring.points_min, scoring.points_max)
        bare: Iterable[Result] = _by_points(rules, product(numbers, numbers))
    else:
        bare = [by_outcome(rules, outcome.name) for outcome in rules.outcomes]
    open_fields = [field for field in rules.fields if not field.before]
    if rules.derives is not None or not open_fields:
        yield from bare
        return
    labels = [field.name for field in open_fields]
    ranges = [[(0, 0), *product(values(field.min, field.max), repeat=2)] for field in open_fields]
    for result in bare:
        for pairs in product(*ranges):
            fields = dict(zip(labels, pairs, strict=True))
            nonzero = {label: pair for label, pair in fields.items() if any(pair)}
            yield replace(result, fields=nonzero)


def _by_points(rules: Ruleset, scores: Iterable[tuple[int, int]]) -> Iterator[Result]:
    for score in scores:
        with suppress(LedgerError):  # a draw, where none is allowed
            yield by_points(rules, *score)


def _every(first: int, last: int) -> Sequence[int]:
    if last - first >= VALUES_MAX:
        raise _TooMany
    return range(first, last + 1)


def _ends(first: int, last: int) -> Sequence[int]:
    near = {first, first + 1, (first + last) // 2, last - 1, last}
    return sorted(number for number in near if first <= number <= last)
