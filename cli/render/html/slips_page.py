"""Match slips for a browser's print dialog: four to a sheet, to be cut across as one stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import name_of
from cli.render.html.elements import web_page
from cli.render.pages import heading_of
from cli.render.slips import Blank, blanks, in_piles
from cli.terminal.visible import shortened, visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.heads.posted_words import PostedWords
    from ledger.tournament.state import Match, Round, Tournament

SLIPS_A_SHEET = 4
NAME_CELLS = 64

STYLE = """
@page { margin: 8mm 12mm; }
body { font-size: 11pt; line-height: 1.3; max-width: 190mm; }
.sheet { break-after: page; }
.sheet:last-child { break-after: auto; }
.slip { border-bottom: 1px dashed var(--ink); break-inside: avoid; padding: 3mm 0 4mm; }
.slip { display: flex; flex-direction: column; justify-content: space-between; min-height: 64mm; }
.slip h2 { display: flex; gap: 6mm; align-items: baseline; font-size: 11pt; margin: 0; }
.slip h2 { font-weight: 400; }
.slip strong { font-size: 20pt; white-space: nowrap; }
.side { display: flex; flex-wrap: wrap; gap: 1mm 6mm; align-items: end; padding: 2mm 0; }
.side { border-top: .5pt solid var(--line); }
.side .who { flex: 1 1 60mm; font-size: 13pt; font-weight: 600; }
.side .who small, .note { font-size: 9pt; font-weight: 400; }
.words { margin: 0; }
.blank { white-space: nowrap; }
.box { border: 1pt solid var(--ink); display: inline-block; height: 4.5mm; width: 4.5mm; }
.box { margin-right: 1.5mm; vertical-align: -.8mm; }
.line { border-bottom: 1pt solid var(--ink); display: inline-block; width: 22mm; height: 6mm; }
.foot { display: flex; flex-wrap: wrap; gap: 3mm 8mm; margin: 0; }
.sign { flex: 1 1 60mm; border-top: 1pt solid var(--ink); font-size: 9pt; margin-top: 9mm; }
.sign { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media print { .slip { height: 64mm; overflow: hidden; } .sheet .slip:last-child { border: 0; } }
@media screen and (max-width: 40rem) { .slip { min-height: 0; } }
"""


def slips_page(tournament: Tournament, played: Round, words: PostedWords | None = None) -> str:
    """Return a page with a slip for every match that is played, with the six words."""
    title = heading_of(tournament, played)
    blank = blanks(tournament.ruleset)
    matches = [match for match in played.matches if not match.is_bye]
    shown = words.line if words else ""
    sheets = in_piles(
        [_slip(tournament, title, shown, each, blank) for each in matches], SLIPS_A_SHEET
    )
    return web_page(title, STYLE, [htpy.div(class_="sheet")[slips] for slips in sheets])


def _slip(tournament: Tournament, title: str, words: str, match: Match, blank: list[Blank]) -> Node:
    names = [shortened(visible(name_of(tournament, each)), NAME_CELLS) for each in match.players]
    return htpy.section(class_="slip")[
        htpy.h2[htpy.strong[f"Table {match.table}"], title],
        htpy.p(class_="note words")[words] if words else None,
        (_side(each, name, blank) for each, name in zip(match.players, names, strict=True)),
        htpy.p(class_="foot")[(_line(each) for each in ("start", "end", "judge"))],
        htpy.p(class_="foot")[(htpy.span(class_="sign")[name] for name in names)],
    ]


def _side(player: int, name: str, blank: list[Blank]) -> Node:
    return htpy.div(class_="side")[
        htpy.span(class_="who")[name, " ", htpy.small[f"#{player}"]],
        (_box(each.name) if each.is_box else _line(each.name, each.range) for each in blank),
        htpy.span(class_="note")[_box("leaves the event")],
    ]


def _box(name: str) -> Node:
    return htpy.span(class_="blank")[htpy.span(class_="box"), name]


def _line(name: str, note: str = "") -> Node:
    return htpy.span(class_="blank")[
        f"{name} ", htpy.span(class_="line"), f" {note}" if note else ""
    ]
