"""The store in the tables of one PostgreSQL schema, for several desks at once.

A secret that is deleted leaves the vault's table and its file at once. It may stay in the server's
write-ahead log until that is recycled, in its replicas and in backups of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import ClientCursor, Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, tuple_row

from ledger.errors import StoreUnavailable
from ledger.store.base import (
    IN_DOUBT,
    NOTHING_WRITTEN,
    PUT_TREE,
    Decide,
    Store,
    Unread,
    checked_stream,
    no_store,
    tree_at,
)
from ledger.store.mapping import frontier_of, stored_events
from ledger.store.postgres.connections import LineDatastore, Script
from ledger.store.postgres.errors import PostgresAnswer
from ledger.store.postgres.recorder import PostgresLineRecorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from eventsourcing.persistence import StoredEvent

    from ledger.proof.formats import Tree


# A message is at most twice 2,000 lines of 60,000 bytes, far from the server's limit of 1 GB.
_BATCH_EVENTS = 2_000
# Statements of one message, each with its own view: what the last holder of the lock committed is
# seen. The lock is of the advisory kind: it also stands for a stream that has no row yet, and under
# load it is handed on faster than a row's. The size that `_append` writes is checked all the same.
_LOCK = """
    BEGIN;
    SELECT pg_advisory_xact_lock(hashtextextended(%(stream)s, hashtext(%(schema)s)));
    SELECT size,
        CASE WHEN coalesce(originator_version, %(known)s + 1) = %(known)s + 1 THEN frontier END,
        state
    FROM {schema}.tourney_streams LEFT JOIN {schema}.tourney_events
        ON originator_id = stream AND originator_version > %(known)s
    WHERE stream = %(stream)s ORDER BY originator_version
"""
_PUT = """
    INSERT INTO {schema}.tourney_vault VALUES (%s, %s, %s)
    ON CONFLICT (stream, name) DO UPDATE SET secret = excluded.secret
"""
_DELETE = "DELETE FROM {schema}.tourney_vault WHERE stream = %s AND name = %s"
_SCRUB = "VACUUM FULL {schema}.tourney_vault"
_ITEMS = "SELECT name, secret FROM {schema}.tourney_vault WHERE stream = %s ORDER BY name"


class PostgresStore(Store):
    """A store at a URL; `?options=-csearch_path%3Dname` names a schema other than public."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        self.where, password = _shown(url)
        self.vault_where = f"the table tourney_vault of {self.where}"
        self._password = password
        with self._answer():
            self._datastore = LineDatastore(url, self.where)
        try:
            with self._answer():
                self._recorder = PostgresLineRecorder(self._datastore)
                self._prepare(create=create)
        except BaseException:
            self.close()
            raise

    def transact(self, stream: str, known: int, decide: Decide) -> list[bytes]:
        """See `Store.transact`."""
        checked_stream(stream)
        answer = self._answer()
        answer.outcome = NOTHING_WRITTEN
        # What is neither refused nor committed is rolled back when the connection comes back.
        with answer, self._datastore.get_connection() as connection:
            tree, lines = self._take_lock(connection, stream, known)
            self._check_past(stream, known, tree.size, len(lines))
            before = tree.copy()
            events = stored_events(stream, tree.size, decide(Unread(lines, tree)))
            if events:
                answer.outcome = IN_DOUBT
                self._append(connection, events, before)
        return lines

    def put_tree(self, stream: str, tree: Tree) -> None:
        """See `Store.put_tree`."""
        self._write(PUT_TREE, [(frontier_of(tree), stream, tree.size)])

    def vault_put_all(self, stream: str, secrets: Mapping[str, bytes]) -> None:
        """See `Store.vault_put_all`."""
        self._write(_PUT, [(checked_stream(stream), *secret) for secret in secrets.items()])

    def vault_delete_all(self, stream: str, names: Iterable[str]) -> None:
        """Write the table again without them; the server's log is its own."""
        self._write(_DELETE, [(stream, name) for name in sorted(set(names))])
        with self._answer(), self._datastore.get_connection() as connection:
            connection.autocommit = True
            try:
                connection.execute(self._recorder.sql(_SCRUB))
            finally:
                connection.autocommit = False

    def vault_items(self, stream: str) -> dict[str, bytes]:
        """See `Store.vault_items`."""
        return dict(self._read(_ITEMS, stream))

    def check_structures(self) -> None:
        """See `Store.check_structures`: a server looks after its own, and has page check sums."""

    def close(self) -> None:
        """See `Store.close`."""
        self._datastore.close()

    def _prepare(self, *, create: bool) -> None:
        if not create and not self._recorder.is_made():
            raise no_store(self.where)
        self._recorder.create_table()

    def _take_lock(
        self, connection: Connection[DictRow], stream: str, known: int
    ) -> tuple[Tree, list[bytes]]:
        """Begin, wait for the lock, and read what the last writer left, in one round trip."""
        cursor = ClientCursor(connection, row_factory=tuple_row)
        values = {"stream": stream, "known": known, "schema": self._datastore.schema}
        cursor.execute(self._recorder.sql(_LOCK), values)
        cursor.nextset()  # what BEGIN said
        cursor.nextset()  # what the lock said
        found = cursor.fetchall() or [(0, b"", None)]
        size, frontier, _ = found[0]
        tree = tree_at(size, frontier, self.where)
        return tree, [line for *_, line in found if line is not None]

    def _append(
        self, connection: Connection[DictRow], events: Sequence[StoredEvent], tree: Tree
    ) -> None:
        """Insert and commit: one round trip for each batch, and mostly there is one."""
        script = Script(connection)
        for start in range(0, len(events), _BATCH_EVENTS):
            batch = events[start : start + _BATCH_EVENTS]
            insert = self._recorder._insert_stored_events  # noqa: SLF001 - the library's hook
            insert(script, batch, tree=tree)
            if start + _BATCH_EVENTS >= len(events):
                script.execute("COMMIT")
            script.send()

    def _read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - of SQL
        with self._answer(), self._datastore.get_connection() as connection:
            cursor = connection.cursor(binary=True, row_factory=tuple_row)
            return cursor.execute(self._recorder.sql(statement), values).fetchall()

    def _write(self, statement: str, rows: Sequence[tuple[str | int | bytes, ...]]) -> None:
        answer = self._answer()
        answer.outcome = IN_DOUBT
        with answer, self._datastore.transaction(commit=True) as cursor:
            cursor.executemany(self._recorder.sql(statement), rows)

    def _answer(self) -> PostgresAnswer:
        return PostgresAnswer(self.where, self._password)


def _shown(url: str) -> tuple[str, str | None]:
    """Return the location as it may be shown, and its password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        # The driver's own text quotes the part that it cannot read, which may be the password.
        raise StoreUnavailable(
            "the store's URL cannot be read; write postgresql://user:password@host:port/database"
            " (with % and two hex digits for each special character)"
        ) from None
    name, host, port, user = (parts.get(each) for each in ("dbname", "host", "port", "user"))
    shown = f"{user}@" if user else ""
    shown += str(host or "") + (f":{port}" if port else "")
    return f"postgresql://{shown}/{name or ''}", str(parts.get("password") or "")
