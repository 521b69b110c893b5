"""Acts from many browsers, carried out as many as have come, for one lock and one sync.

While some are being written others come in; they are the next ones. So a desk that is slow makes
each wait for two turns at most, however many they are. The guards of a typed act hold for them as
well; nobody is asked for a passphrase in between, since what a key here signs was opened before.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from cli.terminal.output import say
from ledger.errors import LedgerError, NoDrawKey, Refused, StoreUnavailable
from ledger.events.opening import RegistrationAnswered
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from cli.desk.session import Desk
    from ledger.books.book import Answer, Sent
    from ledger.lines.recorded import Recorded

    Write = Callable[[Sequence[Sent]], Awaitable[list[Answer]]]

TAKEN_MAX = 500
"""Acts that are carried out at once: the ones behind them wait for the next turn."""

WAITING_MAX = 20_000
"""Acts that may wait: each is small, and each of their senders waits as well."""


class _Waiting(NamedTuple):
    sent: Sent
    answer: asyncio.Future[list[Recorded]]


class Writer:
    """One task that takes what has arrived, as long as anything has; then it ends."""

    def __init__(self, write: Write, written: Callable[[], Awaitable[None]]) -> None:
        """`written` is called once after each turn, when all of it are answered."""
        self._write, self._written = write, written
        self._arrived: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def act(self, sent: Sent) -> list[Recorded]:
        """Carry an act out, and return its events once they are durable; raises as `Book.act`."""
        if len(self._arrived) >= WAITING_MAX:
            raise StoreUnavailable("too many acts wait already: send this one again in a minute")
        waiting = _Waiting(sent, asyncio.get_running_loop().create_future())
        self._arrived.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._take_turns())
        return await waiting.answer

    async def finish(self) -> None:
        """Wait until all that has arrived is answered."""
        if self._task is not None:
            await self._task

    async def _take_turns(self) -> None:
        while self._arrived:
            turn, self._arrived = self._arrived[:TAKEN_MAX], self._arrived[TAKEN_MAX:]
            try:
                answers = await self._write([each.sent for each in turn])
            except Exception as error:  # noqa: BLE001 - its sender hears of it
                for each in turn:
                    _answer(each.answer, error)
                continue
            for each, answer in zip(turn, answers, strict=True):
                _answer(each.answer, answer)
            await self._written()


def _answer(future: asyncio.Future[list[Recorded]], answer: Answer | Exception) -> None:
    if future.done():
        return  # who sent it has gone
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def act_all(desk: Desk, acts: Sequence[Sent]) -> list[Answer]:
    """Carry acts out one after the other, as `Book.act_all`; sign the head of what has landed."""
    book = desk.book
    desk.heads.begin_act()
    book.guard = desk.heads.guard
    known = {each.command_id for each in acts if each.command_id in book.tournament.ids}
    answers = _answers(desk, acts)
    _draw_with_file(desk, acts, answers)
    landed = [
        recorded
        for sent, answer in zip(acts, answers, strict=True)
        if isinstance(answer, list) and sent.command_id not in known
        for recorded in answer
    ]
    desk.sign_head(landed)
    desk.copy_after(landed)
    if any(isinstance(each.event, RegistrationAnswered) for each in landed):
        book.destroy_forgotten()  # the name of who asked and was refused
    return answers


def _answers(desk: Desk, acts: Sequence[Sent]) -> list[Answer]:
    """Carry acts out; one that no rule foresaw is refused, and hinders no other."""
    try:
        return desk.book.act_all(acts)
    except LedgerError:
        desk.book.drop_unstored()
        raise
    except Exception as error:  # noqa: BLE001 - numbers from outside may name anything
        desk.book.drop_unstored()
        if len(acts) > 1:
            return [answer for each in acts for answer in _answers(desk, [each])]
        say(f"an act of {acts[0].by} makes no sense: {type(error).__name__}: {error}")
        text = "this act names what is not there, or what it cannot be done with"
        return [Refused(problem("command.senseless", text))]


def _draw_with_file(desk: Desk, acts: Sequence[Sent], answers: list[Answer]) -> None:
    """Carry out once more what draws, where a file of this machine has the key."""
    from cli.machine.draw_keys import hand_in

    waiting = [place for place, each in enumerate(answers) if isinstance(each, NoDrawKey)]
    if not waiting:
        return
    try:
        if not hand_in(desk.book):
            return
    except LedgerError as error:
        for place in waiting:
            answers[place] = error
        return
    again = _answers(desk, [acts[place] for place in waiting])
    for place, answer in zip(waiting, again, strict=True):
        answers[place] = answer
