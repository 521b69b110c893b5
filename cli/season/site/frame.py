"""The parts of every page: the season read once, labels and links, frame, long tables, pictures.

Links are relative. A long table has several pages. Each picture has a form for a desk and one for a
phone, in the colours of the page.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache, cached_property, partial
from importlib.resources import files as files_of
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import ENGLISH, in_figures, language, tr, tr_of
from cli.render.elements import compact_style, web_page
from cli.season.answers import drawable
from cli.season.site.tables import FORMS, ROWS_MAX, Listing, cut, linked_table, tables_in
from cli.serve.publish import STYLE
from cli.terminal.problems import said
from cli.terminal.visible import isolated, marking_names, shortened, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from duckdb import DuckDBPyConnection
    from htpy import Node

    from ledger.problems import Phrase
    from projections.season.for_readers import EventPlace, SeasonEvent, SeasonPerson
    from projections.season.tables.definitions import Question

    Files = tuple[tuple[str, bytes], ...]

__all__ = ["Listing", "linked_table"]

_PLAIN = re.compile(r"[0-9a-z]{1,64}")
PERSONS, EVENTS, FRONT = "persons.html", "events.html", "index.html"


FEED = "feed.xml"


def feed_of(page: str) -> str:
    """Name the feed of a page."""
    return page.removesuffix(".html") + ".xml"


class _Season(NamedTuple):
    """The parts of `Readable`."""

    connection: DuckDBPyConnection
    named: Mapping[str, str]
    labels: Mapping[str, str]
    events: list[SeasonEvent]
    places: list[EventPlace]
    persons: list[SeasonPerson]
    event_labels: Mapping[str, str]


class Readable(_Season):
    """A season as its readers may see it; `named` are those who agreed to be."""

    @cached_property
    def person_links(self) -> dict[str, str]:
        """Pages of persons who agreed to be named, by label."""
        return {visible(self.labels[item]): person_file(item) for item in self.named}

    @cached_property
    def event_links(self) -> dict[str, str]:
        """Pages of tournaments, by label."""
        return {visible(label): event_file(item) for item, label in self.event_labels.items()}

    @cached_property
    def winners(self) -> dict[str, str]:
        """Label of the winner of each tournament."""
        return {
            item.tournament: self.labels[item.person] for item in self.places if item.place == 1
        }


def read(connection: DuckDBPyConnection, names: Mapping[str, str]) -> Readable:
    """Read what all pages need; `names` has only persons who agreed to be named."""
    from projections.season.for_readers import (
        events_of,
        everybody,
        labels_of,
        persons_seen,
        places_of,
    )

    events = events_of(connection)
    everyone = everybody(connection)
    named = {person: names[person] for person in everyone if person in names}
    titles = {item.tournament: item.name for item in events}
    return Readable(
        connection,
        named,
        labels_of(everyone, named),
        events,
        places_of(connection),
        persons_seen(connection),
        labels_of(titles, titles),
    )


def event_file(tournament: str) -> str:
    """Name a tournament's page."""
    return f"event-{_in_a_name(tournament)}.html"


def person_file(person: str) -> str:
    """Name the page of a person who agreed to be named."""
    return f"person-{_in_a_name(person)}.html"


def person_anchor(season: Readable, person: str) -> str:
    """Name the row of a person in the list of persons."""
    return _in_a_name(season.labels[person])


def _in_a_name(key: str) -> str:
    """Return the id as part of a file's name, or its digest if it is not a plain word."""
    return key if _PLAIN.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()[:32]


def games_in(events: Iterable[SeasonEvent]) -> list[str]:
    """List the games that were played, by the keys of their rulesets."""
    return sorted({item.ruleset for item in events})


TITLE_CELLS = 28
SCRIPT = "find.js"


@cache
def _style() -> str:
    """Return the style of the site's pages, beyond that of every page."""
    site_style = files_of("cli.season.site").joinpath("site.css").read_text("utf-8")
    return STYLE + compact_style(site_style)


class SitePage(NamedTuple):
    """One page: its file, what it is called, what is on it, and under which page it belongs."""

    file: str
    title: str
    content: Node
    under: str = ""
    pictures: tuple[tuple[str, bytes], ...] = ()
    forms: Sequence[str] = FORMS
    """Forms in which its tables are downloaded."""

    feed: str = ""
    """File of its feed; empty: that of the whole season."""

    @property
    def top(self) -> str:
        """The page that the navigation marks while this one is read."""
        return self.under or self.file


def links_to(files: Sequence[tuple[str, str]], current: str) -> Node:
    """Return the links of the pages of each game; nothing if there is one page."""
    if len(files) < 2:  # noqa: PLR2004 - a page needs no link to itself
        return None
    return htpy.p(class_="more")[(_to(file, game, current) for file, game in files)]


def _to(file: str, game: str, current: str) -> Node:
    return htpy.a(href=file, aria_current="page" if file == current else None)[visible(game)]


def listed(
    listing: Listing,
    records: Sequence[Any],
    before: Node = None,
    pictures: tuple[tuple[str, bytes], ...] = (),
) -> Iterator[SitePage]:
    """Yield the page of a table; `before` and the pictures are on it, too.

    A table that is too long continues in further pages.
    """
    content = [before, linked_table(listing, records)]
    yield SitePage(listing.file, listing.title, content, listing.under, pictures)


PAGE_BYTES_MAX = 300_000
"""Maximum size of a page."""

PAGE_AIM = 230_000
"""Size of the tables of a page at which the largest of them continue in further pages."""


def paged(page: SitePage, aim: int = PAGE_AIM) -> Iterator[SitePage]:
    """Yield a page, and the further pages of its tables that are too long for it."""
    content = settled(page.content)
    tables = list(tables_in(content))
    stem = page.file.removesuffix(".html")
    sizes = sorted(((sum(table.weights()), at) for at, (_, table) in enumerate(tables)))
    room = aim
    for count, (size, at) in zip(range(len(sizes), 0, -1), sizes, strict=True):
        share, table = room // count, tables[at][1]
        table.name = table.listing.name or (stem if len(tables) == 1 else f"{stem}-{at + 1}")
        table.forms = page.forms if table.listing.forms is None else table.listing.forms
        table.pages = []
        if size > share or len(table.rows) > ROWS_MAX:
            first = page.file if len(tables) == 1 else f"{table.name}-.html"
            cut(table, first, share, aim)
            if table.pages:
                table.pages[0] = (page.file, 0)
                table.parts = len(table.scripts())
        room -= min(size, share)
    yield page._replace(content=content)
    for title, table in tables:
        for place, (file, _) in enumerate(table.pages[1:], start=1):
            heading = htpy.h3[isolated(visible(title))] if len(tables) > 1 and title else None
            content = [heading, table.on_page(place)]
            yield SitePage(file, page.title, content, page.top, (), page.forms, page.feed)


def settled(content: Node) -> Node:
    """Return the content of a page with lists in the place of iterators, to be read twice."""
    if isinstance(content, list | tuple) or (
        isinstance(content, Iterator) and not hasattr(content, "__html__")
    ):
        return [settled(part) for part in content]
    return content


@marking_names()
def whole_page(name: str, page: SitePage, tops: Sequence[SitePage], footer: str) -> bytes:
    """Return the bytes of a page."""
    links = (
        htpy.li[
            htpy.a(href=item.file, aria_current="page" if item.file == page.top else None)[
                isolated(shortened(visible(item.title), TITLE_CELLS))
            ]
        ]
        for item in tops
    )
    body = [
        htpy.header(class_="top")[
            htpy.h1[isolated(visible(name))], htpy.nav(aria_label=tr("Pages"))[htpy.ul[links]]
        ],
        htpy.main[
            htpy.h2[isolated(visible(page.title))],
            htpy.div(id="search", hidden=True)[
                htpy.label(for_="find")[tr("Find a tournament, a person, a row")],
                htpy.input(id="find", type="search", autocomplete="off"),
                htpy.span(id="found", role="status"),
                htpy.ul(id="hits", aria_label=tr("Found in the season")),
            ],
            page.content,
        ],
        htpy.footer[
            htpy.p[footer],
            htpy.p[htpy.a(href=page.feed)[tr("Atom feed of this page")]] if page.feed else None,
        ],
    ]
    title = f"{isolated(visible(page.title))}: {isolated(visible(name))}"
    feed = htpy.link(rel="alternate", type="application/atom+xml", href=page.feed, title=name)
    return web_page(
        title, _style(), body, script=SCRIPT, is_module=False, links=feed if page.feed else None
    ).encode()


class DrawnAnswer(NamedTuple):
    """A picture as a page has it, and its files."""

    node: Node
    files: Files


NO_FIGURE = DrawnAnswer(None, ())


def can_draw() -> bool:
    """Whether what draws is installed."""
    from importlib.util import find_spec

    return find_spec("vl_convert") is not None


def _amount(count: int, name: str) -> str:
    return f"{tr_of('column', name)}: {in_figures(count)}"


def figure(
    name: str,
    of: str,
    question: Question,
    rows: Sequence[Sequence[Any]],
    names: Mapping[str, str],
) -> DrawnAnswer:
    """Draw an answer for a page, if it can be drawn. `of` is the title of the picture."""
    from ledger.errors import Refused
    from projections.season.chart_frame import NARROW, WIDE, page
    from projections.season.charts import Subject, picture, themed_svg

    if question.plot is None or not can_draw():
        return NO_FIGURE
    called = {person: visible(item) for person, item in names.items()}
    subject = Subject(called, few=question.minimum)
    files: list[tuple[str, bytes]] = []
    remarks: Sequence[Phrase | str] = ()
    for base, width in ((WIDE, "wide"), (NARROW, "narrow")):
        canvas = base
        if language() != ENGLISH:
            canvas = base._replace(words=partial(tr_of, "column"), amount=_amount)
        try:
            canvas_picture = picture(question, question.plot, drawable(rows), subject, canvas)
        except Refused:  # nothing of it is known, or too much
            return NO_FIGURE
        svg = themed_svg(page("", (), canvas_picture.body, canvas), canvas.width)
        files.append((f"{name}-{width}.svg", svg.encode()))
        remarks = canvas_picture.remarks
    (wide, _), (narrow, _) = files
    remarked = " ".join(map(said, remarks))
    return DrawnAnswer(
        htpy.figure[
            htpy.picture[
                htpy.source(media="(min-width: 60rem)", srcset=wide),
                htpy.img(
                    src=narrow, alt=visible(tr("{picture}, as in the table below", picture=of))
                ),
            ],
            htpy.figcaption[visible(remarked)] if remarked else None,
        ],
        tuple(files),
    )
