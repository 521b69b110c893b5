"""Every page of a season and the files next to them, with its records and a list for searching.

The records are the largest tournaments, the persons with most tournaments and wins, runs of wins,
and upsets. The list has tournaments and persons, as a script next to the pages, so that they are
found from every page.
"""

from __future__ import annotations

from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import marked, tr
from cli.season.answers import answer_columns
from cli.season.site.data_page import DATA_PAGE, data_page
from cli.season.site.downloads import Downloads, DownloadTable, download_table, of_shown
from cli.season.site.event_logs import offered
from cli.season.site.event_pages import event_pages
from cli.season.site.feeds import base_url, feed_files
from cli.season.site.finding import findable, index_files, script_words
from cli.season.site.frame import (
    FEED,
    PAGE_AIM,
    PAGE_BYTES_MAX,
    SCRIPT,
    SitePage,
    feed_of,
    paged,
    read,
    whole_page,
)
from cli.season.site.front_page import event_lists, events_listing, front_page
from cli.season.site.metagame_pages import matchups, metagame
from cli.season.site.named_pages import named_pages
from cli.season.site.person_pages import (
    person_column,
    person_list,
    standings_pages,
)
from cli.season.site.rating_pages import forecast_pages, rated_seasons, rating_pages
from cli.season.site.tables import FORMS, ROWS_MIN, Listing, ShownTable, linked_table, tables_in
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
        [_upsets(season, record) for record in rated],
    ]
    return SitePage(RECORDS, tr("Records"), content)


def _largest(season: Readable) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    events = sorted(season.events, key=lambda record: -record.entrants)[:RECORDS_MAX]
    yield htpy.h3[tr("Largest tournaments")]
    yield linked_table(events_listing(season), events)


def _most(season: Readable, member: str, title: str, unit: str) -> Iterator[Node]:
    from projections.season.for_readers import RECORDS_MAX

    some = [record for record in season.persons if getattr(record, member)]
    best = sorted(some, key=lambda record: -getattr(record, member))[:RECORDS_MAX]
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

    names = [record.name for record in UPSETS.columns]
    columns = list(answer_columns(UPSETS.columns, season.labels, {}))
    rows = [dict(zip(names, row, strict=True)) for row in rated.upsets]
    yield htpy.h3[
        visible(tr("Least expected at {game}, by {system}", game=rated.game, system=rated.system))
    ]
    yield linked_table(Listing("", "", columns, season.person_links, "winner"), rows)


class SiteOptions(NamedTuple):
    """Options of the site; `names` are of those who agreed, `base` is its address.

    `by` is the attribute that groups metagame and match-ups; if it is empty, each game has its own.
    """

    title: str
    schemes: Sequence[Scheme] = ()
    system: str = "glicko2"
    names: Mapping[str, str] = MappingProxyType({})
    logs: str = ""
    base: str = ""
    by: str = ""


def site_files(connection: DuckDBPyConnection, options: SiteOptions) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the site.

    Raises:
        InvalidLog: a log to download is not the one that the season was derived from.
    """
    season = read(connection, options.names)
    logs = offered(connection, options.logs) if options.logs else {}
    rated = list(rated_seasons(season, options.system))
    standings = list(standings_pages(season, list(options.schemes)))
    sheets: list[SitePage] = [
        front_page(season, standings),
        *event_lists(season),
        *standings,
        *metagame(season, options.by),
        *matchups(season, options.by),
        *rating_pages(season, rated),
        *forecast_pages(rated),
        *person_list(season),
        records_page(season, rated),
    ]
    tops = [sheet for sheet in sheets if sheet.top == sheet.file]
    tops.append(SitePage(DATA_PAGE, tr("Data"), None))
    making = _Making(options, tops, _footer(season))
    for sheet in (*sheets, *event_pages(season, logs), *named_pages(season, rated)):
        yield from making.files(sheet)
    for log in logs.values():
        yield from log.files()
    for table in making.of_events():
        yield from making.downloads.files(table, FORMS)
    yield from making.files(data_page(making.downloads.resources))
    yield making.downloads.package(options.title)
    if options.base:
        yield from feed_files(season, base_url(options.base), options.title)
    parts = b"{}"
    for name, data in index_files(findable(season, making.anchors)):
        if name:
            yield name, data
        else:
            parts = data
    yield SCRIPT, script_words(parts) + own_script()


class _Making:
    """The pages in the order of writing, with the downloads and the places of rows."""

    def __init__(self, options: SiteOptions, tops: Sequence[SitePage], footer: str) -> None:
        self.options = options
        self.tops = tops
        self.footer = footer
        self.downloads = Downloads()
        self.anchors: dict[str, str] = {}
        self._events: dict[str, tuple[list[str], list[list[object]]]] = {}

    def files(self, sheet: SitePage) -> Iterator[tuple[str, bytes]]:
        """Yield a page, the further pages of its tables, their scripts, downloads and pictures."""
        if self.options.base:
            sheet = sheet._replace(feed=_feed(sheet))
        for page, data in written(self.options.title, sheet, self.tops, self.footer):
            yield page.file, data
            for _, table in tables_in(page.content):
                self.anchors |= dict(table.anchors())
                if page.file == sheet.file:
                    yield from row_scripts(table)
                    if table.forms:
                        yield from self._download(sheet, table)
        yield from sheet.pictures

    def _download(self, sheet: SitePage, table: ShownTable) -> Iterator[tuple[str, bytes]]:
        download = of_shown(table)
        yield from self.downloads.files(download, table.forms)
        if table.name.startswith(EVENT) and download.rows:
            kind = table.name.rpartition("-")[2]
            names = [TOURNAMENT, "tournament", *(field.name for field in download.fields)]
            columns_seen, rows = self._events.setdefault(kind, ([], []))
            columns_seen += [name for name in names if name not in columns_seen]
            first = [sheet.file.removeprefix(EVENT).removesuffix(".html"), visible(sheet.title)]
            places = [columns_seen.index(name) for name in names]
            for row in download.rows:
                values: list[object] = [None] * len(columns_seen)
                for place, value in zip(places, [*first, *row], strict=True):
                    values[place] = value
                rows.append(values)

    def of_events(self) -> Iterator[DownloadTable]:
        """Yield the tables of all tournaments together."""
        for kind, (names, rows) in self._events.items():
            filled = [row + [None] * (len(names) - len(row)) for row in rows]
            yield download_table(f"all-{kind}", kind, names, filled)


EVENT = "event-"
TOURNAMENT = "tournament_id"


def _feed(sheet: SitePage) -> str:
    has_own = sheet.file.startswith((EVENT, "person-"))
    return feed_of(sheet.file) if has_own else FEED


def written(
    title: str, sheet: SitePage, tops: Sequence[SitePage], footer: str
) -> list[tuple[SitePage, bytes]]:
    """Write a page, and the further pages of its long tables, each below the maximum size."""
    aim = PAGE_AIM
    while True:
        pages = [(page, whole_page(title, page, tops, footer)) for page in paged(sheet, aim)]
        if aim < ROWS_MIN or all(len(data) <= PAGE_BYTES_MAX for _, data in pages):
            return pages
        aim //= 2


def row_scripts(table: ShownTable) -> Iterator[tuple[str, bytes]]:
    """Yield the scripts with all rows of a table that continues in further pages."""
    if not table.pages:
        return
    for number, rows in enumerate(table.scripts(), start=1):
        call = f'ROWS("{table.name}",{number},'.encode()
        yield f"rows-{table.name}-{number}.js", call + rows + b");\n"


def own_script() -> bytes:
    """Return the script of every page, without its words."""
    folder = files("cli.season.site")
    return b"".join(folder.joinpath(name).read_bytes() for name in (SCRIPT, "tables.js"))


def _footer(season: Readable) -> str:
    days = [record.held_on for record in season.events if record.held_on]
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
