"""News for open pages, as server-sent events whose id is the log's position.

A message says which parts changed and never holds them: a page fetches its own part again, so a
message that is missed costs nothing, and a page that falls behind gets one message for many.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import StreamingResponse

from cli.serve.refusals import FRESH, TooMany

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope, Send

    from cli.serve.hall import Hall

HEARTBEAT_SECONDS = 15.0
"""Phones that sleep lose their stream without an error: a silent one is closed and opened again."""

BEAT = b"event: beat\ndata:\n\n"
"""What a page hears while there is no news: a comment would not reach its script."""

ADDRESS_MAX = 1_500
"""Streams of one address: a hall behind one router is one."""

STREAMS_MAX = 6_000


class Streams:
    """The streams that are open, counted by address."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Refuse a stream where too many are open."""
        if self._open[address] >= ADDRESS_MAX or self._open.total() >= STREAMS_MAX:
            raise TooMany("too many pages are open at once: close some, or wait a minute")

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count a stream while it is open."""
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def answer(self, address: str, sent: AsyncIterator[bytes]) -> StreamingResponse:
        """Return the answer to who asks for news; TooMany. It is counted as soon as it is given."""
        self.check(address)
        return _Counted(self.one_more(address), sent)


class _Counted(StreamingResponse):
    """A stream that is counted before its first byte: those that come at once are many as well."""

    def __init__(self, counting: AbstractContextManager[None], sent: AsyncIterator[bytes]) -> None:
        headers = FRESH | {"x-accel-buffering": "no"}
        super().__init__(sent, media_type="text/event-stream", headers=headers)
        self._counting = counting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._counting:
            await super().__call__(scope, receive, send)


async def messages(hall: Hall, position: int) -> AsyncIterator[bytes]:
    """Yield what a page is sent that knows the log up to a position, until the hall closes."""
    yield b"retry: 2000\n\n"
    with hall.listening():
        while not hall.closing:
            news = await hall.news_after(position, HEARTBEAT_SECONDS)
            if not news:
                yield BEAT
                continue
            position = news.position
            data = msgspec.json.encode({"position": position, "parts": news.parts})
            yield b"id: %d\ndata: %s\n\n" % (position, data)
