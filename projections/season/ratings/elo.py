"""Elo: a rating that moves by what a game gave more or less than was expected.

    expected    1 / (1 + 10 ^ ((second - first) / 400))
    new         old + K * (score - expected), for both at once

K is larger for the first games of a person, of whom little is known.

Elo knows no uncertainty, so it has no interval: a standard error that takes the opponents' ratings
as known, and the rating for one that has arrived, held the strength of those with 50 games or more
in 60 to 90 % of cases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from projections.season.ratings.rating import Noted, Rated, RatedGame, Scale, rate_one_by_one

INITIAL = 1500.0
"""Everybody's rating before the first game."""

FACTOR = 24.0
"""How far one game can move a rating (K)."""

PROVISIONAL_FACTOR, PROVISIONAL_GAMES = 48.0, 15
"""K for the first games of a person, and how many these are."""

WIDTH = 400.0
"""A lead of this much is expected to score ten to one."""

SCALE = Scale(INITIAL, WIDTH / log(10.0), None)


def expectation(first: float, second: float) -> float:
    """What the first is expected to score against the second, between 0 and 1."""
    return float(1.0 / (1.0 + 10.0 ** ((second - first) / WIDTH)))


class _Strengths:
    """Everybody's rating."""

    def __init__(self) -> None:
        self._games: dict[str, int] = defaultdict(int)
        self._values: dict[str, float] = defaultdict(lambda: INITIAL)

    def expects(self, first: str, second: str) -> float:
        return expectation(self._values[first], self._values[second])

    def move(self, first: str, second: str, score: float) -> None:
        chance = self.expects(first, second)
        for person, beyond in ((first, score - chance), (second, chance - score)):
            is_new = self._games[person] < PROVISIONAL_GAMES
            self._games[person] += 1
            self._values[person] += (PROVISIONAL_FACTOR if is_new else FACTOR) * beyond

    def of(self, person: str) -> tuple[float, None]:
        return self._values[person], None


def rate_elo(
    games: Sequence[RatedGame], watched: str = "", _until: int = 0, noted: Noted | None = None
) -> Rated:
    """Rate every person of the games, one game after the other; a rating does not age."""
    return rate_one_by_one(games, watched, _Strengths(), noted)
