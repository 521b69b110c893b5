"""Routes of screens: a screen's page, its news, and the form that assigns the screen.

/screen              leads to the next number that no browser has
/screen/N            the page; it turns by its script, or loads itself again without one
/screen/N/part       one sheet; with `whole`, each list in one table for the script to arrange
/screen/N/stream     reports new content, or other content
/announce            receives an announcement, or ends it
/screens             receives the content that an official assigns to a screen

The content of a screen is not part of the record: it decides nothing, and stays in this folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy
import msgspec
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli import outside
from cli.input.moments import minute_in
from cli.languages.speaking import codes, first_of_several, language, speaking, tr
from cli.render.elements import tr_nodes, with_isolates
from cli.render.round_clock import clock_state, time_left
from cli.serve.acts import official_of
from cli.serve.forms import fields_of, number, own_path
from cli.serve.pages.frame import news_node, notice_node, words_node
from cli.serve.pages.script_texts import texts_script
from cli.serve.pages.showing import LANGUAGES, NUMBER_MAX, Screens, ScreenSheet, sheets_of
from cli.serve.parts import RUNNING
from cli.serve.ports.numbers import code_for_phones
from cli.serve.refusals import FRESH
from cli.serve.stream import (
    BEAT,
    HEARTBEAT_SECONDS,
    Streams,
    asked_for,
    beyond_message,
    notice_message,
    posting_message,
)
from cli.serve.visitors import ASKER, visitor_of
from cli.terminal.visible import isolated, marking_names, visible
from ledger.errors import LedgerError, NotFound
from ledger.problems import phrase
from ledger.tournament.progress import latest_round
from ledger.tournament.round_clock import clock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from htpy import Node
    from starlette.requests import Request

    from cli.serve.hall import Hall
    from cli.serve.pages.frame import EventHeading
    from cli.serve.pages.organizer.links import Refusing
    from cli.serve.pages.showing import Showing
    from ledger.tournament.state import Round, Tournament

SEE_OTHER = 303
TURN_SECONDS = 8
ADDRESS_STREAMS, STREAMS_MAX = 16, 200
"""Streams of screens, of one address and of all: pages of players have their own."""


def screen_streams() -> Streams:
    """Return the streams of a hall's screens."""
    return Streams(ADDRESS_STREAMS, STREAMS_MAX)


class ScreenPages:
    """What browsers that are screens ask for."""

    def __init__(self, hall: Hall, streams: Streams, screens: Screens, refused: Refusing) -> None:
        """`refused` shows the page of a form that is refused."""
        self._hall, self._streams, self._screens = hall, streams, screens
        self._refused = refused
        self._made: dict[tuple[Showing, bool, str], list[ScreenSheet]] = {}
        self._made_of = 0
        self.routes = [
            Route("/screen", self.next_one),
            Route("/screen/{number:int}", self.page),
            Route("/screen/{number:int}/part", self.part),
            Route("/screen/{number:int}/stream", self.stream),
            Route("/screens", self.assign, methods=["POST"]),
            Route("/announce", self.announce, methods=["POST"]),
        ]

    async def next_one(self, request: Request) -> Response:
        """Let a browser be the next screen."""
        free = self._screens.next_free(_address(request))
        return RedirectResponse(f"/screen/{free}", SEE_OTHER, FRESH)

    async def page(self, request: Request) -> Response:
        """Answer with a whole page, of one sheet."""
        which, place = await self._asked(request)

        @marking_names()
        def made(tournament: Tournament) -> str:
            content, following = self._sheet(tournament, which, place)
            again = f"{TURN_SECONDS};url=screen/{which}?sheet={following}"
            code = code_for_phones(self._hall.public_address())
            return _page(self._hall.heading, which, content, again, tournament.seq, code)

        with speaking(self._screens.spoken):
            return HTMLResponse(await self._hall.view(made), headers=FRESH)

    async def part(self, request: Request) -> Response:
        """Answer with one sheet."""
        which, place = await self._asked(request)
        is_whole = "whole" in request.query_params

        @marking_names()
        def made(tournament: Tournament) -> str:
            shown = (
                self._whole(tournament, which)
                if is_whole
                else self._sheet(tournament, which, place)[0]
            )
            return with_isolates(str(htpy.fragment[shown]))

        with speaking(self._screens.spoken):
            return HTMLResponse(await self._hall.view(made), headers=FRESH)

    async def _asked(self, request: Request) -> tuple[int, int]:
        """Return the screen that is asked for, and which of its sheets; a link's has its budget."""
        which, place = _which(request)
        await visitor_of(request)
        self._screens.heard(which, _address(request))
        return which, place

    async def stream(self, request: Request) -> Response:
        """Answer with news of the log, and of what the screen shows."""
        which, _ = _which(request)
        await visitor_of(request)
        beyond = (await asked_for(self._hall, request)).beyond
        return self._streams.answer(ASKER.get(), self.messages(which, _address(request), beyond))

    async def assign(self, request: Request) -> Response:
        """Let a screen show what an official says."""
        await official_of(request)
        fields = fields_of(await request.body())
        try:
            if fields.get("form") == LANGUAGES:
                self._screens.speak([code for code in codes() if fields.get(code)])
                self._hall.wake()
                return RedirectResponse("/desk/settings#screens", SEE_OTHER, FRESH)
            which = number(fields, "screen")
            self._screens.assign(which, fields.get("content", ""), fields.get("text", ""))
        except LedgerError as error:
            return await self._refused(request, error)
        self._hall.wake()
        return RedirectResponse("/desk/settings#screens", SEE_OTHER, FRESH)

    async def announce(self, request: Request) -> Response:
        """Show an official's line on every page and screen, or end the line."""
        await official_of(request)
        fields = fields_of(await request.body())
        text = "" if fields.get("end") else fields.get("text", "")
        now = outside.now()
        at = await self._hall.view(lambda tournament: minute_in(tournament, now))
        try:
            self._screens.announce(text, at)
        except LedgerError as error:
            return await self._refused(request, error)
        self._hall.wake()
        return RedirectResponse(own_path(fields, "at"), SEE_OTHER, FRESH)

    async def messages(
        self, which: int, address: str = "", beyond: int = 0
    ) -> AsyncIterator[bytes]:
        """Yield that there is something new, for one screen, until the hall closes.

        `beyond` is the event up to which it saw a log that had more than this one.
        """
        yield b"retry: 2000\n\n"
        if beyond:
            yield beyond_message(self._hall, beyond)
        hall, known = self._hall, self._screens.version(which)
        position, notice, posted = hall.position, 0, None
        while not hall.closing:
            if (latest := hall.notice()).version != notice:
                notice = latest.version
                yield notice_message(latest)
            news = await hall.news_after(position, HEARTBEAT_SECONDS)
            version = self._screens.version(which)
            self._screens.heard(which, address)
            if news is None and version == known:
                if hall.notice().version == notice:
                    yield BEAT
                continue
            position, known = hall.position, version
            if (words := hall.heading.words) is not None and words != posted:
                posted = words
                yield posting_message(hall.event, words)
            data = msgspec.json.encode({"position": position})
            yield b"data: %s\nid: %d\n\n" % (data, position)

    def _sheet(self, tournament: Tournament, which: int, place: int) -> tuple[Node, int]:
        """Return a sheet with its place among all, and the next one's place."""
        showing = self._screens.showing(which)
        sheets = self._sheets(tournament, showing)
        at = place % len(sheets)
        sheet, following = sheets[at], (at + 1) % len(sheets)
        of = f"{at + 1} of {len(sheets)}" if len(sheets) > 1 else ""
        heading = _heading(tournament, showing, sheet.title, of)
        return htpy.div(data_next=str(following))[heading, sheet.content], following

    def _whole(self, tournament: Tournament, which: int) -> list[Node]:
        """Return all that a screen shows, each list in one table."""
        showing = self._screens.showing(which)
        return [
            htpy.section(
                data_players=str(sheet.players) if sheet.players else None,
                data_title=sheet.title.partition(", part ")[0] if sheet.players else None,
            )[_heading(tournament, showing, sheet.title, ""), sheet.content]
            for sheet in self._sheets(tournament, showing, is_whole=True)
        ]

    def _sheets(
        self, tournament: Tournament, showing: Showing, *, is_whole: bool = False
    ) -> list[ScreenSheet]:
        """Return all sheets, made once for every screen that shows them until the next event."""
        if showing.content in RUNNING:
            return sheets_of(tournament, showing, is_whole=is_whole)
        if self._made_of != tournament.seq:
            self._made.clear()
            self._made_of = tournament.seq
        key = showing, is_whole, language()
        if key not in self._made:
            self._made[key] = [
                sheet._replace(content=Markup(with_isolates(str(htpy.fragment[sheet.content]))))  # noqa: S704 - made by htpy
                for sheet in sheets_of(tournament, showing, is_whole=is_whole)
            ]
        return self._made[key]


def _heading(tournament: Tournament, showing: Showing, title: str, of: str) -> Node:
    """Return what is above a sheet: its title, the time of the round, and the sheet's place.

    The time is what is left, on which the script counts, or that the clock is paused.
    """
    played = latest_round(tournament)
    state: Node = None
    if played is not None and showing.content not in RUNNING:  # a clock shows its own
        state = _time(tournament, played)
    return htpy.p(class_="about")[htpy.span[visible(title)], state, htpy.span(class_="of")[of]]


def _time(tournament: Tournament, played: Round) -> Node:
    """Return the time left of a round, or the state of its clock; None without a clock."""
    if state := clock_state(tournament, played):
        return htpy.strong(class_="alarm")[tr(state)]
    now = clock(tournament, played, outside.now())
    if played.status != "started" or now.left is None:
        return None
    seconds = str(-(-now.left // 1_000))
    digits = htpy.strong(class_="time", data_left=seconds)[time_left(now.left)]
    return htpy.span[tr_nodes("time left {time}", time=digits)]


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _which(request: Request) -> tuple[int, int]:
    """Return the screen that is asked for, and which of its sheets; or NotFound."""
    which = request.path_params["number"]
    if not 1 <= which <= NUMBER_MAX:
        raise NotFound(phrase("screens are numbered from 1 to {last}", last=NUMBER_MAX))
    sheet = request.query_params.get("sheet", "0")
    is_one = sheet.isascii() and sheet.isdecimal() and len(sheet) < len("10000")
    return which, int(sheet) if is_one else 0


def _page(
    event: EventHeading, which: int, content: Node, again: str, position: int, code: str
) -> str:
    whole = htpy.html(lang=first_of_several(language()), data_log=event.log)[
        htpy.head[
            htpy.meta(charset="utf-8"),
            htpy.base(href=event.base),
            htpy.meta(name="viewport", content="width=device-width, initial-scale=1"),
            htpy.meta(name="color-scheme", content="light dark"),
            htpy.title[
                tr("Screen {number}: {name}", number=which, name=isolated(visible(event.name)))
            ],
            htpy.noscript[htpy.meta(http_equiv="refresh", content=again)],
            htpy.link(rel="icon", type="image/svg+xml", href="static/hall.svg"),
            htpy.link(rel="stylesheet", href="static/hall.css"),
            htpy.link(rel="stylesheet", href="static/lists.css"),
            htpy.link(rel="stylesheet", href="static/figures.css"),
            htpy.link(rel="stylesheet", href="static/clock.css"),
            htpy.link(rel="stylesheet", href="static/screen.css"),
            texts_script(language()),
            htpy.script(src="static/screen.js", type="module"),
            htpy.script(src="static/witness.js", type="module"),
        ],
        htpy.body(class_="wall", data_screen=str(which), data_position=str(position))[
            htpy.header[
                htpy.h1[isolated(visible(event.name))],
                news_node(),
                htpy.p(id="witness", role="status", hidden=True, data_quiet=True),
                words_node(event.words),
                htpy.p(class_="number")[
                    tr("screen {number}", number=which),
                    [" · ", tr_nodes("code {code}", code=htpy.bdi[code])] if code else None,
                ],
            ],
            notice_node(event.notice),
            htpy.main(id="part", data_turn=str(TURN_SECONDS))[content],
        ],
    ]
    return with_isolates(f"{whole}\n")
