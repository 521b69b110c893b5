"""Locks between processes, shared by many or exclusive.

A lock is an empty SQLite file whose content never changes. SQLite locks a file in one way on every
system, and the system releases the lock however its process ends, also after `kill -9`.

The file of a folder's lock is next to the folder, never in it: a published, signed or copied folder
contains no lock. The file stays, because a second process may wait for it: otherwise two processes
could have a lock each under one name. A lock whose name is used once (of a scratch folder) may be
removed by the process that has it.

Fallback: a shared lock protects a reader from a writer. If its file can be neither made nor opened
(in a read-only folder, on a disk without locks), `share` returns None, and the reader reads without
a lock. An exclusive lock has no fallback: without it nothing is written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ledger.errors import Refused
from ledger.files.system import REMOVES_OPEN_FILES
from ledger.problems import Phrase, marked, phrase, problem

if TYPE_CHECKING:
    import sqlite3

LOCK_SECONDS = 30
"""Seconds that a person waits for another process before the act is refused."""

_BUSY = frozenset({5, 6})
"""SQLite's codes while another process has the lock: SQLITE_BUSY, SQLITE_LOCKED."""

_TAKE = {
    True: ("BEGIN", "SELECT count(*) FROM sqlite_schema"),
    False: ("BEGIN EXCLUSIVE", "PRAGMA user_version = 1"),
}
"""The statements that take a lock, by whether it is shared.

A file that this account may only read gets no exclusive lock, and SQLite reports that at the first
change. The change is never committed: the file stays empty.
"""


class InUse(Refused):
    """Another process has the lock."""


class NoLock(Refused):
    """The file of a lock cannot be made, opened or locked."""


class Lock:
    """A lock of this process, until it is closed or the process ends."""

    def __init__(self, file: Path, transaction: sqlite3.Connection) -> None:
        self.file = file
        self._transaction = transaction

    def close(self) -> None:
        """Release the lock; a second time nothing happens."""
        self._transaction.close()

    def remove(self) -> None:
        """Release the lock and remove its file, whose name no process uses again."""
        if REMOVES_OPEN_FILES:
            self.file.unlink(missing_ok=True)
        self.close()
        if not REMOVES_OPEN_FILES:
            try:
                self.file.unlink(missing_ok=True)
            except OSError:
                return  # another process has it open, and removes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def lock_beside(folder: Path, purpose: str) -> Path:
    """Return the file of a folder's lock: next to the folder, with its name and a purpose."""
    place = folder.resolve()
    return place.with_name(f".{place.name}.{purpose}.lock")


def take_alone(file: Path, seconds: float = 0, *, makes_file: bool = True) -> Lock:
    """Take a lock that no other process has, and wait these seconds for it.

    Raises:
        InUse: another process still has it.
        NoLock: the file cannot be made or locked.
    """
    if makes_file:
        _make(file)
    return _taken(file, seconds, is_shared=False)


def share(file: Path, seconds: float = LOCK_SECONDS) -> Lock | None:
    """Take a lock together with other readers; return None if the file cannot be made or locked.

    Raises:
        InUse: another process has it exclusively, for longer than these seconds.
    """
    try:
        _make(file)
        return _taken(file, seconds, is_shared=True)
    except NoLock:
        return None


@contextmanager
def alone(file: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Be the only process that does something; raises as `take_alone`."""
    with take_alone(file, seconds):
        yield


def _taken(file: Path, seconds: float, *, is_shared: bool) -> Lock:
    import sqlite3  # noqa: PLC0415 - most commands lock nothing

    uri = f"{file.absolute().as_uri()}?mode=rw"
    try:
        transaction = sqlite3.connect(
            uri, uri=True, timeout=seconds, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise _not_locked(file, str(error)) from None
    try:
        transaction.execute("PRAGMA journal_mode = MEMORY").close()  # in place of a file
        for statement in _TAKE[is_shared]:
            transaction.execute(statement).close()
    except sqlite3.Error as error:
        transaction.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
            text = marked(
                "{file} is locked by another process: wait until it is done, then try again"
            )
            raise InUse(problem("lock.in_use", text, file=str(file))) from None
        raise _not_locked(file, str(error)) from None
    except BaseException:
        transaction.close()
        raise
    return Lock(file, transaction)


def _make(file: Path) -> None:
    """Make the file of a lock unless it exists; a link with its name is not followed."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        if not stat.S_ISREG(file.lstat().st_mode):
            raise _not_locked(file, phrase("it is not an ordinary file")) from None
    except OSError as error:
        if not file.exists():
            raise _not_locked(file, error.strerror or type(error).__name__) from None


def _not_locked(file: Path, reason: Phrase | str) -> NoLock:
    text = marked(
        "{file} cannot be locked ({reason}): make its folder writable, or use a local disk"
    )
    return NoLock(problem("lock.unusable", text, file=str(file), reason=reason))
