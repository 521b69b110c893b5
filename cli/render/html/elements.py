"""What pages are made of: a frame that needs nothing else, sections, and tables of records.

A page has no script, picture or other file; its own policy forbids whatever it does not hold.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
from markupsafe import Markup

from cli.render.records import as_read
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.terminal.tables import Column

_SEQS = re.compile(r"([0-9]{1,15})")
_NAMED = re.compile(
    r"(?:(?<=event )|(?<=ruling )|(?<=result )|(?<=dispute )|(?<=ruled by ))([0-9]{1,15})"
)
"""Where a text names an event by its number."""


class Links(NamedTuple):
    """The log that a page has at its end: its last event, and whether these rows are its lines."""

    last: int
    is_log: bool = False

    def row(self, record: Any) -> str | None:  # noqa: ANN401 - a table takes any record
        """Name a row of the log by its event."""
        return f"event-{record.seq}" if self.is_log else None


def web_page(title: str, style: str, body: Node) -> str:
    """Return the whole page; `style` is this program's own."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    page = htpy.html(lang="en")[
        htpy.head[
            htpy.meta(charset="utf-8"),
            htpy.meta(http_equiv="Content-Security-Policy", content=policy),
            htpy.meta(name="viewport", content="width=device-width, initial-scale=1"),
            htpy.meta(name="referrer", content="no-referrer"),
            htpy.title[title],
            htpy.style[Markup(style)],  # noqa: S704 - no text of the log is in it
        ],
        htpy.body[body],
    ]
    return f"{page}\n"


def section(
    title: str,
    columns: Sequence[Column],
    records: Iterable[Any],
    otherwise: str,
    *,
    marked: str = "",
    links: Links | None = None,
) -> Node:
    """Return a heading and a table of records, or what is said without a record.

    The cells under the title `marked` are styled by what they say. Numbers of events are
    links to their lines.
    """
    listed = list(records)
    shown, rows = as_read(columns, listed)
    if not rows:
        return [htpy.h2[title], htpy.p[otherwise]]
    titles = [each.title for each in shown]
    return [
        htpy.h2[title],
        htpy.table[
            htpy.tr[(htpy.th[each] for each in titles)],
            (
                htpy.tr(id=links.row(record) if links else None)[
                    (_cell(*each, marked, links) for each in zip(titles, row, strict=True))
                ]
                for record, row in zip(listed, rows, strict=True)
            ),
        ],
    ]


def _cell(title: str, text: str, marked: str, links: Links | None) -> Node:
    """Return a cell; on a narrow screen it says its title, as the table's head is not shown."""
    safe = visible(text)
    if title == marked:
        return htpy.td(data_is=title)[htpy.span(class_=safe)[safe]]
    if not links:
        return htpy.td(data_is=title)[safe]
    found = _SEQS if title in {"event", "events"} else _NAMED
    return htpy.td(data_is=title)[_with_links(found, safe, links.last)]


def _with_links(found: re.Pattern[str], text: str, last: int) -> list[Node]:
    """Make links of the numbers of events, each to its line of the log on this page."""
    parts = found.split(text)
    return [
        htpy.a(href=f"#event-{part}")[part] if place % 2 and 0 < int(part) <= last else part
        for place, part in enumerate(parts)
    ]
