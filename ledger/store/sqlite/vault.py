"""The vault of the SQLite store: secrets in a file of their own, which only its owner can read.

What is deleted is overwritten in the file. The roll-back journal is kept, not a write-ahead log, so
that no second copy of a secret stays behind; synchronous=EXTRA makes that mode durable.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ledger.errors import StoreUnavailable
from ledger.files.databases import refuse_strange
from ledger.store.base import LOCK_SECONDS
from ledger.store.sqlite.errors import SQLiteAnswer

_TABLE = """
    CREATE TABLE IF NOT EXISTS vault (
        stream TEXT NOT NULL,
        name TEXT NOT NULL,
        secret BLOB NOT NULL,
        PRIMARY KEY (stream, name)
    ) STRICT, WITHOUT ROWID
"""
_HAS_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = 'vault'"
_PUT = """
    INSERT INTO vault VALUES (?, ?, ?)
    ON CONFLICT (stream, name) DO UPDATE SET secret = excluded.secret
"""
_DELETE = "DELETE FROM vault WHERE (stream, name) = (?, ?)"
_OTHERS = 0o007
"""The mode bits that let any account of this machine open a file."""

CHECK = "PRAGMA integrity_check(3)"
"""What contradicts itself in a file, three findings at most; ok where nothing does."""


class VaultFile:
    """Secrets by stream and name; the file is made with the first one."""

    def __init__(self, path: Path, *, is_reading: bool = False) -> None:
        """With `is_reading` nothing is kept or destroyed: SQLite refuses it."""
        self._path, self._is_reading = path, is_reading

    def put(self, stream: str, secrets: Mapping[str, bytes]) -> None:
        """Keep secrets, in the place of earlier ones of their names: all or none."""
        if not self._is_reading:
            self._make()
        with self._open() as connection:
            connection.execute(_TABLE)
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_PUT, [(stream, *secret) for secret in secrets.items()])
            connection.execute("COMMIT")

    def _make(self) -> None:
        """Make the file, unless it exists."""
        try:
            try:
                os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                self._close_to_others()
        except OSError as error:
            raise StoreUnavailable(f"{self._path} cannot be made: {error.strerror}") from None

    def _close_to_others(self) -> None:
        """Take the access of all other accounts away, if an earlier umask or copy gave it."""
        if os.name == "posix" and self._path.stat().st_mode & _OTHERS:
            with suppress(PermissionError):  # the file belongs to another account
                self._path.chmod(0o600)

    def delete(self, stream: str, names: Iterable[str]) -> None:
        """Destroy secrets, all or none."""
        if self._path.exists():
            with self._open() as connection:
                if not connection.execute(_HAS_TABLE).fetchone():
                    return
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_DELETE, [(stream, name) for name in names])
                connection.execute("COMMIT")

    def items(self, stream: str) -> dict[str, bytes]:
        """Return the secrets of a stream, in the order of their names."""
        if not self._path.exists():
            return {}
        with self._open() as connection:
            if not connection.execute(_HAS_TABLE).fetchone():
                return {}
            query = "SELECT name, secret FROM vault WHERE stream = ? ORDER BY name"
            return dict(connection.execute(query, (stream,)).fetchall())

    def findings(self) -> list[tuple[str]]:
        """Return what SQLite finds wrong with the file: one row, ok, where that is nothing."""
        if not self._path.exists():
            return [("ok",)]
        with self._open() as connection:
            return connection.execute(CHECK).fetchall()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        fixed = not os.access(self._path.parent, os.W_OK)
        mode = "ro&immutable=1" if fixed else "ro" if self._is_reading else "rw"
        uri = f"{self._path.as_uri()}?mode={mode}"
        with (
            SQLiteAnswer(str(self._path)),
            closing(
                sqlite3.connect(uri, uri=True, isolation_level=None, timeout=LOCK_SECONDS)
            ) as c,
        ):
            refuse_strange(c, str(self._path), _TABLE)
            if not fixed:
                c.execute("PRAGMA secure_delete = ON")
            c.execute("PRAGMA synchronous = EXTRA")
            c.execute("PRAGMA fullfsync = ON")
            yield c
