"""A player's act that comes as a code: a phone without the hall shows it, a desk's phone scans it.

The code is an address of this hall. Its mark is made as for any act, with the key that only this
browser of the player has, at the path `/carried`; the desk's own sign-in says who enters it, as
`o1/p7`. It has the id that the phone would send it with, so that it lands once, whichever of the
two is first.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

import htpy
import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli import outside
from cli.serve.api.acts import is_command_id
from cli.serve.forms import FORMS
from cli.serve.forms.posted import fields_of, number
from cli.serve.pages.frame import own_page
from cli.serve.refusals import FRESH, Malformed, NotSignedIn, NotTheirs, status_of
from cli.serve.visitors import Visitor, visitor_of
from cli.terminal.problems import lines_of
from cli.terminal.visible import visible
from cli.wording.event_words import acts_in_words
from ledger.books.links import MarkedAct, is_same, mark_of
from ledger.errors import LedgerError
from ledger.problems import problem
from ledger.tournament.office import lets_in

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.door.keeper import Doorkeeper
    from cli.serve.hall import Hall
    from ledger.rules.command import Command
    from ledger.tournament.links import Link

PATH = "/carried"
BROWSER = re.compile(r"[0-9a-f]{16}")


class Carried(NamedTuple):
    """An act that a code holds: whose, its id, and what it is; in words, once it is looked at."""

    link: Link
    command_id: str
    command: Command
    words: str = ""
    browser: str = ""

    @property
    def player(self) -> int:
        """Whose act it is."""
        return int(self.link.of[1:])


class CarriedActs:
    """`/api/v1/carry`, for the phone; `/carried`, for the desk."""

    def __init__(self, hall: Hall, keeper: Doorkeeper) -> None:
        self._hall, self._keeper = hall, keeper
        self.routes = [
            Route("/api/v1/carry", self.who),
            Route(PATH, self.shown),
            Route(PATH, self.enter, methods=["POST"]),
        ]

    async def who(self, request: Request) -> Response:
        """Answer a browser with whose it is, and by which link and id; a stranger with nothing.

        Its key is in no answer: the browser has it since it signed in.
        """
        visitor, session = await visitor_of(request), await self._keeper.session(request)
        if session is None:
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=FRESH)
        value = {
            "log": self._hall.event,
            "by": visitor.by,
            "player": visitor.player,
            "link": visitor.link,
            "browser": session.browser,
            "marked": session.needs_mark,
            "only_reads": visitor.only_reads,
        }
        return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)

    async def shown(self, request: Request) -> Response:
        """Say what a code would enter, to who may enter it."""
        visitor, query = await visitor_of(request), request.url.query
        if not visitor.official:
            return await self._page(_for_the_desk(request), HTTPStatus.UNAUTHORIZED)
        try:
            found = await self._read(query)
        except LedgerError as error:
            return await self._refused(error)
        return await self._page(_asked(found, query))

    async def enter(self, request: Request) -> Response:
        """Enter what a code holds, as that player's act at this official's desk."""
        visitor, query = await visitor_of(request), fields_of(await request.body()).get("act", "")
        try:
            if not visitor.official:
                raise NotSignedIn(problem("serve.no_official", "an official enters this"))
            found = await self._read(query)
            desk_of = Visitor(visitor.by, official=visitor.official, link=found.link.number)
            await self._hall.act(desk_of, found.command_id, found.command, found.player)
        except LedgerError as error:
            return await self._refused(error)
        return RedirectResponse("/", HTTPStatus.SEE_OTHER, FRESH)

    async def _read(self, query: str) -> Carried:
        """Read a code, and hold it to the browsers that are signed in."""
        await self._keeper.ready()
        found = await self._hall.at_desk(lambda desk: _looked_at(desk, self._keeper, query))
        if not await self._keeper.is_open(found.link, found.browser):
            text = "{player}'s phone has signed out since it made this code"
            raise NotTheirs(problem("carried.signed_out", text, player=found.link.of))
        return found

    async def _refused(self, error: LedgerError) -> Response:
        lines = await self._hall.view(lambda state: tuple(lines_of(error, state.names)))
        return await self._page(
            htpy.p[htpy.a(href="/")["To the pairings"]], status_of(error), lines
        )

    async def _page(
        self, body: Node, status: int = 200, problems: tuple[str, ...] = ()
    ) -> Response:
        whole = own_page(self._hall.heading, "A player's code", body, problems)
        return HTMLResponse(whole, status, FRESH)


def _read(desk: Desk, keeper: Doorkeeper, query: str) -> Carried:
    """Return the act that a code holds; Malformed, or NotTheirs for a mark that is not its own."""
    said, _, mark = query.rpartition("&mark=")
    fields = fields_of(said.encode("utf-8", "replace"))
    form, own = FORMS.get(fields.pop("do", "")), fields.get("id", "")
    link = desk.book.tournament.floor.links.get(number(fields, "link", 0))
    browser = fields.pop("browser", "")
    fields.pop("link", "")
    if form is None or link is None or not is_command_id(own) or not link.of.startswith("p"):
        raise Malformed(problem("carried.no_act", "this code holds no act of a player"))
    act = MarkedAct(PATH, own, fields.get("seen", ""), said.encode("utf-8", "replace"))
    keys = keeper.keys_of(link, browser) if BROWSER.fullmatch(browser) else ()
    log = desk.book.stream
    marks = [mark_of(key, log, link.number, browser, act) for key in keys]
    if not lets_in(desk.book.tournament, link) or not any(is_same(mark, made) for made in marks):
        text = "this code was not made by {player}'s phone, or their link has ended since"
        raise NotTheirs(problem("carried.mark", text, player=link.of))
    visitor = Visitor(link.of, player=int(link.of[1:]), link=link.number)
    command = form.command_of(fields, desk.book.tournament, visitor)
    return Carried(link, own, command, browser=browser)


def _looked_at(desk: Desk, keeper: Doorkeeper, query: str) -> Carried:
    """Return it with what it would come to as the player's own act; Refused where it may not be."""
    found = _read(desk, keeper, query)
    if f"w{found.link.number}-{found.command_id}" in desk.book.tournament.ids:
        return found
    recorded = desk.book.preview(found.command, by=found.link.of, at=outside.now())
    words = "; ".join(acts_in_words(recorded, desk.book.tournament))
    return found._replace(words=words or "so already: nothing would be entered")


def _asked(found: Carried, query: str) -> Node:
    if not found.words:
        return htpy.p["This has been entered already."]
    return [
        htpy.p[f"From the phone of player {found.player}, over link {found.link.number}:"],
        htpy.p(class_="result")[visible(found.words)],
        htpy.form(method="post", action="/carried")[
            htpy.input(type="hidden", name="act", value=query),
            htpy.button(type="submit")["Enter it"],
        ],
    ]


def _for_the_desk(request: Request) -> Node:
    again = f"/carried?{request.url.query}"
    return [
        htpy.p["This code is for the desk: an official who is signed in enters it."],
        htpy.p[htpy.a(href="/in")["Sign in"], " ", htpy.a(href=again)["Look again"]],
    ]
