"""What a rating expected of games held against what came: calibration, and upsets.

For the calibration every game is read from both sides, so a table is symmetric around one half: one
who is expected to score 70 % in one row stands across from 30 % in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from msgspec import Struct

from projections.season.ratings.intervals import Counted, MeanInterval, interval_by_person
from projections.season.ratings.rating import RatedGame

DECILES = 10
SUREST = 1e-12
"""No expectation is nearer to 0 or 1 than this, so that one surprise is not infinitely bad."""


class Bin(Struct, frozen=True):
    """The sides of games expected to score within bounds, and what they scored.

    `expected` and `actual` are means over `sides`; the interval of `actual` is by person.
    """

    low: float
    high: float
    sides: int
    expected: float
    actual: float
    actual_low: float | None
    actual_high: float | None


class Calibration(Struct, frozen=True):
    """Predicted against actual by decile, and the mean log-loss of a game, in nats.

    Knowing nothing (one half each time) loses ln 2 = 0.693 a game, draws included; `majority` is
    lost by who expects of every game what those named first scored in the mean of all.
    """

    games: int
    log_loss: MeanInterval
    majority: float
    bins: tuple[Bin, ...]


def calibrate(games: Sequence[RatedGame], expected: Sequence[float]) -> Calibration:
    """Hold what was expected of each game against its score; there is at least one game."""
    deciles: list[list[tuple[float, Counted]]] = [[] for _ in range(DECILES)]
    lost: list[Counted] = []
    for (_, first, second, score), chance in zip(games, expected, strict=True):
        lost.append(Counted(first, second, _loss(chance, score)))
        for side, mine, theirs, came in (
            (chance, first, second, score),
            (1.0 - chance, second, first, 1.0 - score),
        ):
            place = min(int(side * DECILES), DECILES - 1)
            deciles[place].append((side, Counted(mine, theirs, came)))
    mean = sum(game.score for game in games) / len(games)
    majority = sum(_loss(mean, game.score) for game in games) / len(games)
    bins = tuple(_bin(at, sides) for at, sides in enumerate(deciles) if sides)
    return Calibration(len(games), interval_by_person(lost, has_sides=False), majority, bins)


def _loss(chance: float, score: float) -> float:
    """Return what a game loses by its score and what was expected of the first."""
    sides = ((chance, score), (1.0 - chance, 1.0 - score))
    return -sum(came * log(max(side, SUREST)) for side, came in sides)


def _bin(at: int, sides: Sequence[tuple[float, Counted]]) -> Bin:
    hoped = sum(side for side, _ in sides) / len(sides)
    actual = interval_by_person([counted for _, counted in sides])
    return Bin(at / DECILES, (at + 1) / DECILES, len(sides), hoped, *actual)


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
