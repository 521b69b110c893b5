"""Ratings as tables: what their columns mean, and how they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from projections.season.questions import Column, Plot, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from projections.season.ratings.base import Game, Rated, Rating
    from projections.season.ratings.calibration import Calibration
    from projections.season.ratings.upsets import Upset

Rows = list[tuple[Any, ...]]

_VALUES = (
    Column("rating", "number", "the rating"),
    Column("low", "number", "lower end of its 95 % interval"),
    Column("high", "number", "upper end of it"),
    Column("games", "count", "games rated"),
)


def _intervals(y: str) -> Plot:
    return Plot("intervals", y=y, value="rating", low="low", high="high")


RANKING = Question(
    "Ratings",
    "Who is how strong by the games of the season, and how sure that is.",
    (
        Column("place", "place", "1 is the highest rating"),
        Column("person", "person", "who"),
        *_VALUES,
        Column("last_day", "day", "day of the last game"),
    ),
    _intervals("person"),
)

HISTORY = Question(
    "A rating by day",
    "What one person's rating was after each day that moved it.",
    (Column("day", "day", "the day"), *_VALUES),
    _intervals("day"),
)

CALIBRATION = Question(
    "Calibration",
    "What the ratings expected of games before they were played, and what came.",
    (
        Column("low", "share", "sides of games expected to score at least so much"),
        Column("high", "share", "and less than that"),
        Column("sides", "count", "how many there are: each game has two"),
        Column("expected", "share", "what they were expected to score, in the mean"),
        Column("actual", "share", "what they scored"),
    ),
    Plot("diagonal", x="expected", value="actual", also="sides"),
)


UPSETS = Question(
    "Upsets by rating",
    "Games won by the one of whom less was expected, the least expected first.",
    (
        Column("held_on", "day", "day of the tournament"),
        Column("name", "text", "the tournament"),
        Column("round", "count", "the round"),
        Column("winner", "person", "who won"),
        Column("loser", "person", "who lost"),
        Column("chance", "share", "what the winner was expected to score, by the games before"),
    ),
)


def upset_rows(
    upsets: Sequence[Upset], games: Sequence[Game], played: Sequence[tuple[Any, ...]]
) -> Rows:
    """Upsets with when and where they were `played`, in their order."""
    rows: Rows = []
    for (chance, place), where in zip(upsets, played, strict=True):
        game = games[place]
        pair = (game.first, game.second) if game.score else (game.second, game.first)
        rows.append((*where, *pair, chance))
    return rows


def ranking_rows(rated: Rated, day: Callable[[int], Any]) -> Rows:
    """Everybody, the highest rating first; `day` makes a day of its number."""
    return [
        (place, person, *_values(rating), day(rating.last_day))
        for place, (person, rating) in enumerate(rated.ranked(), start=1)
    ]


def history_rows(rated: Rated, day: Callable[[int], Any]) -> Rows:
    """The watched person's days, in order."""
    return [(day(number), *_values(rating)) for number, rating in sorted(rated.history.items())]


def calibration_rows(found: Calibration) -> Rows:
    """The deciles in which there is any game."""
    return [
        (each.low, each.high, each.sides, each.expected, each.actual)
        for each in found.bins
        if each.sides
    ]


def _values(rating: Rating) -> tuple[float, float, float, int]:
    return (rating.value, *rating.interval, rating.games)
