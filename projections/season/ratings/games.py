"""The games of a season as the rating systems read them."""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING

from projections.season.ratings.base import Game
from projections.season.tables import sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from duckdb import DuckDBPyConnection

AT_ONCE = 50_000
"""How many rows are fetched at once: a person's pseudonym is kept once, not for each game."""


def games_of(connection: DuckDBPyConnection, tell: Callable[[str, int, int], None]) -> list[Game]:
    """Every game that was played and won by one or drawn, in order; `tell` is told how many.

    Games of tournaments without a day, and of two entries of one person, are left out. Days count
    from 1 January of the year 1, which is day 1.
    """
    (total,) = connection.execute("SELECT count(*) FROM results").fetchone() or (0,)
    found = connection.execute(sql("ratings/games"))
    games: list[Game] = []
    while rows := found.fetchmany(AT_ONCE):
        games += [
            Game(day, intern(first), intern(second), score) for day, first, second, score in rows
        ]
        tell("read", len(games), total)
    return games
