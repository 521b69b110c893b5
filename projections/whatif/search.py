"""Whether some outcome of all open matches leaves at most so many players above one: exactly.

For a player every other one is a sum over the open matches, positive where they stand above. A
branch fixes some matches. In it a player is surely above, surely not, or contested. It is given
up when too many are surely above: those who are so whatever else happens, and for each open match
the fewest of its contested players that any of its results puts there. A result that is no better
than another of its match for anyone contested is not tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.whatif.race import Race

BRANCHES_MAX = 20_000
"""How many branches are looked at before the question is left open."""


class TooManyBranches(Exception):  # noqa: N818 - named for what happened
    """The search was given up: neither answer is proven."""


class _Other(Struct):
    """Another player's sum: its bounds by what is still open, and what each result adds."""

    low: int
    high: int
    gains: dict[int, list[int]]
    """By the place of the match; a match that adds nothing is left out."""


class _Search:
    """One question: the results that may be taken, and how many branches were looked at."""

    def __init__(self, widths: Sequence[int]) -> None:
        self.widths = widths
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
        if sum(self._fewest(match, group) for match, group in homes.items()) > room:
            return False
        match = max(homes, key=lambda place: _weight(place, contested))
        results = self._worth_trying(match, contested)
        rest = open_matches - {match}
        return any(
            self.holds([_fixed(other, match, result) for other in contested], rest, room)
            for result in results
        )

    def _fewest(self, match: int, group: list[_Other]) -> int:
        """The fewest of the group that a result of their match surely puts above."""
        return min(
            sum(other.low - min(gains) + gains[result] > 0 for other, gains in _at(match, group))
            for result in range(self.widths[match])
        )

    def _worth_trying(self, match: int, contested: list[_Other]) -> list[int]:
        """The results of a match without those that another is no worse than, the best first."""
        here = _at(match, contested)
        columns = [
            tuple(gains[result] for _, gains in here) for result in range(self.widths[match])
        ]
        kept: list[int] = []
        for result in sorted(range(len(columns)), key=lambda place: _promise(here, place)):
            if not any(_no_worse(columns[other], columns[result]) for other in kept):
                kept.append(result)
        return kept


def _at(match: int, group: list[_Other]) -> list[tuple[_Other, list[int]]]:
    return [(other, other.gains[match]) for other in group if match in other.gains]


def _promise(here: list[tuple[_Other, list[int]]], result: int) -> tuple[int, int]:
    """How many stay above in the middle of what is open, and by how much: the least comes first."""
    above = sum(
        other.low + other.high + 2 * gains[result] - min(gains) - max(gains) > 0
        for other, gains in here
    )
    return above, sum(gains[result] for _, gains in here)


def _no_worse(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _homes(contested: list[_Other], open_matches: frozenset[int]) -> dict[int, list[_Other]]:
    """Put each contested player to the open match that moves them most."""
    homes: dict[int, list[_Other]] = {}
    for other in contested:
        spreads = {
            match: max(gains) - min(gains)
            for match, gains in other.gains.items()
            if match in open_matches
        }
        homes.setdefault(max(spreads, key=lambda match: (spreads[match], -match)), []).append(other)
    return homes


def _weight(match: int, contested: list[_Other]) -> float:
    """How much of what is open about the contested players a match decides."""
    return sum(
        (max(gains) - min(gains)) / (other.high - other.low)
        for other, gains in _at(match, contested)
    )


def _fixed(other: _Other, match: int, result: int) -> _Other:
    """The other's sum once a match has that result; it is not among the open ones any more."""
    gains = other.gains.get(match)
    if gains is None:
        return other
    low = other.low - min(gains) + gains[result]
    return _Other(low, other.high - max(gains) + gains[result], other.gains)


class Rivals:
    """Everyone else in a race, as one player has to see them; asked as often as needed."""

    def __init__(self, race: Race, player: int) -> None:
        self._widths = [len(row) for row in race.gains]
        self._others = [_seen(race, player, other) for other in race.players if other != player]
        self._mirrored = [_mirrored(other) for other in self._others]

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
        open_matches = frozenset(range(len(self._widths)))
        if own is not None:
            others = [_fixed(other, *own) for other in others]
            open_matches -= {own[0]}
        return _Search(self._widths).holds(others, open_matches, limit)


def _seen(race: Race, player: int, other: int) -> _Other:
    """How far the other stands above the player, with what every match adds to that."""
    low = high = race.base[other] - race.base[player]
    gains: dict[int, list[int]] = {}
    for place, row in enumerate(race.gains):
        added = [gain.get(other, 0) - gain.get(player, 0) for gain in row]
        if any(added):
            gains[place] = added
            low, high = low + min(added), high + max(added)
    return _Other(low, high, gains)


def _mirrored(other: _Other) -> _Other:
    """How far the other stands below."""
    gains = {match: [-value for value in added] for match, added in other.gains.items()}
    return _Other(-other.high, -other.low, gains)
