"""Work that takes long, and Ctrl-C: of further processes it is for the one that waits for them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Event, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.errors import Refused

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Done = TypeVar("Done")


class Processes:
    """Processes that share work out among them."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def map(
        self, work: Callable[..., Done], *given: Iterable[Any], chunksize: int
    ) -> Iterator[Done]:
        """Do the work for each item, some at a time; yield what it comes to, in order."""
        with _interrupts_held():  # a process that starts now is not to be interrupted
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
        why = "a process that checked logs was ended from outside"
        raise Refused(f"{why}: repeat it; nothing was changed") from None
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
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, writing, *given), daemon=True)
    with reading:
        with writing, _interrupts_held():
            process.start()
        try:
            yield process, reading
        finally:
            process.kill()
            process.join()


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


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put a Ctrl-C off, here and for good in each process that starts meanwhile.

    It could come there before there is anyone to ignore it. Windows has nothing like it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
    with suppress(AttributeError):  # Windows asks for none, and had none before Python 3.12
        os.set_blocking(writing, False)
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
