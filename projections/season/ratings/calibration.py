"""What a rating expected of games held against what came: calibration, and upsets.

For the calibration every game is read from both sides, so a table is symmetric around one half: one
who is expected to score 70 % in one row stands across from 30 % in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from msgspec import Struct

from projections.season.ratings.rating import RatedGame

DECILES = 10
SUREST = 1e-12
"""No expectation is nearer to 0 or 1 than this, so that one surprise is not infinitely bad."""


class Bin(Struct, frozen=True):
    """The sides of games expected to score within bounds, and what they scored.

    `expected` and `actual` are means over `sides`; both are 0 where there are none.
    """

    low: float
    high: float
    sides: int
    expected: float
    actual: float


class Calibration(Struct, frozen=True):
    """Predicted against actual by decile, and the mean log-loss of a game, in nats.

    Knowing nothing (one half each time) loses ln 2 = 0.693 a game, draws included.
    """

    games: int
    log_loss: float
    bins: tuple[Bin, ...]


def calibrate(games: Sequence[RatedGame], expected: Sequence[float]) -> Calibration:
    """Hold what was expected of each game against its score."""
    sides = [0] * DECILES
    hoped = [0.0] * DECILES
    scored = [0.0] * DECILES
    loss = 0.0
    for game, chance in zip(games, expected, strict=True):
        for side, score in ((chance, game.score), (1.0 - chance, 1.0 - game.score)):
            place = min(int(side * DECILES), DECILES - 1)
            sides[place] += 1
            hoped[place] += side
            scored[place] += score
            loss -= score * log(max(side, SUREST))
    sums = hoped, scored
    bins = tuple(
        Bin(at / DECILES, (at + 1) / DECILES, count, *(each[at] / max(count, 1) for each in sums))
        for at, count in enumerate(sides)
    )
    return Calibration(len(games), loss / len(games) if games else 0.0, bins)


class Upset(NamedTuple):
    """What the winner was expected to score, and the game's place among all."""

    chance: float
    place: int


def upsets_of(games: Sequence[RatedGame], expected: Sequence[float]) -> list[Upset]:
    """List every upset, the least expected first; equal ones in the order of the games.

    `expected` is what the first of each game was expected to score. Draws upset nobody.
    """
    found = [
        Upset(chance, place)
        for place, (game, first) in enumerate(zip(games, expected, strict=True))
        if (chance := {1.0: first, 0.0: 1.0 - first}.get(game.score, 0.5)) < 0.5  # noqa: PLR2004 - half is even
    ]
    return sorted(found)
