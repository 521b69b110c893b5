"""The store in one SQLite file, with the vault in a second file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eventsourcing.sqlite import SQLiteTransaction

from ledger.errors import StoreUnavailable
from ledger.proof.formats import Tree
from ledger.store.base import (
    IN_DOUBT,
    LOCK_SECONDS,
    NOTHING_WRITTEN,
    PAST_LINES,
    PUT_TREE,
    RESTORE,
    Decide,
    Store,
    Unread,
    checked_stream,
    tree_at,
)
from ledger.store.mapping import frontier_of, stored_events
from ledger.store.sqlite.errors import SQLiteAnswer, when_free
from ledger.store.sqlite.files import SQLiteLines, checked_path, vault_path
from ledger.store.sqlite.recorder import SQLiteLineRecorder, in_sqlite
from ledger.store.sqlite.vault import CHECK, VaultFile

if TYPE_CHECKING:
    import sqlite3

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
            raise StoreUnavailable(f"{where} is damaged; {RESTORE} ({what:.200})")

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
