"""uvicorn on one port, and on a second one over TLS for officials, with one application."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import uvicorn

from cli.serve.server.connections import CountedProtocol, Shortage

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from types import FrameType

    from cli.serve.door.guard import Guard
    from cli.serve.server.certificates import Certificate

GRACE_SECONDS = 2
ADDRESS_TICKS = 300
"""Ticks, of a tenth of a second, after which the server compares its address with the last one."""


def config_of(app: Guard, cert: Certificate | None, *, is_first: bool = True) -> uvicorn.Config:
    """Return how a port is served; only the first one opens and closes the hall."""
    return uvicorn.Config(
        app,
        http=CountedProtocol,
        log_config=None,
        access_log=False,
        lifespan="on" if is_first else "off",
        server_header=False,
        proxy_headers=False,  # a proxy's word for an address proves nothing
        timeout_keep_alive=20,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=cert.cert if cert else None,
        ssl_keyfile=cert.key if cert else None,
    )


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
        config.load()
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
