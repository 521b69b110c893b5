"""What SQLite's errors mean to the person at the desk, and what to do about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from time import monotonic, sleep
from types import MappingProxyType
from typing import TypeVar

from eventsourcing.persistence import PersistenceError

from ledger.store.base import LOCK_SECONDS, RESTORE, Answer

T = TypeVar("T")

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_MEANING = MappingProxyType(
    {
        sqlite3.SQLITE_BUSY: f"is busy: another program has been writing to it for {LOCK_SECONDS} s"
        "; close that program or try again",
        sqlite3.SQLITE_LOCKED: "is busy: another part of this program is writing to it; try again",
        sqlite3.SQLITE_FULL: "cannot grow: the disk is full; free some space and repeat",
        sqlite3.SQLITE_IOERR: "cannot be read or written: the disk is full, away or failing"
        "; see to the disk and repeat",
        sqlite3.SQLITE_NOTADB: "is no store of tourney's: not a database at all; name another file",
        sqlite3.SQLITE_CORRUPT: f"is damaged; {RESTORE}",
        sqlite3.SQLITE_READONLY: "cannot be written to: make the file and its directory writable",
        sqlite3.SQLITE_PERM: "cannot be used: no permission; make the file writable",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened; is its directory there, and writable?",
        sqlite3.SQLITE_CONSTRAINT: f"refused what was to be written; {RESTORE}",
    }
)


class SQLiteAnswer(Answer):
    """Turn the errors of SQLite, and of the library around it, into one line."""

    def __init__(self, where: str) -> None:
        self._where = where

    def explain(self, error: BaseException) -> str | None:
        """See `Answer.explain`."""
        cause = error.__cause__ if isinstance(error, PersistenceError) else error
        if isinstance(cause, UnicodeDecodeError):  # what SQLite says of a damaged file quotes it
            return f"{self._where} {_MEANING[sqlite3.SQLITE_CORRUPT]} ({cause.reason})"
        if isinstance(cause, sqlite3.Error):
            meaning = _MEANING.get(primary_code(cause), "gives no answer")
            return f"{self._where} {meaning} ({cause})"
        if isinstance(error, PersistenceError):
            return f"{self._where} gives no answer ({error})"
        return None


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its details; 0 for an error of Python's own module."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def when_free(work: Callable[[], T], pause: float) -> T:
    """Try again after a pause while another writer is at work, for `LOCK_SECONDS` at most."""
    deadline = monotonic() + LOCK_SECONDS
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if primary_code(error) not in _BUSY or monotonic() > deadline:
                raise
            sleep(pause)
