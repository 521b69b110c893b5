"""Whether some results of the open matches leave few enough sums positive: branch and bound.

A branch fixes some matches. In it a player is surely above, surely not, or contested. It is given
up when too many are surely above: those who are so whatever else happens, and for each open match
the fewest of its contested players that any of its results puts there. Of two results of a match
one is no worse where it adds no more to anybody contested; what puts somebody surely above is all
alike there, and what surely does not. A result that another is no worse than is not tried. Where
it takes too much work, it is not settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

WORK_MAX = 1_000_000
"""How many numbers a search looks at before the question is left open: about a second's work."""

WORK_IN_ALL_MAX = 4 * WORK_MAX
"""The same for all the questions about a score model."""


class TooMuchWork(Exception):  # noqa: N818 - named for what happened
    """The search was given up: neither answer is proven."""


class Addend(Struct, frozen=True):
    """What a match adds to a sum by each of its results, and the bounds of that."""

    values: list[int]
    least: int
    most: int


Gains = dict[int, Addend]
"""By the place of the match; a match that adds nothing whatever its result is left out."""


class Rival(Struct):
    """Another player's sum: its bounds by what is still open, and what each match adds."""

    low: int
    high: int
    gains: Gains


def addend(values: list[int]) -> Addend:
    """Bound what the results add."""
    return Addend(values, min(values), max(values))


class Search:
    """One question: how many results each match has, and how much work is left to be done."""

    def __init__(self, widths: list[int], work: int) -> None:
        self.widths = widths
        self.work = work

    def holds(self, others: list[Rival], open_matches: frozenset[int], limit: int) -> bool:
        """Whether some results of the open matches leave no more than a limit of sums positive."""
        self.work -= 1
        if self.work < 0:
            raise TooMuchWork
        sure = sum(other.low > 0 for other in others)
        contested = [other for other in others if other.low <= 0 < other.high]
        room = limit - sure
        if room < 0 or len(contested) <= room:
            return room >= 0
        homes = _homes(contested, open_matches)
        # One who is alone there is left out of the way by the result that adds least to them.
        crowded = (each for each in homes.items() if len(each[1]) > 1)
        if sum(self._fewest(match, group) for match, group in crowded) > room:
            return False
        match = max(homes, key=lambda place: _weight(place, contested))
        self.work -= self.widths[match] * len(contested)
        rest = open_matches - {match}
        return any(
            self.holds([_fixed(other, match, result) for other in contested], rest, room)
            for result in self._worth_trying(match, contested)
        )

    def _fewest(self, match: int, group: list[Rival]) -> int:
        """The fewest of the group that a result of their match surely puts above."""
        above = [0] * self.widths[match]
        for other in group:
            gained = other.gains[match]
            enough = gained.least - other.low
            for result, value in enumerate(gained.values):
                above[result] += value > enough
        return min(above)

    def _worth_trying(self, match: int, contested: list[Rival]) -> list[int]:
        """The results of a match without those that another is no worse than, the best first."""
        here = [(other, other.gains[match]) for other in contested if match in other.gains]
        columns = list(zip(*(_clipped(*each) for each in here), strict=True))
        unlike = {column: result for result, column in enumerate(columns)}
        promise = {result: _promise(here, result) for result in unlike.values()}
        chosen: list[int] = []
        for result in sorted(promise, key=promise.__getitem__):
            if not any(no_worse(columns[other], columns[result]) for other in chosen):
                chosen.append(result)
        return chosen


def no_worse(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one adds no more than the other to anybody."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def _clipped(other: Rival, gained: Addend) -> Iterator[int]:
    """What each result adds, all values alike that put the other surely above, or surely not."""
    above, below = gained.least - other.low, gained.most - other.high
    for value in gained.values:
        yield gained.most + 1 if value > above else gained.least - 1 if value <= below else value


def _promise(here: list[tuple[Rival, Addend]], result: int) -> tuple[int, int]:
    """How many stay above in the middle of what is open, and by how much: the least comes first."""
    above = sum(
        other.low + other.high + 2 * gained.values[result] > gained.least + gained.most
        for other, gained in here
    )
    return above, sum(gained.values[result] for _, gained in here)


def _homes(contested: list[Rival], open_matches: frozenset[int]) -> dict[int, list[Rival]]:
    """Put each contested player to the open match that moves them most."""
    homes: dict[int, list[Rival]] = {}
    for other in contested:
        spreads = [
            (gained.most - gained.least, -match)
            for match, gained in other.gains.items()
            if match in open_matches
        ]
        homes.setdefault(-max(spreads)[1], []).append(other)
    return homes


def _weight(match: int, contested: list[Rival]) -> float:
    """How much of what is open about the contested players a match decides."""
    return sum(
        (other.gains[match].most - other.gains[match].least) / (other.high - other.low)
        for other in contested
        if match in other.gains
    )


def _fixed(other: Rival, match: int, result: int) -> Rival:
    """The other's sum once a match has that result; it is not among the open ones any more."""
    gained = other.gains.get(match)
    if gained is None:
        return other
    value = gained.values[result]
    return Rival(other.low - gained.least + value, other.high - gained.most + value, other.gains)
