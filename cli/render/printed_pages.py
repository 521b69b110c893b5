"""HTML pages for a browser's print dialog: tables, the sheet of the clock, slips and badges.

Pages of tables have large type, long lists of names in columns, and the heading of a table on each
sheet. Match slips come four to a sheet, to be cut across as one stack. Each link has a badge with
the code for a camera and the code to type.
"""

from __future__ import annotations

from operator import itemgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
from markupsafe import Markup

from cli.input.arguments import UsageError
from cli.input.find_people import bare_cut, cut_name
from cli.languages.speaking import first_of_several, language, tr
from cli.render.codes import svg_code, terminal_code
from cli.render.elements import records_table, web_page
from cli.render.pages import Blank, blanks, heading_of, in_piles
from cli.terminal.output import say, show_pages
from cli.terminal.visible import isolated, marking_names, short_id, shortened, visible
from cli.wording.page_words import link_holder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from htpy import Node

    from cli.desk.session import Desk
    from cli.input.file_names import OutFile
    from cli.machine.posted_words import PostedWords
    from cli.terminal.tables import Column
    from ledger.tournament.state import Match, Round, Tournament
    from ledger.tournament.table_records import Link
    from projections.standings.bracket import Bracket

PRINT_STYLE = """
@page { margin: 12mm; }
body { font-size: 15pt; max-width: 190mm; padding-top: 1rem; }
main { padding: 0; }
section { break-after: page; margin-bottom: 10mm; }
section:last-child { break-after: auto; }
h1 { font-size: 20pt; margin: 0; }
p.words { font-size: 11pt; margin: 1mm 0 0; }
p.words + p.words { font-size: 13pt; font-weight: 600; margin: 0 0 3mm; }
p.clock { font-size: 64pt; font-weight: 700; margin: 20mm 0; text-align: center; line-height: 1.1; }
td, th { padding: 1mm 3mm 1mm 0; overflow-wrap: break-word; }
@media print {
  body { font-size: 14pt; }
  td, th { line-height: 1.15; padding-block: .4mm; }
  thead th { font-size: 11pt; }
}
@media screen and (max-width: 40rem) { body { font-size: 12pt; } p.clock { font-size: 36pt; } }
"""
LANDSCAPE_STYLE = """
@page { size: landscape; }
body { max-width: 265mm; }
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


class PrintedPicture(NamedTuple):
    """A picture with its heading, on a separate sheet."""

    title: str
    picture: Node

    def node(self, below: Sequence[str] = ()) -> Node:
        """Return the picture as a section, with these lines under its title."""
        return htpy.section[
            htpy.h1[visible(self.title)],
            [htpy.p(class_="words")[visible(line)] for line in below],
            self.picture,
        ]


def _bracket_sheets(
    tournament: Tournament, stage: Bracket
) -> Iterator[PrintedPicture | PrintedTable]:
    """Yield an elimination stage for a browser: its picture, a table for each round, the places.

    A large bracket is drawn in parts of one sheet each.
    """
    from cli.render.bracket_grids import grid_of, parts_of
    from cli.render.bracket_pictures import PAGE_PLAYERS, figure
    from cli.render.brackets import bracket_tables, bracket_words

    name = isolated(visible(tournament.opening.name)) if tournament.opening else ""
    grid = grid_of(stage)
    for part in parts_of(grid, PAGE_PLAYERS) if grid else ():
        title = tr("{name} - bracket{part}", name=name, part=part.part_in_words)
        yield PrintedPicture(title, figure(part, bracket_words(tournament)))
    for title, columns, rows, _ in bracket_tables(tournament, stage, factions=True):
        yield PrintedTable(
            f"{name} - {title or tr('bracket')}",
            [
                column._replace(value=itemgetter(place), text=itemgetter(place))
                for place, column in enumerate(columns)
            ],
            rows,
        )


@marking_names()
def page_of_tables(title: str, sheets: Iterable[PrintedTable], below: Sequence[str] = ()) -> str:
    """Return a page of tables, each on sheets of its own, with these lines under each title."""
    return web_page(visible(title), PRINT_STYLE, htpy.main[(each.node(below) for each in sheets)])


@marking_names()
def page_of_bracket(tournament: Tournament, stage: Bracket, below: Sequence[str] = ()) -> str:
    """Return a page of a bracket on landscape sheets, with these lines under each title."""
    sheets = list(_bracket_sheets(tournament, stage))
    nodes = htpy.main[(each.node(below) for each in sheets)]
    return web_page(visible(sheets[0].title), PRINT_STYLE + LANDSCAPE_STYLE, nodes)


@marking_names()
def page_of_clock(title: str, lines: Sequence[str], large: str) -> str:
    """Return the sheet of a round's clock: what is large in the middle, the rest around it."""
    head, *rest = lines
    body = [
        htpy.h1[visible(head)],
        htpy.p(class_="clock")[large],
        *(htpy.p[line] for line in rest if line != large),
    ]
    return web_page(visible(title), PRINT_STYLE, htpy.main[htpy.section[body]])


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
        raise UsageError(tr("{file}: there is nothing to print", file=output))
    desk.files.write(output, [text.encode()], is_secret=is_secret)
    say(tr("{file}: open this file to print it", file=output))


SLIPS_A_SHEET = 4
NAME_CELLS = 64

SLIPS_STYLE = """
@page { margin: 8mm 12mm; }
main { padding: 0; }
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


@marking_names()
def slips_page(tournament: Tournament, played: Round, words: PostedWords | None = None) -> str:
    """Return a page with a slip for every match that is played, with the six words."""
    title = heading_of(tournament, played)
    blank = blanks(tournament.ruleset)
    matches = [match for match in played.matches if not match.is_bye]
    shown = words.line if words else ""
    sheets = in_piles(
        [_slip(tournament, title, shown, each, blank) for each in matches], SLIPS_A_SHEET
    )
    body = htpy.main[
        htpy.h1(class_="unseen")[title],
        (htpy.div(class_="sheet")[slips] for slips in sheets),
    ]
    return web_page(title, SLIPS_STYLE, body)


def _slip(tournament: Tournament, title: str, words: str, match: Match, blank: list[Blank]) -> Node:
    names = [cut_name(tournament, each, NAME_CELLS) for each in match.players]
    return htpy.section(class_="slip")[
        htpy.h2[htpy.strong[tr("Table {table}", table=match.table)], title],
        htpy.p(class_="note words")[words] if words else None,
        (_side(each, bare_cut(tournament, each, NAME_CELLS), blank) for each in match.players),
        htpy.p(class_="foot")[(_line(each) for each in (tr("start"), tr("end"), tr("judge")))],
        htpy.p(class_="foot")[(htpy.span(class_="sign")[name] for name in names)],
    ]


def _side(player: int, name: str, blank: list[Blank]) -> Node:
    return htpy.div(class_="side")[
        htpy.span(class_="who")[name, " ", htpy.small[f"#{player}"]],
        (_box(each.name) if each.is_box else _line(each.name, each.range) for each in blank),
        htpy.span(class_="note")[_box(tr("drops out"))],
    ]


def _box(name: str) -> Node:
    return htpy.span(class_="blank")[htpy.span(class_="box"), name]


def _line(name: str, note: str = "") -> Node:
    return htpy.span(class_="blank")[
        f"{name} ", htpy.span(class_="line"), f" {note}" if note else ""
    ]


BADGE_NAME_CELLS = 48
DRAWN_MAX = 4
"""How many codes are drawn on a terminal; more belong on paper."""

BADGES_STYLE = """
@page { margin: 8mm; }
main { padding: 0; }
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


def link_slip(tournament: Tournament, stream: str, link: Link, key: bytes, base: str) -> LinkSlip:
    """Return the slip of a link; `base` is the address of the hall, without its last slash."""
    from ledger.books.links import code_of, secret_of_link, shown_code

    return LinkSlip(
        link.number,
        link.of,
        link_holder(tournament, link.of),
        f"{base}/e/{short_id(stream)}/in#{secret_of_link(key, link)}",
        shown_code(code_of(key, link)),
    )


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
    return [
        *drawn,
        slip.name,
        f"  {slip.address}",
        f"  {tr('or at {address}: {code}', address=_where(slip), code=slip.code)}",
    ]


def _where(slip: LinkSlip) -> str:
    """Return the address without its secret."""
    return slip.address.partition("#")[0]


@marking_names()
def links_page(title: str, slips: Sequence[LinkSlip]) -> str:
    """Return the page of badges."""
    badges = htpy.div(class_="badges")[(_badge(title, each) for each in slips)]
    body = htpy.main[htpy.h1(class_="unseen")[isolated(title)], badges]
    return web_page(title, BADGES_STYLE, body)


def _at(address: str) -> str:
    """Return the words of an address; in several languages, for which there is no room, only it."""
    is_one_language = first_of_several(language()) == language()
    return tr("at {address}", address=address) if is_one_language else address


def _badge(title: str, slip: LinkSlip) -> Node:
    name = isolated(shortened(visible(slip.name), BADGE_NAME_CELLS))
    return htpy.section(class_="badge")[
        htpy.h2[name],
        Markup(svg_code(slip.address.encode())),  # noqa: S704 - drawn here
        htpy.div[
            htpy.p[isolated(shortened(title, BADGE_NAME_CELLS))],
            htpy.p[tr("Scan this with your camera, or type")],
            htpy.p(class_="code")[slip.code],
            htpy.p(class_="where")[_at(_where(slip).removeprefix("http://"))],
        ],
    ]
