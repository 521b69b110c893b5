"""Signals that end this program while something runs that would be left behind."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from ledger.files.system import ending_signals

SILENT = ending_signals()
"""What ends a program at once; Ctrl-C alone is said to it first."""


class EndedError(BaseException):
    """A signal asks this program to end: what is open is closed first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def closed_when_ended() -> Iterator[None]:
    """Close what a block has open before a signal ends this program.

    Ctrl-C is heard afterwards as it was before, whatever a library in the block made of it.
    """
    silent = [each for each in SILENT if signal.getsignal(each) is signal.SIG_DFL]
    try:
        with (
            _heard_by(_raised, silent),
            _heard_by(signal.getsignal(signal.SIGINT), [signal.SIGINT]),
        ):
            yield
    except BaseException as error:
        asked = _asked_to_end(error)
        if isinstance(asked, EndedError):
            signal.raise_signal(asked.number)
        if asked is not None:
            raise KeyboardInterrupt from None
        raise


@contextmanager
def put_off() -> Iterator[None]:
    """Let signals wait until a block is done that must not be left half."""
    came: list[int] = []
    try:
        with _heard_by(lambda number, _frame: came.append(number), [signal.SIGINT, *SILENT]):
            yield
    finally:
        for number in came[:1]:
            signal.raise_signal(number)


@contextmanager
def _heard_by(
    hear: Callable[[int, FrameType | None], object] | int | None, numbers: list[signal.Signals]
) -> Iterator[None]:
    """Hear signals in another way during a block; only a program's first thread hears any."""
    if current_thread() is not main_thread():
        yield
        return
    before = {each: signal.signal(each, hear) for each in numbers}
    try:
        yield
    finally:
        for number, heard in before.items():
            signal.signal(number, heard)


def _asked_to_end(error: BaseException | None) -> BaseException | None:
    """Return what asked for the end: a library that is broken off may go on to fail otherwise."""
    while error is not None and not isinstance(error, EndedError | KeyboardInterrupt):
        error = error.__context__
    return error


def _raised(number: int, _frame: FrameType | None) -> None:
    raise EndedError(number)
