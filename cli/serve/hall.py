"""The hall: the tournament as its store has it now, the acts that come in, and each part made once.

One thread does all work on the store and makes all parts, so that a large table delays no stream;
acts go before reading. Slow questions go to the reader, which is another process.

The writer carries out all acts that have arrived, for one lock and one sync. Acts that come in
meanwhile are the next ones: at a slow desk each act waits for two turns at most. The guards of a
typed act apply as well; no passphrase is asked for in between, since the keys here were opened
before. The store's database reports new lines, or the hall asks the store from time to time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import contextmanager
from hashlib import sha256
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cli import outside
from cli.machine.posted_words import WordsOfPosting
from cli.serve.commands import drop_about, keep
from cli.serve.door.pace import Pace, ReadingPace
from cli.serve.pages.frame import EventHeading
from cli.serve.parts import PARTS, RUNNING, rendered
from cli.serve.reader import HallReader, ReadEvent
from cli.serve.visitors import ASKER, NOBODY, THE_DOOR, THE_HALL, Lane, Worker
from cli.terminal.output import say
from cli.wording.page_words import public_view
from ledger.books.book import Sent
from ledger.books.links import browsers_of_ended
from ledger.errors import LedgerError, NoDrawKey, Refused, StoreUnavailable, Unsigned
from ledger.facts.keys import LinkIssued, LinkRevoked
from ledger.facts.office import lets_in
from ledger.facts.opening import RegistrationAnswered
from ledger.facts.people import PersonForgotten
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from cli.desk.session import Desk
    from cli.serve.commands import AwaitsSignature
    from cli.serve.parts import Form, Rendered
    from cli.serve.visitors import Visitor
    from ledger.books.book import Answer
    from ledger.facts.base import Event
    from ledger.formats import CardFile
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.store.base import Listener
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import Link

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
            raise StoreUnavailable("too many acts are waiting: send this again in a minute")
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
    desk.let_sign(each.command for each in acts)
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
    _clean_up(desk, [each.event for each in landed])
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
            return [answer for each in acts for answer in _answers(desk, [each])]
        say(f"an act of {acts[0].by} is not valid: {type(error).__name__}: {error}")
        text = "this act names something that does not exist, or that it cannot apply to"
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


Value = TypeVar("Value")

NEWS_KEPT = 500
"""How many steps a page may be behind and still learn which parts it has to fetch again."""


class News(NamedTuple):
    """Which parts are other than before, as of a position in the log."""

    position: int
    parts: tuple[str, ...]


class Hall:
    """One tournament, followed; `closing` ends the streams."""

    def __init__(self, desk: Desk, cards: CardFile | None = None) -> None:
        """`cards` are what lists of phones are read and checked with."""
        self._desk, self.cards = desk, cards
        self._worker = Worker("hall")
        self.reader = HallReader(self._place)
        self._made: dict[tuple[str, Form], Rendered] = {}
        self._digests: dict[str, bytes] | None = None
        """Of every part as it was last; not known while no page was open."""

        self._listeners = 0
        self._news: deque[News] = deque()
        self._known_since = 0
        self._changed = asyncio.Event()
        self._writer = Writer(self._write, self._tell)
        self._pace, self._reading = Pace(), ReadingPace()
        self._following = Following(
            lambda kept: self._do(lambda: kept(self._desk.store().listen()))
        )
        self._told = 0
        self.name = self.event = ""
        self._words = WordsOfPosting()
        self.heading = EventHeading("")
        self.private_address = ""
        """Where officials act over TLS, or "" if this server has no such port."""

        self.position = self._landed = 0
        self.problem = ""
        """Why the store gives no answer now; empty while it does."""

        self.closing = False

    async def open(self) -> None:
        """Read the tournament; NotFound without one, or as the store says."""
        self.name, self.position = await self._do(self._opened)
        self.event = self._desk.book.stream
        self._known_since = self.position
        self.reader.warm()

    async def follow(self) -> None:
        """Look for what was written since, until the hall closes; an outage is waited out."""
        while not self.closing:
            await self._tell()
            await self._following.wait()

    async def act(
        self, visitor: Visitor, command_id: str, command: Command, player: int = 0
    ) -> list[Recorded]:
        """Carry a visitor's act out, perhaps on a player's word; its events, once they are durable.

        Sent again with the same id it changes nothing and gives the first answer again; raises as
        `Book.act`, TooMany, and AwaitsSignature where it was kept as a draft.
        """
        by, own = visitor.acting_for(player), visitor.command_id(command_id)
        if own not in self._tournament.ids:
            self._pace.count(visitor)
        sent = Sent(command, by, own, outside.now)
        try:
            return await self._writer.act(sent)
        except Unsigned as unsigned:
            raise await self._kept(sent, unsigned) from None
        except Refused:
            entered_by = await self.at_desk(lambda desk: _entered_at_a_desk(desk, sent))
            if not entered_by:
                raise
            return await self._writer.act(sent._replace(by=entered_by))

    async def _kept(self, sent: Sent, unsigned: Unsigned) -> AwaitsSignature:
        """Keep what has to be signed as a draft."""
        desk = self._desk
        return await self._do(lambda: keep(desk.store(), desk.book.stream, sent, unsigned))

    async def view(self, work: Callable[[Tournament], Value], visitor: Visitor = NOBODY) -> Value:
        """Read something from the tournament as it is now, where nothing else works on it.

        A visitor who is no official finds no more of names in it than everybody may see.
        """

        def read() -> Value:
            tournament = self._tournament
            return work(tournament if visitor.official else public_view(tournament))

        return await self._do(read)

    async def at_desk(self, work: Callable[[Desk], Value], lane: Lane | None = None) -> Value:
        """Do something at the hall's own desk that writes nothing, with all that was written.

        It is done in its asker's turn, or in a given lane.
        """

        def done() -> Value:
            self._desk.book.refresh()
            return work(self._desk)

        return await self._do(done, lane)

    async def asked(
        self,
        work: Callable[..., Value],
        *given: object,
        is_kept: bool = False,
    ) -> Value:
        """Have the reader answer what takes long, with all acts that were answered; see its ask.

        The function is handed the reader's desk and the rest. `is_kept` if its value follows from
        that and from the log.
        """
        return await self.reader.ask(self.newest, work, *given, is_kept=is_kept)

    @property
    def newest(self) -> int:
        """Return the last event that is known of, also if pages have no news of it yet."""
        return max(self.position, self._landed)

    @property
    def links(self) -> Mapping[int, Link]:
        """Every link that was given out, as of the last look into the store."""
        return self._tournament.floor.links

    def admits(self, link: Link) -> bool:
        """Return whether a link works, as of the last look into the store."""
        return lets_in(self._tournament, link)

    @property
    def plain_http(self) -> bool:
        """Whether officials may act over plain HTTP, as of the last look into the store."""
        return self._tournament.plain_http

    def has_landed(self, command_id: str) -> bool:
        """Return whether a command has left events in the log."""
        return command_id in self._tournament.ids

    async def part(self, name: str, form: Form) -> Rendered:
        """Return a part as it is now; NotFound where the tournament has none yet.

        One that is made already is given at once: a thousand phones ask in the same moment.
        """
        made = self._made.get((name, form))
        return made if made is not None else await self._do(lambda: self._part(name, form))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count who listens to the news: while nobody does, it says no more than that there is."""
        self._listeners += 1
        try:
            yield
        finally:
            self._listeners -= 1

    async def news_after(self, position: int, seconds: float) -> News | None:
        """Wait for what is newer than a position; None where nothing came within these seconds."""
        if self.position <= position and not self.closing:
            try:
                async with asyncio.timeout(seconds):  # `wait_for` makes a task for each stream
                    await self._changed.wait()
            except TimeoutError:
                return None
        return self._since(position) if self.position > position else None

    def end_streams(self) -> None:
        """Let every open stream end; called in the loop's own thread."""
        self.closing = True
        self.reader.end()
        self._reading.end()
        self.wake()

    async def close(self) -> None:
        """End the streams, and give the store up in the thread that opened it."""
        self.end_streams()
        await self.reader.close()
        await self._writer.finish()
        self._following.close()
        await self._do(self._desk.close, Lane.WRITING)
        self._worker.close()

    async def _write(self, acts: Sequence[Sent]) -> list[Answer]:
        def carry_out() -> list[Answer]:
            self._made.clear()
            answers = act_all(self._desk, acts)
            self._landed = self._tournament.seq
            return answers

        return await self._do(carry_out, Lane.WRITING)

    async def _tell(self) -> None:
        """Let everybody know what is new in the store, or keep why it gives no answer."""
        news, problem = None, ""
        try:
            news = await self._do(self._look, Lane.WRITING)
        except LedgerError as error:
            problem = str(error)
        if bool(problem) != bool(self.problem):
            say(
                f"the pages are out of date: {problem}"
                if problem
                else "the store is available again"
            )
        self.problem = problem
        if news is not None:
            self._add(news)

    def _add(self, news: News) -> None:
        if len(self._news) == NEWS_KEPT:
            self._known_since = self._news.popleft().position
        self._news.append(news)
        self.position = news.position
        self.wake()

    def _since(self, position: int) -> News:
        """Say which parts changed after a position; all of them where that is too long ago."""
        if position < self._known_since:
            return News(self.position, tuple(PARTS))
        parts = {part for each in self._news if each.position > position for part in each.parts}
        return News(self.position, tuple(name for name in PARTS if name in parts))

    def wake(self) -> None:
        """Let everybody go on who waits, and the next ones wait for what comes next."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def _do(self, work: Callable[[], Value], lane: Lane | None = None) -> Value:
        """Do something in the hall's thread; reads count against the budget of their link.

        The reads of an act go before pages and have a separate budget, so that refused acts do not
        delay the pages of others.
        """
        asker = ASKER.get()
        is_own_work = lane is not None and lane <= Lane.ENTERING
        lane = asker.lane if lane is None else lane
        if is_own_work or asker is THE_HALL or asker is THE_DOOR:
            return await self._worker.do(work, lane)
        async with self._reading.reading(asker) as took:

            def timed() -> Value:
                begun = thread_time()
                try:
                    return work()
                finally:
                    took(thread_time() - begun)

            return await self._worker.do(timed, lane)

    def _place(self) -> ReadEvent:
        return ReadEvent(self._desk.options, self._desk.location, self._desk.book.stream)

    @property
    def _tournament(self) -> Tournament:
        return self._desk.book.tournament

    def _opened(self) -> tuple[str, int]:
        opening = self._tournament.opening
        self._told = self._tournament.seq
        self.heading = EventHeading(
            opening.name if opening else "", self._words.now(self._desk.book)
        )
        return opening.name if opening else "", self._tournament.seq

    def _look(self) -> News | None:
        """Read what is new; None where nothing is."""
        tournament = self._desk.book.refresh().tournament
        if tournament.seq == self._told:
            return None
        self._told = tournament.seq
        self._made.clear()
        self.heading = EventHeading(self.name, self._words.now(self._desk.book))
        known, self._digests = self._digests, self._digested() if self._listeners else None
        if known is None or self._digests is None:
            return News(tournament.seq, tuple(PARTS))
        changed = (each for each in PARTS if self._digests.get(each) != known.get(each))
        return News(tournament.seq, tuple(changed))

    def _digested(self) -> dict[str, bytes]:
        """Hash every part that there is, so that a page fetches again only what is other."""
        found: dict[str, bytes] = {}
        for name in PARTS:
            try:
                value = self._steady(name)
            except LedgerError:
                continue
            found[name] = sha256(value).digest()
        return found

    def _steady(self, name: str) -> bytes:
        """Return what a part says apart from how late it is."""
        if name not in RUNNING:
            return self._part(name, "json").content
        tournament = self._tournament
        floor = (tournament.floor.calls, tournament.floor.extensions)
        return self._part("pairings", "json").content + repr(floor).encode()

    def _part(self, name: str, form: Form) -> Rendered:
        if made := self._made.get((name, form)):
            return made
        made = rendered(name, public_view(self._tournament), form)
        if name not in RUNNING:
            self._made[name, form] = made
        return made


def _entered_at_a_desk(desk: Desk, sent: Sent) -> str:
    """Return who entered a player's act before, from the code that their phone showed; or empty."""
    seq = desk.book.tournament.ids.get(sent.command_id)
    by = desk.book.recorded_at(seq).by if seq else ""
    return by if by.endswith(f"/{sent.by}") else ""
