"""The front page with the news, and the tournaments by year and month.

The front page has the newest tournaments, what was corrected or ruled in the newest ones, and the
leaders of each standings. All tournaments are on one list, and those of each month on a short page.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import htpy

from cli.languages.speaking import (
    ENGLISH,
    first_of_several,
    in_figures,
    language,
    marked,
    tr,
    tr_of,
)
from cli.season.site.frame import EVENTS, FRONT, SitePage
from cli.season.site.tables import FORMS, Listing, ShownTable, linked_table, tables_in
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, isolated, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.season.site.frame import Readable
    from projections.season.for_readers import SeasonEvent

NEWEST = 12
"""Number of tournaments on the front page, and of those with corrections or rulings."""

LEADERS = 5
"""Number of persons of each standings on the front page."""

MONTH_LETTERS, YEAR_LETTERS = len("2026-01"), len("2026")
UNDATED = "undated"
WINNER = marked("winner")
MONTHS = 12


def front_page(season: Readable, standings: Sequence[SitePage]) -> SitePage:
    """Return the page of news; `standings` are the pages whose leaders it shows."""
    content: list[Node] = [
        _counts(season),
        htpy.h3[tr("Newest tournaments")],
        linked_table(events_listing(season), season.events[:NEWEST]),
        htpy.p(class_="more")[
            htpy.a(href=EVENTS)[
                tr("All tournaments ({count})", count=in_figures(len(season.events)))
            ],
            [
                htpy.a(href=month_file(month))[month_words(month)]
                for month in list(_months(season))[:LEADERS]
            ],
        ],
        _leaders(standings),
        _of_note(season),
    ]
    return SitePage(FRONT, tr("News"), content, forms=())


def _counts(season: Readable) -> Node:
    from projections.season.asking import extent

    covered = extent(season.connection)
    guests = len(season.labels) - len(season.persons)
    about = {
        "first": covered.first,
        "last": covered.last,
        "tournaments": how_many(covered.tournaments, "tournament"),
        "games": how_many(covered.games, "game"),
        "persons": how_many(len(season.persons), "person"),
        "guests": how_many(guests, "guest"),
    }
    text = tr(
        "{tournaments}, {games} played, {persons} of the league, {guests} without a pseudonym.",
        **about,
    )
    if covered.first:
        days = tr("{first} to {last}", **about) if covered.last != covered.first else covered.first
        text = f"{days}: {text}"
    return htpy.p(class_="about")[text]


def _leaders(standings: Sequence[SitePage]) -> Node:
    """Return the first rows of each standings, with a link to all."""
    sections: list[Node] = []
    for page in standings:
        for _, table in tables_in(page.content):
            if table.records:
                top = ShownTable(table.listing, table.records[:LEADERS])
                sections.append(
                    htpy.section[
                        htpy.h3[isolated(visible(page.title))],
                        top,
                        htpy.p(class_="more")[htpy.a(href=page.file)[tr("All places")]],
                    ]
                )
            break
    return htpy.div(class_="leads")[sections] if sections else None


def _of_note(season: Readable) -> Node:
    from projections.season.event_details import of_note

    events = {event.tournament: event for event in season.events}
    columns = [
        Column(marked("held on"), text=lambda row: str(events[row.tournament].held_on or "?")),
        Column(marked("tournament"), text=lambda row: season.event_labels[row.tournament]),
        Column(marked("corrections"), right=True),
        Column(marked("after the round"), right=True, key="late"),
        Column(marked("rulings"), right=True),
        Column(marked("reviewed"), right=True),
    ]
    rows = of_note(season.connection, NEWEST)
    if not rows:
        return None
    listing = Listing(
        "", "", columns, season.event_links, "tournament", name="corrected", forms=FORMS
    )
    return [htpy.h3[tr("Corrected and ruled")], linked_table(listing, rows)]


def events_listing(season: Readable, file: str = "", title: str = "") -> Listing:
    """Return the columns of a list of tournaments, by which it is sorted and filtered."""
    winners = season.winners
    columns = [
        Column(marked("held on"), text=lambda event: str(event.held_on or "?")),
        Column(marked("tournament"), text=lambda event: season.event_labels[event.tournament]),
        Column(marked("ruleset")),
        Column(marked("tier"), text=lambda event: tr(event.tier)),
        Column(marked("region"), text=lambda event: region_of(event.time_zone), optional=True),
        Column(marked("players"), right=True, key="entrants"),
        Column(marked("rounds"), right=True),
        Column(
            WINNER,
            text=lambda event: (
                winners.get(event.tournament) or ("" if event.finished else tr_of("state", "open"))
            ),
        ),
    ]
    links: dict[Any, str] = {**season.event_links}
    links |= {(WINNER, label): place for label, place in season.person_links.items()}
    return Listing(file, title, columns, links, "tournament")


def region_of(time_zone: str) -> str:
    """Return the country of a time zone in the language that is spoken; else the zone's area."""
    return _region(time_zone, first_of_several(language()))


@cache
def _region(time_zone: str, code: str) -> str:
    from babel import Locale
    from babel.core import get_global

    territory = get_global("zone_territories").get(time_zone)
    if territory:
        name = Locale.parse(code).territories.get(territory)
        return str(name or territory)
    area, slash, _ = time_zone.partition("/")
    return area if slash and area != "Etc" else ""


def month_of(event: SeasonEvent) -> str:
    """Return the month of a tournament, as `2026-01`; a word for those without a day."""
    return str(event.held_on)[:MONTH_LETTERS] if event.held_on else UNDATED


def month_file(month: str) -> str:
    """Name the page of a month."""
    return f"month-{month}.html"


def month_words(month: str) -> str:
    """Return a month in words, such as January 2026."""
    if month == UNDATED:
        return tr("no day")
    year, number = month.split("-")
    return _month_words(int(year), int(number), language())


def month_name(month: str) -> str:
    """Return the name of a month without its year."""
    if month == UNDATED:
        return tr("no day")
    return _month_words(2000, int(month.partition("-")[2]), language(), "LLLL")


@cache
def _month_words(year: int, month: int, code: str, skeleton: str = "yMMMM") -> str:
    from datetime import date

    from babel.dates import format_date, format_skeleton

    locale, day = first_of_several(code), date(year, month, 1)
    if skeleton == "LLLL":
        return str(format_date(day, skeleton, locale=locale))
    return str(format_skeleton(skeleton, day, locale=locale))


def _months(season: Readable) -> dict[str, list[SeasonEvent]]:
    """Return the tournaments of each month, the newest month first."""
    return {month: list(events) for month, events in groupby(season.events, month_of)}


def event_lists(season: Readable) -> Iterator[SitePage]:
    """Yield the list of all tournaments, with their months, and the page of each month."""
    months = _months(season)
    content: list[Node] = []
    for year, some in groupby(months, lambda month: month[:YEAR_LETTERS]):
        links = [
            htpy.li[
                htpy.a(href=month_file(month))[month_name(month)],
                " ",
                htpy.span[in_figures(len(months[month]))],
            ]
            for month in some
        ]
        is_undated = year == UNDATED[:YEAR_LETTERS]
        content += [None if is_undated else htpy.h3[year], htpy.ul(class_="months")[links]]
    title = tr("Tournaments")
    listing = events_listing(season, EVENTS, title)
    content += [htpy.h3[tr("All of them")], linked_table(listing, season.events)]
    yield SitePage(EVENTS, title, content)
    for month, events in months.items():
        file = month_file(month)
        table = linked_table(events_listing(season, file, month_words(month)), events)
        content = [_neighbours(months, month), table]
        yield SitePage(file, month_words(month), content, EVENTS, forms=())


def _neighbours(months: dict[str, list[SeasonEvent]], month: str) -> Node:
    """Return the links to the months before and after, and to all."""
    names = list(months)
    at = names.index(month)
    near = names[at + 1 : at + 2] + names[max(at - 1, 0) : at]
    return htpy.p(class_="more")[
        [htpy.a(href=month_file(name))[month_words(name)] for name in near],
        htpy.a(href=EVENTS)[tr("Tournaments")],
    ]


def months_said(code: str) -> list[list[str]]:
    """Return the names of each month, whole and short, in English and a language."""
    from babel.dates import get_month_names

    names: list[list[str]] = []
    for month in range(1, MONTHS + 1):
        unique: dict[str, None] = {}
        for locale in (ENGLISH, first_of_several(code)):
            for width in ("wide", "abbreviated"):
                for context in ("format", "stand-alone"):
                    name = get_month_names(width, context, locale)[month]
                    unique.setdefault(name.casefold().strip("."))
        names.append(list(unique))
    return names
