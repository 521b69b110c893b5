"""The ratings of a season, game by game, with the days of those who agreed to be named."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.season.site.readable import games_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from cli.season.site.readable import Readable
    from projections.season.ratings import Rated, RatedGame


class RatedSeason(NamedTuple):
    """The ratings at one game: by which system, of how many games, and the greatest upsets."""

    game: str
    system: str
    rated: Rated
    games: int
    histories: Mapping[str, Sequence[Sequence[Any]]]
    upsets: Sequence[Sequence[Any]]


def rated_seasons(season: Readable, system: str) -> Iterator[RatedSeason]:
    """Yield the ratings of each game that was played."""
    from projections.season.asking.filters import Filters, narrow
    from projections.season.rating_tables import history_rows
    from projections.season.ratings import SYSTEMS, games_of

    rate = SYSTEMS[system].rate
    for game in games_in(season.events):
        with season.connection.cursor() as connection:  # which sees this game alone
            narrow(connection, Filters(game))
            games = games_of(connection, _silent)
            if not games:
                continue
            rated, until = rate(games, "", games[-1].day), games[-1].day
            playing = [each for each in season.named if each in rated.ratings]
            histories = {
                each: history_rows(rate(games, each, until), date.fromordinal) for each in playing
            }
            upsets = _upsets(connection, games, rated)
        yield RatedSeason(game, system, rated, len(games), histories, upsets)


def _upsets(
    connection: DuckDBPyConnection, games: list[RatedGame], rated: Rated
) -> Sequence[Sequence[Any]]:
    from projections.season.calibration import upsets_of
    from projections.season.for_readers import RECORDS_MAX
    from projections.season.rating_tables import upset_rows
    from projections.season.ratings import played_in

    found = upsets_of(games, rated.expected)[:RECORDS_MAX]
    return upset_rows(found, games, played_in(connection, [each.place for each in found]))


def _silent(_what: str, _done: int, _total: int) -> None:
    """Pages are made in one go."""
