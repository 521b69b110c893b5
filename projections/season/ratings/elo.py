"""Elo: a rating that moves by what a game gave more or less than was expected.

    expected    1 / (1 + 10 ^ ((second - first) / 400))
    new         old + K * (score - expected), for both at once

Elo knows no uncertainty. The deviation given beside it is the standard error of the rating as an
estimate from the games behind it, the opponents' ratings taken as known: with the logistic curve
a game of expectation e holds e (1 - e) (ln 10 / 400)^2 of information.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from projections.season.ratings.rating import Rated, Rating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.season.ratings.rating import RatedGame

INITIAL = 1500.0
"""Everybody's rating before the first game."""

FACTOR = 24.0
"""How far one game can move a rating (K)."""

WIDTH = 400.0
"""A lead of this much is expected to score ten to one."""


def expectation(first: float, second: float) -> float:
    """What the first is expected to score against the second, between 0 and 1."""
    return float(1.0 / (1.0 + 10.0 ** ((second - first) / WIDTH)))


def rate_elo(games: Sequence[RatedGame], watched: str = "", factor: float = FACTOR) -> Rated:
    """Rate every person of the games, one game after the other."""
    values: dict[str, float] = {}
    information: dict[str, float] = {}
    played: dict[str, int] = {}
    last: dict[str, int] = {}
    expected: list[float] = []
    history: dict[int, Rating] = {}
    for day, first, second, score in games:
        mine, theirs = values.get(first, INITIAL), values.get(second, INITIAL)
        chance = expectation(mine, theirs)
        expected.append(chance)
        change = factor * (score - chance)
        values[first], values[second] = mine + change, theirs - change
        known = chance * (1.0 - chance)
        for person in (first, second):
            information[person] = information.get(person, 0.0) + known
            played[person] = played.get(person, 0) + 1
            last[person] = day
        if watched in (first, second):
            history[day] = _rating(values, information, played, last, watched)
    ratings = {person: _rating(values, information, played, last, person) for person in values}
    return Rated(ratings, expected, history)


def _rating(
    values: dict[str, float],
    information: dict[str, float],
    played: dict[str, int],
    last: dict[str, int],
    person: str,
) -> Rating:
    deviation = WIDTH / log(10.0) / sqrt(information[person])
    return Rating(values[person], deviation, played[person], last[person])
