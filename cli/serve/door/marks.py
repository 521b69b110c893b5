"""Marks on acts: over a connection that others may hear, a cookie without a mark enters nothing.

Every POST of a browser that is signed in passes here, so that no route can forget to ask. A mark
comes in the header `Tourney-Mark` with the body that it covers, or in a form of two fields:
`marked`, the body that it covers, and `mark`. It covers one act of one browser at one path. An act
that landed is known by its id and lands once. An act that was answered and left no event is known
by its mark, also after a restart: a listener cannot send it again when it would land.

A phone without the hall shows its act as a code, which is an address of this hall; a desk's phone
scans the code. Its mark is made as for any act, with the key that only this browser of the player
has, at the path `/carried`; the official who is signed in at the desk enters the act, as `o1/p7`.
The act has the id that the phone would send, so that it lands once, in either order.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

import htpy
import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli import outside
from cli.languages.speaking import marked, tr
from cli.serve.acts import is_command_id
from cli.serve.door.guard import FORM_TYPE, JSON_TYPE
from cli.serve.door.keeper import visitor_over
from cli.serve.door.pace import Pace
from cli.serve.forms import FORMS, fields_of, number
from cli.serve.pages.frame import own_page
from cli.serve.refusals import (
    FRESH,
    Malformed,
    NotSignedIn,
    NotTheirs,
    TooMany,
    status_of,
)
from cli.serve.visitors import Visitor, go_before_reading, visitor_of, why_only_reads
from cli.terminal.problems import lines_of
from cli.terminal.visible import marking_names, visible
from cli.wording.event_words import acts_in_words
from ledger.books.links import MARK_DIGITS, MarkedAct, is_same, mark_of
from ledger.errors import LedgerError, Refused
from ledger.facts.office import lets_in
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from htpy import Node
    from starlette.types import Message

    from cli.desk.session import Desk
    from cli.serve.door.keeper import Doorkeeper, Session
    from cli.serve.hall import Hall
    from ledger.rules.command import Command
    from ledger.tournament.table_records import Link

    Endpoint = Callable[[Request], Awaitable[Response]]


HEADER = "tourney-mark"
UNMARKED = frozenset(
    {
        *("/in", "/line/reading", "/api/v1/forks", "/api/v1/restored"),
        *("/api/v1/follow", "/api/v1/taken-over"),
    }
)
"""What is posted and enters no act: signing in, a line that is read while it is typed, two heads
that contradict each other, one that is not of this history, a follower's question and a take-over,
checked by their signatures."""

SIGN_OUT = "/out"
KEYLESS = frozenset({"before", "reading"})
"""Kinds of browsers without a key for marks; an official's browser always has one."""

DIGEST_BYTES, ANSWERED_MAX = 8, 256
"""Bytes of a mark's digest, and how many of them a link keeps: the newest."""

ANSWERS_BYTES, ANSWER_BYTES = 8_000_000, 500
"""Bytes of answers that are kept in memory to be given again, and of one without its body."""

UNSETTLED = frozenset({401, 408, 425, 429, 500, 502, 503, 504})
"""An answer that settles nothing: the phone sends the act again, and then it may land."""


_MISSING = marked(
    "the hall cannot tell whose link this browser has: allow scripts and storage, "
    "then open the link on your badge in this browser again"
)
_WRONG = marked(
    "this act does not come from this browser, or it was changed on its way: open "
    "the link on your badge in this browser again"
)


class _Position(Struct):
    seq: int | None = None


class _SentCommand(Struct):
    seen: _Position | None = None


class _SentJson(Struct):
    """What a mark names of an act that is posted as JSON."""

    id: str = ""
    command: _SentCommand | None = None


class Marks:
    """Checks what is posted against the mark that it came with."""

    def __init__(self, hall: Hall, keeper: Doorkeeper) -> None:
        self._hall, self._keeper = hall, keeper
        self._answers: OrderedDict[str, Response | LedgerError] = OrderedDict()
        self._bytes = 0
        self._pace = Pace()

    async def __call__(self, request: Request, endpoint: Endpoint) -> Response:
        """Answer what is posted, if its mark is right or it needs none.

        Raises:
            NotSignedIn: its mark is missing or wrong, or its browser may only read.
        """
        path = request.scope["path"].rstrip("/")
        visitor, session = await visitor_of(request), await self._keeper.session(request)
        if path in UNMARKED or session is None:
            return await endpoint(request)
        request, body, mark = await _unwrapped(request)
        act = _act_of(path, body, _kind_of(request))
        if path == SIGN_OUT:
            is_own = not session.needs_mark or session.kind in KEYLESS
            request.scope["is_own"] = is_own or self._is_right(session, act, mark)
            return await endpoint(request)
        if visitor.only_reads:
            raise NotSignedIn(why_only_reads(visitor, self._hall.private_address))
        if not mark and not session.needs_mark:
            await go_before_reading(request)
            return await endpoint(request)
        if not mark:
            raise NotSignedIn(problem("mark.missing", _MISSING))
        if not self._is_right(session, act, mark):
            raise NotSignedIn(problem("mark.wrong", _WRONG))
        await go_before_reading(request)
        return await self._once(request, endpoint, session, act, mark)

    def _is_right(self, session: Session, act: MarkedAct, mark: str) -> bool:
        link, browser = session.link.number, session.browser
        return len(mark) == MARK_DIGITS and any(
            is_same(mark, mark_of(key, self._hall.event, link, browser, act))
            for key in self._keeper.keys_of(session.link, browser)
        )

    async def _once(
        self, request: Request, endpoint: Endpoint, session: Session, act: MarkedAct, mark: str
    ) -> Response:
        """Answer a marked act; what left no event is not looked at a second time."""
        before = self._answers.get(mark)
        if isinstance(before, Response):
            return before
        if before is not None:
            raise before
        known = self._keeper.answered_marks(session.link.number)
        if known and _has(known, _digest_of(mark)):
            text = marked(
                "this was sent before, and nothing was entered, then or now: open the page again "
                "to see what is recorded"
            )
            raise Refused(problem("mark.answered", text))
        try:
            answer: Response | LedgerError = await endpoint(request)
        except LedgerError as error:
            answer = error
        status = status_of(answer) if isinstance(answer, LedgerError) else answer.status_code
        own = f"w{session.link.number}-{act.id}"
        if status not in UNSETTLED and not (act.id and self._hall.has_landed(own)):
            await self._remember(session, mark, answer)
        if isinstance(answer, LedgerError):
            raise answer
        return answer

    async def _remember(self, session: Session, mark: str, answer: Response | LedgerError) -> None:
        """Keep an answer in memory, and durably that there was one."""
        self._answers[mark] = answer
        self._bytes += _size(answer)
        while self._bytes > ANSWERS_BYTES:
            self._bytes -= _size(self._answers.popitem(last=False)[1])
        try:
            self._pace.count(visitor_over(session.link))
        except TooMany:
            return  # only its own sender can make that many, and may enter any of them again
        known = self._keeper.answered_marks(session.link.number)
        kept = (known + _digest_of(mark))[-DIGEST_BYTES * ANSWERED_MAX :]
        await self._keeper.keep_answered(session.link.number, kept)


def _digest_of(mark: str) -> bytes:
    return sha256(mark.encode()).digest()[:DIGEST_BYTES]


def _has(known: bytes, digest: bytes) -> bool:
    places = range(0, len(known), DIGEST_BYTES)
    return any(known[place : place + DIGEST_BYTES] == digest for place in places)


def _size(answer: Response | LedgerError) -> int:
    return ANSWER_BYTES + (len(bytes(answer.body)) if isinstance(answer, Response) else 0)


def _kind_of(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip()


async def _unwrapped(request: Request) -> tuple[Request, bytes, str]:
    """Return a request with the body that its mark covers, and the mark, or "" if it has none."""
    body = await request.body()
    if not (body.startswith(b"marked=") and _kind_of(request) == FORM_TYPE):
        return request, body, request.headers.get(HEADER, "")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=2)
    except ValueError:
        raise Malformed(
            phrase("this form does not come from this hall: open its page again")
        ) from None
    fields = dict(pairs)
    if [name for name, _ in pairs] != ["marked", "mark"]:
        raise Malformed(phrase("this form does not come from this hall: open its page again"))
    inner = fields["marked"].encode("utf-8", "surrogatepass")

    async def receive() -> Message:
        return {"type": "http.request", "body": inner, "more_body": False}

    return Request(request.scope, receive), inner, fields["mark"]


def _act_of(path: str, body: bytes, kind: str) -> MarkedAct:
    """Return what a mark covers; `id` and `seen` of a body that is no act are empty."""
    try:
        if kind == JSON_TYPE:
            sent = msgspec.json.decode(body, type=_SentJson)
            seen = sent.command.seen.seq if sent.command and sent.command.seen else None
            return MarkedAct(path, sent.id, "" if seen is None else str(seen), body)
        fields = fields_of(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LedgerError):
        return MarkedAct(path, "", "", body)
    return MarkedAct(path, fields.get("id", ""), fields.get("seen", ""), body)


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
                raise NotSignedIn(problem("serve.no_official", "only an official can enter this"))
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
            text = marked("{player}'s phone has signed out since it made this code")
            raise NotTheirs(problem("carried.signed_out", text, player=found.link.of))
        return found

    async def _refused(self, error: LedgerError) -> Response:
        names = await self._hall.view(lambda state: dict(state.names))
        with marking_names():
            lines = tuple(lines_of(error, names))
        return await self._page(
            htpy.p[htpy.a(href="pairings")[tr("Go to the pairings")]], status_of(error), lines
        )

    async def _page(
        self, body: Node, status: int = 200, problems: tuple[str, ...] = ()
    ) -> Response:
        whole = own_page(self._hall.heading, tr("A player's code"), body, problems)
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
        raise Malformed(problem("carried.no_act", "this code does not contain an act of a player"))
    act = MarkedAct(PATH, own, fields.get("seen", ""), said.encode("utf-8", "replace"))
    keys = keeper.keys_of(link, browser) if BROWSER.fullmatch(browser) else ()
    log = desk.book.stream
    marks = [mark_of(key, log, link.number, browser, act) for key in keys]
    if not lets_in(desk.book.tournament, link) or not any(is_same(mark, made) for made in marks):
        text = marked(
            "this code was not made by {player}'s phone, or their link is no longer valid"
        )
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
    with marking_names():
        words = "; ".join(acts_in_words(recorded, desk.book.tournament))
    return found._replace(words=words or tr("this is already on record: there is nothing to enter"))


def _asked(found: Carried, query: str) -> Node:
    if not found.words:
        return htpy.p[tr("This is already entered.")]
    return [
        htpy.p[
            tr(
                "From the phone of player {player}, over link {number}:",
                player=found.player,
                number=found.link.number,
            )
        ],
        htpy.p(class_="result")[visible(found.words)],
        htpy.form(method="post", action="carried")[
            htpy.input(type="hidden", name="act", value=query),
            htpy.button(type="submit")[tr("Enter it")],
        ],
    ]


def _for_the_desk(request: Request) -> Node:
    again = f"carried?{request.url.query}"
    return [
        htpy.p[tr("This code is for the desk: only a signed-in official can enter it.")],
        htpy.p[htpy.a(href="in")[tr("Sign in")], " ", htpy.a(href=again)[tr("Try again")]],
    ]
