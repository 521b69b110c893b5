"""Every page of a season and the files next to them, with its records and a list for searching.

The records are the largest tournaments, the persons with most tournaments and wins, runs of wins,
and upsets. The list has tournaments and persons, as a script next to the pages, so that they are
found from every page.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import htpy
import msgspec

from cli.languages.speaking import marked, tr
from cli.season.answers import answer_columns
from cli.season.site.event_pages import entry_pages, event_pages
from cli.season.site.frame import (
    PERSONS,
    ROWS_MAX,
    SCRIPT,
    Listing,
    SitePage,
    event_file,
    linked_table,
    numbered,
    person_anchor,
    person_file,
    read,
    whole_page,
)
from cli.season.site.metagame_pages import matchups, metagame
from cli.season.site.named_pages import named_pages
from cli.season.site.person_pages import (
    person_column,
    person_list,
    persons_in_order,
    standings_pages,
)
from cli.season.site.rating_pages import forecast_pages, rated_seasons, rating_pages
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection
    from htpy import Node

    from cli.season.site.frame import Readable
    from cli.season.site.rating_pages import RatedSeason
    from projections.season.points import Scheme

RECORDS = "records.html"


def records_page(season: Readable, rated: list[RatedSeason]) -> SitePage:
    """Return the page of records."""
    content = [
        _largest(season),
        _most(season, "events", tr("Most tournaments"), "tournaments"),
        _most(season, "won", tr("Most tournaments won"), "won"),
        _runs(season),
        [_upsets(season, each) for each in rated],
    ]
    return SitePage(RECORDS, tr("Records"), content)


def _largest(season: Readable) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    events = sorted(season.events, key=lambda each: -each.entrants)[:RECORDS_MAX]
    columns = [
        Column(marked("tournament"), text=lambda each: season.event_labels[each.tournament]),
        Column(marked("held on"), text=lambda each: str(each.held_on or "?")),
        Column(marked("players"), right=True, key="entrants"),
    ]
    yield htpy.h3[tr("Largest tournaments")]
    yield linked_table(Listing("", "", columns, season.event_links, "tournament"), events)


def _most(season: Readable, member: str, title: str, unit: str) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    some = [each for each in season.persons if getattr(each, member)]
    best = sorted(some, key=lambda each: -getattr(each, member))[:RECORDS_MAX]
    columns = [person_column(season), Column(unit, right=True, key=member)]
    yield from _persons_table(season, title, columns, best)


def _runs(season: Readable) -> Iterator[Node]:
    from projections.season.for_readers import longest_runs

    columns = [
        person_column(season),
        Column(marked("ruleset")),
        Column(marked("wins"), right=True),
        Column(marked("from"), key="first"),
        Column(marked("to"), key="last"),
    ]
    yield from _persons_table(
        season, tr("Games won in a row"), columns, longest_runs(season.connection)
    )


def _persons_table(
    season: Readable, title: str, columns: list[Column], records: Sequence[object]
) -> Iterator[Node]:
    yield htpy.h3[title]
    yield linked_table(Listing("", "", columns, season.person_links, "person"), records)


def _upsets(season: Readable, rated: RatedSeason) -> Iterator[Node]:
    from projections.season.rating_tables import UPSETS

    names = [each.name for each in UPSETS.columns]
    columns = list(answer_columns(UPSETS.columns, season.labels, {}))
    rows = [dict(zip(names, row, strict=True)) for row in rated.upsets]
    yield htpy.h3[
        visible(tr("Least expected at {game}, by {system}", game=rated.game, system=rated.system))
    ]
    yield linked_table(Listing("", "", columns, season.person_links, "winner"), rows)


SEASON_LIST = "season.js"


def season_list(season: Readable) -> bytes:
    """Return the tournaments and persons that a page can find: label, description, address."""
    found = [*_listed_events(season), *_listed_persons(season)]
    return b"const SEASON = " + msgspec.json.encode(found) + b";\n"


def _listed_events(season: Readable) -> Iterator[tuple[str, str, str]]:
    for each in season.events:
        about = f"{each.held_on or '?'}, {each.ruleset}"
        label = season.event_labels[each.tournament]
        yield visible(label), visible(about), event_file(each.tournament)


def _listed_persons(season: Readable) -> Iterator[tuple[str, str, str]]:
    for place, each in enumerate(persons_in_order(season)):
        listed = numbered(PERSONS, place // ROWS_MAX + 1)
        in_list = f"{listed}#{person_anchor(season, each.person)}"
        is_named = each.person in season.named
        label = visible(season.labels[each.person])
        yield label, "", person_file(each.person) if is_named else in_list


def site_files(
    connection: DuckDBPyConnection,
    title: str,
    schemes: list[Scheme],
    system: str,
    names: Mapping[str, str],
    by: str = "",
) -> Iterator[tuple[str, bytes]]:
    """Yield every file; `names` contains only persons who agreed to be named.

    `by`: what the metagame and the match-ups are grouped by; empty: by what each game has.
    """
    season = read(connection, names)
    rated = list(rated_seasons(season, system))
    sheets: list[SitePage] = [
        *entry_pages(season),
        *standings_pages(season, schemes),
        metagame(season, by),
        matchups(season, by),
        *rating_pages(season, rated),
        *forecast_pages(rated),
        *person_list(season),
        records_page(season, rated),
    ]
    tops = [each for each in sheets if each.top == each.file]
    footer = _footer(season)
    for sheet in (*sheets, *event_pages(season), *named_pages(season, rated)):
        yield sheet.file, whole_page(title, sheet, tops, footer)
        yield from sheet.pictures
    yield SEASON_LIST, season_list(season)
    yield SCRIPT, _find_script()


FOUND = {
    "here": marked("{shown} of {rows} rows on this page"),
    "both": marked("{here}; {found} in the season"),
    "first": marked("{here}; {found} in the season, the first {most} here"),
}
"""Texts of the script for the number of results."""


def _find_script() -> bytes:
    words = {name: tr(text) for name, text in FOUND.items()}
    script = files("cli.season.site").joinpath(SCRIPT).read_bytes()
    return b"const WORDS = " + msgspec.json.encode(words) + b";\n" + script


def _footer(season: Readable) -> str:
    days = [each.held_on for each in season.events if each.held_on]
    events = how_many(len(season.events), "tournament")
    if not days:
        return tr(
            "Of {tournaments}. Persons are shown by pseudonym, and by name only if they agreed to "
            "it.",
            tournaments=events,
        )
    return tr(
        "Of {tournaments}, the last on {day}. Persons are shown by pseudonym, and by name only if "
        "they agreed to it.",
        tournaments=events,
        day=max(days),
    )
