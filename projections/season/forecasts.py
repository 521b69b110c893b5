"""Forecasts scored: what each rating system expected before every game, against the result.

A system rates the games in their order, and its forecast of a game follows from earlier games and
from constants that no season changes. So a later result moves no earlier forecast, and nothing is
tuned on the games that it is scored on.

A forecast is the expected score of one player: 0.7 is 70 % for a win, if there are no draws. A draw
counts as half a win and half a loss, in both scores. The Brier score of a game is the squared
distance of the forecast from 1 for a win, from 0 for a loss; its log loss is minus the logarithm
of the chance that the forecast gave to what happened, in nats. Of both, less is better, and both
are least in the mean if the forecast is the true chance. A coin expects one half of every game: it
has 1/4 and ln 2, whatever happens.

The lead over the coin is the coin's score minus that of the system, over the same games. Games of
one person are not independent. How far the mean moves without one person's games gives its
standard error, as in `calibration.py`; but a lead is skewed, since a few persons who are far
stronger or weaker than others make most of it, so nothing is subtracted for single games. The
truth is the lead in all seasons of this kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any

from msgspec import Struct

from ledger.problems import marked
from projections.season.calibration import (
    Calibration,
    Counted,
    MeanInterval,
    calibrate,
    interval_by_person,
    log_loss_of,
)
from projections.season.ratings import SYSTEMS, RatedGame
from projections.season.tables.definitions import AnswerColumn, Plot, Question

COIN = "coin"
"""The name of the forecast that knows nothing."""

COIN_CHANCE = 0.5


class ForecastScore(Struct, frozen=True):
    """How good the forecasts of one system were.

    A lead is the coin's score minus that of the system: above 0 the system is better.
    """

    system: str
    games: int
    brier: float
    brier_lead: MeanInterval
    log_loss: float
    log_lead: MeanInterval
    calibration: Calibration


def brier_of(chance: float, score: float) -> float:
    """Return the Brier score of a game by its score and what was expected of the first player."""
    return score * (1.0 - chance) ** 2 + (1.0 - score) * chance**2


def scored(games: Sequence[RatedGame], system: str, expected: Sequence[float]) -> ForecastScore:
    """Score the forecasts of at least one game."""
    brier, brier_lead = _scored(games, expected, brier_of)
    log_loss, log_lead = _scored(games, expected, log_loss_of)
    found = calibrate(games, expected)
    return ForecastScore(system, len(games), brier, brier_lead, log_loss, log_lead, found)


def forecasts(
    games: Sequence[RatedGame], known: Mapping[str, Sequence[float]] | None = None
) -> list[ForecastScore]:
    """Score every rating system and the coin on the same games, of which there is at least one.

    `known` has the forecasts of systems that have rated the games already.
    """
    known = known or {}
    every = {name: known.get(name) or system.rate(games).expected for name, system in _ORDERED}
    every[COIN] = [COIN_CHANCE] * len(games)
    return [scored(games, name, expected) for name, expected in every.items()]


_ORDERED = sorted(SYSTEMS.items(), key=lambda item: ("glicko2", "elo", "bayes").index(item[0]))


def _scored(
    games: Sequence[RatedGame],
    expected: Sequence[float],
    score_of: Callable[[float, float], float],
) -> tuple[float, MeanInterval]:
    """Return the mean of a score, and the lead over the coin."""
    scores: list[float] = []
    leads: list[Counted] = []
    for (_, first, second, came), chance in zip(games, expected, strict=True):
        score = score_of(chance, came)
        scores.append(score)
        leads.append(Counted(first, second, score_of(COIN_CHANCE, came) - score))
    mean = fsum(scores) / len(scores)
    return mean, interval_by_person(leads, has_sides=False, is_skewed=True)


_LOW = marked("lower end of its 95 % interval (conservative) by person")
_HIGH = marked("upper end of the interval")

FORECASTS = Question(
    marked("Forecasts"),
    marked("What rating systems expected of each game before it, against the results."),
    (
        AnswerColumn("system", "text", marked("the rating system; the coin expects one half")),
        AnswerColumn("games", "count", marked("games that were forecast")),
        AnswerColumn("brier", "score", marked("mean Brier score; the coin has 0.25")),
        AnswerColumn("brier_lead", "score", marked("the coin's Brier score minus this one")),
        AnswerColumn("brier_low", "score", _LOW),
        AnswerColumn("brier_high", "score", _HIGH),
        AnswerColumn("log_loss", "score", marked("mean log loss in nats; the coin has ln 2")),
        AnswerColumn("log_lead", "score", marked("the coin's log loss minus this one")),
        AnswerColumn("log_low", "score", _LOW),
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
        between=marked("with 95 % interval, conservative"),
    ),
)


def forecast_rows(found: Sequence[ForecastScore]) -> list[tuple[Any, ...]]:
    """Return one row for each system; a coin has no lead over itself."""
    return [
        (
            each.system,
            each.games,
            each.brier,
            *_lead(each, each.brier_lead),
            each.log_loss,
            *_lead(each, each.log_lead),
        )
        for each in found
    ]


def _lead(of: ForecastScore, lead: MeanInterval) -> tuple[float | None, ...]:
    return (None, None, None) if of.system == COIN else tuple(lead)
