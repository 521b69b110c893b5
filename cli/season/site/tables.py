"""The tables of the site: cells for a page, and values for a program.

A table with too many rows for one page continues in further pages. All rows are also in scripts, so
that a browser sorts and filters them; without a script every table is a plain one.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import htpy
import msgspec
from markupsafe import escape

from cli.languages.speaking import tr
from cli.render.elements import table_of
from cli.render.records import as_read
from cli.season.answers import is_few
from cli.terminal.tables import UNTITLED
from cli.terminal.visible import how_many, isolated, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from htpy import Node

    from cli.terminal.tables import Column

CELL_BYTES = 150
"""Elements and attributes around the text of a cell, and its link."""

SCRIPT_BYTES = 90_000
"""Maximum size of the rows in a script, and of the entries in a part of the index."""

ROWS_MIN = 10
"""Minimum rows on each page of a long table."""

ROWS_MAX = 150
"""Maximum rows that a page has of a table: more are too long to scroll on a phone."""

LINKED = frozenset({"person", "winner", "loser", "tournament", "against", "opponent"})
"""Columns of persons and tournaments, which link to their pages."""

DATA = "data"
"""The folder of the downloads."""

FORMS = ("csv", "json", "parquet")
"""The forms of a table to download."""


class Listing(NamedTuple):
    """A table in as many pages as it needs: its first file, its columns, the links in its cells."""

    file: str
    title: str
    columns: Sequence[Column]
    links: Mapping[Any, str]
    """Addresses by the text of a cell, or by the title and the text."""

    heading: str = ""
    under: str = ""
    few: int = 0
    """Rows of fewer games are grey."""
    anchor: Callable[[Any], str | None] | None = None
    """Callback that names the anchor of a row."""

    name: str = ""
    """Stem of its files, if not that of the page."""

    forms: Sequence[str] | None = None
    """Forms to download; None: those of the page."""

    def place(self, title: str, text: str) -> str | None:
        """Return the address that a cell of that title leads to; None if it leads nowhere."""
        if title not in LINKED and title != self.heading:
            return None
        return self.links.get((title, text)) or self.links.get(text)


class ShownTable:
    """A table of a page: the text of each cell, and the records.

    `name` is the stem of its files and `forms` are the kinds of them. `pages` are the files of the
    pages that it continues in, each with the place of its first row.
    """

    def __init__(self, listing: Listing, records: Sequence[Any]) -> None:
        self.listing = listing
        self.records = records
        self.columns, self.rows = as_read(listing.columns, records)
        self.title = listing.title
        self.name = ""
        self.forms: Sequence[str] = ()
        self.pages: list[tuple[str, int]] = []
        self.here = 0
        self.parts = 0
        """Number of scripts with all rows."""

    def __html__(self) -> str:
        """Return the rows of this page, with links to the others and to the files."""
        listing, start, stop = self.listing, *self._span()
        records = self.records[start:stop]
        few = listing.few
        table = table_of(
            self.columns,
            self.rows[start:stop],
            heading=listing.heading,
            cell=partial(_cell, listing),
            ids=map(listing.anchor, records) if listing.anchor else (),
            kinds=["few" if is_few(few, record) else None for record in records] if few else (),
        )
        titles = "|".join(column.title.replace("|", "") for column in self.columns)
        about = {"data-titles": visible(titles)}
        if self.pages:
            about |= {"data-rows": self.name, "data-parts": str(self.parts)}
        return str(htpy.div(about, class_="rows")[self._others(), table, self._downloads()])

    def _span(self) -> tuple[int, int]:
        if not self.pages:
            return 0, len(self.rows)
        start = self.pages[self.here][1]
        further = self.pages[self.here + 1 : self.here + 2]
        return start, further[0][1] if further else len(self.rows)

    def _others(self) -> Node:
        if len(self.pages) < 2:  # noqa: PLR2004 - a page and another
            return None
        links = (
            htpy.a(href=file, aria_current="page" if place == self.here else None)[f"{place + 1}"]
            for place, (file, _) in enumerate(self.pages)
        )
        return htpy.p(class_="more")[how_many(len(self.rows), "row"), ": ", links]

    def _downloads(self) -> Node:
        if not self.forms or not self.rows:
            return None
        links = (
            htpy.a(href=f"{DATA}/{self.name}.{form}", download=True)[FORM_WORDS[form]]
            for form in self.forms
        )
        return htpy.p(class_="data")[links]

    def on_page(self, here: int) -> ShownTable:
        """Return the same table as another of its pages shows it."""
        twin = ShownTable.__new__(ShownTable)
        twin.__dict__.update(self.__dict__, here=here)
        return twin

    def weights(self) -> list[int]:
        """Return the maximum bytes of each row on a page."""
        fixed = CELL_BYTES * len(self.columns)
        return [
            fixed
            + sum(
                len(text)
                if text.isalnum() and text.isascii()
                else len(escape(visible(text)).encode())
                for text in row
            )
            for row in self.rows
        ]

    def anchors(self) -> Iterator[tuple[str, str]]:
        """Yield each row's anchor with the file that has it."""
        if self.listing.anchor is None:
            return
        start, stop = self._span()
        file = self.pages[self.here][0] if self.pages else self.listing.file
        for record in self.records[start:stop]:
            if anchor := self.listing.anchor(record):
                yield anchor, file

    def scripts(self) -> list[bytes]:
        """Return all rows for a browser, as the arguments of calls, each in a bounded file.

        A row has its anchor, 1 if it rests on few games, and its cells: a text, or a text and an
        address.
        """
        listing, few = self.listing, self.listing.few
        titles = [visible(column.title) for column in self.columns]

        def packed(record: Any, row: Sequence[str]) -> bytes:  # noqa: ANN401 - any record
            cells: list[object] = []
            for title, text in zip(titles, map(visible, row), strict=True):
                place = listing.place(title, text)
                cells.append([text, place] if place else text)
            anchor = (listing.anchor(record) if listing.anchor else None) or ""
            return msgspec.json.encode([anchor, int(bool(few and is_few(few, record))), cells])

        rows = (packed(record, row) for record, row in zip(self.records, self.rows, strict=True))
        return in_parts(rows)

    def fields(self) -> list[str]:
        """Return the names of the columns for a program, each a different one."""
        names: list[str] = []
        for column in self.columns:
            name = column.name or UNTITLED
            same = sum(field == name or field.startswith(f"{name}_") for field in names)
            names.append(f"{name}_{same + 1}" if name in names else name)
        return names

    def values(self) -> Iterator[list[object]]:
        """Yield each row for a program: numbers and days as values, the rest as text."""
        for record, row in zip(self.records, self.rows, strict=True):
            yield [
                _value(column, record, text) for column, text in zip(self.columns, row, strict=True)
            ]


FORM_WORDS = {"csv": "CSV", "json": "JSON", "parquet": "Parquet"}


def _value(column: Column, record: object, text: str) -> object:
    try:
        value = column.value_of(record)
    except (AttributeError, KeyError):
        return visible(text)
    if value is None or isinstance(value, bool | int | float):
        return value
    return value.isoformat() if isinstance(value, date | datetime) else visible(text)


def linked_table(listing: Listing, records: Sequence[Any]) -> Node:
    """Return a table whose cells lead to other pages where their text is known."""
    return ShownTable(listing, records)


def _cell(listing: Listing, title: str, text: str) -> Node:
    """Make a link of the person or tournament of a row."""
    if title not in LINKED and title != listing.heading:
        return text
    place, name = listing.place(title, text), isolated(text)
    return htpy.a(href=place)[name] if place else name


def in_parts(items: Iterable[bytes]) -> list[bytes]:
    """Join items of JSON to arrays that are each below the size of a script."""
    parts: list[list[bytes]] = [[]]
    size = 0
    for item in items:
        if parts[-1] and size + len(item) + 1 > SCRIPT_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += len(item) + 1
    return [b"[" + b",".join(part) + b"]" for part in parts]


def tables_in(content: Node, heading: str = "") -> Iterator[tuple[str, ShownTable]]:
    """Yield the tables of a page's content in order, each with the heading above it."""
    for table in _walk(content, [heading]):
        yield table.title, table


def _walk(content: Node, heading: list[str]) -> Iterator[ShownTable]:
    if isinstance(content, ShownTable):
        content.title = content.title or heading[0]
        yield content
    elif isinstance(content, htpy.Element):
        if content._name in {"h2", "h3"}:  # noqa: SLF001 - it has no other way to read it
            heading[0] = _text_of(content)
        yield from _walk(content._children, heading)  # noqa: SLF001 - as above
    elif isinstance(content, list | tuple):
        for part in content:
            yield from _walk(part, heading)


def _text_of(content: object) -> str:
    if isinstance(content, htpy.Element):
        return _text_of(content._children)  # noqa: SLF001 - as above
    if isinstance(content, list | tuple):
        return "".join(map(_text_of, content))
    return content if isinstance(content, str) else ""


def numbered(file: str, number: int) -> str:
    """Name the page of a long table, by its first one and its number."""
    return file if number == 1 else file.replace(".html", f"-{number}.html")


def cut(table: ShownTable, file: str, first: int, further: int) -> None:
    """Continue a table in further pages: `first` bytes on its page, `further` on each other."""
    starts, room, used = [0], first, 0
    for place, weight in enumerate(table.weights()):
        count = place - starts[-1]
        if (used + weight > room and count >= ROWS_MIN) or count >= ROWS_MAX:
            starts.append(place)
            room, used = further, 0
        used += weight
    if len(starts) > 1:
        table.pages = [(numbered(file, at), start) for at, start in enumerate(starts, start=1)]


def rows_text() -> dict[str, str]:
    """Return the words of the script that sorts and filters."""
    return {
        "sort": tr("Sort by"),
        "plain": tr("as listed"),
        "all": tr("all"),
        "rows": tr("{shown} of {rows} rows"),
        "most": tr("{shown} of {rows} rows, the first {most} here"),
    }
