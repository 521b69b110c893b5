"""The parts of every page: the season read once, labels and links, frame, long tables, pictures.

Links are relative. A long table has several pages. Each picture has a form for a desk and one for a
phone, in the colours of the page.
"""

from __future__ import annotations

import hashlib
import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import ENGLISH, in_figures, language, tr, tr_of
from cli.render.elements import table_of, web_page
from cli.render.records import as_read
from cli.season.answers import drawable, is_few
from cli.serve.publish import STYLE
from cli.terminal.problems import said
from cli.terminal.visible import how_many, isolated, marking_names, shortened, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from duckdb import DuckDBPyConnection
    from htpy import Node

    from cli.terminal.tables import Column
    from ledger.problems import Phrase
    from projections.season.for_readers import EventPlace, SeasonEvent, SeasonPerson
    from projections.season.tables.definitions import Question

    Files = tuple[tuple[str, bytes], ...]

_PLAIN = re.compile(r"[0-9a-z]{1,64}")
PERSONS, EVENTS = "persons.html", "index.html"


class Readable(NamedTuple):
    """A season as its readers may see it; `named` are those who agreed to be."""

    connection: DuckDBPyConnection
    named: Mapping[str, str]
    labels: Mapping[str, str]
    events: list[SeasonEvent]
    places: list[EventPlace]
    persons: list[SeasonPerson]
    event_labels: Mapping[str, str]

    @property
    def person_links(self) -> dict[str, str]:
        """Pages of those who agreed to be named, by what they are called."""
        return {visible(self.labels[each]): person_file(each) for each in self.named}

    @property
    def event_links(self) -> dict[str, str]:
        """Pages of tournaments, by what they are called."""
        return {visible(label): event_file(each) for each, label in self.event_labels.items()}


def read(connection: DuckDBPyConnection, names: Mapping[str, str]) -> Readable:
    """Read what all pages need; `names` are of those alone who agreed to be named."""
    from projections.season.for_readers import (
        events_of,
        everybody,
        labels_of,
        persons_seen,
        places_of,
    )

    events = events_of(connection)
    seen = everybody(connection)
    named = {person: names[person] for person in seen if person in names}
    titles = {each.tournament: each.name for each in events}
    return Readable(
        connection,
        named,
        labels_of(seen, named),
        events,
        places_of(connection),
        persons_seen(connection),
        labels_of(titles, titles),
    )


def event_file(tournament: str) -> str:
    """Name a tournament's page."""
    return f"event-{_in_a_name(tournament)}.html"


def person_file(person: str) -> str:
    """Name the page of somebody who agreed to be named."""
    return f"person-{_in_a_name(person)}.html"


def person_anchor(season: Readable, person: str) -> str:
    """Name the row of somebody in the list of persons."""
    return _in_a_name(season.labels[person])


def _in_a_name(key: str) -> str:
    """Return what a file may be called by: the id, or its digest where it is no plain word."""
    return key if _PLAIN.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()[:32]


def games_in(events: Iterable[SeasonEvent]) -> list[str]:
    """List the games that were played, by the keys of their rulesets."""
    return sorted({each.ruleset for each in events})


ROWS_MAX = 1_000
"""How many rows a page has."""

TITLE_CELLS = 28
SCRIPT = "find.js"

OWN_STYLE = """
#search { margin: .8rem 0; }
#find { font: inherit; color: inherit; background: var(--band); border: 1px solid var(--quiet); }
#find { min-height: 2.75rem; padding: 0 .6rem; width: min(24rem, 100%); display: block; }
#hits { list-style: none; margin: 0; overflow-wrap: anywhere; padding: 0; }
#hits a { margin-right: .5rem; }
#hits a { display: inline-block; padding: .55rem 0; min-height: 2.75rem; font-weight: 600; }
#hits span { color: var(--quiet); display: inline-block; }
.more a { display: inline-block; padding: .6rem .6rem .6rem 0; }
td a, th a { display: inline-block; min-height: 1.5rem; }
@media screen and (min-width: 40.01rem) {
  td[data-label$="day"], td[data-label="held on"], td[data-label="W-L-D"] { white-space: nowrap; }
  td:not([data-label]) { white-space: nowrap; }
}
dl { margin: 0; } dt { color: var(--quiet); } dd { margin: 0 0 .5rem; }
tr.few, tr.few a { color: var(--quiet); font-weight: 400; } tr.few th { font-weight: 400; }
figure { margin: 1rem 0; } figcaption { color: var(--quiet); font-size: .9rem; }
figure img { display: block; width: 100%; height: auto; max-width: 30rem; }
@media screen and (min-width: 60rem) { figure img { max-width: none; } }
main h2:first-child { margin-top: 1rem; font-size: 1.25rem; }
h3 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
thead td:first-child { width: 4rem; }
.number + :not(.number), thead td:first-child + th { padding-left: 1.2rem; }
@media screen and (max-width: 40rem) {
  .number + :not(.number) { padding-left: 0; }
  td:not([data-label]):first-child, td[data-label="place"]:first-child { flex: 0 0 2.2rem; }
  td[data-label="place"]:first-child::before { content: none; }
  td:not([data-label]):first-child + th, td[data-label="place"]:first-child + th {
    flex: 1 0 calc(100% - 3.4rem);
  }
}
"""


class SitePage(NamedTuple):
    """One page: its file, what it is called, what is on it, and under which page it belongs."""

    file: str
    title: str
    content: Node
    under: str = ""
    pictures: tuple[tuple[str, bytes], ...] = ()

    @property
    def top(self) -> str:
        """The page that the navigation marks while this one is read."""
        return self.under or self.file


class Listing(NamedTuple):
    """A table in as many pages as it needs: its first file, its columns, the links in its cells."""

    file: str
    title: str
    columns: Sequence[Column]
    links: Mapping[str, str]
    heading: str = ""
    under: str = ""
    few: int = 0
    """Rows of fewer games are grey."""
    anchor: Callable[[Any], str | None] | None = None
    """What a row is linked to by."""


def listed(
    listing: Listing,
    records: Sequence[Any],
    before: Node = None,
    pictures: tuple[tuple[str, bytes], ...] = (),
) -> Iterator[SitePage]:
    """Yield the pages of a table; what is `before` it is on the first one, with its pictures."""
    starts = range(0, len(records), ROWS_MAX) or [0]
    files = [numbered(listing.file, number) for number in range(1, len(starts) + 1)]
    for place, start in enumerate(starts):
        content = [
            before if not place else None,
            _others(files, place, len(records)) if len(files) > 1 else None,
            linked_table(listing, records[start : start + ROWS_MAX]),
        ]
        under = listing.under or (listing.file if place else "")
        own = pictures if not place else ()
        yield SitePage(files[place], listing.title, content, under, own)


def linked_table(listing: Listing, records: Sequence[Any]) -> Node:
    """Return a table whose cells lead to other pages where their text is known."""
    columns, rows = as_read(listing.columns, records)
    cell = partial(_cell, listing.heading, listing.links)
    few = listing.few
    kinds = ["few" if is_few(few, each) else None for each in records] if few else ()
    ids = map(listing.anchor, records) if listing.anchor else ()
    return table_of(columns, rows, heading=listing.heading, cell=cell, ids=ids, kinds=kinds)


def _cell(heading: str, links: Mapping[str, str], title: str, text: str) -> Node:
    """Make a link of who or what a row is about, and of nothing else."""
    is_linked = title in {heading, "person", "opponent", "winner", "loser", "tournament"}
    if not is_linked:
        return text
    place, name = links.get(text), isolated(text)
    return htpy.a(href=place)[name] if place else name


def numbered(file: str, number: int) -> str:
    """Name the page of a long table, by its first one and its number."""
    return file if number == 1 else file.replace(".html", f"-{number}.html")


def _others(files: Sequence[str], here: int, count: int) -> Node:
    links = (
        htpy.a(href=file, aria_current="page" if place == here else None)[f"{place + 1}"]
        for place, file in enumerate(files)
    )
    text = tr("{rows}, {most} a page: ", rows=how_many(count, "row"), most=in_figures(ROWS_MAX))
    return htpy.p(class_="more")[text, links]


@marking_names()
def whole_page(name: str, page: SitePage, tops: Sequence[SitePage], footer: str) -> bytes:
    """Return a page as it is written."""
    links = (
        htpy.li[
            htpy.a(href=each.file, aria_current="page" if each.file == page.top else None)[
                isolated(shortened(visible(each.title), TITLE_CELLS))
            ]
        ]
        for each in tops
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
        htpy.footer[htpy.p[footer]],
    ]
    title = f"{isolated(visible(page.title))}: {isolated(visible(name))}"
    return web_page(title, STYLE + OWN_STYLE, body, script=SCRIPT, is_module=False).encode()


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
    """Draw an answer for a page; nothing where nothing can be drawn. `of` says what it shows."""
    from ledger.errors import Refused
    from projections.season.chart_frame import NARROW, WIDE, page
    from projections.season.charts import Subject, picture, themed_svg

    if question.plot is None or not can_draw():
        return NO_FIGURE
    called = {person: visible(each) for person, each in names.items()}
    subject = Subject(called, few=question.minimum)
    files: list[tuple[str, bytes]] = []
    remarks: Sequence[Phrase | str] = ()
    for base, width in ((WIDE, "wide"), (NARROW, "narrow")):
        canvas = base
        if language() != ENGLISH:
            canvas = base._replace(words=partial(tr_of, "column"), amount=_amount)
        try:
            drawn = picture(question, question.plot, drawable(rows), subject, canvas)
        except Refused:  # nothing of it is known, or too much
            return NO_FIGURE
        svg = themed_svg(page("", (), drawn.body, canvas), canvas.width)
        files.append((f"{name}-{width}.svg", svg.encode()))
        remarks = drawn.remarks
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
