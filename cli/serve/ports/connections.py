"""uvicorn on one port, on a second port over TLS, and the limits of connections.

A program that opens connections and sends nothing would take all connections that the system
gives, and close the hall to all other visitors. At the limit of an address, or of all addresses,
the oldest connection gives way that asks for nothing, or does not read its answer, and has shown no
link: a router is one address, and phones that are signed in lose nothing to strangers behind the
same router.
"""

from __future__ import annotations

import asyncio
from asyncio.sslproto import SSLProtocol
from collections import Counter
from errno import EMFILE, ENFILE
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cli.languages.speaking import tr
from cli.terminal.output import say
from ledger.files.system import open_files

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable
    from types import FrameType

    from starlette.types import ASGIApp
    from uvicorn.server import ServerState

    from cli.serve.ports.certificates import Certificate

IDLE_SECONDS = 20.0
"""How long a connection may wait without a whole request, at its beginning and between two."""

HANDSHAKE_SECONDS = 10
"""Seconds that a TLS handshake may take."""
UNREAD_SECONDS = 30.0
"""Seconds that an answer may wait to be read: even a slow phone reads 3 KB in a second."""

HEAD_MAX = 16_384
"""Bytes of a request before its body: the parser itself takes any number."""

PIPELINED_MAX = 8
"""Maximum requests that wait behind another on a connection; browsers send no second one."""

SAID_SECONDS = 60.0
"""How often the same shortage is said."""

FILES_WANTED, FILES_KEPT = 16_384, 100
"""How many files the server asks the system for, and how many are not for connections."""

ADDRESS_MAX = 6_000
"""Connections of one address, such as a hall behind one router, whose phones have a stream each and
ask for a page beside it. Never more than half of all that there can be.
"""

LINK_MAX = 60
"""Connections over one link that no stranger can displace: its browsers are five at most."""

_TEXT = b"too many connections are open at once: close some pages, or wait a minute\n"
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"retry-after: 60\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(_TEXT), _TEXT)
)


class _Counted(Protocol):
    """A connection that is counted: before its TLS handshake, or after it."""

    transport: asyncio.Transport
    is_counted: bool
    link: str

    @property
    def is_idle(self) -> bool:
        """Return whether no request is being answered."""

    def end(self) -> None:
        """Close the connection."""


class _Connections:
    """The open connections of a server by address, and those of strangers, the oldest first."""

    def __init__(self) -> None:
        self._counts, self._links = Counter[str](), Counter[str]()
        self._strangers: dict[str, dict[_Counted, None]] = {}

    def add(self, connection: _Counted, address: str, most: int) -> bool:
        """Count a connection; return whether there is room for it, perhaps another's."""
        self._counts[address] += 1
        has_room = self._counts[address] <= min(ADDRESS_MAX, most // 2) or self._give_way(address)
        if has_room and self._counts.total() > most:
            by_size = sorted(self._strangers, key=lambda each: -len(self._strangers[each]))
            has_room = any(map(self._give_way, by_size))
        self._strangers.setdefault(address, {})[connection] = None
        return has_room

    def _give_way(self, address: str) -> bool:
        """Close the oldest connection of a stranger at an address that asks or reads nothing."""
        idle = (each for each in self._strangers.get(address, ()) if each.is_idle)
        connection = next(idle, None)
        if connection is None:
            return False
        self.remove(connection, address)
        connection.end()
        return True

    def sign_in(self, connection: _Counted, address: str, link: str) -> None:
        """Let a connection over a link stay whatever strangers do, if the link has not too many."""
        if connection.link or not connection.is_counted or self._links[link] >= LINK_MAX:
            return
        connection.link = link
        self._links[link] += 1
        self._forget_stranger(connection, address)

    def remove(self, connection: _Counted, address: str) -> None:
        """Forget a connection, once."""
        if not connection.is_counted:
            return
        connection.is_counted = False
        for counts, key in ((self._counts, address), (self._links, connection.link)):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]
        self._forget_stranger(connection, address)

    def _forget_stranger(self, connection: _Counted, address: str) -> None:
        theirs = self._strangers.get(address, {})
        theirs.pop(connection, None)
        if not theirs:
            self._strangers.pop(address, None)


_open: WeakKeyDictionary[ServerState, _Connections] = WeakKeyDictionary()


def connections_max() -> int:
    """Return how many connections there may be, with as many files as the system gives."""
    most = open_files(FILES_WANTED)
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
            say(
                tr(
                    "the system allows no more connections for now: waiting browsers are served "
                    "soon"
                )
            )


def _connections_of(state: ServerState) -> _Connections:
    connections = _open.get(state)
    if connections is None:
        connections = _open[state] = _Connections()
    return connections


class CountedProtocol(HttpToolsProtocol):
    """HTTP over a connection that is counted, and closed if no request arrives."""

    most = FILES_WANTED
    """Maximum number of open connections."""

    is_counted = False
    link = ""
    """The first link that a request showed; empty for a stranger."""

    before_tls: Callable[[], None] | None = None
    """Called when TLS is established: it removes the handshake's connection from the count."""

    _is_made = False
    _address = ""
    _head = 0
    _idle: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _finished: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or refuse it in words."""
        super().connection_made(transport)
        if self.before_tls:
            self.before_tls()
        self._is_made = True
        self._address = self.client[0] if self.client else "?"
        self.is_counted = True
        if not self._connections.add(self, self._address, self.most):
            transport.write(REFUSAL)
            transport.close()
            return
        self._idle = self.loop.call_later(IDLE_SECONDS, self._look)

    @property
    def is_idle(self) -> bool:
        """Return whether no request is being answered, or the answer is not being read."""
        return self.cycle is None or self.cycle.response_complete or self._unread is not None

    def end(self) -> None:
        """Close the connection and drop what is unread: waiting would keep the connection."""
        if self.cycle is not None:
            self.cycle.disconnected = True  # the rest of the answer is dropped
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        """Start the time limit of an unread answer."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.end)

    def resume_writing(self) -> None:
        """Stop the time limit: the answer is being read."""
        self._read()
        super().resume_writing()

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    @property
    def _connections(self) -> _Connections:
        return _connections_of(self.server_state)

    def on_message_begin(self) -> None:
        """Begin a request, and let its answer record that its sender is signed in.

        Raises:
            ValueError: too many requests wait; the parser ends the connection with a 400.
        """
        if len(self.pipeline) >= PIPELINED_MAX:
            if self.cycle is not None:
                self.cycle.disconnected = True  # the rest of the answer is dropped
            raise ValueError("too many requests wait on this connection")
        super().on_message_begin()
        scope: dict[str, Any] = self.scope  # type: ignore[assignment] # ASGI allows further keys
        scope["signed_in"] = self._signed_in

    def _signed_in(self, link: str) -> None:
        if not self.link:
            self._connections.sign_in(self, self._address, link)

    def data_received(self, data: bytes) -> None:
        """Take what was sent; a request that does not come to its body is given up."""
        before = self.cycle
        is_body = before is not None and before.more_body  # also of its last part
        super().data_received(data)
        is_asked = self.cycle is not before or is_body
        self._head = 0 if is_asked else self._head + len(data)
        if self._head > HEAD_MAX and not self.transport.is_closing():
            self.send_400_response("this request is too long")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection; after a failed handshake there is no connection to forget."""
        if not self._is_made:
            return
        if self._idle:
            self._idle.cancel()
        self._read()
        self._connections.remove(self, self._address)
        super().connection_lost(exc)

    def _look(self) -> None:
        """Close the connection if no complete request arrived since the last look."""
        is_asked = self.cycle is not None and not self.cycle.response_complete
        if not is_asked and self._finished is self.cycle:
            self.end()
            return
        self._finished = None if is_asked else self.cycle
        self._idle = self.loop.call_later(IDLE_SECONDS, self._look)


class Handshake(SSLProtocol):
    """A connection over TLS that is counted from its start, not only after its handshake."""

    is_idle = True
    is_counted = False
    link = ""
    transport: asyncio.Transport
    _address = "?"

    def __init__(self, context: ssl.SSLContext, server_state: ServerState, **options: Any) -> None:  # noqa: ANN401 - as uvicorn
        """Take the arguments of the HTTP protocol that follows the handshake."""
        http = CountedProtocol(server_state=server_state, **options)
        http.before_tls = self.forget
        self._counts = _connections_of(server_state)
        super().__init__(
            asyncio.get_running_loop(),
            http,
            context,
            None,  # type: ignore[arg-type] # no caller waits for the handshake
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=GRACE_SECONDS,
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a connection and start its handshake, or abort it without a text."""
        self.transport = transport
        self._address = (transport.get_extra_info("peername") or "?")[0]
        self.is_counted = True
        has_room = self._counts.add(self, self._address, CountedProtocol.most)
        super().connection_made(transport)
        if not has_room:
            transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget a connection whose handshake failed."""
        self.forget()
        super().connection_lost(exc)

    def forget(self) -> None:
        """Stop counting: the connection is lost, or the HTTP protocol counts it now."""
        self._counts.remove(self, self._address)

    def end(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


GRACE_SECONDS = 2
ADDRESS_TICKS = 300
"""Ticks, of a tenth of a second, after which the server compares its address with the last one."""


def config_of(app: ASGIApp, cert: Certificate | None, *, is_first: bool = True) -> uvicorn.Config:
    """Return how a port is served; only the first one opens and closes the hall."""
    config = uvicorn.Config(
        app,
        http=CountedProtocol,
        log_config=None,
        log_level="error",  # a stranger could fill the terminal with warnings of broken requests
        access_log=False,
        lifespan="on" if is_first else "off",
        server_header=False,
        proxy_headers=False,  # a proxy's word for an address proves nothing
        timeout_keep_alive=20,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=cert.cert if cert else None,
        ssl_keyfile=cert.key if cert else None,
    )
    config.load()
    if config.ssl is not None:
        # asyncio would hold connections that are not counted until their handshake is complete.
        config.http_protocol_class = partial(Handshake, config.ssl)  # type: ignore[assignment]
        config.ssl = None
    return config


class HallServer(uvicorn.Server):
    """Ends the open streams before it waits for its connections, and has a second port with it."""

    def __init__(
        self,
        config: uvicorn.Config,
        end_streams: Callable[[], None],
        looking: Callable[[], None] | None,
        second: tuple[uvicorn.Config, socket.socket] | None,
    ) -> None:
        """Take `looking`, which compares this machine's numbers with the last ones."""
        super().__init__(config)
        self._end_streams, self._looking = end_streams, looking
        self._second = uvicorn.Server(second[0]) if second else None
        self._taken = second[1] if second else None
        if self._second is not None:
            # The connections of both ports are one sum.
            self._second.server_state = self.server_state

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams, and then the server."""
        self._end_streams()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the hall, the first port and the second one."""
        asyncio.get_running_loop().set_exception_handler(Shortage())
        await super().startup(sockets)
        if self._second is None or self._taken is None or self.should_exit:
            return
        config = self._second.config
        self._second.lifespan = config.lifespan_class(config)
        await self._second.startup([self._taken])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the second port, and then the first one with the hall."""
        if self._second is not None and self._second.started and self._taken is not None:
            await self._second.shutdown([self._taken])
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Keep both ports' time; say where the hall is if this machine's numbers changed."""
        if counter % ADDRESS_TICKS == ADDRESS_TICKS - 1 and self._looking is not None:
            self._looking()
        if self._second is not None:
            await self._second.on_tick(counter)
        return await super().on_tick(counter)
