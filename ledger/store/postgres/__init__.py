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
from ledger.proof.formats import Tree
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
from ledger.store.mapping import checked_entries, frontier_of
from ledger.store.postgres.appending import APPEND, append
from ledger.store.postgres.connections import LineDatastore
from ledger.store.postgres.errors import PostgresAnswer
from ledger.store.postgres.listening import PostgresListener
from ledger.store.postgres.recorder import PostgresLineRecorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.store.base import Entry, Listener


TRIES = 2
"""How often an act is decided before the lock, where the head that it was decided on had moved."""

_WRITTEN_PAST = "was written to past its lock, by another program; try again"

# Statements of one message, each with its own view: what the last holder of the lock committed is
# seen. The head that `append` writes behind is compared all the same.
_LOCK = """
    BEGIN;
    SELECT pg_advisory_xact_lock(hashtextextended(%(stream)s, hashtext({name})));
    """
_PAST = """
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

    def __init__(
        self, url: str, *, create: bool = True, reading: Sequence[str] | None = None
    ) -> None:
        self.reading = None if reading is None else tuple(reading)
        self.where, password = _shown(url)
        self.vault_where = f"the table tourney_vault of {self.where}"
        self._password = password
        self._heads: dict[str, Tree] = {}
        with self._answer():
            self._datastore = LineDatastore(url, self.where, is_reading=reading is not None)
        try:
            with self._answer():
                self._recorder = PostgresLineRecorder(self._datastore)
                self._prepare(create=create)
        except BaseException:
            self.close()
            raise

    def transact(self, stream: str, known: int, decide: Decide) -> list[bytes]:
        """See `Store.transact`: behind the last head that was seen here, or else in the lock."""
        given: list[bytes] = []
        head = self._heads.get(checked_stream(stream), Tree())
        if 0 < head.size == known:
            unread = Unread([], head.copy())
            for _ in range(TRIES):
                given += unread
                missed = self._decide_behind(stream, unread, decide)
                if missed is None:
                    return given
                unread = missed
        return given + self._decide_in_lock(stream, known + len(given), decide)

    def _decide_behind(self, stream: str, unread: Unread, decide: Decide) -> Unread | None:
        """Decide on a head, and write behind it; what was missed where it is not the head now.

        What comes to nothing, or is refused, has to be decided on the head as well.
        """
        tree, refused = unread.tree.copy(), None
        entries: Sequence[Entry] = ()
        try:
            entries = checked_entries(decide(unread))
        except Exception as error:  # noqa: BLE001 - raised below, if it was decided on the head
            refused = error
        missed = self._write_behind(stream, tree, entries)
        if refused is not None and missed is None:
            raise refused
        return missed

    def _write_behind(self, stream: str, tree: Tree, entries: Sequence[Entry]) -> Unread | None:
        """Append behind a head, which grows; what was missed where it is not the head now."""
        answer, known = self._answer(), tree.size
        answer.outcome = IN_DOUBT if entries else NOTHING_WRITTEN
        with answer, self._datastore.get_connection() as connection:
            if entries:
                found = append(connection, self._recorder.sql(APPEND), stream, tree, entries)
                missed = self._past(stream, known, found) if found else None
            else:
                cursor = connection.cursor(binary=True, row_factory=tuple_row)
                values = {"stream": stream, "known": known}
                found = cursor.execute(self._recorder.sql(_PAST), values).fetchall()
                missed = self._past(stream, known, found)
                missed = missed if missed.tree.frontier != tree.frontier else None
        self._heads[stream] = tree if missed is None else missed.tree.copy()
        return missed

    def _decide_in_lock(self, stream: str, known: int, decide: Decide) -> list[bytes]:
        """Decide with no other writer in between; returns the lines that decide was given."""
        answer = self._answer()
        answer.outcome = NOTHING_WRITTEN
        # What is refused is rolled back when the connection comes back.
        with answer, self._datastore.get_connection() as connection:
            unread = self._take_lock(connection, stream, known)
            tree, lines = unread.tree.copy(), list(unread)
            entries = checked_entries(decide(unread))
            if entries:
                answer.outcome = IN_DOUBT
                sql = self._recorder.sql(APPEND)
                if append(connection, sql, stream, tree, entries):
                    raise StoreUnavailable(f"{self.where} {_WRITTEN_PAST}{NOTHING_WRITTEN}")
                connection.execute("COMMIT")
        # Where others write as fast, the next act is decided in the lock at once.
        self._heads[stream] = Tree() if lines else tree
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
            connection.execute(self._recorder.sql(_SCRUB))

    def vault_items(self, stream: str) -> dict[str, bytes]:
        """See `Store.vault_items`."""
        return self._given(dict(self._read(_ITEMS, stream)))

    def listen(self) -> Listener:
        """See `Store.listen`."""
        with self._answer():
            return PostgresListener(self._datastore.connect(), self._answer())

    def check_structures(self) -> None:
        """See `Store.check_structures`: a server looks after its own, and has page check sums."""

    def close(self) -> None:
        """See `Store.close`."""
        self._datastore.close()

    def _prepare(self, *, create: bool) -> None:
        if not create and not self._recorder.is_made():
            raise no_store(self.where)
        self._recorder.create_table()

    def _take_lock(self, connection: Connection[DictRow], stream: str, known: int) -> Unread:
        """Begin, wait for the lock, and read what the last writer left, in one round trip."""
        cursor = ClientCursor(connection, row_factory=tuple_row)
        values = {"stream": stream, "known": known}
        cursor.execute(self._recorder.sql(f"{_LOCK}{_PAST}"), values)
        cursor.nextset()  # what BEGIN said
        cursor.nextset()  # what the lock said
        return self._past(stream, known, cursor.fetchall())

    def _past(self, stream: str, known: int, rows: Sequence[tuple[Any, ...]]) -> Unread:
        """Return the lines past those known, of rows with the head; or StoreUnavailable."""
        size, frontier, _ = rows[0] if rows else (0, b"", None)
        lines = [line for *_, line in rows if line is not None]
        tree = tree_at(size, frontier, self.where)
        self._check_past(stream, known, size, len(lines))
        return Unread(lines, tree)

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
