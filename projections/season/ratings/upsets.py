"""Upsets: games won by the one of whom a rating expected less, before the game was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.season.ratings.rating import RatedGame


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
        if (chance := _of_the_winner(game, first)) < 0.5  # noqa: PLR2004 - half is even
    ]
    return sorted(found)


def _of_the_winner(game: RatedGame, first: float) -> float:
    """What the winner was expected to score; of a draw, one half."""
    return {1.0: first, 0.0: 1.0 - first}.get(game.score, 0.5)
