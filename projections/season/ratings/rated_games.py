"""The games of a season as the rating systems read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any

from projections.season.ratings.rating import RatedGame
from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

AT_ONCE = 50_000
"""How many rows are fetched at once: a person's pseudonym is kept once, not for each game."""

_ORDER = "ORDER BY held_on, tournament, round, match"
"""The one order of the games."""


def games_of(
    connection: DuckDBPyConnection, tell: Callable[[str, int, int], None]
) -> list[RatedGame]:
    """Every game that was played and won by one or drawn, in order; say how many as they are read.

    Games of tournaments without a day, and of two entries of one person, are left out. Days count
    from 1 January of the year 1, which is day 1.
    """
    (total,) = connection.execute("SELECT count(*) FROM results").fetchone() or (0,)
    found = connection.execute(
        f"SELECT day, first, second, score FROM ({sql('ratings/games')}) {_ORDER}"  # noqa: S608 - our own
    )
    games: list[RatedGame] = []
    while rows := found.fetchmany(AT_ONCE):
        games += [
            RatedGame(day, intern(first), intern(second), score)
            for day, first, second, score in rows
        ]
        tell("read", len(games), total)
    return games


def factions_in(connection: DuckDBPyConnection) -> list[tuple[str, str]]:
    """What either side of each game played, in the order of `games_of`."""
    return connection.execute(
        f"SELECT faction1, faction2 FROM ({sql('ratings/games')}) {_ORDER}"  # noqa: S608 - our own
    ).fetchall()


def played_in(connection: DuckDBPyConnection, places: Sequence[int]) -> list[tuple[Any, ...]]:
    """Say of games, by their places in `games_of`: the day, the tournament's name, the round."""
    found = connection.execute(
        "SELECT place, held_on, name, round FROM ("  # noqa: S608 - our own
        f"SELECT held_on, name, round, row_number() OVER ({_ORDER}) - 1 AS place "
        f"FROM ({sql('ratings/games')})) SEMI JOIN (SELECT unnest($places) AS place) USING (place)",
        {"places": list(places)},
    ).fetchall()
    games = {place: tuple(where) for place, *where in found}
    return [games[place] for place in places]
