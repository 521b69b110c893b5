"""Pages for a browser's print dialog: pairings, standings, slips and the sheet of the clock.

Large type, names in columns where they are many, the heading of a table again on each sheet.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import htpy

from cli.input.arguments import UsageError
from cli.render.html.elements import web_page
from cli.render.records import as_read
from cli.terminal.diagnostics import say
from cli.terminal.output import show_pages
from cli.terminal.visible import visible
from ledger.files.access import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from htpy import Node

    from cli.terminal.tables import Column

STYLE = """
:root { color-scheme: light; }
@page { margin: 12mm; }
body { font: 15pt/1.35 system-ui, sans-serif; margin: 1rem auto; max-width: 190mm; }
section { break-after: page; margin-bottom: 10mm; }
section:last-child { break-after: auto; }
h1 { font-size: 20pt; margin: 0; }
p { margin: 0 0 4mm; font-size: 11pt; }
p.clock { font-size: 64pt; font-weight: 700; margin: 20mm 0; text-align: center; line-height: 1.1; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
th { text-align: left; font-size: 11pt; border-bottom: 1.5pt solid #000; }
td { border-bottom: 0.5pt solid #999; padding: 1mm 2mm 1mm 0; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; padding-right: 5mm; width: 1%; white-space: nowrap; }
tr { break-inside: avoid; }
pre { font: 10pt/1.25 ui-monospace, monospace; margin: 0; white-space: pre-wrap; }
@media (max-width: 500px) { body { font-size: 12pt; margin: 0.5rem; } p.clock { font-size: 36pt; } }
"""
HTML = frozenset({".html", ".htm"})


class PrintedTable:
    """A table with its heading: what one section of a page is made of."""

    def __init__(
        self, title: str, columns: Sequence[Column], records: Iterable[Any], note: str = ""
    ) -> None:
        self.title, self.note = title, note
        self.columns, self.rows = as_read(columns, records)

    def node(self) -> Node:
        """Return it as a section of its own sheets."""
        kinds = ["number" if column.right else "text" for column in self.columns]
        titles = [column.title for column in self.columns]
        return htpy.section[
            htpy.h1[visible(self.title)],
            htpy.p[visible(self.note)],
            htpy.table[
                htpy.thead[
                    htpy.tr[(htpy.th(class_=k)[t] for k, t in zip(kinds, titles, strict=True))]
                ],
                htpy.tbody[
                    (
                        htpy.tr[
                            (
                                htpy.td(class_=kind)[visible(cell)]
                                for kind, cell in zip(kinds, row, strict=True)
                            )
                        ]
                        for row in self.rows
                    )
                ],
            ],
        ]


def page_of_tables(title: str, tables: Iterable[PrintedTable]) -> str:
    """Return a page of tables, each on sheets of its own."""
    return web_page(title, STYLE, [table.node() for table in tables])


def page_of_texts(title: str, pages: Iterable[Sequence[str]]) -> str:
    """Return a page of what is laid out as text: a sheet for each page of it."""
    return web_page(
        title,
        STYLE,
        [htpy.section[htpy.pre["\n".join(visible(line) for line in page)]] for page in pages],
    )


def page_of_clock(title: str, lines: Sequence[str], large: str) -> str:
    """Return the sheet of a round's clock: what is large in the middle, the rest around it."""
    head, *rest = lines
    body = [
        htpy.h1[head],
        htpy.p(class_="clock")[large],
        *(htpy.p[line] for line in rest if line != large),
    ]
    return web_page(title, STYLE, [htpy.section[body]])


def write_page(output: str, html: str, pages: Iterable[Iterable[str]]) -> None:
    """Print pages of text, or write them to a file; one whose name ends in .html is a web page."""
    if not output:
        show_pages(pages)
        return
    path = Path(output)
    if path.suffix.lower() in HTML:
        text = html
    else:
        text = "\f".join("".join(f"{visible(line)}\n" for line in page) for page in pages)
    if not text:
        raise UsageError(f"{output}: there is nothing to print")
    write_whole(path, [text.encode()])
    say(f"{output}: open it, and print it from there")
