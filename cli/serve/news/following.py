"""When a store may hold something new: its database says so, or it is asked from time to time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ledger.store.base import Listener

    Kept = Callable[[Listener | None], Listener | None]

POLL_SECONDS = 0.25
"""How often a store is asked that says nothing by itself: 0.03 ms each time."""

LISTENING_SECONDS = 2.0
"""How often one is asked that does, in case that a word of it is lost."""


class Following:
    """Waits for news from a store; who is cut off from its words goes on asking."""

    def __init__(self, listen: Callable[[Kept], Awaitable[Listener | None]]) -> None:
        """`listen` passes its listener on at once, in the thread that opened it."""
        self._listen = listen
        self._listener: Listener | None = None
        self._is_closed = False
        self._heard = asyncio.Event()
        self._is_silent = False

    async def wait(self) -> None:
        """Return when there may be something new."""
        if self._listener is None and not self._is_silent:
            await self._begin()
        seconds = POLL_SECONDS if self._listener is None else LISTENING_SECONDS
        try:
            await asyncio.wait_for(self._heard.wait(), seconds)
        except TimeoutError:
            return
        self._heard.clear()

    def close(self) -> None:
        """Listen no more; a listener that is being opened is closed, too."""
        self._is_closed = True
        self._leave()

    def _leave(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            asyncio.get_running_loop().remove_reader(listener.fileno())
            listener.close()

    async def _begin(self) -> None:
        """Listen; a store that does not let us now is asked again at the next turn."""
        try:
            listener = self._kept(await self._listen(self._kept))
        except StoreUnavailable:
            return
        self._listener, self._is_silent = listener, listener is None
        if self._listener is not None:
            asyncio.get_running_loop().add_reader(self._listener.fileno(), self._take)

    def _kept(self, listener: Listener | None) -> Listener | None:
        """Return a listener that was opened, or close it: nobody waits for news any more."""
        if listener is None or not self._is_closed:
            return listener
        listener.close()
        return None

    def _take(self) -> None:
        assert self._listener is not None  # noqa: S101 - who listens has one
        try:
            self._listener.take()
        except StoreUnavailable:
            self._leave()
        self._heard.set()
