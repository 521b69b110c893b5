"""Further processes: work shared out, a companion that answers questions, bounds of memory.

Ctrl-C is for the process that waits for them, and none of them outlives that process.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Event, Thread, Timer, current_thread, main_thread
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.errors import Refused
from ledger.files.system import interrupts_held, limit_data, never_wait
from ledger.problems import phrase

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Done = TypeVar("Done")

MAPPED_BYTES = 720_000_000
"""Memory that a bounded process may get from the system beyond what it has; not all is used."""

SMALL_BYTES = 32_000
"""A question up to this size is taken by the system whether the companion reads it or not."""


class Processes:
    """Processes that share work out among them."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def map(
        self, work: Callable[..., Done], *given: Iterable[Any], chunksize: int
    ) -> Iterator[Done]:
        """Do the work for each item, some at a time; yield what it comes to, in order."""
        with interrupts_held():  # a process that starts now is not to be interrupted
            return self._pool.map(work, *given, chunksize=chunksize)


@contextmanager
def processes(
    most: int | None = None, begin: Callable[..., None] | None = None, *given: object
) -> Iterator[Processes]:
    """Have further processes, one a core by default, prepared alike; Refused if one is ended."""
    # a fork would take threads and open files along
    pool = ProcessPoolExecutor(most, get_context("spawn"), partial(_begin, begin, *given))
    try:
        yield Processes(pool)
    except BrokenProcessPool:
        why = phrase(
            "a process that checked logs was stopped from outside: run the command again; nothing "
            "was changed"
        )
        raise Refused(why) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def one_process(
    work: Callable[..., None], *given: object
) -> Iterator[tuple[SpawnProcess, Connection]]:
    """Have one further process do a work, and end it with the block, whether it is done or not.

    What it sends to the connection that it is handed first comes out of the one that is yielded.
    """
    context = get_context("spawn")
    pipe: tuple[Any, Any] = context.Pipe(duplex=False)  # of another class on each system
    reading, writing = pipe
    process = context.Process(target=_work, args=(work, writing, *given), daemon=True)
    with reading:
        with writing, interrupts_held():
            process.start()
        try:
            yield process, reading
        finally:
            process.kill()
            process.join()


class Companion:
    """A further process that answers one question after the other, until it is ended.

    Its work is handed a connection, and answers each question that it receives there with one
    answer. Used by one thread at a time; only `end` may be called by any.
    """

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        context = get_context("spawn")  # a fork would take threads and open files along
        self._connection, its_own = context.Pipe()
        self._process = context.Process(target=_work, args=(work, its_own, *given), daemon=True)
        with its_own, interrupts_held():
            self._process.start()

    @property
    def pid(self) -> int:
        """The number that the system has given the process."""
        return self._process.pid or 0

    def is_alive(self) -> bool:
        """Return whether it has not ended."""
        return self._process.is_alive()

    def ask(self, question: object, seconds: float) -> Any:  # noqa: ANN401 - as the work answers
        """Send a question, and return the answer.

        Raises:
            TimeoutError: there is no answer within these seconds.
            OSError, EOFError: the process has ended.
        """
        sent = pickle.dumps(question)
        waiting = Timer(seconds, self._process.kill) if len(sent) > SMALL_BYTES else None
        if waiting:
            waiting.start()
        try:
            self._connection.send_bytes(sent)
        finally:
            if waiting:
                waiting.cancel()
        return self.answer(seconds)

    def answer(self, seconds: float) -> Any:  # noqa: ANN401 - as the work answers
        """Wait for what the process sends next; see ask for what it raises."""
        if not self._connection.poll(seconds):
            raise TimeoutError(f"no answer within {seconds} seconds")
        return self._connection.recv()

    def end(self) -> None:
        """End the process, whatever it does; a thread that waits for its answer hears of it."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and give its connection up."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def limit_memory() -> bool:
    """Let the system refuse this process memory beyond what it has and `MAPPED_BYTES`.

    Return whether it does: only Linux has such a limit (`ledger.files.system`).
    """
    return limit_data(MAPPED_BYTES)


def _work(work: Callable[..., None], writing: Connection, *given: object) -> None:
    _begin(None)
    with suppress(BrokenPipeError), writing:  # nobody waits for it any more
        work(writing, *given)


def _begin(begin: Callable[..., None] | None, *given: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """End this process when the one that started it was ended from outside: nobody else would."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)


INTERRUPTED = "Query interrupted"
"""What DuckDB says after a Ctrl-C that it saw itself, in place of `KeyboardInterrupt`."""


@contextmanager
def interrupted_by(interrupt: Callable[[], None]) -> Iterator[None]:
    """Interrupt a library's long work at Ctrl-C: Python hears of it only when the work is done.

    Raises:
        KeyboardInterrupt: in place of what the library says of it.
    """
    if current_thread() is not main_thread():
        yield
        return
    reading, writing = os.pipe()
    never_wait(writing)
    heard = Event()

    def listen() -> None:
        while number := os.read(reading, 1):
            if number[0] == signal.SIGINT:
                heard.set()
                interrupt()

    before = signal.set_wakeup_fd(writing)
    listening = Thread(target=listen, daemon=True)
    listening.start()
    try:
        yield
    except Exception as error:
        if heard.is_set() or str(error) == INTERRUPTED:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)
        listening.join()
        os.close(reading)
