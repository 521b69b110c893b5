"""The results that a match may end in, and the verdict that a sweep over them gives each player.

A result's worth to the standings is its outcomes, points and fields. Of the results that are
accepted, there is one of each worth. If an outcome decides everything, there is one result for
each; reported points are taken at every score; results that follow from facts come from games that
cover all endings of their procedure (`ledger.rulesets.covering`). So every game that is played,
timed out, conceded or declared is covered. A player who fails to come is not: a match that was not
played is not a meeting, and then the standings are not a sum of the matches any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.errors import LedgerError, Refused
from ledger.facts.results import by_outcome, by_points, conceded, problems, turned
from ledger.facts.shared import Result
from ledger.problems import phrase
from ledger.rulesets import Ruleset
from ledger.rulesets.covering import covering
from ledger.rulesets.deriving import derive
from ledger.tournament.state import Match

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
        raise Refused(
            phrase(
                "{game} asks a table for more than one number, so a sweep is not possible",
                game=rules.key,
            )
        )
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


Verdict = Literal["certain", "possible", "out", "not proven"]
"""Not proven: the search was given up, or a sample has shown only one side of it."""


class Chance(Struct, frozen=True):
    """What becomes of a player by one kind of result of their match; None: they have no open match.

    `result` is one of `count` results of one outcome and one score of points, seen from their
    side: the verdict is of all of these. `made` of `tried` combinations of a sample had them in
    the cut; both are 0 without one.
    """

    result: Result | None
    verdict: Verdict
    count: int = 0
    made: int = 0
    tried: int = 0


class PlayerChances(Struct, frozen=True):
    """A player's verdict over all, and by their own result."""

    player: int
    verdict: Verdict
    chances: tuple[Chance, ...]


class Sweep(Struct, frozen=True):
    """What all who play on can still reach, by their rank as it is now ("hopes" in JSON).

    `size` players go on to `stage`, or with `by_points` those with `size` points. `is_last`: the
    cut comes after this round. `open` are the matches, `results` one result of each kind that they
    may end in. `distinct` results of different worth were thought of for each; `whole`: there
    are no others. `samples` is 0 without a sample; else `margin` is the error of the shares.
    """

    round: int
    stage: int
    by_points: bool
    size: int
    is_last: bool
    open: tuple[int, ...]
    results: tuple[Result, ...]
    distinct: int
    whole: bool
    samples: int
    margin: float
    players: tuple[PlayerChances, ...] = field(name="hopes")


def over_all(player: int, chances: Sequence[Chance]) -> PlayerChances:
    """Sum the chances up: certain or out where all are, else possible."""
    verdicts = {chance.verdict for chance in chances}
    if len(verdicts) == 1:
        return PlayerChances(player, chances[0].verdict, tuple(chances))
    proven = "possible" in verdicts or {"certain", "out"} <= verdicts
    return PlayerChances(player, "possible" if proven else "not proven", tuple(chances))


NO_SAMPLE: Mapping[tuple[int, int], int] = Counter()


class Ends(Struct, frozen=True):
    """What the open matches may end in: every result, and the kinds that they are of."""

    matches: list[Match]
    results: list[Result]
    kinds: list[ResultKind]

    def seats(self) -> dict[int, tuple[int, bool]]:
        """Where each player's open match is among the matches, and whether they are its first."""
        return {
            player: (at, player == match.first)
            for at, match in enumerate(self.matches)
            for player in match.players
        }

    def seen_by(
        self, player: int, seats: Mapping[int, tuple[int, bool]]
    ) -> list[tuple[Result | None, int]]:
        """One result of each kind as a player sees it, and how many are of that kind.

        Who has no open match has none, which is one.
        """
        if player not in seats:
            return [(None, 0)]
        own = self.examples() if seats[player][1] else map(turned, self.examples())
        return list(zip(own, (len(kind.places) for kind in self.kinds), strict=True))

    def chances(
        self,
        verdicts: Mapping[int, Sequence[Verdict]],
        made: Mapping[tuple[int, int], int] = NO_SAMPLE,
        tried: Mapping[tuple[int, int], int] = NO_SAMPLE,
    ) -> dict[int, PlayerChances]:
        """Join what is proven of players by kind of result, and a sample by player and kind."""
        seats, found = self.seats(), {}
        for player, own in verdicts.items():
            chances = []
            for place, (result, count) in enumerate(self.seen_by(player, seats)):
                counts = made[player, place], tried[player, place]
                seen_both = own[place] == "not proven" and 0 < counts[0] < counts[1]
                verdict = "possible" if seen_both else own[place]
                chances.append(Chance(result, verdict, count, *counts))
            found[player] = over_all(player, chances)
        return found

    def examples(self) -> list[Result]:
        """One result of each kind."""
        return [self.results[kind.places[0]] for kind in self.kinds]
