"""Acts that arrive: JSON at `POST /api/v1/acts`, and forms at `/do/NAME`.

An act is decided and durable before it is answered. A refused form shows its page again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct, field, structs
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, compile_path

from cli.desk.acts import act_as_json
from cli.desk.list_files import text_handed_in
from cli.languages.speaking import marked, tr
from cli.serve.commands import AnyCommand, UndoLast
from cli.serve.door.claims import Claims, key_of_request
from cli.serve.forms import FORMS, AskedRequests, Fields, fields_of, own_path
from cli.serve.pages.frame import EventHeading, Visit, own_page, way_to
from cli.serve.pages.player import PAGES
from cli.serve.refusals import FRESH, Malformed, NotSignedIn, NotTheirs, NotYet, status_of
from cli.serve.visitors import Visitor, visitor_of, why_only_reads
from cli.terminal.problems import lines_of, sentence_of
from cli.terminal.visible import marking_names
from cli.wording.page_words import public_view
from ledger.errors import LedgerError, NotFound
from ledger.problems import Act, phrase, problem
from ledger.rules.disputes import WithdrawAppeal, WithdrawDispute
from ledger.rules.lists import SubmitList

if TYPE_CHECKING:
    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.pages.frame import HallPage
    from ledger.formats import CardFile
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

COMMAND_ID = r"^[A-Za-z0-9_-]{8,48}\Z"
"""An act's id, as its sender draws it: the log has it behind the link's number."""

_PERSON = r"^(?:[op][1-9][0-9]{0,3})?\Z"


class SentAct(Struct, frozen=True, forbid_unknown_fields=True):
    """An act as it is sent; `for` names the player on whose word an official enters it."""

    id: Annotated[str, Meta(pattern=COMMAND_ID)]
    command: AnyCommand
    for_: Annotated[str, Meta(pattern=_PERSON)] = field(default="", name="for")


class Landed(Struct, frozen=True):
    """One event of an act: its place, its id, its type."""

    seq: int
    id: str
    type: str


class Done(Struct, frozen=True):
    """What an act came to; no events where what it asks for was so already."""

    id: str
    events: list[Landed]


UNDOING = (WithdrawDispute, WithdrawAppeal, UndoLast)
"""Commands that become an `ActWithdrawn`: a line by a player cannot have that type."""

_DECODER = msgspec.json.Decoder(SentAct)


async def post(hall: Hall, request: Request) -> Response:
    """Carry out what was sent; Malformed, or as `Hall.act`."""
    visitor = await visitor_of(request)
    try:
        sent = _DECODER.decode(await request.body())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Malformed(
            problem("act.malformed", "this is not a valid act: {why}", why=str(error))
        ) from None
    player = player_spoken_for(visitor, sent.for_)
    if visitor.player and isinstance(sent.command, UNDOING):
        if isinstance(sent.command, UndoLast):
            text = marked("{act} is reserved for officials; {by} is a player")
            act = Act("ActWithdrawn")
            raise NotTheirs(problem("authority.official", text, act=act, by=visitor.by))
        player, visitor = visitor.player, await _at_desk(hall, visitor)
    recorded = await hall.act(visitor, sent.id, sent.command, player)
    value = act_as_json(visitor.command_id(sent.id), recorded)
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)


def player_spoken_for(visitor: Visitor, named: str) -> int:
    """Return the player on whose word an official acts, 0 for none; NotSignedIn, or NotTheirs."""
    if not visitor.by:
        text = marked("you need a link for this: open the link on your badge, or type its code")
        raise NotSignedIn(problem("serve.not_signed_in", text))
    if named in ("", visitor.by):
        return 0
    if not (visitor.official and _PLAYER.fullmatch(named)):
        text = marked("your link is for {by}, not for {other}")
        raise NotTheirs(problem("serve.not_theirs", text, by=visitor.by, other=named))
    return int(named[1:])


_PLAYER = re.compile("p[1-9][0-9]{0,4}")


def is_command_id(text: str) -> bool:
    """Whether a text may be an act's id."""
    return re.match(COMMAND_ID, text) is not None


SEE_OTHER = 303

OUTBOX, AGAIN = "tourney-outbox", "again"
"""The header of a form that waited on a phone: its script wants to know that the act landed.

It says `again` of an act that an earlier desk answered, or may have answered.
"""

LANDED = "tourney-act"
"""The header that says which act landed."""

EVENTS = "tourney-events"
"""The header that counts its events: a phone keeps no act that changed nothing."""


class PageQuestion(NamedTuple):
    """A page that somebody asks for; its tournament is called so."""

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
        with marking_names():
            content = page.body(visit)
            title = tr(page.title)
            return own_page(self.event, title, content, self.problems, page.around, state.seq)


def page_at(desk: Desk, asked: PageQuestion) -> str:
    """Make a page at the reader's desk, with no more of names than its visitor may see."""
    tournament = desk.book.tournament
    return asked.page(tournament if asked.visitor.official else public_view(tournament))


class Doing:
    """The pages of `PAGES`, and the forms of `FORMS` that they post."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._asked, self._claims = hall, AskedRequests(), Claims(hall)
        self.routes = [
            *self._claims.routes,
            Route("/do/{name}", self.post, methods=["POST"]),
            *(Route(page.path, self._shown(page)) for page in PAGES),
        ]

    async def post(self, request: Request) -> Response:
        """Carry a form out, and lead to its page; where it is refused show where it stands."""
        fields = fields_of(await request.body())
        visitor = await visitor_of(request)
        try:
            browser = request.headers.get("cookie", "")
            name = request.path_params["name"]
            recorded = await self._carry_out(name, fields, visitor, browser)
        except LedgerError as error:
            is_early = isinstance(error, NotYet) and request.headers.get(OUTBOX) == AGAIN
            status = HTTPStatus.TOO_EARLY if is_early else status_of(error)
            return await self._refused(fields, visitor, error, status)
        if OUTBOX in request.headers:
            headers = {**FRESH, LANDED: fields["id"], EVENTS: str(len(recorded))}
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        return RedirectResponse(own_path(fields), SEE_OTHER, FRESH)

    async def _carry_out(
        self, name: str, fields: Fields, visitor: Visitor, browser: str = ""
    ) -> list[Recorded]:
        form = FORMS.get(name)
        if form is None:
            raise NotFound(phrase("there is no such form"))
        if form.for_newcomers and visitor.is_newcomer:
            visitor = await self._entered_for(visitor)
        player = player_spoken_for(visitor, fields.get("for", ""))
        command_id = fields.get("id", "")
        if not is_command_id(command_id):
            raise Malformed(phrase("this form does not come from this hall: open its page again"))
        command = await self._hall.view(
            lambda state: self._as_at_the_desk(state, form.command_of(fields, state, visitor)),
            visitor,
        )
        if form.at_desk and visitor.player:
            player, visitor = visitor.player, await _at_desk(self._hall, visitor)
        if form.for_newcomers:
            await self._hall.view(lambda state: self._asked.check(state, browser, command_id))
        recorded = await self._hall.act(visitor, command_id, command, player)
        if form.for_newcomers and recorded:
            self._asked.note(browser, command_id, recorded[0].seq)
            if key := key_of_request(fields.get("claim", ""), command_id):
                await self._claims.note(key, recorded[0].seq)
        return recorded

    def _as_at_the_desk(self, state: Tournament, command: Command) -> Command:
        """Read a list as the desk reads one: a deck builder's is written down in sections."""
        if not isinstance(command, SubmitList):
            return command
        return structs.replace(command, text=text_handed_in(state, command.text, self._hall.cards))

    async def _entered_for(self, visitor: Visitor) -> Visitor:
        """Return who enters what a newcomer asks: the hall's desk, over the tournament's link."""
        return structs.replace(visitor, by=await self._hall.at_desk(lambda desk: desk.by))

    async def _refused(
        self, fields: Fields, visitor: Visitor, error: LedgerError, status: HTTPStatus
    ) -> Response:
        """Show the page again that the form stands on, with why not; else why not alone."""
        at = own_path(fields, "at" if "at" in fields else "to")

        def lines_for(state: Tournament) -> tuple[str, ...]:
            """Say why not; a command to type is for who has a terminal."""
            with marking_names():
                if visitor.official:
                    return tuple(lines_of(error, state.names))
                return tuple(sentence_of(each, state.names) for each in error.problems)

        lines = await self._hall.view(lines_for, visitor)
        for page in PAGES:
            found = pattern_of(page.path).match(at.partition("?")[0])
            if found:
                content = await self._page(page, visitor, found.groupdict(), lines, fields)
                break
        else:
            content = own_page(self._hall.heading, tr("Not done"), _way_back(at), lines)
        return HTMLResponse(content, status, FRESH)

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


async def _at_desk(hall: Hall, visitor: Visitor) -> Visitor:
    """Return the hall's desk, which enters an act on a player's word over the player's link."""
    by = await hall.at_desk(lambda desk: desk.by)
    return structs.replace(visitor, by=by, official=int(by[1:]), player=0)


async def official_of(request: Request) -> Visitor:
    """Return the official who asks; NotSignedIn for anybody else."""
    visitor = await visitor_of(request)
    if not visitor.official:
        raise NotSignedIn(
            phrase(
                "this page is for officials: open the link on your badge, or type its code; on "
                "the computer that serves, open the address that `tourney serve` shows"
            )
        )
    return visitor


@cache
def pattern_of(path: str) -> re.Pattern[str]:
    """Return the pattern of a page's path, made once."""
    return compile_path(path)[0]


def _way_back(path: str) -> Node:
    return way_to(path, tr("Back to the page"))
