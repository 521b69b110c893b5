"""Stdout as a stream, and what becomes of an answer that cannot be written there.

A verb that only reads is stopped by it. Where something has landed the verb goes on to its end in
silence, so that nothing stays half done, and `fail` says afterwards that its answer was lost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from cli.terminal.overhearing import overheard
from ledger.files import landed

_failures: list[OSError] = []
"""What kept the answer from being written: the first failure, or nothing."""

_copies: list[list[str]] = []
"""What is written, once somebody wants to have it."""


def begin() -> None:
    """Begin a line's answer: nothing has failed, and nobody wants a copy."""
    _failures.clear()
    _copies.clear()


def copy_answer() -> None:
    """Keep what is written from here on, so that it can be answered again."""
    _copies.append([])


def answer_so_far() -> str:
    """Return what was written since `copy_answer`."""
    return "".join(*_copies)


def write(text: str) -> None:
    """Write text to stdout."""
    if kept := overheard():
        kept.shown.append(text)
        return
    for copy in _copies:
        copy.append(text)
    _try(lambda: sys.stdout.write(text))


def write_piece(data: bytes) -> None:
    """Write bytes to stdout, behind the text that was flushed before."""
    if kept := overheard():
        kept.shown.append(data.decode("utf-8", "replace"))
        return
    for copy in _copies:
        copy.append(data.decode("utf-8", "surrogateescape"))
    _try(lambda: sys.stdout.buffer.write(data))


def flush() -> None:
    """Write out what is buffered, so that answers and talk stay in order."""
    _try(sys.stdout.flush)


def has_failed() -> bool:
    """Whether something that was answered could not be written."""
    return bool(_failures)


def fail() -> None:
    """Raise what kept the answer from being written, if anything did."""
    if _failures:
        raise _failures[0]


def _try(write: Callable[[], object]) -> None:
    if _failures:
        return
    try:
        write()
    except OSError as error:
        if not landed.is_anything():
            raise
        _failures.append(error)
