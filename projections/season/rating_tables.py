"""Ratings as tables: what their columns mean, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import astuple, replace

from ledger.problems import Phrase, marked, phrase
from projections.season.calibration import (
    COIN,
    Calibration,
    FactionLead,
    ForecastScore,
    MeanInterval,
    Upset,
)
from projections.season.ratings import RANKED_GAMES, Rated, RatedGame, Rating
from projections.season.tables.definitions import AnswerColumn, Plot, Question

Rows = list[tuple[Any, ...]]

_VALUES = (
    AnswerColumn(
        "rating", "number", marked("the rating; the middle is the mean of all games' players")
    ),
    AnswerColumn(
        "low", "number", marked("lower end of its 95 % interval (conservative); empty with elo")
    ),
    AnswerColumn("high", "number", marked("upper end of the interval")),
    AnswerColumn("games", "count", marked("games rated")),
)

FEW_OF_FACTION = 20
"""Leads by fewer games say little."""

CONSERVATIVE = marked("with 95 % interval, conservative")
"""Interval of a rating, which is wider than it must be."""

LOW = marked("lower end of its 95 % interval (conservative) by person")


def ranked_in_words(*, has_intervals: bool) -> Phrase:
    """Return the order of a ranking, by a system with or without intervals."""
    if has_intervals:
        return phrase("by the lower end of the interval")
    return phrase("by rating; players with {games} games or more come first", games=RANKED_GAMES)


RANKING = Question(
    marked("Ratings"),
    marked("How strong each person is by the games of the season, and how certain that is."),
    (
        AnswerColumn(
            "place",
            "place",
            f"{ranked_in_words(has_intervals=True)}; elo: {ranked_in_words(has_intervals=False)}",
        ),
        AnswerColumn("person", "person", marked("the person")),
        *_VALUES,
        AnswerColumn("last_day", "day", marked("day of the last game")),
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
    marked("A rating by day"),
    marked("One person's rating after each day that changed it."),
    (AnswerColumn("day", "day", marked("the day")), *_VALUES),
    Plot("lines", x="day", value="rating", low="low", high="high", between=CONSERVATIVE),
)

CALIBRATION = Question(
    marked("Calibration"),
    marked("The scores that ratings expected before the games, and the actual scores."),
    (
        AnswerColumn(
            "low", "share", marked("lowest expected score of the sides of games counted here")
        ),
        AnswerColumn("high", "share", marked("their expected scores are below this")),
        AnswerColumn("sides", "count", marked("number of sides: each game has two")),
        AnswerColumn("expected", "share", marked("their mean expected score")),
        AnswerColumn("actual", "share", marked("their mean actual score")),
        AnswerColumn("actual_low", "share", LOW),
        AnswerColumn("actual_high", "share", marked("upper end of the interval")),
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
    marked("Factions beyond strength"),
    marked("What each faction scores beyond the expected score of its players by strength."),
    (
        AnswerColumn("faction", "text", marked("the faction")),
        AnswerColumn("persons", "count", marked("persons who played it against other factions")),
        AnswerColumn(
            "games", "count", marked("games that count: both ratings were certain enough")
        ),
        AnswerColumn("score", "share", marked("wins and half of the draws, of those games")),
        AnswerColumn(
            "expected",
            "share",
            marked("score that the ratings of both players before each game expect"),
        ),
        AnswerColumn("lead", "share", marked("score minus expected score")),
        AnswerColumn("low", "share", f"{LOW}; only by glicko2"),
        AnswerColumn("high", "share", marked("upper end of the interval")),
        AnswerColumn("left_out", "count", marked("games too early in a player's record to count")),
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

_HIGH = marked("upper end of the interval")

FORECASTS = Question(
    marked("Forecasts"),
    marked("Forecasts of rating systems before each game, scored against the results."),
    (
        AnswerColumn("system", "text", marked("the rating system; the coin expects one half")),
        AnswerColumn("games", "count", marked("games that were forecast")),
        AnswerColumn("brier", "score", marked("mean Brier score; the coin has 0.25")),
        AnswerColumn("brier_lead", "score", marked("the coin's Brier score minus this one")),
        AnswerColumn("brier_low", "score", LOW),
        AnswerColumn("brier_high", "score", _HIGH),
        AnswerColumn("log_loss", "score", marked("mean log loss in nats; the coin has ln 2")),
        AnswerColumn("log_lead", "score", marked("the coin's log loss minus this one")),
        AnswerColumn("log_low", "score", LOW),
        AnswerColumn("log_high", "score", _HIGH),
    ),
    Plot(
        "intervals",
        y="system",
        value="brier_lead",
        low="brier_low",
        high="brier_high",
        counts=("games",),
        middle=0.0,
        between=CONSERVATIVE,
    ),
)


UPSETS = Question(
    marked("Upsets by rating"),
    marked("Games won by the player with the lower expected score, the least expected first."),
    (
        AnswerColumn("held_on", "day", marked("day of the tournament")),
        AnswerColumn("name", "text", marked("the tournament")),
        AnswerColumn("round", "count", marked("the round")),
        AnswerColumn("winner", "person", marked("the winner")),
        AnswerColumn("loser", "person", marked("the loser")),
        AnswerColumn(
            "chance", "share", marked("expected score of the winner, by the games before")
        ),
    ),
)


def shown_by(table: Question, *, has_intervals: bool) -> Question:
    """Return a table for a chart: without intervals if its system does not have them."""
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
    """Return all persons in their ranked order."""
    return [
        (place, person, *_values(rating), day(rating.last_day))
        for place, (person, rating) in enumerate(rated.ranked(), start=1)
    ]


def history_rows(rated: Rated, person: str, day: Callable[[int], Any]) -> Rows:
    """Return the days of a person who was watched, in order."""
    history = rated.histories.get(person, {})
    return [(day(number), *_values(rating)) for number, rating in sorted(history.items())]


def calibration_rows(found: Calibration) -> Rows:
    """The deciles in which there is any game."""
    return [astuple(bin_) for bin_ in found.bins]


def forecast_rows(found: Sequence[ForecastScore]) -> Rows:
    """Return one row for each system; a coin has no lead over itself."""
    return [
        (
            score.system,
            score.games,
            score.brier,
            *_lead(score, score.brier_lead),
            score.log_loss,
            *_lead(score, score.log_lead),
        )
        for score in found
    ]


def _lead(of: ForecastScore, lead: MeanInterval) -> tuple[float | None, ...]:
    return (None, None, None) if of.system == COIN else tuple(lead)


def lead_rows(leads: Sequence[FactionLead]) -> Rows:
    """Every faction, by name."""
    return [astuple(lead) for lead in leads]


def _values(rating: Rating) -> tuple[float, float | None, float | None, int]:
    return (rating.value, *rating.interval, rating.games)
