"""What a rating system is handed and what it gives back.

Ratings are statistics: they are floats, and rounded wherever they are shown. The games come in
one fixed order (day, tournament, round, match), so that the same season gives the same ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct


class RatedGame(NamedTuple):
    """A game that was played: the score is 1.0 where the first won, 0.5 for a draw, else 0.0.

    `day` counts days from any fixed day and never falls from one game to the next.
    """

    day: int
    first: str
    second: str
    score: float


class Rating(Struct, frozen=True):
    """A person's rating after their last game, with its standard deviation."""

    value: float
    deviation: float
    games: int
    last_day: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies with 95 % confidence."""
        spread = NORMAL_95 * self.deviation
        return self.value - spread, self.value + spread


class Rated(Struct, frozen=True):
    """The ratings by person, and for each game what its first player was expected to score.

    `history` has the rating of the person who was watched as it was after each day of theirs.
    """

    ratings: dict[str, Rating]
    expected: list[float]
    history: dict[int, Rating]

    def ranked(self) -> list[tuple[str, Rating]]:
        """Everyone, the highest rating first; equal ratings by pseudonym."""
        return sorted(self.ratings.items(), key=lambda each: (-each[1].value, each[0]))


class Strengths(Protocol):
    """What a system that moves with each game knows of everybody."""

    def expects(self, first: str, second: str) -> float:
        """Return what the first is expected to score against the second."""

    def move(self, first: str, second: str, score: float) -> None:
        """Move both by a game."""

    def of(self, person: str) -> tuple[float, float]:
        """Return a person's rating and its deviation."""


def rate_one_by_one(games: Sequence[RatedGame], watched: str, strengths: Strengths) -> Rated:
    """Rate every person of the games, one game after the other."""
    count: dict[str, int] = {}
    last: dict[str, int] = {}
    expected: list[float] = []
    history: dict[int, Rating] = {}
    for day, first, second, score in games:
        expected.append(strengths.expects(first, second))
        strengths.move(first, second, score)
        for person in (first, second):
            count[person] = count.get(person, 0) + 1
            last[person] = day
        if watched in (first, second):
            history[day] = Rating(*strengths.of(watched), count[watched], day)
    ratings = {each: Rating(*strengths.of(each), count[each], last[each]) for each in count}
    return Rated(ratings, expected, history)


class System(NamedTuple):
    """A rating system.

    `rate` is handed games, the person, if any, whose history is kept, and the day as of whose end
    the ratings are asked for; 0: as of the games themselves. `expects` says what the first of two
    scores against the second, None being one without a rating.
    """

    rate: Callable[..., Rated]
    expects: Callable[[Rating | None, Rating | None], float]


NORMAL_95 = 1.959963984540054
"""How many standard deviations to either side hold 95 % of a normal distribution."""
