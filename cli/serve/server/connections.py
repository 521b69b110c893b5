"""Connections: how many there may be, and how long one may stay that asks for nothing.

A program that opens connections and says nothing would otherwise take all that the system gives,
and close the hall to everybody else.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from errno import EMFILE, ENFILE
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cli.terminal.diagnostics import say

if TYPE_CHECKING:
    import asyncio

    from uvicorn.server import ServerState

IDLE_SECONDS = 20.0
"""How long a connection may wait without a whole request, at its beginning and between two."""

HEAD_MAX = 16_384
"""Bytes of a request before its body: the parser itself takes any number."""

SAID_SECONDS = 60.0
"""How often the same shortage is said."""

FILES_WANTED, FILES_KEPT = 16_384, 100
"""How many files the server asks the system for, and how many are not for connections."""

ADDRESS_MAX = 6_000
"""Connections of one address, such as a hall behind one router, whose phones have a stream each and
ask for a page beside it. Never more than half of all that there can be.
"""

_TEXT = b"too many connections are open at once: close some pages, or wait a minute\n"
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"retry-after: 60\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(_TEXT), _TEXT)
)

_open: WeakKeyDictionary[ServerState, Counter[str]] = WeakKeyDictionary()


def connections_max() -> int:
    """Return how many connections there may be, with as many files as the system gives."""
    try:
        import resource
    except ImportError:  # not every system has such limits
        return FILES_WANTED
    most, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if most < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            most = wanted
    return max(most - FILES_KEPT, FILES_KEPT)


class Shortage:
    """Says that no further connection can be taken: once a minute, however many wait."""

    def __init__(self) -> None:
        self._said = -SAID_SECONDS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take what the loop could not do anything about."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in {EMFILE, ENFILE}:
            loop.default_exception_handler(context)
        elif loop.time() - self._said >= SAID_SECONDS:
            self._said = loop.time()
            say("the system gives no further connection for now: who waits is served in a moment")


class CountedProtocol(HttpToolsProtocol):
    """HTTP over a connection that is counted, and closed where nothing is asked for."""

    most = FILES_WANTED
    """How many there may be at once."""

    _address = ""
    _head = 0
    _idle: asyncio.TimerHandle | None = None
    _finished: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it in words."""
        super().connection_made(transport)
        counts = _open.setdefault(self.server_state, Counter())
        self._address = self.client[0] if self.client else "?"
        counts[self._address] += 1
        if counts[self._address] > min(ADDRESS_MAX, self.most // 2) or counts.total() > self.most:
            transport.write(REFUSAL)
            transport.close()
            return
        self._idle = self.loop.call_later(IDLE_SECONDS, self._look)

    def data_received(self, data: bytes) -> None:
        """Take what was sent; a request that does not come to its body is given up."""
        before = self.cycle
        super().data_received(data)
        is_asked = self.cycle is not before or (before is not None and before.more_body)
        self._head = 0 if is_asked else self._head + len(data)
        if self._head > HEAD_MAX and not self.transport.is_closing():
            self.send_400_response("this request is longer than any that a browser sends")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        if self._idle:
            self._idle.cancel()
        counts = _open.get(self.server_state)
        if counts and self._address:
            counts[self._address] -= 1
            if not counts[self._address]:
                del counts[self._address]
        super().connection_lost(exc)

    def _look(self) -> None:
        """Close a connection on which no request has come in whole since the last look."""
        is_asked = self.cycle is not None and not self.cycle.response_complete
        if not is_asked and self._finished is self.cycle:
            self.transport.close()
            return
        self._finished = None if is_asked else self.cycle
        self._idle = self.loop.call_later(IDLE_SECONDS, self._look)
