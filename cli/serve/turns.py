"""Turns: in which order one thread or one process serves everybody who asks.

What is entered goes before what is read, and an official before the others. Among the others every
asker has one turn after the other, so that a browser with sixty connections waits for itself. An
asker is a link. Visitors without a link are strangers, and all of one address are one asker.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from enum import IntEnum
from threading import Condition, Thread
from typing import Any, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


class Lane(IntEnum):
    """Order of service: nothing of a lane is taken while a lane before it has something."""

    WRITING = 0
    """The hall's own work: acts that have arrived, and news of them."""

    ENTERING = 1
    """Reading that an act over a link waits for."""

    OFFICIALS = 2
    OTHERS = 3


class Asker(NamedTuple):
    """The party that a request counts for."""

    name: str
    lane: Lane = Lane.OTHERS
    is_stranger: bool = True
    is_official: bool = False


THE_HALL = Asker("the hall", is_stranger=False)
ASKER: ContextVar[Asker] = ContextVar("asker", default=THE_HALL)
"""The asker of the request that is answered in this task."""


class Turns(Generic[Item]):
    """What waits, by lane and by asker."""

    def __init__(self) -> None:
        self._lanes: dict[Lane, dict[str, deque[Item]]] = {lane: {} for lane in Lane}

    def __bool__(self) -> bool:
        """Return whether anything waits."""
        return any(self._lanes.values())

    def add(self, item: Item, asker: str, lane: Lane) -> None:
        """Let an item wait for its asker's turn."""
        self._lanes[lane].setdefault(asker, deque()).append(item)

    def take(self) -> Item:
        """Return the next item: of the first lane that has one, the asker's whose turn it is.

        Raises:
            LookupError: nothing waits.
        """
        waiting = next(filter(None, self._lanes.values()), None)
        if waiting is None:
            raise LookupError("nothing waits")
        asker = next(iter(waiting))
        items = waiting.pop(asker)
        item = items.popleft()
        if items:
            waiting[asker] = items  # behind all others
        return item


class _Job(NamedTuple):
    work: Callable[[], Any]
    answer: asyncio.Future[Any]

    def settle(self, value: object, error: BaseException | None) -> None:
        """Answer the task that waits, in its own thread; one that went away hears nothing."""

        def settled() -> None:
            if self.answer.done():
                return
            if error is not None:
                self.answer.set_exception(error)
            else:
                self.answer.set_result(value)

        with suppress(RuntimeError):  # the loop was closed meanwhile
            self.answer.get_loop().call_soon_threadsafe(settled)


class Worker:
    """One thread of its own that does one thing after the other, in turns."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._turns: Turns[_Job] = Turns()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_closed = False

    async def do(self, work: Callable[[], Value], lane: Lane | None = None) -> Value:
        """Do a work in the thread, in its asker's turn or in a given lane; return its value."""
        asker = ASKER.get()
        job = _Job(work, asyncio.get_running_loop().create_future())
        with self._changed:
            if self._is_closed:
                raise RuntimeError(f"{self._name} is closed")
            if self._thread is None:
                self._thread = Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._turns.add(job, asker.name, asker.lane if lane is None else lane)
            self._changed.notify()
        value: Value = await job.answer
        return value

    def close(self) -> None:
        """Take nothing more; what was taken is done."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._turns:
                    if self._is_closed:
                        return
                    self._changed.wait()
                job = self._turns.take()
            if job.answer.cancelled():
                continue
            try:
                value, error = job.work(), None
            except BaseException as raised:  # noqa: BLE001 - raised again for the task that waits
                value, error = None, raised
            job.settle(value, error)
            del job, value, error
