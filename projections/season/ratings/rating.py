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


NORMAL_95 = 1.959963984540054
"""How many standard deviations to either side hold 95 % of a normal distribution."""

RANKED_GAMES = 10
"""Without an interval, a person with fewer games is ranked behind all who have as many."""


class Rating(Struct, frozen=True):
    """A person's rating after their last game, with its standard deviation; None: not known."""

    value: float
    deviation: float | None
    games: int
    last_day: int

    @property
    def interval(self) -> tuple[float, float] | tuple[None, None]:
        """The bounds that hold the strength with 95 % confidence."""
        if self.deviation is None:
            return None, None
        spread = NORMAL_95 * self.deviation
        return self.value - spread, self.value + spread

    @property
    def order(self) -> tuple[bool, float]:
        """The key that ranks a rating: by its lower bound; without one by games, then by value."""
        low, _ = self.interval
        if low is None:
            return self.games < RANKED_GAMES, -self.value
        return False, -low


class Belief(NamedTuple):
    """What is known of a person before a game."""

    value: float
    deviation: float | None
    games: int


class Scale(NamedTuple):
    """The scale of a system's ratings: the value of a person without games, and its units.

    A lead of one `unit` is expected to score e to one. `beginning` is the deviation of a person
    without games: by it one knows how much a rating keeps of its beginning. None: the system has no
    deviations, or they fall too slowly to say that.
    """

    middle: float
    unit: float
    beginning: float | None


Noted = Callable[[Belief, Belief], None]
"""Callback for each game, in their order: what was known of its two persons before it."""


class Rated(Struct, frozen=True):
    """The ratings by person, and for each game what its first player was expected to score.

    `history` has the rating of the person who was watched as it was after each day of theirs.
    """

    ratings: dict[str, Rating]
    expected: list[float]
    history: dict[int, Rating]

    def ranked(self) -> list[tuple[str, Rating]]:
        """Return everyone, the highest lower bound first; equal ones by pseudonym.

        Of a system without intervals those with few games follow all others.
        """
        return sorted(self.ratings.items(), key=lambda item: (item[1].order, item[0]))


class Strengths(Protocol):
    """What a system that moves with each game knows of everybody."""

    def expects(self, first: str, second: str) -> float:
        """Return what the first is expected to score against the second."""

    def move(self, first: str, second: str, score: float) -> None:
        """Move both by a game."""

    def of(self, person: str) -> tuple[float, float | None]:
        """Return a person's rating and its deviation."""


def rate_one_by_one(
    games: Sequence[RatedGame], watched: str, strengths: Strengths, noted: Noted | None
) -> Rated:
    """Rate every person of the games, one game after the other."""
    count: dict[str, int] = {}
    last: dict[str, int] = {}
    expected: list[float] = []
    history: dict[int, Rating] = {}
    for day, first, second, score in games:
        if noted:
            pair = (Belief(*strengths.of(who), count.get(who, 0)) for who in (first, second))
            noted(*pair)
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

    `rate` takes games, the person, if any, whose history is kept, the day as of whose end the
    ratings are asked for (0: as of the games themselves), and a callback for each game.
    """

    rate: Callable[..., Rated]
    scale: Scale
    has_intervals: bool = True
