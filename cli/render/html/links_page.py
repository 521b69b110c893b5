"""Links to be cut apart: a badge each, with the code that a camera opens and the one to type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy
from markupsafe import Markup

from cli.render.codes import svg_code, terminal_code
from cli.render.html.elements import web_page
from cli.render.html.print_page import write_page
from cli.terminal.visible import shortened, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.desk.session import Desk
    from cli.input.file_names import OutFile

NAME_CELLS = 48
DRAWN_MAX = 4
"""How many codes are drawn on a terminal; more belong on paper."""

STYLE = """
@page { margin: 8mm; }
body { max-width: 194mm; }
.badges { display: flex; flex-wrap: wrap; }
.badge { border: .5pt dashed var(--line); box-sizing: border-box; break-inside: avoid; }
.badge { display: flex; flex: 0 0 50%; flex-wrap: wrap; gap: 2mm 4mm; padding: 4mm; height: 54mm; }
.badge { overflow: hidden; }
.badge h2 { flex: 1 0 100%; font-size: 14pt; margin: 0; overflow: hidden; white-space: nowrap; }
.badge h2 { text-overflow: ellipsis; }
.badge svg { background: #fff; height: 36mm; width: 36mm; }
.badge div { flex: 1 1 40mm; font-size: 9pt; }
.badge p { margin: 0 0 1.5mm; }
.badge .code { font-family: ui-monospace, monospace; font-size: 10pt; font-weight: 700; }
.badge .code { white-space: nowrap; }
.badge .where { overflow-wrap: anywhere; }
@media screen and (max-width: 40rem) { .badge { flex-basis: 100%; height: auto; } }
"""


class LinkSlip(NamedTuple):
    """What somebody is given: their link's number, whose it is, its address, its code to type."""

    link: int
    of: str
    name: str
    address: str
    code: str


def write_slips(desk: Desk, slips: Sequence[LinkSlip], output: OutFile) -> None:
    """Print links, or write them to a file that only its owner can read.

    A file whose name ends in .html is a web page.
    """
    tournament = desk.book.tournament
    title = visible(tournament.opening.name) if tournament.opening else ""
    is_drawn = len(slips) <= DRAWN_MAX
    pages = [_lines(each, is_drawn=is_drawn) for each in slips]
    html = links_page(title, slips) if output else ""
    text = pages if is_drawn else [[line for each in pages for line in each]]
    write_page(desk, output, html, text, is_secret=True)


def _lines(slip: LinkSlip, *, is_drawn: bool) -> list[str]:
    drawn = terminal_code(slip.address.encode()).decode().splitlines() if is_drawn else []
    return [*drawn, slip.name, f"  {slip.address}", f"  or at {_where(slip)}: {slip.code}"]


def _where(slip: LinkSlip) -> str:
    """Return the address without its secret."""
    return slip.address.partition("#")[0]


def links_page(title: str, slips: Sequence[LinkSlip]) -> str:
    """Return the page of badges."""
    badges = htpy.div(class_="badges")[(_badge(title, each) for each in slips)]
    return web_page(title, STYLE, [badges])


def _badge(title: str, slip: LinkSlip) -> Node:
    name = shortened(visible(slip.name), NAME_CELLS)
    return htpy.section(class_="badge")[
        htpy.h2[name],
        Markup(svg_code(slip.address.encode())),  # noqa: S704 - drawn here
        htpy.div[
            htpy.p[shortened(title, NAME_CELLS)],
            htpy.p["Open this with your camera, or type"],
            htpy.p(class_="code")[slip.code],
            htpy.p(class_="where")["at ", _where(slip).removeprefix("http://")],
        ],
    ]
