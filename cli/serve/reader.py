"""The reader: a further process that answers what takes long, so that no act waits for it.

It opens the same store read only, follows it with a fold of its own, and answers one question after
the other: why a number is what it is, what the audit finds, a match's story, what another result
would change. It ends with the server, has a bound of memory and of time, and is started again where
it ended or gave no answer. The asker gets a refusal with a time to ask again; the hall goes on.

A question is a function of this program and what it is handed, besides the reader's desk: both go
over a pipe, and so does the value. No answer is older than the acts that were answered before it
was asked.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import OrderedDict
from contextlib import suppress
from threading import Event
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from cli.desk.machine_files import NoFiles
from cli.desk.session import Desk
from cli.languages.speaking import ENGLISH, language, speaking, tr
from cli.machine.keyring import draw_key
from cli.outside import TO_PAGE
from cli.serve.door.pace import QuestionPace
from cli.serve.refusals import Busy
from cli.serve.visitors import ASKER, Lane, Worker
from cli.terminal.output import say
from ledger.books.vault import DRAW_KEY_AT, HIDDEN_KEY, IMPORTED, SHUFFLE_KEY
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.files.system import give_way
from ledger.lines.sealing import MASTER, NAME, TEXT
from ledger.problems import phrase
from projections.processes import Companion, limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from cli.input.arguments import Options
    from ledger.books.book import Book
    from ledger.books.open_log import Moment, OpenLog
    from ledger.rules.command import Command
    from ledger.store import Store

Value = TypeVar("Value")

QUESTION_SECONDS = 15.0
"""How long one question may take."""

START_SECONDS = 60.0
"""How long the reader may take to read the log when it starts."""

WAIT_SECONDS = 30.0
"""How long a question waits for its turn and its answer."""

WARM_SECONDS = 3.0
"""How long after the hall opened the reader is started, if no question started it before."""

FOLLOWING_SECONDS = 2.0
"""How long the store may take to show the reader what the hall has written to it."""

KEPT_BYTES_MAX = 16_000_000
"""Size of the answers that the reader keeps for the next who asks the same."""

NICE = 5
"""How far the reader gives way to the hall where both want the processor."""

SECRETS = (MASTER, NAME, TEXT, SHUFFLE_KEY, DRAW_KEY_AT, HIDDEN_KEY, IMPORTED)
"""Secrets that the reader gets: what opens texts, and what a what-if draws with. Of the links and
of acts that wait for a signature it gets none.
"""


class ReadEvent(NamedTuple):
    """What the reader opens: a tournament of a store, with the options of the hall's desk."""

    options: Options
    location: str
    stream: str


class SentQuestion(NamedTuple):
    """What is sent to the reader; `is_kept` if the value follows from the log alone."""

    work: Callable[..., Any]
    given: tuple[Any, ...]
    position: int
    is_kept: bool
    language: str = ENGLISH


class _Answer(NamedTuple):
    """What comes back: a value, or the reason for its absence."""

    value: Any = None
    refused: tuple[type[LedgerError], tuple[Any, ...]] | None = None
    fault: str = ""


class HallReader:
    """The hall's side: questions in turns, each asker within a budget."""

    def __init__(self, place: Callable[[], ReadEvent]) -> None:
        """`place` is asked when the reader starts, in the thread that starts it."""
        self._place = place
        self._worker = Worker("reader")
        self._process: Companion | None = None
        self._warming: asyncio.Task[None] | None = None
        self._closed = Event()
        self.pace = QuestionPace()
        self.seconds = QUESTION_SECONDS

    @property
    def pid(self) -> int:
        """Number of the process that answers now; 0 without one."""
        process = self._process
        return process.pid if process else 0

    def warm(self) -> None:
        """Start the reader in a while, so that the first question finds it ready."""

        async def started() -> None:
            await asyncio.sleep(WARM_SECONDS)
            with suppress(LedgerError):
                await self._worker.do(self._ready)

        self._warming = asyncio.create_task(started())

    async def ask(
        self,
        position: int,
        work: Callable[..., Value],
        *given: object,
        is_kept: bool = False,
    ) -> Value:
        """Return what a function of this program makes of the log, up to a position at least.

        Raises:
            LedgerError: as the function does.
            TooMany: the asker has asked too often.
            Busy: there is no answer in time.
        """
        question = SentQuestion(work, given, position, is_kept, language())
        async with self.pace.asking(ASKER.get()):
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    value: Value = await self._worker.do(lambda: self._answered(question))
                    return value
            except TimeoutError:
                raise Busy(
                    phrase("too many requests of this kind now: try again in a minute")
                ) from None

    def end(self) -> None:
        """End the process; a question that it works on, or that waits, is given up."""
        self._closed.set()
        self.pace.end()
        if self._warming:
            self._warming.cancel()
        if process := self._process:
            process.end()

    async def close(self) -> None:
        """End the process, and give its connection up in the thread that has it."""
        self.end()
        await self._worker.do(lambda: self._give_up(""), Lane.WRITING)
        self._worker.close()

    def _answered(self, question: SentQuestion) -> Any:  # noqa: ANN401 - as the question's function
        process = self._ready()
        try:
            answer: _Answer = process.ask(question, self.seconds)
        except TimeoutError:
            self._give_up(
                tr("a question took longer than {seconds} s", seconds=f"{self.seconds:g}")
            )
            raise Busy(
                phrase("this takes too long to answer: ask for less, or ask at a desk")
            ) from None
        except (OSError, EOFError):
            self._give_up(tr("the process that answers questions ended"))
            raise Busy(phrase("this could not be answered: try again in a moment")) from None
        if answer.fault:
            raise RuntimeError(answer.fault)
        if answer.refused:
            kind, problems = answer.refused
            raise kind(*problems)
        return answer.value

    def _ready(self) -> Companion:
        """Return the process, started if necessary; Busy if it does not start."""
        if self._process is not None and self._process.is_alive():
            return self._process
        if self._process is not None:
            self._give_up(tr("the process that answers questions ended"))
        if self._closed.is_set():
            raise Busy(phrase("the hall is closing"))
        try:
            self._process = Companion(answer_questions, self._place())
            opened: _Answer = self._process.answer(START_SECONDS)
        except (OSError, EOFError):
            self._give_up(tr("the process that answers questions did not start"))
            raise Busy(phrase("this cannot be answered now: try again in a moment")) from None
        if self._closed.is_set():  # while it started
            self._process.end()
        if opened.refused:
            self._give_up("")
            kind, problems = opened.refused
            raise kind(*problems)
        return self._process

    def _give_up(self, why: str) -> None:
        """End the process, so that the next question starts another one."""
        process, self._process = self._process, None
        if process:
            process.close()
        if why and not self._closed.is_set():
            say(tr("{why}: a new process answers the next question", why=why))


class ReadersDesk(Desk):
    """The reader's desk: the hall's tournament in its store, read only."""

    has_memory = False
    files = NoFiles()
    grants = TO_PAGE

    def __init__(self, place: ReadEvent) -> None:
        super().__init__(place.options, ())
        self.location, self._stream = place.location, place.stream

    def store(self, *, create: bool = False) -> Store:
        """Open the store read only, or return it."""
        del create
        if self._store is None:
            from ledger.store import open_store

            self._store = open_store(self.location, create=False, reading=SECRETS)
        return self._store

    def _open(self, moment: Moment | None = None) -> Book:
        """Open the book; the hall has compared its lines with their heads."""
        from ledger.books.book import open_book
        from projections.standings.table import ranking

        self._book = open_book(self.store(), self.stream, ranking, draw_key, moment)
        return self._book

    def act(self, command: Command, command_id: str = "") -> NoReturn:
        """Refuse every act."""
        del command, command_id
        raise Refused(phrase("the process that answers questions cannot enter acts"))


class _Kept:
    """Answers as they were sent, of the log as it is now; the oldest make room."""

    def __init__(self) -> None:
        self._position, self._size = 0, 0
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, position: int, key: bytes) -> bytes | None:
        """Return an answer that was made of the log of this position."""
        if position != self._position:
            self._answers.clear()
            self._position, self._size = position, 0
        return self._answers.get(key)

    def keep(self, key: bytes, answer: bytes) -> None:
        """Keep an answer, for as long as the log stays as it is."""
        self._answers[key] = answer
        self._size += len(answer)
        while self._size > KEPT_BYTES_MAX:
            self._size -= len(self._answers.popitem(last=False)[1])


def answer_questions(connection: Connection, place: ReadEvent) -> None:
    """Answer what is asked over a connection, until the hall ends it: the work of the process."""
    give_way(NICE)
    desk = ReadersDesk(place)
    try:
        desk.book.refresh()
    except LedgerError as error:
        connection.send(_refused(error))
        return
    limit_memory()
    connection.send(_Answer())
    kept = _Kept()
    while True:
        try:
            asked = connection.recv_bytes()
        except EOFError:
            return
        try:
            answer = _answer(desk, asked, kept)
        except MemoryError:  # nothing that it left behind is used again
            connection.send(
                _refused(StoreUnavailable(phrase("this takes too much memory to answer")))
            )
            return
        connection.send_bytes(answer)


def _answer(desk: Desk, asked: bytes, kept: _Kept) -> bytes:
    question: SentQuestion = pickle.loads(asked)  # noqa: S301 - the hall's own process has sent it
    try:
        seq = _followed(desk.book, question.position).tournament.seq
        key = pickle.dumps(question._replace(position=0))
        if question.is_kept and (before := kept.get(seq, key)):
            return before
        with speaking(question.language):
            made = pickle.dumps(_Answer(question.work(desk, *question.given)))
    except LedgerError as error:
        return pickle.dumps(_refused(error))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the hall tells it as a fault of ours
        return pickle.dumps(_Answer(fault=f"{type(error).__name__}: {error}"))
    if question.is_kept:
        kept.keep(key, made)
    return made


def _followed(book: Book, position: int) -> OpenLog:
    """Read what was written since, up to a position at least; or StoreUnavailable."""
    end = monotonic() + FOLLOWING_SECONDS
    while book.refresh().tournament.seq < position:
        if monotonic() > end:
            raise StoreUnavailable(phrase("the store does not show the latest act yet: try again"))
        sleep(0.01)
    return book


def _refused(error: LedgerError) -> _Answer:
    """Return an error as it is sent: its kind, or the nearest that is made of problems alone."""
    kinds = [each for each in type(error).__mro__ if issubclass(each, LedgerError)]
    own = [place for place, each in enumerate(kinds[:-1], 1) if "__init__" in vars(each)]
    return _Answer(refused=(kinds[max(own, default=0)], error.problems))
