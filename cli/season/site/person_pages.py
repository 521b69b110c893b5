"""Persons by pseudonym, standings by points, ratings; a page for each person who agreed to a name.

Such a page has the person's ratings game by game, with their days.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.languages.speaking import in_figures, marked, tr
from cli.season.answers import answer_columns, status_in_words, ties_in_words
from cli.season.site.event_pages import wins_losses_draws
from cli.season.site.frame import (
    NO_FIGURE,
    PERSONS,
    Listing,
    SitePage,
    figure,
    games_in,
    linked_table,
    listed,
    person_anchor,
    person_file,
)
from cli.terminal.problems import said
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection
    from htpy import Node

    from cli.season.site.frame import Files, Readable
    from projections.season.for_readers import EventPlace, SeasonEvent, SeasonPerson
    from projections.season.points import Scheme
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
    from projections.season.asking import Filters, narrow
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
            playing = [person for person in season.named if person in rated.ratings]
            histories = {
                person: history_rows(rate(games, person, until), date.fromordinal)
                for person in playing
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

    upsets = upsets_of(games, rated.expected)[:RECORDS_MAX]
    return upset_rows(upsets, games, played_in(connection, [upset.place for upset in upsets]))


def _silent(_what: str, _done: int, _total: int) -> None:
    """Pages are made in one go."""


RATINGS = marked("Ratings")
PLOTTED = 30
"""How many persons a picture of ratings has."""


def person_column(season: Readable) -> Column:
    """Return the column of who a record is about."""
    return Column(marked("person"), text=lambda record: season.labels[record.person])


def person_list(season: Readable) -> Iterator[SitePage]:
    """Yield everybody whom the league knows, those with a name first."""
    columns = [
        person_column(season),
        Column(marked("tournaments"), right=True, key="events"),
        Column("won", right=True),
        Column(marked("best place"), right=True, text=lambda person: str(person.best or "-")),
        Column(marked("games"), right=True),
        Column(marked("W-L-D"), text=wins_losses_draws),
        Column(marked("last day"), text=lambda person: str(person.last_day or "-")),
    ]
    about = htpy.p(class_="about")[
        tr(
            "{persons} of the league by pseudonym, {named} of them by the name that they "
            "agreed to show. Guests have no pseudonym and are listed only in the tournaments.",
            persons=how_many(len(season.persons), "person"),
            named=in_figures(len(season.named)),
        )
    ]
    listing = Listing(
        PERSONS,
        tr("Persons"),
        columns,
        season.person_links,
        "person",
        anchor=lambda person: person_anchor(season, person.person),
    )
    yield from listed(listing, persons_in_order(season), about)


def persons_in_order(season: Readable) -> list[SeasonPerson]:
    """List everybody whom the league knows, those with a name first."""
    return sorted(
        season.persons,
        key=lambda person: (person.person not in season.named, season.labels[person.person]),
    )


def standings_pages(season: Readable, schemes: list[Scheme]) -> Iterator[SitePage]:
    """Yield the standings of each points scheme."""
    from projections.season.points import championship

    for number, scheme in enumerate(schemes, start=1):
        table = championship(season.connection, scheme)
        columns = [
            Column("", right=True, key="rank"),
            Column(
                marked("person"),
                text=lambda row: season.labels.get(row.person, tr("a member without a result")),
            ),
            Column(marked("points"), right=True),
            Column(marked("tournaments"), right=True),
            Column("counted", text=lambda row: row.points_counted()),
            Column("", text=status_in_words),
        ]
        if scheme.divisions:
            columns.insert(0, Column(marked("division"), key="division"))
        guests = how_many(table.unknown, "place")
        if scheme.of:
            about = tr(
                "The best {best} of the first {first} results of a person count; {places} of "
                "guests count for no person.",
                best=scheme.best,
                first=scheme.of,
                places=guests,
            )
        else:
            about = tr(
                "The best {best} results of a person count; {places} of guests count for no "
                "person.",
                best=scheme.best,
                places=guests,
            )
        listing = Listing(
            f"standings-{number}.html", scheme.name, columns, season.person_links, "person"
        )
        notes = [about, *ties_in_words(table)]
        yield from listed(listing, table.rows, [htpy.p(class_="about")[note] for note in notes])


def rating_pages(season: Readable, rated: list[RatedSeason]) -> Iterator[SitePage]:
    """Yield the ratings of each game; guests are rated with the others, and not listed."""
    from projections.season.rating_tables import RANKING, ranking_rows, shown_by
    from projections.season.ratings import SYSTEMS

    persons = {person.person for person in season.persons}
    columns = list(answer_columns(RANKING.columns, season.labels, {}))
    names = [column.name for column in RANKING.columns]
    others = [
        (f"ratings-{number}.html", ratings.game) for number, ratings in enumerate(rated, start=1)
    ]
    for ratings, (file, _) in zip(rated, others, strict=True):
        has_intervals = SYSTEMS[ratings.system].has_intervals
        rows = ranking_rows(ratings.rated, date.fromordinal)
        records = [dict(zip(names, row, strict=True)) for row in rows if row[1] in persons]
        before = [
            htpy.p(class_="more")[(_to(*link, file) for link in others)],
            htpy.p(class_="about")[_of_ratings(ratings, has_intervals=has_intervals)],
        ]
        best = [row for row in rows if row[1] in persons][:PLOTTED]
        name = file.removesuffix(".html")
        table = shown_by(RANKING, has_intervals=has_intervals)
        picture = figure(name, tr("The first {count}", count=len(best)), table, best, season.named)
        under, few = others[0][0], RANKING.minimum
        listing = Listing(file, tr(RATINGS), columns, season.person_links, "person", under, few)
        yield from listed(listing, records, [before, picture.node], picture.files)


def _of_ratings(ratings: RatedSeason, *, has_intervals: bool) -> str:
    """Say of what the ratings are, and how they are ordered."""
    from projections.season.rating_tables import ranked_in_words

    about = {
        "game": visible(ratings.game),
        "system": ratings.system,
        "games": how_many(ratings.games, "game"),
        "order": said(ranked_in_words(has_intervals=has_intervals)),
    }
    if has_intervals:
        return tr(
            "{game}: {system} by {games} played, ranked {order}. In 95 or more of 100 cases, a "
            "player's strength is within the interval. Guests are rated but not listed.",
            **about,
        )
    return tr(
        "{game}: {system} by {games} played, ranked {order}. Guests are rated but not listed.",
        **about,
    )


def _to(file: str, game: str, current: str) -> Node:
    return htpy.a(href=file, aria_current="page" if file == current else None)[visible(game)]


def named_pages(season: Readable, rated: list[RatedSeason]) -> Iterator[SitePage]:
    """Yield a page for each person who agreed to be named: their places, and ratings by day."""
    events = {event.tournament: event for event in season.events}
    by_person: dict[str, list[tuple[SeasonEvent, EventPlace]]] = defaultdict(list)
    for place in season.places:
        by_person[place.person].append((events[place.tournament], place))
    for person in season.named:
        file = person_file(person)
        ratings, files = _own_ratings(rated, person, file.removesuffix(".html"))
        content = [_own_places(season, by_person[person]), ratings]
        yield SitePage(file, season.labels[person], content, PERSONS, files)


def _own_places(season: Readable, places: list[tuple[SeasonEvent, EventPlace]]) -> Node:
    def of(event: SeasonEvent, place: EventPlace) -> Mapping[str, str]:
        return {
            "held_on": str(event.held_on or "?"),
            "tournament": season.event_labels[event.tournament],
            "place": tr("{place} of {players}", place=place.place or "-", players=event.entrants),
            "W-L-D": wins_losses_draws(place),
        }

    place_column = Column(marked("place"), right=True)
    columns = [
        Column(marked("held on")),
        Column(marked("tournament")),
        place_column,
        Column(marked("W-L-D")),
    ]
    rows = sorted((of(*pair) for pair in places), key=lambda row: row["held_on"], reverse=True)
    return linked_table(Listing("", "", columns, season.event_links, "tournament"), rows)


def _own_ratings(rated: list[RatedSeason], person: str, name: str) -> tuple[list[Node], Files]:
    from projections.season.rating_tables import HISTORY, shown_by
    from projections.season.ratings import SYSTEMS

    columns = list(answer_columns(HISTORY.columns, {}, {}))
    names = [column.name for column in HISTORY.columns]
    content: list[Node] = []
    files: Files = ()
    for number, ratings in enumerate(rated, start=1):
        history = ratings.histories.get(person, ())
        rows = [dict(zip(names, row, strict=True)) for row in history]
        if not rows:
            continue
        picture = NO_FIGURE
        if len(rows) > 1:  # a single day has no line
            question = shown_by(HISTORY, has_intervals=SYSTEMS[ratings.system].has_intervals)
            picture = figure(
                f"{name}-{number}",
                tr("The rating at {game}", game=ratings.game),
                question,
                history,
                {},
            )
        table = linked_table(Listing("", "", columns, {}, "day"), rows)
        content += [
            htpy.h3[visible(tr("Rating at {game}, by day", game=ratings.game))],
            picture.node,
            table,
        ]
        files += picture.files
    return content, files
