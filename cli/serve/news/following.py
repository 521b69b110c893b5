"""When a store may hold something new: its database says so, or it is asked from time to time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ledger.store.base import Listener

POLL_SECONDS = 0.25
"""How often a store is asked that says nothing by itself: 0.03 ms each time."""

LISTENING_SECONDS = 2.0
"""How often one is asked that does, in case that a word of it is lost."""


class Following:
    """Waits for news from a store; who is cut off from its words goes on asking."""

    def __init__(self, listen: Callable[[], Awaitable[Listener | None]]) -> None:
        self._listen = listen
        self._listener: Listener | None = None
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
        """Listen no more."""
        listener, self._listener = self._listener, None
        if listener is not None:
            asyncio.get_running_loop().remove_reader(listener.fileno())
            listener.close()

    async def _begin(self) -> None:
        """Listen; a store that does not let us now is asked again at the next turn."""
        try:
            self._listener = await self._listen()
        except StoreUnavailable:
            return
        self._is_silent = self._listener is None
        if self._listener is not None:
            asyncio.get_running_loop().add_reader(self._listener.fileno(), self._take)

    def _take(self) -> None:
        assert self._listener is not None  # noqa: S101 - who listens has one
        try:
            self._listener.take()
        except StoreUnavailable:
            self.close()
        self._heard.set()
