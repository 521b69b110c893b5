"""What pages are made of: a frame that needs nothing else, sections, and tables of records.

A page has no script, picture or other file; its own policy forbids whatever it does not hold.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import htpy
from markupsafe import Markup

from cli.render.records import as_read
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.terminal.tables import Column


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
) -> Node:
    """Return a heading and a table of records, or what is said without a record.

    The cells under the title `marked` are styled by what they say.
    """
    shown, rows = as_read(columns, records)
    if not rows:
        return [htpy.h2[title], htpy.p[otherwise]]
    titles = [each.title for each in shown]
    return [
        htpy.h2[title],
        htpy.table[
            htpy.tr[(htpy.th[each] for each in titles)],
            (
                htpy.tr[(_cell(*each, marked) for each in zip(titles, row, strict=True))]
                for row in rows
            ),
        ],
    ]


def _cell(title: str, text: str, marked: str) -> Node:
    """Return a cell; on a narrow screen it says its title, as the table's head is not shown."""
    safe = visible(text)
    return htpy.td(data_is=title)[htpy.span(class_=safe)[safe] if title == marked else safe]
