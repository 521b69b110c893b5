"""Ratings as tables: what their columns mean, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import astuple, replace

from projections.season.calibration import Calibration, FactionLead, Upset
from projections.season.ratings import RANKED_GAMES, Rated, RatedGame, Rating
from projections.season.tables.definitions import AnswerColumn, Plot, Question

Rows = list[tuple[Any, ...]]

_VALUES = (
    AnswerColumn("rating", "number", "the rating; the middle is the mean of all games' players"),
    AnswerColumn("low", "number", "lower end of its 95 % interval (conservative); elo has none"),
    AnswerColumn("high", "number", "upper end of it"),
    AnswerColumn("games", "count", "games rated"),
)

FEW_OF_FACTION = 20
"""Leads by fewer games say little."""

CONSERVATIVE = "with 95 % interval, conservative"
"""What lies between the ends of a rating's interval, which holds more than it has to."""

LOW = "lower end of its 95 % interval (conservative) by person"

RANKED = f"by the lower end of the interval; by elo, who has {RANKED_GAMES} games first"
"""The order of a ranking, in words."""


RANKING = Question(
    "Ratings",
    "Who is how strong by the games of the season, and how sure that is.",
    (
        AnswerColumn("place", "place", RANKED),
        AnswerColumn("person", "person", "who"),
        *_VALUES,
        AnswerColumn("last_day", "day", "day of the last game"),
    ),
    Plot(
        "intervals",
        y="person",
        value="rating",
        low="low",
        high="high",
        counts=("games",),
        between=CONSERVATIVE,
    ),
    RANKED_GAMES,
)

HISTORY = Question(
    "A rating by day",
    "What one person's rating was after each day that moved it.",
    (AnswerColumn("day", "day", "the day"), *_VALUES),
    Plot("lines", x="day", value="rating", low="low", high="high", between=CONSERVATIVE),
)

CALIBRATION = Question(
    "Calibration",
    "What the ratings expected of games before they were played, and what came.",
    (
        AnswerColumn("low", "share", "sides of games expected to score at least so much"),
        AnswerColumn("high", "share", "and less than that"),
        AnswerColumn("sides", "count", "how many there are: each game has two"),
        AnswerColumn("expected", "share", "what they were expected to score, in the mean"),
        AnswerColumn("actual", "share", "what they scored"),
        AnswerColumn("actual_low", "share", LOW),
        AnswerColumn("actual_high", "share", "upper end of it"),
    ),
    Plot(
        "diagonal",
        x="expected",
        value="actual",
        low="actual_low",
        high="actual_high",
        counts=("sides",),
        between=CONSERVATIVE,
    ),
)

LEADS = Question(
    "Factions beyond strength",
    "What each faction scores beyond what the strength of those who play is expected to.",
    (
        AnswerColumn("faction", "text", "the faction"),
        AnswerColumn("persons", "count", "persons who played it against other factions"),
        AnswerColumn("games", "count", "games that count: enough was known of both players"),
        AnswerColumn("score", "share", "wins and half of the draws, of those games"),
        AnswerColumn("expected", "share", "what the ratings of both before each game expect"),
        AnswerColumn("lead", "share", "the score beyond that"),
        AnswerColumn("low", "share", f"{LOW}; only by glicko2"),
        AnswerColumn("high", "share", "upper end of it"),
        AnswerColumn("left_out", "count", "games too early in a player's record to count"),
    ),
    Plot(
        "intervals",
        y="faction",
        value="lead",
        low="low",
        high="high",
        counts=("games", "persons"),
        middle=0.0,
        between=CONSERVATIVE,
    ),
    FEW_OF_FACTION,
)

UPSETS = Question(
    "Upsets by rating",
    "Games won by the one of whom less was expected, the least expected first.",
    (
        AnswerColumn("held_on", "day", "day of the tournament"),
        AnswerColumn("name", "text", "the tournament"),
        AnswerColumn("round", "count", "the round"),
        AnswerColumn("winner", "person", "who won"),
        AnswerColumn("loser", "person", "who lost"),
        AnswerColumn(
            "chance", "share", "what the winner was expected to score, by the games before"
        ),
    ),
)


def shown_by(table: Question, *, has_intervals: bool) -> Question:
    """Return a table as it is drawn: without intervals if its system has none."""
    if table.plot is None or has_intervals:
        return table
    return replace(table, plot=replace(table.plot, low="", high="", between=""))


def upset_rows(
    upsets: Sequence[Upset], games: Sequence[RatedGame], played: Sequence[tuple[Any, ...]]
) -> Rows:
    """Upsets with when and where they were played, in their order."""
    rows: Rows = []
    for (chance, place), where in zip(upsets, played, strict=True):
        game = games[place]
        pair = (game.first, game.second) if game.score else (game.second, game.first)
        rows.append((*where, *pair, chance))
    return rows


def ranking_rows(rated: Rated, day: Callable[[int], Any]) -> Rows:
    """Return everybody in their ranked order."""
    return [
        (place, person, *_values(rating), day(rating.last_day))
        for place, (person, rating) in enumerate(rated.ranked(), start=1)
    ]


def history_rows(rated: Rated, day: Callable[[int], Any]) -> Rows:
    """The watched person's days, in order."""
    return [(day(number), *_values(rating)) for number, rating in sorted(rated.history.items())]


def calibration_rows(found: Calibration) -> Rows:
    """The deciles in which there is any game."""
    return [astuple(each) for each in found.bins]


def lead_rows(leads: Sequence[FactionLead]) -> Rows:
    """Every faction, by name."""
    return [astuple(each) for each in leads]


def _values(rating: Rating) -> tuple[float, float | None, float | None, int]:
    return (rating.value, *rating.interval, rating.games)
