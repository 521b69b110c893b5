"""Marks on acts: over a connection that others may hear, a cookie alone enters nothing.

Every POST of a browser that is signed in passes here, so that no route can forget to ask. A mark
comes in the header `Tourney-Mark` with the body that it covers, or in a form of two fields:
`marked`, the body that it covers, and `mark`. It covers one act of one browser at one path. An act
that landed is known by its id and lands once. An act that was answered and left no event is known
by its mark, also after a restart: a listener cannot send it again when it would land.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from cli.serve.door.guard import FORM_TYPE, JSON_TYPE
from cli.serve.door.keeper import visitor_over
from cli.serve.door.pace import Pace
from cli.serve.forms.posted import fields_of
from cli.serve.refusals import Malformed, NotSignedIn, TooMany, status_of
from cli.serve.visitors import visitor_of, why_only_reads
from ledger.books.links import MARK_DIGITS, MarkedAct, is_same, mark_of
from ledger.errors import LedgerError, Refused
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Message

    from cli.serve.door.keeper import Doorkeeper, Session
    from cli.serve.hall import Hall

    Endpoint = Callable[[Request], Awaitable[Response]]

HEADER = "tourney-mark"
UNMARKED = frozenset({"/in", "/line/reading", "/api/v1/forks"})
"""What is posted and enters no act: signing in, a line that is read while it is typed, two heads
that contradict each other and are checked by their signatures."""

SIGN_OUT = "/out"
DIGEST_BYTES, ANSWERED_MAX = 8, 256
"""Bytes of a mark's digest, and how many of them a link keeps: the newest."""

ANSWERS_BYTES, ANSWER_BYTES = 8_000_000, 500
"""Bytes of answers that are kept in memory to be given again, and of one without its body."""

UNSETTLED = frozenset({401, 408, 425, 429, 500, 502, 503, 504})
"""An answer that settles nothing: the phone sends the act again, and then it may land."""


_MISSING = (
    "an act over this connection needs the mark of a browser that has opened its link: open the "
    "link of your badge in this browser again, with scripts and storage allowed"
)
_WRONG = (
    "the mark of this act is not of this browser, or the act was changed on its way: open the "
    "link of your badge in this browser again"
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
            is_own = not session.needs_mark or bool(visitor.only_reads)
            request.scope["is_own"] = is_own or self._is_right(session, act, mark)
            return await endpoint(request)
        if visitor.only_reads:
            raise NotSignedIn(why_only_reads(visitor, self._hall.private_address))
        if not mark and not session.needs_mark:
            return await endpoint(request)
        if not mark:
            raise NotSignedIn(problem("mark.missing", _MISSING))
        if not self._is_right(session, act, mark):
            raise NotSignedIn(problem("mark.wrong", _WRONG))
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
            text = "this was answered before, and nothing of it was entered: open the page again"
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
        raise Malformed("this form was not made here: open its page again") from None
    fields = dict(pairs)
    if [name for name, _ in pairs] != ["marked", "mark"]:
        raise Malformed("this form was not made here: open its page again")
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
