"""Whether some outcome of all open matches leaves at most so many players above one: exactly.

For a player every other one is a sum over the open matches, positive where they stand above. A
branch fixes some matches. In it a player is surely above, surely not, or contested. It is given
up when too many are surely above: those who are so whatever else happens, and for each open match
the fewest of its contested players that any of its results puts there. Of two results of a match
one is no worse where it adds no more to anybody contested; what puts somebody surely above is all
alike there, and what surely does not. A result that another is no worse than is not tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from projections.whatif.race import Addend
from projections.whatif.race import addend

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from projections.whatif.race import Gains
    from projections.whatif.race import Race

BRANCHES_MAX = 20_000
"""How many branches are looked at before the question is left open."""


class TooManyBranches(Exception):  # noqa: N818 - named for what happened
    """The search was given up: neither answer is proven."""


class _Other(Struct):
    """Another player's sum: its bounds by what is still open, and what each match adds."""

    low: int
    high: int
    gains: Gains


class _Search:
    """One question: how many results a match has, and how many branches were looked at."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.branches = 0

    def holds(self, others: list[_Other], open_matches: frozenset[int], limit: int) -> bool:
        """Whether some results of the open matches leave at most `limit` sums positive."""
        self.branches += 1
        if self.branches > BRANCHES_MAX:
            raise TooManyBranches
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
        rest = open_matches - {match}
        return any(
            self.holds([_fixed(other, match, result) for other in contested], rest, room)
            for result in self._worth_trying(match, contested)
        )

    def _fewest(self, match: int, group: list[_Other]) -> int:
        """The fewest of the group that a result of their match surely puts above."""
        above = [0] * self.width
        for other in group:
            gained = other.gains[match]
            enough = gained.least - other.low
            for result, value in enumerate(gained.values):
                above[result] += value > enough
        return min(above)

    def _worth_trying(self, match: int, contested: list[_Other]) -> list[int]:
        """The results of a match without those that another is no worse than, the best first."""
        here = [(other, other.gains[match]) for other in contested if match in other.gains]
        columns = list(zip(*(_clipped(*each) for each in here), strict=True))
        promise = [_promise(here, result) for result in range(self.width)]
        kept: list[int] = []
        for result in sorted(range(self.width), key=promise.__getitem__):
            if not any(no_worse(columns[other], columns[result]) for other in kept):
                kept.append(result)
        return kept


def no_worse(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one adds no more than the other to anybody."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def _clipped(other: _Other, gained: Addend) -> Iterator[int]:
    """What each result adds, all values alike that put the other surely above, or surely not."""
    above, below = gained.least - other.low, gained.most - other.high
    for value in gained.values:
        yield gained.most + 1 if value > above else gained.least - 1 if value <= below else value


def _promise(here: list[tuple[_Other, Addend]], result: int) -> tuple[int, int]:
    """How many stay above in the middle of what is open, and by how much: the least comes first."""
    above = sum(
        other.low + other.high + 2 * gained.values[result] > gained.least + gained.most
        for other, gained in here
    )
    return above, sum(gained.values[result] for _, gained in here)


def _homes(contested: list[_Other], open_matches: frozenset[int]) -> dict[int, list[_Other]]:
    """Put each contested player to the open match that moves them most."""
    homes: dict[int, list[_Other]] = {}
    for other in contested:
        spreads = [
            (gained.most - gained.least, -match)
            for match, gained in other.gains.items()
            if match in open_matches
        ]
        homes.setdefault(-max(spreads)[1], []).append(other)
    return homes


def _weight(match: int, contested: list[_Other]) -> float:
    """How much of what is open about the contested players a match decides."""
    return sum(
        (other.gains[match].most - other.gains[match].least) / (other.high - other.low)
        for other in contested
        if match in other.gains
    )


def _fixed(other: _Other, match: int, result: int) -> _Other:
    """The other's sum once a match has that result; it is not among the open ones any more."""
    gained = other.gains.get(match)
    if gained is None:
        return other
    value = gained.values[result]
    return _Other(other.low - gained.least + value, other.high - gained.most + value, other.gains)


class Rivals:
    """Everyone else in a race, as one player has to see them; asked as often as needed."""

    def __init__(self, race: Race, player: int) -> None:
        self._width = len(race.results)
        self._matches = frozenset(range(len(race.matches)))
        lost = {match: _negated(gained) for match, gained in race.gains[player].items()}
        self._others = [
            _seen(race, player, lost, other) for other in race.players if other != player
        ]
        self._mirrored = [_mirrored(other) for other in self._others]

    def gained_by(self, match: int) -> list[tuple[int, ...]]:
        """What each result of a match adds to the others, seen from the player."""
        nothing = [0] * self._width
        rows = [
            other.gains[match].values if match in other.gains else nothing for other in self._others
        ]
        return list(zip(*rows, strict=True))

    def can_be_among(self, places: int, own: tuple[int, int] | None) -> bool:
        """Whether the player can be among the first `places`; `own`: their match and its result.

        Raises:
            TooManyBranches: it could not be settled.
        """
        return self._settled(self._others, places - 1, own)

    def can_be_outside(self, places: int, own: tuple[int, int] | None) -> bool:
        """Whether the player can be outside the first `places`; as `can_be_among`."""
        return self._settled(self._mirrored, len(self._others) - places, own)

    def _settled(self, others: list[_Other], limit: int, own: tuple[int, int] | None) -> bool:
        if limit < 0:
            return False
        open_matches = self._matches
        if own is not None:
            others = [_fixed(other, *own) for other in others]
            open_matches -= {own[0]}
        return _Search(self._width).holds(others, open_matches, limit)


def _seen(race: Race, player: int, lost: Gains, other: int) -> _Other:
    """How far the other stands above the player, with what every match adds to that.

    `lost` is what every match takes from it by the player's own sum.
    """
    gains = lost | race.gains[other]
    for match in lost.keys() & race.gains[other].keys():
        mine, theirs = lost[match].values, race.gains[other][match].values
        added = [a + b for a, b in zip(mine, theirs, strict=True)]
        if any(added):
            gains[match] = addend(added)
        else:
            del gains[match]
    apart = race.base[other] - race.base[player]
    return _Other(
        apart + sum(gained.least for gained in gains.values()),
        apart + sum(gained.most for gained in gains.values()),
        gains,
    )


def _mirrored(other: _Other) -> _Other:
    """How far the other stands below."""
    gains = {match: _negated(gained) for match, gained in other.gains.items()}
    return _Other(-other.high, -other.low, gains)


def _negated(gained: Addend) -> Addend:
    return Addend([-value for value in gained.values], -gained.most, -gained.least)
