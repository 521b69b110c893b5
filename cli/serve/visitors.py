"""Visitors: the person behind a request, and the turns in which one thread serves all askers.

A visitor is a player, an official or a screen by their link, or a reader without a link. An asker
is a link. Visitors without a link are strangers, and all strangers at one address are one asker.

Acts go before reading, and officials before other visitors. The other askers take turns, so that a
browser with sixty connections waits only for itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, copy_context
from enum import IntEnum
from functools import lru_cache, partial
from threading import Condition, Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from cli.languages.speaking import marked
from ledger.problems import Problem, phrase

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import Request

    Visitors = Callable[[Request], Awaitable["Visitor"]]
    """Finds out who asks."""

Item = TypeVar("Item")
Value = TypeVar("Value")


class Lane(IntEnum):
    """Order of service: nothing of a lane is taken while a lane before it has something."""

    WRITING = 0
    """The hall's own work: acts that have arrived, and news of them."""

    ENTERING = 1
    """Reads of an act over a link whose mark is right."""

    OFFICIALS = 2
    OTHERS = 3


class Asker(NamedTuple):
    """The party that a request counts for."""

    name: str
    lane: Lane = Lane.OTHERS
    is_stranger: bool = True
    is_official: bool = False


THE_HALL = Asker("the hall", is_stranger=False)
THE_DOOR = Asker("the door", Lane.ENTERING, is_stranger=False)
"""Signing in goes before pages, so that a flood of strangers keeps no one out."""

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
        said_as_here = partial(copy_context().run, work)  # in the language of who waits
        job = _Job(said_as_here, asyncio.get_running_loop().create_future())
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


ADDRESSES_KEPT = 1_024
"""Addresses whose asker is kept in mind: each request asks for its own."""


class Visitor(Struct, frozen=True):
    """Who asks; where nobody is signed in `by` is empty, and they only look.

    `by` is as the log has it: `p7` or `o2`. `link` is the number of the link that let them in.
    A visitor by the tournament's own link (`is_newcomer`) may only ask to be registered.
    `only_reads` is a word of `ONLY_READS` for a browser that may enter nothing now.
    """

    by: str = ""
    player: int = 0
    official: int = 0
    link: int = 0
    is_screen: bool = False
    screen: int = 0
    is_newcomer: bool = False
    only_reads: str = ""

    @property
    def is_owner(self) -> bool:
        """Return whether it is the person at this computer, whom no link let in."""
        return bool(self.official and not self.link)

    def acting_for(self, player: int = 0) -> str:
        """Return who enters an act: they themselves, or an official on a player's word."""
        return f"{self.by}/p{player}" if player and self.official else self.by

    def command_id(self, own: str) -> str:
        """Return the id of their command in the log: it begins with the link."""
        return f"w{self.link}-{own}" if self.link else own


NOBODY = Visitor()

ONLY_READS = MappingProxyType(
    {
        "before": marked(
            "this browser signed in with an older version, and can only read: open the link "
            "on your badge in it again"
        ),
        "reading": marked(
            "a code of eight letters was sent unencrypted, so this browser can only read: "
            "scan the code on your badge with the camera, or ask the desk for a new sheet"
        ),
        "plain": marked(
            "other people can see this connection, so an official can only read over it. To "
            "act, {where}. The organizer can allow plain HTTP, on record: `links plain-http "
            "allow`"
        ),
    }
)
"""Why a browser that is signed in may only read, and what to do about it."""


def why_only_reads(visitor: Visitor, private_address: str) -> Problem:
    """Return why a visitor who is signed in may enter nothing, and what to do about it."""
    where = phrase("use the hall's computer, or ask the organizer for `serve --tls`")
    if private_address:
        where = phrase(
            "open {private_address}in and type the code on your badge, or use the hall's computer",
            private_address=private_address,
        )
    about = {"where": where} if visitor.only_reads == "plain" else {}
    return Problem(f"mark.{visitor.only_reads}", ONLY_READS[visitor.only_reads], dict(about))


async def visitor_of(request: Request) -> Visitor:
    """Return who asks: looked up once for each request."""
    scope = request.scope
    if "visitor" not in scope:
        visitors: Visitors = scope["visitors"]
        scope["visitor"] = found = await visitors(request)
        asker = asker_of(found, address_of(request))
        ASKER.set(asker)
        if not asker.is_stranger and "signed_in" in scope:
            scope["signed_in"](asker.name)  # their connection is no stranger's
    visitor: Visitor = scope["visitor"]
    return visitor


async def go_before_reading(request: Request) -> None:
    """Give the rest of a request priority over pages: its mark is right."""
    visitor = await visitor_of(request)
    ASKER.set(asker_of(visitor, address_of(request), is_posting=True))


def asker_of(visitor: Visitor, address: str, *, is_posting: bool = False) -> Asker:
    """Return the asker that a visitor counts as: their link, or their address without one.

    The tournament's own link is on many phones, so its visitors count as strangers.
    """
    if not visitor.by and not visitor.is_screen:
        return stranger_at(address)
    name = f"link {visitor.link}" if visitor.link else visitor.by
    is_official = bool(visitor.official)
    lane = Lane.OFFICIALS if is_official else Lane.OTHERS
    lane = Lane.ENTERING if is_posting else lane
    return Asker(name, lane, is_stranger=False, is_official=is_official)


@lru_cache(ADDRESSES_KEPT)
def stranger_at(address: str) -> Asker:
    """Return the asker that all strangers at one address are."""
    return Asker(f"address {address}")


def address_of(request: Request) -> str:
    """Return the address that a request came from."""
    client = request.scope.get("client")
    return client[0] if client else ""
