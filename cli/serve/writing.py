"""Writing: the acts that come in, carried out together; and the wait for news of the store.

The writer carries out all acts that have arrived, for one lock and one sync. Acts that come in
meanwhile are the next ones: at a slow desk each act waits for two turns at most. The guards of a
typed act apply as well; no passphrase is asked for in between, since the keys here were opened
before. The store's database reports new lines, or it is asked from time to time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import marked, tr
from cli.serve.commands import drop_about
from cli.terminal.output import say
from ledger.books.links import browsers_of_ended
from ledger.errors import LedgerError, NoDrawKey, Refused, StoreUnavailable
from ledger.facts.keys import LinkIssued, LinkRevoked
from ledger.facts.opening import RegistrationAnswered
from ledger.facts.people import PersonForgotten
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from cli.desk.session import Desk
    from ledger.books.book import Answer, Sent
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.store.base import Listener

    Kept = Callable[[Listener | None], Listener | None]

    Write = Callable[[Sequence[Sent]], Awaitable[list[Answer]]]

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
            raise StoreUnavailable(phrase("too many acts are waiting: send this again in a minute"))
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
                answers = await self._write([waiting.sent for waiting in turn])
            except Exception as error:  # noqa: BLE001 - its sender hears of it
                for waiting in turn:
                    _answer(waiting.answer, error)
                continue
            for waiting, answer in zip(turn, answers, strict=True):
                _answer(waiting.answer, answer)
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
    repeated = {sent.command_id for sent in acts if sent.command_id in book.tournament.ids}
    desk.let_sign(sent.command for sent in acts)
    answers = _answers(desk, acts)
    _draw_with_file(desk, acts, answers)
    landed = [
        recorded
        for sent, answer in zip(acts, answers, strict=True)
        if isinstance(answer, list) and sent.command_id not in repeated
        for recorded in answer
    ]
    desk.sign_head(landed)
    desk.copy_after(landed)
    _clean_up(desk, [recorded.event for recorded in landed])
    return answers


def _clean_up(desk: Desk, events: Sequence[Event]) -> None:
    """Delete the secrets that acts have ended: of forgotten persons, refused names, old links."""
    if any(isinstance(event, RegistrationAnswered | PersonForgotten) for event in events):
        desk.book.destroy_forgotten()
    if any(isinstance(event, PersonForgotten) for event in events):
        drop_about(desk.book, desk.book.tournament.forgotten)
    if any(isinstance(event, LinkIssued | LinkRevoked) for event in events):
        store, stream = desk.store(), desk.book.stream
        links = desk.book.tournament.floor.links
        if ended := browsers_of_ended(store.vault_items(stream), links):
            store.vault_delete_all(stream, ended)


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
            return [answer for act in acts for answer in _answers(desk, [act])]
        fault = f"{type(error).__name__}: {error}"
        say(tr("an act of {author} is not valid: {fault}", author=acts[0].by, fault=fault))
        text = marked("this act names something that does not exist, or that it cannot apply to")
        return [Refused(problem("command.senseless", text))]


def _draw_with_file(desk: Desk, acts: Sequence[Sent], answers: list[Answer]) -> None:
    """Carry out once more what draws, where a file of this machine has the key."""
    from cli.machine.draw_keys import hand_in

    waiting = [place for place, answer in enumerate(answers) if isinstance(answer, NoDrawKey)]
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
