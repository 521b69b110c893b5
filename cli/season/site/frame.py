"""What each page has around it, and a long table as several pages; links are relative."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.render.elements import table_of, web_page
from cli.render.records import as_read
from cli.season.answers import is_few
from cli.serve.publish import STYLE
from cli.terminal.visible import how_many, shortened, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from htpy import Node

    from cli.terminal.tables import Column

ROWS_MAX = 1_000
"""How many rows a page has."""

TITLE_CELLS = 28
SCRIPT = "find.js"

OWN_STYLE = """
nav ul ul { border: 0; }
#search { margin: .8rem 0; }
#find { font: inherit; color: inherit; background: var(--band); border: 1px solid var(--quiet); }
#find { min-height: 2.75rem; padding: 0 .6rem; width: min(24rem, 100%); display: block; }
#hits { list-style: none; margin: 0; padding: 0; } #hits a { margin-right: .5rem; }
#hits a { display: inline-block; padding: .55rem 0; min-height: 2.75rem; font-weight: 600; }
#hits span { color: var(--quiet); display: inline-block; }
.more a { display: inline-block; padding: .6rem .6rem .6rem 0; }
td a, th a { display: inline-block; min-height: 1.5rem; }
@media screen and (min-width: 40.01rem) {
  td[data-is$="day"], td[data-is="held on"], td[data-is="W-L-D"] { white-space: nowrap; }
  td:not([data-is]) { white-space: nowrap; }
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
  td:not([data-is]):first-child, td[data-is="place"]:first-child { flex: 0 0 2.2rem; }
  td[data-is="place"]:first-child::before { content: none; }
  td:not([data-is]):first-child + th, td[data-is="place"]:first-child + th {
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
    place = links.get(text) if title in {heading, "person", "winner", "loser", "event"} else None
    return htpy.a(href=place)[text] if place else text


def numbered(file: str, number: int) -> str:
    """Name the page of a long table, by its first one and its number."""
    return file if number == 1 else file.replace(".html", f"-{number}.html")


def _others(files: Sequence[str], here: int, count: int) -> Node:
    links = (
        htpy.a(href=file, aria_current="page" if place == here else None)[f"{place + 1}"]
        for place, file in enumerate(files)
    )
    text = f"{how_many(count, 'row')}, {ROWS_MAX:,} a page: "
    return htpy.p(class_="more")[text, links]


def whole_page(name: str, page: SitePage, tops: Sequence[SitePage], footer: str) -> bytes:
    """Return a page as it is written."""
    links = (
        htpy.li[
            htpy.a(href=each.file, aria_current="page" if each.file == page.top else None)[
                shortened(visible(each.title), TITLE_CELLS)
            ]
        ]
        for each in tops
    )
    body = [
        htpy.header[htpy.h1[visible(name)], htpy.nav(aria_label="Pages")[htpy.ul[links]]],
        htpy.main[
            htpy.h2[visible(page.title)],
            htpy.div(id="search", hidden=True)[
                htpy.label(for_="find")["Find an event, a person, a row"],
                htpy.input(id="find", type="search", autocomplete="off"),
                htpy.span(id="found", role="status"),
                htpy.ul(id="hits", aria_label="Found in the season"),
            ],
            page.content,
        ],
        htpy.footer[htpy.p[footer]],
    ]
    title = f"{visible(page.title)}: {visible(name)}"
    return web_page(title, STYLE + OWN_STYLE, body, script=SCRIPT, is_module=False).encode()
