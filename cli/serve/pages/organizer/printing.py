"""The desk's page of sheets to print, and the sheets themselves as pages of the browser.

A sheet is the page that `--print -o FILE.html` writes. Its style is served as a file, because the
policy of the hall lets no page carry a style inside.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import htpy
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cli.languages.speaking import marked, speaking, tr
from cli.machine.posted_words import posted_words, sheet_lines
from cli.serve.acts import official_of
from cli.serve.door.guard import is_private
from cli.serve.pages.organizer.desk import tabbed
from cli.serve.pages.organizer.lines import LINE_FORMS, act_forms
from cli.serve.pages.organizer.links import base_for, issue_all, may_show, slips_of
from cli.serve.refusals import FRESH, NotTheirs
from cli.terminal.visible import isolated, marking_names, visible
from ledger.errors import NotFound
from ledger.problems import phrase, problem
from ledger.tournament.progress import latest_round
from ledger.tournament.table_records import link_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.pages.organizer.lines import Sight
    from cli.serve.pages.showing import Screens
    from ledger.tournament.state import Round, Tournament

STYLE_SECONDS = 3600
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


class PrintedSheet(NamedTuple):
    """A sheet: the last word of its path, its title, and the function that makes its page."""

    path: str
    title: str
    about: str
    html: Callable[[Desk], str]


def _round_of(tournament: Tournament) -> Round:
    played = latest_round(tournament)
    if played is None:
        raise NotFound(phrase("no round is paired yet: pair a round, then print"))
    return played


def _pairings(place: int) -> Callable[[Desk], str]:
    """Return the function that makes the pairings by table (0) or by name (1)."""

    def made(desk: Desk) -> str:
        from cli.render.pages import heading_of, pairing_tables
        from cli.render.printed_pages import PrintedTable, page_of_tables

        tournament = desk.book.tournament
        played = _round_of(tournament)
        name, columns, records = list(pairing_tables(tournament, played))[place]
        table = PrintedTable(name, columns, records, heading=columns[0].title)
        below = sheet_lines(posted_words(desk.book, tournament))
        return page_of_tables(heading_of(tournament, played), [table], below)

    return made


def _slips(desk: Desk) -> str:
    from cli.render.printed_pages import slips_page

    tournament = desk.book.tournament
    words = posted_words(desk.book, tournament)
    return slips_page(tournament, _round_of(tournament), words)


def _standings(desk: Desk) -> str:
    from cli.render.game_tables import counted_in_words
    from cli.render.pages import printed_standings
    from cli.render.printed_pages import PrintedTable, page_of_tables
    from projections.standings.table import everyone

    tournament = desk.book.tournament
    table = everyone(tournament)
    name = tournament.opening.name if tournament.opening else ""
    title = f"{isolated(visible(name))} - {tr('standings')}"
    sheet = PrintedTable(
        title,
        printed_standings(tournament, table),
        table.rows,
        counted_in_words(tournament, table),
    )
    below = sheet_lines(posted_words(desk.book, tournament))
    return page_of_tables(title, [sheet], below)


def _bracket(desk: Desk) -> str:
    from cli.render.printed_pages import page_of_bracket
    from projections.standings.bracket import bracket

    tournament = desk.book.tournament
    stage = bracket(tournament)
    if not stage.rounds and not stage.ranking:
        raise NotFound(phrase("the elimination has not begun"))
    below = sheet_lines(posted_words(desk.book, tournament))
    return page_of_bracket(tournament, stage, below)


SHEETS = (
    PrintedSheet("pairings", marked("Pairings by table"), marked("for the wall"), _pairings(0)),
    PrintedSheet("names", marked("Pairings by name"), marked("for the wall"), _pairings(1)),
    PrintedSheet("slips", marked("Match slips"), marked("one for each table, to cut"), _slips),
    PrintedSheet("standings", marked("Standings"), marked("for the wall"), _standings),
    PrintedSheet("bracket", marked("Bracket"), marked("once the cut is made"), _bracket),
)


def print_page(sight: Sight) -> Node:
    """Return the page: each sheet as a link, the postings, and the badges."""
    return tabbed(
        sight,
        "/desk/print",
        htpy.h2[tr("Sheets")],
        htpy.p(class_="hint")[tr("Each opens as a page: print it with the browser.")],
        htpy.ul(class_="sheets")[
            (
                htpy.li[
                    htpy.a(href=f"desk/print/{sheet.path}", target="_blank")[tr(sheet.title)],
                    f" {tr(sheet.about)}",
                ]
                for sheet in SHEETS
            ),
            htpy.li[
                htpy.a(href="desk/print/badges", target="_blank")[tr("Badges of all players")],
                " ",
                tr("each with its link as a code"),
            ],
        ],
        htpy.h2[tr("Post before you print")],
        htpy.p(class_="hint")[
            tr(
                "A posting records what hangs on the wall. Sheets printed after it show its six "
                "words."
            )
        ],
        htpy.div(class_="row")[
            act_forms(sight, [LINE_FORMS["post-pairings"], LINE_FORMS["post-standings"]])
        ],
        htpy.h2[tr("Links of players")],
        issue_all(sight),
    )


class PrintPages:
    """The sheets, the badges, and the styles that they ask for."""

    def __init__(self, hall: Hall, screens: Screens) -> None:
        """`screens` know the languages of sheets."""
        self._hall, self._screens = hall, screens
        self._styles: dict[str, str] = {}
        self.routes = [
            Route("/desk/print/style/{name}", self.style),
            Route("/desk/print/badge/{of}", self.badges),
            Route("/desk/print/badges", self.badges),
            Route("/desk/print/{sheet}", self.sheet),
        ]

    async def style(self, request: Request) -> Response:
        """Answer with the style of a sheet that was made before."""
        text = self._styles.get(request.path_params["name"])
        if text is None:
            raise NotFound(phrase("there is no such style: open the sheet again"))
        cached = {"Cache-Control": f"max-age={STYLE_SECONDS}"}
        return Response(text, media_type="text/css", headers=cached)

    async def sheet(self, request: Request) -> Response:
        """Answer with a sheet."""
        await official_of(request)
        name = request.path_params["sheet"]
        sheet = next((sheet for sheet in SHEETS if sheet.path == name), None)
        if sheet is None:
            raise NotFound(phrase("there is no such sheet"))

        def made(desk: Desk) -> str:
            with marking_names():
                return sheet.html(desk)

        with speaking(self._screens.spoken):
            return self._page(await self._hall.at_desk(made))

    async def badges(self, request: Request) -> Response:
        """Answer with the badges of all players who have a link, or of one holder."""
        from cli.render.printed_pages import links_page

        visitor = await official_of(request)
        of = request.path_params.get("of", "")
        if not is_private(request.scope):
            raise NotTheirs(
                problem(
                    "links.heard",
                    "badges are shown only on this computer or over TLS: they have secret links",
                )
            )
        base = base_for(self._hall, str(request.base_url), of)

        def made(desk: Desk) -> str:
            tournament = desk.book.tournament
            holders = [of] if of else [f"p{number}" for number in tournament.active()]
            links = tournament.floor.links
            holders = [holder for holder in holders if link_of(links, holder) is not None]
            if not all(may_show(desk.book, visitor, holder) for holder in holders):
                raise NotTheirs(
                    problem(
                        "links.not_shown",
                        "a link can be seen only by its holder, by the official who issued it and "
                        "by the organizer: ask the organizer, or issue new links",
                    )
                )
            slips = slips_of(desk, holders, base)
            if not slips:
                raise NotFound(phrase("no player has a link yet: issue links on /desk/print"))
            title = tournament.opening.name if tournament.opening else ""
            return links_page(visible(title), slips)

        with speaking(self._screens.spoken):
            return self._page(await self._hall.at_desk(made))

    def _page(self, html: str) -> HTMLResponse:
        """Return a sheet that asks for its style instead of carrying it."""
        style = _STYLE.search(html)
        if style is None:
            return HTMLResponse(html, headers=FRESH)
        name = f"{sha256(style[1].encode()).hexdigest()[:16]}.css"
        self._styles[name] = style[1]
        base = htpy.base(href=self._hall.heading.base)
        link = f'{base}<link rel="stylesheet" href="desk/print/style/{name}">'
        html = _POLICY.sub("", html[: style.start()] + link + html[style.end() :])
        return HTMLResponse(html, headers=FRESH)
