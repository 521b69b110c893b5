"""Pages for a browser's print dialog: pairings, standings and the sheet of the clock.

Large type, names in columns where they are many, the heading of a table again on each sheet.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy

from cli.input.arguments import UsageError
from cli.render.html.elements import records_table, web_page
from cli.terminal.diagnostics import say
from cli.terminal.output import show_pages
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from htpy import Node

    from cli.desk.session import Desk
    from cli.input.file_names import OutFile
    from cli.terminal.tables import Column

STYLE = """
@page { margin: 12mm; }
body { font-size: 15pt; max-width: 190mm; padding-top: 1rem; }
section { break-after: page; margin-bottom: 10mm; }
section:last-child { break-after: auto; }
h1 { font-size: 20pt; margin: 0; }
p.words { font-size: 11pt; margin: 1mm 0 0; }
p.words + p.words { font-size: 13pt; font-weight: 600; margin: 0 0 3mm; }
p.clock { font-size: 64pt; font-weight: 700; margin: 20mm 0; text-align: center; line-height: 1.1; }
td, th { padding: 1mm 3mm 1mm 0; overflow-wrap: break-word; }
@media print { body { font-size: 14pt; } thead th { font-size: 11pt; } }
@media screen and (max-width: 40rem) { body { font-size: 12pt; } p.clock { font-size: 36pt; } }
"""
HTML = frozenset({".html", ".htm"})


class PrintedTable(NamedTuple):
    """A table with its heading: what one section of a page is made of."""

    title: str
    columns: Sequence[Column]
    records: Iterable[Any]
    note: str = ""
    heading: str = "player"
    """The title of the column that names a row."""

    def node(self, below: Sequence[str] = ()) -> Node:
        """Return it as a section of its own sheets, with these lines under its title."""
        return htpy.section[
            htpy.h1[visible(self.title)],
            [htpy.p(class_="words")[visible(line)] for line in below],
            htpy.p(class_="about")[visible(self.note)] if self.note else None,
            records_table(self.columns, self.records, heading=self.heading),
        ]


def page_of_tables(title: str, sheets: Iterable[PrintedTable], below: Sequence[str] = ()) -> str:
    """Return a page of tables, each on sheets of its own, with these lines under each title."""
    return web_page(visible(title), STYLE, [each.node(below) for each in sheets])


def page_of_clock(title: str, lines: Sequence[str], large: str) -> str:
    """Return the sheet of a round's clock: what is large in the middle, the rest around it."""
    head, *rest = lines
    body = [
        htpy.h1[visible(head)],
        htpy.p(class_="clock")[large],
        *(htpy.p[line] for line in rest if line != large),
    ]
    return web_page(visible(title), STYLE, [htpy.section[body]])


def write_page(
    desk: Desk,
    output: OutFile,
    html: str,
    pages: Iterable[Iterable[str]],
    *,
    is_secret: bool = False,
) -> None:
    """Print pages of text, or write them to a file; one whose name ends in .html is a web page.

    Only its owner can read a file that `is_secret`.
    """
    if not output:
        show_pages(pages)
        return
    if PurePath(output.typed).suffix.lower() in HTML:
        text = html
    else:
        text = "\f".join("".join(f"{visible(line)}\n" for line in page) for page in pages)
    if not text:
        raise UsageError(f"{output}: there is nothing to print")
    desk.files.write(output, [text.encode()], is_secret=is_secret)
    say(f"{output}: open it, and print it from there")
