"""Ratings of each game above a floor of games, and the forecasts that were made with them.

Who has played less is rated with the others, and not ranked. A forecast is scored against the
result of its game, each rating system next to a coin.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.languages.speaking import marked, tr
from cli.season.answers import answer_columns
from cli.season.site.frame import (
    Listing,
    SitePage,
    figure,
    games_in,
    linked_table,
    links_to,
    listed,
)
from cli.terminal.problems import said
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection
    from htpy import Node

    from cli.season.site.frame import Files, Readable
    from projections.season.calibration import ForecastScore
    from projections.season.person_records import BestWin
    from projections.season.ratings import Belief, Rated, RatedGame


class OwnRating(NamedTuple):
    """The ratings of one person at one game by day, the best wins, the luck of the schedule."""

    history: Sequence[Sequence[Any]]
    wins: Sequence[BestWin]
    luck: Sequence[Any] | None


class RatedSeason(NamedTuple):
    """The ratings at one game: by which system, of how many games, and the greatest upsets."""

    game: str
    system: str
    rated: Rated
    games: int
    own: Mapping[str, OwnRating]
    upsets: Sequence[Sequence[Any]]
    forecasts: Sequence[ForecastScore]


BAND_WIDTHS = {"glicko2": 100.0, "elo": 100.0, "bayes": 4.0}
"""Width of a band of ratings, in the units of its system."""


def rated_seasons(season: Readable, system: str) -> Iterator[RatedSeason]:
    """Yield the ratings of each game that was played."""
    from projections.season.asking import Filters, narrow
    from projections.season.calibration import forecasts
    from projections.season.ratings import games_of

    for game in games_in(season.events):
        with season.connection.cursor() as connection:  # which sees only this game
            narrow(connection, Filters(game))
            games = games_of(connection, _silent)
            if not games:
                continue
            rated, beliefs = _rated(games, system, season.named)
            by_person = _own(season, connection, games, rated, beliefs, BAND_WIDTHS[system])
            upsets = _upsets(connection, games, rated)
        scores = forecasts(games, {system: rated.expected})
        yield RatedSeason(game, system, rated, len(games), by_person, upsets, scores)


def _rated(
    games: Sequence[RatedGame], system: str, watched: Collection[str]
) -> tuple[Rated, list[tuple[Belief, Belief]]]:
    """Rate all persons; keep the beliefs about both players before each game."""
    from projections.season.ratings import SYSTEMS

    beliefs: list[tuple[Belief, Belief]] = []
    rated = SYSTEMS[system].rate(games, watched, games[-1].day, lambda *pair: beliefs.append(pair))
    return rated, beliefs


def _own(
    season: Readable,
    connection: DuckDBPyConnection,
    games: list[RatedGame],
    rated: Rated,
    beliefs: Sequence[tuple[Belief, Belief]],
    width: float,
) -> dict[str, OwnRating]:
    """Return the ratings of each person who agreed to be named."""
    from projections.season.asking import answer, question_named
    from projections.season.person_records import best_wins
    from projections.season.rating_tables import history_rows

    playing = [person for person in season.named if person in rated.ratings]
    if not playing:
        return {}
    wins = best_wins(connection, games, beliefs, frozenset(playing), width)
    lucks = {row[0]: row for row in answer(connection, question_named("schedule-luck")).rows}
    return {
        person: OwnRating(
            history_rows(rated, person, date.fromordinal), wins.get(person, ()), lucks.get(person)
        )
        for person in playing
    }


def _upsets(
    connection: DuckDBPyConnection, games: list[RatedGame], rated: Rated
) -> Sequence[Sequence[Any]]:
    from projections.season.calibration import upsets_of
    from projections.season.for_readers import RECORDS_MAX
    from projections.season.rating_tables import upset_rows
    from projections.season.ratings import played_in

    upsets = upsets_of(games, rated.expected)[:RECORDS_MAX]
    return upset_rows(upsets, games, played_in(connection, [upset.place for upset in upsets]))


def _silent(_what: str, _done: int, _total: int) -> None:
    """Pages are made in one go."""


RATINGS = marked("Ratings")
PLOTTED = 30
"""Maximum persons in a picture of ratings."""


def rating_pages(season: Readable, rated: list[RatedSeason]) -> Iterator[SitePage]:
    """Yield the ratings of each game; guests are rated with the others, and not listed."""
    from projections.season.rating_tables import RANKING, ranking_rows, shown_by
    from projections.season.ratings import RANKED_GAMES, SYSTEMS

    persons = {person.person for person in season.persons}
    columns = list(answer_columns(RANKING.columns, season.labels, {}))
    names = [column.name for column in RANKING.columns]
    others = [
        (f"ratings-{number}.html", ratings.game) for number, ratings in enumerate(rated, start=1)
    ]
    for ratings, (file, _) in zip(rated, others, strict=True):
        has_intervals = SYSTEMS[ratings.system].has_intervals
        every = [row for row in ranking_rows(ratings.rated, date.fromordinal) if row[1] in persons]
        enough = [row for row in every if row[names.index("games")] >= RANKED_GAMES]
        rows = [(place, *row[1:]) for place, row in enumerate(enough, start=1)]
        records = [dict(zip(names, row, strict=True)) for row in rows]
        best = rows[:PLOTTED]
        name = file.removesuffix(".html")
        table = shown_by(RANKING, has_intervals=has_intervals)
        picture = figure(name, tr("The first {count}", count=len(best)), table, best, season.named)
        about = _of_ratings(ratings, len(every) - len(rows), has_intervals=has_intervals)
        before = [links_to(others, file), htpy.p(class_="about")[about], picture.node]
        under = others[0][0]
        listing = Listing(file, tr(RATINGS), columns, season.person_links, "person", under)
        yield from listed(listing, records, before, picture.files)


def _of_ratings(ratings: RatedSeason, unranked: int, *, has_intervals: bool) -> str:
    """Describe the ratings: the game, the order, and the persons who are not ranked."""
    from projections.season.rating_tables import ranked_in_words
    from projections.season.ratings import RANKED_GAMES

    about = {
        "game": visible(ratings.game),
        "system": ratings.system,
        "games": how_many(ratings.games, "game"),
        "order": said(ranked_in_words(has_intervals=has_intervals)),
    }
    if has_intervals:
        text = tr(
            "{game}: {system} by {games} played, ranked {order}. In 95 or more of 100 cases, a "
            "player's strength is within the interval. Guests are rated but not listed.",
            **about,
        )
    else:
        text = tr(
            "{game}: {system} by {games} played, ranked {order}. Guests are rated but not listed.",
            **about,
        )
    floor = tr(
        "Not ranked because they played fewer than {least} games: {persons}.",
        least=RANKED_GAMES,
        persons=how_many(unranked, "person"),
    )
    return f"{text} {floor}"


FORECASTS_PAGE = "forecasts.html"
PICTURED = ("glicko2", "elo", "bayes")
"""Systems whose calibration is drawn: a coin has one point."""


def forecast_pages(rated: Sequence[RatedSeason]) -> Iterator[SitePage]:
    """Yield a page for each game: what was expected before each game, against its result."""
    files = [
        (FORECASTS_PAGE if not place else f"forecasts-{place + 1}.html", ratings.game)
        for place, ratings in enumerate(rated)
    ]
    for number, (ratings, (file, game)) in enumerate(zip(rated, files, strict=True), start=1):
        name = f"forecasts-{number}"
        pictures: Files = ()
        content: list[Node] = [
            links_to(files, file),
            htpy.p(class_="about")[_of_forecasts(ratings)],
        ]
        for node, charts in (
            _scores(ratings, name),
            *(_calibrated(game, score, name) for score in ratings.forecasts),
        ):
            content.append(node)
            pictures += charts
        under = "" if file == FORECASTS_PAGE else FORECASTS_PAGE
        yield SitePage(file, tr("Forecasts"), content, under, pictures)


def _of_forecasts(ratings: RatedSeason) -> list[Node]:
    """Say what a forecast is, how it is scored, and how a draw counts."""
    return [
        tr(
            "{game}: what each rating system expected of {games} before they were played. A "
            "forecast follows only from earlier games (by day, tournament and round) and from "
            "constants that no season changes.",
            game=visible(ratings.game),
            games=how_many(ratings.games, "game"),
        ),
        " ",
        tr(
            "Brier score: the mean squared distance of the forecast from the result. Log loss: "
            "minus the logarithm of the chance given to the result. Less is better in both. A "
            "draw counts as half a win and half a loss. A coin expects 50 % of every game."
        ),
        " ",
        tr(
            "A lead is the coin's score minus the system's: above 0 the system knows more than a "
            "coin, if the whole interval is above 0. Intervals are of 95 %, by person."
        ),
    ]


def _scores(ratings: RatedSeason, name: str) -> tuple[Node, Files]:
    from projections.season.calibration import COIN
    from projections.season.rating_tables import FORECASTS, forecast_rows

    rows = forecast_rows(ratings.forecasts)
    names = [column.name for column in FORECASTS.columns]
    columns = list(answer_columns(FORECASTS.columns, {}, {}))
    records = [dict(zip(names, row, strict=True)) for row in rows]
    picture = figure(
        f"{name}-leads",
        tr("The lead of each system at {game}", game=ratings.game),
        FORECASTS,
        [row for row in rows if row[0] != COIN],
        {},
    )
    table = linked_table(Listing("", "", columns, {}, "system", name=f"{name}-scores"), records)
    return [htpy.h3[tr("Scores")], picture.node, table], picture.files


def _calibrated(game: str, score: ForecastScore, name: str) -> tuple[Node, Files]:
    """Return the deciles of one system's forecasts; nothing of the coin."""
    from projections.season.rating_tables import CALIBRATION, calibration_rows

    if score.system not in PICTURED:
        return None, ()
    names = [column.name for column in CALIBRATION.columns]
    columns = list(answer_columns(CALIBRATION.columns, {}, {}))
    rows = calibration_rows(score.calibration)
    picture = figure(
        f"{name}-{score.system}",
        tr("Expected and actual scores by {system} at {game}", system=score.system, game=game),
        CALIBRATION,
        rows,
        {},
    )
    records = [dict(zip(names, row, strict=True)) for row in rows]
    heading = tr("Expected and actual scores by {system}", system=score.system)
    listing = Listing("", "", columns, {}, "low", name=f"{name}-{score.system}")
    table = linked_table(listing, records)
    return [htpy.h3[heading], picture.node, table], picture.files
