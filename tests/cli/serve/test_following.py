"""The hall hears of what others write as soon as their store says so."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest

from cli.desk import session
from cli.input.arguments import Options
from cli.serve.hall import Hall
from cli.serve.news import following
from cli.serve.news.following import Following
from ledger.errors import StoreUnavailable
from ledger.store.base import Listener

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.cli_desk import Desk

NEVER = 3_600.0


class Word(Listener):
    """A listener that hears what is sent to its other end."""

    def __init__(self) -> None:
        self._mine, self.other = socket.socketpair()
        self.is_lost = self.is_closed = False

    def fileno(self) -> int:
        """See `Listener.fileno`."""
        return self._mine.fileno()

    def take(self) -> None:
        """See `Listener.take`."""
        self._mine.recv(1_024)
        if self.is_lost:
            raise StoreUnavailable("the line was cut")

    def close(self) -> None:
        """See `Listener.close`."""
        self.is_closed = True
        self._mine.close()
        self.other.close()


def asked(*answers: Listener | StoreUnavailable | None) -> Callable[[], Awaitable[Listener | None]]:
    """What gives these listeners, one after the other, or says why not."""
    left = iter(answers)

    async def listen() -> Listener | None:
        answer = next(left)
        if isinstance(answer, StoreUnavailable):
            raise answer
        return answer

    return listen


async def is_woken(waiting: Following) -> bool:
    """Whether waiting ends within a moment."""
    try:
        await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(waiting.wait())), 0.05)
    except TimeoutError:
        return False
    return True


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "POLL_SECONDS", 0)
    monkeypatch.setattr(following, "LISTENING_SECONDS", NEVER)


def test_a_word_of_the_store_ends_the_waiting_at_once() -> None:
    async def day() -> None:
        word = Word()
        waiting = Following(asked(word))
        turn = asyncio.ensure_future(waiting.wait())
        await asyncio.sleep(0)
        word.other.send(b"written")
        await asyncio.wait_for(turn, 5)
        assert not await is_woken(waiting)
        waiting.close()
        assert word.is_closed

    asyncio.run(day())


def test_who_is_cut_off_asks_and_listens_again() -> None:
    async def day() -> None:
        lost, word = Word(), Word()
        waiting = Following(asked(StoreUnavailable("away"), lost, word))
        await asyncio.wait_for(waiting.wait(), 5)
        lost.is_lost = True
        lost.other.send(b"gone")
        await asyncio.wait_for(waiting.wait(), 5)
        assert lost.is_closed
        word.other.send(b"written")
        await asyncio.wait_for(waiting.wait(), 5)
        waiting.close()

    asyncio.run(day())


def test_a_store_that_says_nothing_is_asked_once_whether_it_does() -> None:
    async def day() -> None:
        waiting = Following(asked(None))
        for _ in range(3):
            await asyncio.wait_for(waiting.wait(), 5)
        waiting.close()

    asyncio.run(day())


@pytest.mark.slow
def test_two_halls_on_one_server_see_each_others_acts(
    desk: Desk, new_postgres: Callable[[], str]
) -> None:
    desk.patch.setenv("TOURNEY_STORE", new_postgres())
    desk.open(4, "basic")

    async def day() -> None:
        hall = Hall(session.Desk(Options(), []))
        listening, begin = asyncio.Event(), hall._following._begin

        async def begun() -> None:
            await begin()
            listening.set()

        hall._following._begin = begun  # type: ignore[method-assign] # to see when
        await hall.open()
        follow = asyncio.create_task(hall.follow())
        await asyncio.wait_for(listening.wait(), 10)
        before = hall.position
        await asyncio.to_thread(desk.done, "pair")
        assert await asyncio.wait_for(hall.news_after(before, 10), 10)
        assert hall.position > before
        await hall.close()
        follow.cancel()

    asyncio.run(day())
