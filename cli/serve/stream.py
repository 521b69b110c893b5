"""News for open pages, as server-sent events whose id is the position in the log.

A message names the parts that changed and never holds them: a page fetches its own part again, so a
lost message costs nothing, and a page that falls behind gets one message for many changes.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from anyio import CancelScope
from starlette.responses import StreamingResponse

from cli.serve.parts import PARTS
from cli.serve.refusals import FRESH, TooMany
from cli.terminal.visible import visible
from ledger.problems import phrase
from ledger.proof.notes import base64_of
from ledger.proof.signatures import origin_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from contextlib import AbstractContextManager

    from starlette.requests import Request
    from starlette.types import Message, Receive, Scope, Send

    from cli.machine.posted_words import PostedWords
    from cli.serve.hall import Hall
    from cli.serve.pages.frame import Notice
    from cli.serve.visitors import Asker

HEARTBEAT_SECONDS = 15.0
"""Phones that sleep lose their stream without an error: a silent one is closed and opened again."""

BEAT = b"event: beat\ndata:\n\n"
"""What a page hears while there is no news: a comment would not reach its script."""

ADDRESS_MAX = 1_500
"""Streams of strangers at one address: a hall behind one router is one."""

LINK_MAX = 25
"""Streams over one link, whose browsers are five at most."""

STREAMS_MAX = 6_000


class Streams:
    """The streams of one kind that are open, by asker: a link, or the strangers of an address.

    If all are taken, a stream of the asker with the most gives way to an asker with fewer, so
    that an asker with one is never kept out by those with many.
    """

    def __init__(self, address_max: int = 0, streams_max: int = 0) -> None:
        """Have as many as pages may have, unless said."""
        self._address_max = address_max or ADDRESS_MAX
        self._most = streams_max or STREAMS_MAX
        self._open: dict[str, dict[CancelScope, None]] = {}
        self._count = 0

    def check(self, asker: Asker) -> None:
        """Refuse a stream if the asker has too many, or if all are taken and no asker has more."""
        own = len(self._open.get(asker.name, ()))
        most = self._address_max if asker.is_stranger else min(LINK_MAX, self._address_max)
        if own >= most or (self._count >= self._most and not self._give_way(own)):
            raise TooMany(phrase("too many pages are open at once: close some, or wait a minute"))

    def _give_way(self, own: int) -> bool:
        """End the oldest stream of the asker with the most, if that has two more than `own`."""
        most = max(self._open.values(), key=len, default={})
        if len(most) < own + 2:
            return False
        oldest = next(iter(most))
        self._forget(most, oldest)
        oldest.cancel()
        return True

    def _forget(self, theirs: dict[CancelScope, None], scope: CancelScope) -> None:
        if scope in theirs:
            del theirs[scope]
            self._count -= 1

    @contextmanager
    def one_more(self, asker: str) -> Iterator[None]:
        """Count a stream while it is open; it ends where it has to give way."""
        theirs, scope = self._open.setdefault(asker, {}), CancelScope()
        theirs[scope] = None
        self._count += 1
        try:
            with scope:
                yield
        finally:
            self._forget(theirs, scope)
            if not theirs and self._open.get(asker) is theirs:
                del self._open[asker]

    def answer(self, asker: Asker, sent: AsyncIterator[bytes]) -> StreamingResponse:
        """Return the answer to an asker for news; TooMany. It is counted as soon as it is given."""
        self.check(asker)
        return _Counted(self.one_more(asker.name), sent)


class _Counted(StreamingResponse):
    """A stream that is counted before its first byte: those that come at once are many as well."""

    def __init__(self, counting: AbstractContextManager[None], sent: AsyncIterator[bytes]) -> None:
        headers = FRESH | {"x-accel-buffering": "no"}
        super().__init__(sent, media_type="text/event-stream", headers=headers)
        self._counting = counting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_begun = is_ended = False

        async def noted(message: Message) -> None:
            nonlocal is_begun, is_ended
            is_begun = True
            is_ended = not message.get("more_body", True)
            await send(message)

        with self._counting:
            await super().__call__(scope, receive, noted)
        if not is_begun:
            await send({"type": "http.response.start", "status": 503, "headers": []})
        if not is_ended:  # it gave way
            await send({"type": "http.response.body", "body": b""})


def notice_message(notice: Notice) -> bytes:
    """Return the message of the organizer's line; an empty text ends the line before it."""
    data = msgspec.json.encode({"text": visible(notice.text), "at": notice.at})
    return b"event: notice\ndata: %s\n\n" % data


def posting_message(stream: str, posted: PostedWords) -> bytes:
    """Return the message of the head that the six words belong to; a page derives them from it."""
    root = base64_of(posted.root)
    head = {"origin": origin_of(stream), "round": posted.round, "size": posted.size, "root": root}
    return b"event: posting\ndata: %s\n\n" % msgspec.json.encode(head)


POSITION_DIGITS = 12


class NewsFrom(NamedTuple):
    """From where on a page asks for news; `beyond` is its position if the log has no such event."""

    position: int
    beyond: int = 0


async def asked_for(hall: Hall, request: Request) -> NewsFrom:
    """Return from where on a page asks for news: what it has heard last, or what it shows.

    A position beyond the log is one of a history that this store does not have: an older copy was
    restored. What other desks have written since the last look is read before that is said.
    """
    last = request.headers.get("last-event-id") or request.query_params.get("after", "")
    if not (last.isascii() and last.isdigit() and len(last) <= POSITION_DIGITS):
        return NewsFrom(hall.position)
    position = int(last)
    if position > hall.newest and position > await hall.at_desk(lambda desk: len(desk.book.lines)):
        return NewsFrom(hall.position, position)
    return NewsFrom(min(position, hall.position))


def beyond_message(hall: Hall, beyond: int) -> bytes:
    """Return the message to a page that saw more events than there are: it begins again here."""
    here = hall.position
    data = msgspec.json.encode({"seen": beyond, "here": here})
    return b"id: %d\nevent: beyond\ndata: %s\n\n" % (here, data)


async def messages(hall: Hall, position: int, beyond: int = 0) -> AsyncIterator[bytes]:
    """Yield what a page is sent that knows the log up to a position, until the hall closes.

    `beyond` is the event up to which it saw a log that had more than this one.
    """
    yield b"retry: 2000\n\n"
    if beyond:
        yield beyond_message(hall, beyond)
        everything = msgspec.json.encode({"position": position, "parts": tuple(PARTS)})
        yield b"id: %d\ndata: %s\n\n" % (position, everything)
    known, posted = 0, None
    with hall.listening():
        while not hall.closing:
            if (notice := hall.notice()).version != known:
                known = notice.version
                yield notice_message(notice)
            news = await hall.news_after(position, HEARTBEAT_SECONDS)
            if not news and hall.notice().version != known:
                continue
            if not news:
                yield BEAT
                continue
            position = news.position
            if (words := hall.heading.words) is not None and words != posted:
                posted = words
                yield posting_message(hall.event, words)
            data = msgspec.json.encode({"position": position, "parts": news.parts})
            yield b"id: %d\ndata: %s\n\n" % (position, data)
