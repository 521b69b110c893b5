"""Intervals of means over games, of which each person plays several.

Games of one person are not independent: how far the mean moves where one person's games are left
out gives its standard error. The squares of that are summed over the persons of both sides, minus
those of single games, which both sides count; and it is never less than by single games alone.
`tables/macros.sql` says the same of factions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from projections.season.ratings.rating import NORMAL_95

PERSONS_MIN = 5
"""With fewer on a side there is no interval."""


class Counted(NamedTuple):
    """What one game adds to a mean, and the persons on either side."""

    person: Hashable
    opponent: Hashable
    value: float


class MeanInterval(NamedTuple):
    """A mean with its 95 % interval, which is None with too few persons on a side."""

    mean: float
    low: float | None
    high: float | None


def interval_by_person(counted: Sequence[Counted], *, has_sides: bool = True) -> MeanInterval:
    """Return the mean of at least one game, and where it lies with 95 % confidence.

    Without sides a game is counted once, as the same for both of its persons.
    """
    size = len(counted)
    mean = fsum(game.value for game in counted) / size
    single = fsum((game.value - mean) ** 2 for game in counted)
    own = [(game.person, game.value) for game in counted]
    theirs = [(game.opponent, game.value) for game in counted]
    sides = (own, theirs) if has_sides else (own + theirs,)
    if min(len({person for person, _ in side}) for side in sides) < PERSONS_MIN:
        return MeanInterval(mean, None, None)
    moved, persons = zip(*(_moved(side, mean, size) for side in sides), strict=True)
    spread = sqrt(max(fsum(moved) - single, single)) / size
    reach = student_95(max(min(persons) - 1, 1)) * spread
    return MeanInterval(mean, mean - reach, mean + reach)


def _moved(side: Sequence[tuple[Hashable, float]], mean: float, size: int) -> tuple[float, float]:
    """Return how far the sum moves without each person, squared and summed, and how many are.

    Persons are counted as Kish does: of whom few have most of the games, few count. Where both
    persons of a game are of one side, two count as one.
    """
    sums: dict[Hashable, float] = defaultdict(float)
    games: dict[Hashable, int] = defaultdict(int)
    for person, value in side:
        sums[person] += value - mean
        games[person] += 1
    rest = {person: 1 - count / size for person, count in games.items()}
    as_many = len(side) * size / sum(count**2 for count in games.values())
    return fsum((sums[each] / rest[each]) ** 2 for each in sums if rest[each]), as_many


def student_95(freedom: float) -> float:
    """Return Student's t that holds 95 % with these degrees of freedom (Cornish and Fisher)."""
    z = NORMAL_95
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third
