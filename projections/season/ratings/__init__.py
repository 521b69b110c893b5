"""Ratings: how strong a player is, from the games of a season and nothing else.

Three systems read the same games in the same order and give the same kind of answer, so that they
can be compared: a rating, how sure it is, and what was expected of each game before it was played.

    elo         one number that moves with each game; how sure it is, it does not know
    glicko2     a rating, its deviation and its volatility, moved once for each period
    bayes       a belief about a strength, moved with each game (Weng and Lin, by `openskill`)
"""

from __future__ import annotations

from collections.abc import Mapping

from projections.season.ratings import bayes, elo, glicko
from projections.season.ratings.rating import System

SYSTEMS: Mapping[str, System] = {
    "elo": System(elo.rate_elo, elo.SCALE, has_intervals=False),
    "glicko2": System(glicko.rate_glicko, glicko.PUBLISHED),
    "bayes": System(bayes.rate_bayes, bayes.SCALE),
}
"""Every system, by the word that asks for it."""

DEFAULT_SYSTEM = "glicko2"
"""The system of ratings if none is named: its intervals hold."""
