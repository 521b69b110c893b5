"""The store in one SQLite file, with the vault in a second file beside it.

The vault has the secrets, in a file that only its owner can read. A deleted secret is overwritten
in the file. The roll-back journal is kept, not a write-ahead log, so that no second copy of a
secret stays behind; synchronous=EXTRA makes that mode durable.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteTransaction,
)

from ledger.errors import StoreUnavailable
from ledger.files.access import refuse_strange
from ledger.files.system import close_to_others, guard_secret, is_open_to_others
from ledger.problems import phrase
from ledger.proof.formats import Tree
from ledger.store.base import (
    EVENTS_TABLE,
    FORMAT,
    GROW,
    IN_DOUBT,
    LOCK_SECONDS,
    NOTHING_WRITTEN,
    PAST_LINES,
    PUT_TREE,
    RESTORE,
    TREE,
    Decide,
    Store,
    Unread,
    by_stream,
    checked_stream,
    frontier_of,
    growth,
    stored_events,
    tree_at,
)
from ledger.store.sqlite_files import (
    APPLICATION_ID,
    SCHEMA,
    SQLiteAnswer,
    SQLiteLines,
    checked_path,
    is_made,
    vault_path,
    when_free,
)

if TYPE_CHECKING:
    from eventsourcing.persistence import StoredEvent

_INSERT = "(originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"


def in_sqlite(statement: str) -> str:
    """Return a statement that both databases know as SQLite spells it."""
    unlimited = statement.replace("LIMIT %s", "LIMIT coalesce(%s, -1)")
    return unlimited.replace("{schema}.", "").replace("%s", "?")


class _Immediate(SQLiteTransaction):
    """A transaction that is the one writer from its start."""

    def __enter__(self) -> SQLiteCursor:
        cursor = self.connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        return cursor


class SQLiteLineRecorder(SQLiteApplicationRecorder):
    """The library's recorder on tables of our own, each stream without a gap."""

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = EVENTS_TABLE) -> None:
        super().__init__(datastore, events_table_name)
        self.insert_events_statement = f"INSERT INTO {events_table_name} {_INSERT}"

    def construct_create_table_statements(self) -> list[str]:
        """Return the schema; its last statements mark the store as finished."""
        tables = SCHEMA.split(";\n")
        marks = [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT}"]
        return tables + marks

    def create_table(self) -> None:
        """Make the tables where there are none, however many processes start at once."""
        with self.datastore.get_connection(commit=True) as connection:
            with SQLiteTransaction(connection) as c, c:
                path = str(c.sqlite_cursor.execute("PRAGMA database_list").fetchone()["file"])
                if is_made(c.sqlite_cursor, path):
                    return
            with _Immediate(connection, commit=True) as c, c:
                if not is_made(c.sqlite_cursor, path):
                    _check_empty(path)
                    self._create_table(c)

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        **kwargs: Any,  # noqa: ANN401 - as the library declares it
    ) -> Sequence[int] | None:
        for stream, events in by_stream(stored_events).items():
            c.execute(in_sqlite(GROW), growth(stream, self._tree(c, stream), events))
        return super()._insert_events(c, stored_events, **kwargs)

    def _tree(self, c: SQLiteCursor, stream: str) -> Tree:
        c.execute(in_sqlite(TREE), (stream,))
        row = c.fetchone()
        where = self.datastore.pool.db_name
        return tree_at(row["size"], row["frontier"], where) if row else Tree()


def _check_empty(path: str) -> None:
    """Refuse to make a new log beside the secrets of an old one."""
    if vault_path(Path(path)).exists():
        raise StoreUnavailable(
            phrase(
                "{path} is empty, but its vault is not: the log was cut off or removed; {restore}",
                path=str(path),
                restore=RESTORE,
            )
        )


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
            guard_secret(self._path)
        except OSError as error:
            raise StoreUnavailable(
                phrase(
                    "{path} cannot be created: {reason}",
                    path=str(self._path),
                    reason=str(error.strerror),
                )
            ) from None

    def _close_to_others(self) -> None:
        """Take the access of all other accounts away, if an earlier umask or copy gave it."""
        if is_open_to_others(self._path.stat().st_mode, _OTHERS):
            close_to_others(self._path)

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


_POLL_SECONDS = 0.001
# An update that changes nothing: a *write* as the first statement takes the lock at once. To read
# first and write later fails under load ("database is locked", which no timeout helps).
_LOCK = "UPDATE tourney_streams SET size = size WHERE stream = ? RETURNING size, frontier"


class SQLiteStore(Store):
    """A store in a file; every desk that can write to the file and its directory can use it."""

    def __init__(
        self, location: str, *, create: bool = True, reading: Sequence[str] | None = None
    ) -> None:
        self.reading = None if reading is None else tuple(reading)
        is_reading = reading is not None
        path = checked_path(location, create=create)
        self.where = str(path)
        self.vault_where = str(vault_path(path))
        self._vault = VaultFile(vault_path(path), is_reading=is_reading)
        self._datastore = SQLiteLines(path, create=create, is_reading=is_reading)
        try:
            with SQLiteAnswer(self.where):
                self._recorder = SQLiteLineRecorder(self._datastore)
                self._recorder.create_table()
        except BaseException:
            self.close()
            raise

    def transact(self, stream: str, known: int, decide: Decide) -> list[bytes]:
        """See `Store.transact`."""
        checked_stream(stream)
        answer = SQLiteAnswer(self.where)
        answer.outcome = NOTHING_WRITTEN
        # Not as the pool's one writer: a thread that waits to be it would keep the one that is from
        # reading the store while it decides.
        with answer, self._datastore.get_connection(commit=False) as connection:
            transaction = SQLiteTransaction(connection, commit=False)
            with transaction as wrapped, wrapped as cursor:
                tree = self._take_lock(cursor, stream)
                found = cursor.execute(in_sqlite(PAST_LINES), (stream, known))
                lines = self._checked([row[0] for row in found])
                self._check_past(stream, known, size := tree.size, len(lines))
                events = stored_events(stream, size, decide(Unread(lines, tree)))
                if events:
                    answer.outcome = IN_DOUBT
                    self._recorder._insert_events(wrapped, events)  # noqa: SLF001 - the library's hook
                    transaction.commit = True
        return lines

    def put_tree(self, stream: str, tree: Tree) -> None:
        """See `Store.put_tree`."""
        with SQLiteAnswer(self.where), self._datastore.transaction(commit=True) as wrapped:
            values = (frontier_of(tree), stream, tree.size)
            wrapped.sqlite_cursor.execute(in_sqlite(PUT_TREE), values)

    def vault_put_all(self, stream: str, secrets: Mapping[str, bytes]) -> None:
        """See `Store.vault_put_all`."""
        self._vault.put(checked_stream(stream), secrets)

    def vault_delete_all(self, stream: str, names: Iterable[str]) -> None:
        """Leave no page of the vault's file that holds them."""
        self._vault.delete(stream, sorted(set(names)))

    def vault_items(self, stream: str) -> dict[str, bytes]:
        """See `Store.vault_items`."""
        return self._given(self._vault.items(stream))

    def check_structures(self) -> None:
        """See `Store.check_structures`."""
        self._refuse_findings(self.where, self._read(CHECK))
        self._refuse_findings(f"{self.where}'s vault", self._vault.findings())

    @staticmethod
    def _refuse_findings(where: str, rows: list[tuple[str]]) -> None:
        if rows != [("ok",)]:
            what = " ".join(" ".join(found for (found,) in rows).split())
            raise StoreUnavailable(
                phrase(
                    "{where} is damaged; {restore} ({what})",
                    where=where,
                    restore=RESTORE,
                    what=f"{what:.200}",
                )
            )

    def close(self) -> None:
        """See `Store.close`."""
        self._datastore.close()

    def _take_lock(self, cursor: sqlite3.Cursor, stream: str) -> Tree:
        """Become the one writer, and return the tree of the stream's lines.

        SQLite's own waiting backs off to 100 ms and lets late comers pass; asking every millisecond
        gives each waiter the same chance.
        """
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            found = when_free(lambda: cursor.execute(_LOCK, (stream,)).fetchall(), _POLL_SECONDS)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
        return tree_at(found[0]["size"], found[0]["frontier"], self.where) if found else Tree()

    def _read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - of SQL
        with SQLiteAnswer(self.where), self._datastore.transaction(commit=False) as wrapped:
            cursor = wrapped.sqlite_cursor
            cursor.row_factory = None
            return cursor.execute(in_sqlite(statement), values).fetchall()
