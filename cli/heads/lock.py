"""One desk at a time: the lock is an empty SQLite file, which the system gives back by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ledger.errors import Refused
from ledger.files.access import make_private_folder

LOCK_SECONDS = 30


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Be the one who changes a file; Refused where another desk is, for too long, or none can."""
    import sqlite3

    lock = file.with_suffix(".lock")
    try:
        make_private_folder(lock.parent)
        with closing(sqlite3.connect(lock, timeout=LOCK_SECONDS, isolation_level=None)) as held:
            held.execute("BEGIN IMMEDIATE")
            yield
    except OSError as error:
        raise Refused(f"{lock.parent} cannot be made: {error.strerror}") from None
    except sqlite3.Error as error:
        raise Refused(f"{lock} cannot be locked: {error}") from None
