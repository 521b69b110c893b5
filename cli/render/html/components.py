"""What pages are made of: sections, and tables of records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import htpy

from cli.render.records import as_read
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.terminal.tables import Column


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
