"""SQLite files: which file is a store, durable connections to it, and SQLite's errors in words.

WAL with synchronous=FULL is set on every connection and read back: with less, a power cut loses
acknowledged events. A file that is not tourney's is left exactly as it was found.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from os import SEEK_END
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from time import monotonic, sleep
from types import MappingProxyType
from typing import TypeVar

from eventsourcing.persistence import PersistenceError
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteDatastore

from ledger.errors import AnothersDatabase, StoreUnavailable
from ledger.files.access import refuse_strange, refuse_to_replace
from ledger.files.kinds import STORE
from ledger.problems import Phrase, phrase
from ledger.proof.databases import confine
from ledger.proof.formats import LOCKED_FILES, file_identity, opened, unlock
from ledger.store.base import LOCK_SECONDS, RESTORE, Answer, format_problem, no_store

T = TypeVar("T")

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_MEANING = MappingProxyType(
    {
        sqlite3.SQLITE_BUSY: phrase(
            "is busy: another program has been writing to it for {seconds} s; close "
            "that program or try again",
            seconds=LOCK_SECONDS,
        ),
        sqlite3.SQLITE_LOCKED: phrase(
            "is busy: another part of this program is writing to it; try again"
        ),
        sqlite3.SQLITE_FULL: phrase("cannot grow: the disk is full; free some space and repeat"),
        sqlite3.SQLITE_IOERR: (
            phrase(
                "cannot be read or written: the disk is full, disconnected or failing; check the "
                "disk and repeat"
            )
        ),
        sqlite3.SQLITE_NOTADB: phrase(
            "is not a tourney store: it is not a database; name another file"
        ),
        sqlite3.SQLITE_CORRUPT: phrase("is damaged; {restore}", restore=RESTORE),
        sqlite3.SQLITE_READONLY: phrase(
            "cannot be written to: make the file and its directory writable"
        ),
        sqlite3.SQLITE_PERM: phrase("cannot be used: no permission; make the file writable"),
        sqlite3.SQLITE_CANTOPEN: (
            phrase("cannot be opened; check that its directory exists and is writable")
        ),
        sqlite3.SQLITE_CONSTRAINT: phrase(
            "rejected the data to be written; {restore}", restore=RESTORE
        ),
    }
)


_SILENT = phrase("does not answer")


class SQLiteAnswer(Answer):
    """Turn the errors of SQLite, and of the library around it, into one line."""

    def __init__(self, where: str) -> None:
        self._where = where

    def explain(self, error: BaseException) -> Phrase | None:
        """See `Answer.explain`."""
        cause = error.__cause__ if isinstance(error, PersistenceError) else error
        if isinstance(cause, UnicodeDecodeError):  # what SQLite says of a damaged file quotes it
            return self._said(_MEANING[sqlite3.SQLITE_CORRUPT], cause.reason)
        if isinstance(cause, sqlite3.Error):
            return self._said(_MEANING.get(primary_code(cause), _SILENT), str(cause))
        if isinstance(error, PersistenceError):
            return self._said(_SILENT, str(error))
        return None

    def _said(self, meaning: Phrase, detail: str) -> Phrase:
        line = " ".join(detail.split())
        return phrase(
            "{where} {problem} ({detail})", where=self._where, problem=meaning, detail=line
        )


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


APPLICATION_ID = 0x746F7572
"""tour, at byte 68 of the file: file and others tell by it whose database this is."""

_NEVER = "SELECT RAISE(ABORT, 'an event on the record is never changed: record a correction');"

SCHEMA = """
    CREATE TABLE tourney_streams (
        position INTEGER PRIMARY KEY,
        stream TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        frontier BLOB NOT NULL
    ) STRICT;
    CREATE TABLE tourney_events (
        rowid INTEGER PRIMARY KEY,
        originator_id TEXT NOT NULL,
        originator_version INTEGER NOT NULL,
        topic TEXT NOT NULL,
        state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version)
    ) STRICT;
    CREATE TRIGGER tourney_no_update BEFORE UPDATE ON tourney_events BEGIN NEVER END;
    CREATE TRIGGER tourney_no_delete BEFORE DELETE ON tourney_events BEGIN NEVER END;
    CREATE TRIGGER tourney_no_replace BEFORE INSERT ON tourney_events
    WHEN EXISTS (
        SELECT 1 FROM tourney_events
        WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version
    ) OR NEW.rowid > 0 AND EXISTS (SELECT 1 FROM tourney_events WHERE rowid = NEW.rowid)
    BEGIN NEVER END
""".replace("NEVER", _NEVER)
"""The tables of a store.

`rowid` is written out, so that no VACUUM renumbers the library's notifications. The triggers stop
slips of the hand, not an attacker: against an attacker there are the hashes and signatures over the
lines. The third trigger is needed since INSERT OR REPLACE deletes without asking the second.
"""

SQLITE_NEEDED = (3, 37, 0)
"""The first release with STRICT tables."""

MOUNTS = Path("/proc/self/mountinfo")
MOUNT_POINT = 4
"""Which word of a line there is the folder."""

NETWORK = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "afs",
        "ceph",
        "lustre",
        "fuse.sshfs",
        "fuse.glusterfs",
    ]
)
"""Where SQLite's locks do not hold between machines."""

_MAGIC = b"SQLite format 3\0"
_FULL = 2
_POLL_SECONDS = 0.01


def checked_path(location: str, *, create: bool) -> Path:
    """Return the file's absolute path; NotFound, Refused or StoreUnavailable if none can be."""
    if sqlite3.sqlite_version_info < SQLITE_NEEDED:
        needed = ".".join(map(str, SQLITE_NEEDED))
        raise StoreUnavailable(
            phrase(
                "SQLite {sqlite_version} is too old, {needed} is needed; use a newer Python",
                sqlite_version=sqlite3.sqlite_version,
                needed=needed,
            )
        )
    path = Path(location).absolute()
    try:
        found = path.stat() if path.exists() else None
    except OSError as error:
        raise StoreUnavailable(
            phrase("{path} cannot be opened: {reason}", path=str(path), reason=str(error.strerror))
        ) from None
    if found is None and not create:
        raise no_store(str(path))
    if path.is_dir():
        raise StoreUnavailable(phrase("{path} is a directory; name a file in it", path=str(path)))
    if found is not None and not S_ISREG(found.st_mode):
        raise StoreUnavailable(
            phrase("{path} is not an ordinary file; name another one", path=str(path))
        )
    if not path.parent.is_dir():
        raise StoreUnavailable(
            phrase("{path} cannot be created: its directory does not exist", path=str(path))
        )
    if kind := network_file_system(path.parent):
        raise StoreUnavailable(
            phrase(
                "{path} is on a network file system ({kind}), where two desks could lose what "
                "they write: put it on a local disk, or share one PostgreSQL",
                path=str(path),
                kind=kind,
            )
        )
    if found is None:
        refuse_to_replace(path, STORE)
    is_read_only(path)  # says it where that hides the newest lines
    if _is_cut_off(path):
        raise StoreUnavailable(
            phrase(
                "{path} is damaged: cut off inside a page; {restore}",
                path=str(path),
                restore=RESTORE,
            )
        )
    return path


def network_file_system(folder: Path) -> str:
    """Return the kind of the network file system that a folder is on; empty on a local disk."""
    try:
        mounts = MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
        place = folder.resolve()
    except OSError:
        return ""  # no such list on this system
    kinds: dict[Path, str] = {}
    for line in mounts:
        left, _, right = line.partition(" - ")
        words = left.split()
        if len(words) > MOUNT_POINT and right:
            kinds[Path(words[MOUNT_POINT].replace("\\040", " "))] = right.split()[0]
    on = next((kinds[each] for each in (place, *place.parents) if each in kinds), "")
    return on if on in NETWORK else ""


def is_read_only(path: Path) -> bool:
    """Whether a store can be looked at alone: nothing can be made beside it, nor in it.

    StoreUnavailable where its newest lines are in a log that cannot be read so.
    """
    if not path.exists() or os.access(path.parent, os.W_OK):
        return False
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise StoreUnavailable(
            phrase(
                "{log} has the newest lines, but its folder is read-only: copy the folder to "
                "another place, and use the copy",
                log=str(log),
            )
        )
    return True


def _is_cut_off(path: Path) -> bool:
    """Whether it ends inside a page, with no write-ahead log: SQLite would fill up with zeros."""
    try:
        with opened(path) as file:
            head = file.read(18)
            size = file.seek(0, SEEK_END)
        log = path.with_name(f"{path.name}-wal")
        logged = log.exists() and log.stat().st_size
    except OSError:
        return False  # SQLite says it better
    page = int.from_bytes(head[16:18], "big")
    return head.startswith(_MAGIC) and page > 1 and size % page != 0 and not logged


def vault_path(path: Path) -> Path:
    """Return the place of a store's secrets."""
    return path.with_name(f"{path.name}-vault")


def is_made(database: sqlite3.Connection | sqlite3.Cursor, where: str) -> bool:
    """Whether it is a store and no empty database; StoreUnavailable where it is another's."""
    (owner,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if owner == APPLICATION_ID and (problem := format_problem(version)):
        raise StoreUnavailable(phrase("{where} {problem}", where=where, problem=problem))
    if owner == APPLICATION_ID:
        return True
    (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if owner or version or tables:
        raise AnothersDatabase(
            phrase("{where} is another program's database; name another file", where=where)
        )
    return False


_POOLS: Counter[tuple[int, int]] = Counter()
"""Number of pools of this process that have a store open, by the identity of its file."""

_POOLS_LOCK = Lock()


def _keep_open(file: tuple[int, int]) -> None:
    """Let no reader of this process close a store's file, which would release its locks."""
    with _POOLS_LOCK:
        _POOLS[file] += 1
        LOCKED_FILES.add(file)


def _let_close(file: tuple[int, int]) -> None:
    """Let readers close a store's file again once no pool of this process has it open."""
    with _POOLS_LOCK:
        _POOLS[file] -= 1
        if not _POOLS[file]:
            del _POOLS[file]
            unlock(file)


class LinePool(SQLiteConnectionPool):
    """Connections that are durable, and only to a store (or to what is to become one)."""

    def __init__(self, path: Path, *, create: bool, is_reading: bool = False) -> None:
        """With `is_reading` SQLite refuses every change."""
        is_fixed = is_read_only(path)
        self._read_only = is_fixed or is_reading
        writing = "rwc" if create else "rw"
        mode = "ro&immutable=1" if is_fixed else "ro" if is_reading else writing
        uri = f"{path.as_uri()}?mode={mode}"
        super().__init__(db_name=uri, lock_timeout=LOCK_SECONDS, pool_timeout=LOCK_SECONDS)
        self.path = path
        self._create = create
        self._locked: tuple[int, int] | None = None

    def _create_connection(self) -> SQLiteConnection:
        at = self.db_name
        connection = sqlite3.connect(
            at, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            confine(connection)
            self._check_ours(connection)
            if not self._read_only:
                _make_durable(connection, str(self.path))
        except BaseException:
            connection.close()
            raise
        if self._locked is None:
            self._locked = file_identity(self.path)
            _keep_open(self._locked)
        connection.row_factory = sqlite3.Row
        return SQLiteConnection(connection, max_age=self.max_age)

    def close(self) -> None:
        """Close the connections; the file may be closed by others after that."""
        super().close()
        if self._locked is not None:
            _let_close(self._locked)
            self._locked = None

    def __del__(self) -> None:
        """Close the connections, unless the file could not even be looked at."""
        if hasattr(self, "path"):
            self.close()

    def _check_ours(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")  # one view of it all: another process may be making it
        made = is_made(connection, str(self.path))
        if made:
            refuse_strange(connection, str(self.path), SCHEMA)
        connection.execute("ROLLBACK")
        if not made and not self._create:
            raise no_store(str(self.path))


class SQLiteLines(SQLiteDatastore):
    """The library's datastore over a `LinePool`, with text for stream ids."""

    def __init__(self, path: Path, *, create: bool, is_reading: bool = False) -> None:
        super().__init__(str(path), originator_id_type="text")
        self.pool = LinePool(path, create=create, is_reading=is_reading)


def _make_durable(connection: sqlite3.Connection, where: str) -> None:
    mode = _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: through the disk's own cache as well
    (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
    if mode != "wal" or synchronous != _FULL:
        raise StoreUnavailable(
            phrase(
                "{where} cannot be stored durably there (journal {mode}, synchronous "
                "{synchronous}); move it to a local disk",
                where=where,
                mode=mode,
                synchronous=synchronous,
            )
        )


def _write_ahead(connection: sqlite3.Connection) -> str:
    """Switch to the write-ahead log, and return the mode; a process that does so too is awaited."""
    switch = "PRAGMA journal_mode = WAL"
    return str(when_free(lambda: connection.execute(switch).fetchone()[0], _POLL_SECONDS))
