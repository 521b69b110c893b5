"""Forms carried out, and pages shown: what is asked for with a name and a link."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

import htpy
from msgspec import structs
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, compile_path

from cli.desk.list_files import text_handed_in
from cli.serve.api.acts import is_command_id, player_spoken_for
from cli.serve.forms import FORMS
from cli.serve.forms.newcomer import AskedRequests
from cli.serve.forms.posted import Fields, fields_of, own_path
from cli.serve.pages.every import PAGES
from cli.serve.pages.frame import EventHeading, own_page
from cli.serve.pages.visit import Visit
from cli.serve.refusals import FRESH, Malformed, status_of
from cli.serve.visitors import Visitor, visitor_of, why_only_reads
from cli.terminal.problems import lines_of, sentence_of
from cli.wording.page_words import public_view
from ledger.errors import LedgerError, NotFound
from ledger.rules.lists import SubmitList

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.pages.visit import HallPage
    from ledger.formats import CardFile
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

SEE_OTHER = 303

OUTBOX = "tourney-outbox"
"""The header of a form that waited on a phone: its script wants to know that the act landed."""

LANDED = "tourney-act"
"""The header that says which act landed."""


class PageQuestion(NamedTuple):
    """A page that somebody asks for; its event is called so."""

    event: EventHeading
    path: str
    visitor: Visitor
    words: Mapping[str, str]
    problems: tuple[str, ...]
    fields: Fields

    def page(self, state: Tournament, cards: CardFile | None = None) -> str:
        """Make the page of a state."""
        page = next(each for each in PAGES if each.path == self.path)
        visit = Visit(state, self.visitor, self.words, self.problems, self.fields, cards)
        content = page.body(visit)
        return own_page(self.event, page.title, content, self.problems, page.around, state.seq)


def page_at(desk: Desk, asked: PageQuestion) -> str:
    """Make a page at the reader's desk, with no more of names than its visitor may see."""
    tournament = desk.book.tournament
    return asked.page(tournament if asked.visitor.official else public_view(tournament))


class Doing:
    """The pages of `PAGES`, and the forms of `FORMS` that they post."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._asked = hall, AskedRequests()
        self.routes = [
            Route("/do/{name}", self.post, methods=["POST"]),
            *(Route(page.path, self._shown(page)) for page in PAGES),
        ]

    async def post(self, request: Request) -> Response:
        """Carry a form out, and lead to its page; where it is refused show where it stands."""
        fields = fields_of(await request.body())
        visitor = await visitor_of(request)
        try:
            browser = request.headers.get("cookie", "")
            await self._carry_out(request.path_params["name"], fields, visitor, browser)
        except LedgerError as error:
            return await self._refused(fields, visitor, error)
        if OUTBOX in request.headers:
            headers = {**FRESH, LANDED: fields["id"]}
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        return RedirectResponse(own_path(fields), SEE_OTHER, FRESH)

    async def _carry_out(
        self, name: str, fields: Fields, visitor: Visitor, browser: str = ""
    ) -> None:
        form = FORMS.get(name)
        if form is None:
            raise NotFound("there is no such form here")
        if form.for_newcomers and visitor.is_newcomer:
            visitor = await self._entered_for(visitor)
        player = player_spoken_for(visitor, fields.get("for", ""))
        command_id = fields.get("id", "")
        if not is_command_id(command_id):
            raise Malformed("this form was not made here: open its page again")
        command = await self._hall.view(
            lambda state: self._as_at_the_desk(state, form.command_of(fields, state, visitor)),
            visitor,
        )
        if form.for_newcomers:
            await self._hall.view(lambda state: self._asked.check(state, browser, command_id))
        recorded = await self._hall.act(visitor, command_id, command, player)
        if form.for_newcomers and recorded:
            self._asked.note(browser, command_id, recorded[0].seq)

    def _as_at_the_desk(self, state: Tournament, command: Command) -> Command:
        """Read a list as the desk reads one: a deck builder's is written down in sections."""
        if not isinstance(command, SubmitList):
            return command
        return structs.replace(command, text=text_handed_in(state, command.text, self._hall.cards))

    async def _entered_for(self, visitor: Visitor) -> Visitor:
        """Return who enters what a newcomer asks: the hall's desk, over the event's link."""
        return structs.replace(visitor, by=await self._hall.at_desk(lambda desk: desk.by))

    async def _refused(self, fields: Fields, visitor: Visitor, error: LedgerError) -> Response:
        """Show the page again that the form stands on, with why not; else why not alone."""
        at = own_path(fields, "at" if "at" in fields else "to")

        def lines_for(state: Tournament) -> tuple[str, ...]:
            """Say why not; a command to type is for who has a terminal."""
            if visitor.official:
                return tuple(lines_of(error, state.names))
            return tuple(sentence_of(each, state.names) for each in error.problems)

        lines = await self._hall.view(lines_for, visitor)
        for page in PAGES:
            found = compile_path(page.path)[0].match(at.partition("?")[0])
            if found:
                content = await self._page(page, visitor, found.groupdict(), lines, fields)
                break
        else:
            content = own_page(self._hall.heading, "Not done", _way_back(at), lines)
        return HTMLResponse(content, status_of(error), FRESH)

    async def _page(
        self,
        page: HallPage,
        visitor: Visitor,
        words: Mapping[str, str],
        problems: tuple[str, ...] = (),
        fields: Fields | None = None,
    ) -> str:
        said = (*self._only_reads(visitor), *problems)
        visit = PageQuestion(self._hall.heading, page.path, visitor, words, said, fields or {})
        if page.takes_long:
            return await self._hall.asked(page_at, visit)
        cards = self._hall.cards
        return await self._hall.view(lambda state: visit.page(state, cards), visitor)

    def _only_reads(self, visitor: Visitor) -> tuple[str, ...]:
        """Return why a visitor who is signed in may enter nothing, as one line or none."""
        if not visitor.only_reads:
            return ()
        return (str(why_only_reads(visitor, self._hall.private_address)),)

    def _shown(self, page: HallPage) -> Callable[[Request], Awaitable[Response]]:
        async def shown(request: Request) -> Response:
            visitor = await visitor_of(request)
            words = {**request.query_params, **request.path_params}
            return HTMLResponse(await self._page(page, visitor, words), headers=FRESH)

        return shown


def _way_back(path: str) -> Node:
    return htpy.p[htpy.a(href=path)["Back to the page"]]
