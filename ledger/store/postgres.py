"""The store in the tables of one PostgreSQL schema, for several desks at once.

A secret that is deleted leaves the vault's table and its file at once. It may stay in the server's
write-ahead log until that is recycled, in its replicas and in backups of its own. The triggers of
the tables stop slips of the hand, not an attacker: the hashes and signatures over the lines do.

One statement appends behind a known head: it waits for the lock, compares, and inserts or returns
the missing lines. Every statement of the function has its own view, so it sees what the last holder
of the lock committed. The lock is of the advisory kind: it also exists for a stream that has no row
yet, and under load it passes on faster than a row's; a desk that decides inside the lock holds the
same lock. The lock on the table keeps readers of the library's notifications from passing over an
event of a slower writer.

The database notifies listeners at each commit.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import psycopg
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import ClientCursor, Connection, Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, tuple_row
from psycopg.sql import SQL, Identifier, Literal

from ledger.errors import StoreUnavailable
from ledger.problems import phrase
from ledger.proof.formats import Tree
from ledger.store.base import (
    EVENTS_TABLE,
    FORMAT,
    GROW,
    IN_DOUBT,
    NOTHING_WRITTEN,
    PUT_TREE,
    TREE,
    Decide,
    Listener,
    Store,
    Unread,
    by_stream,
    checked_entries,
    checked_stream,
    format_problem,
    frontier_of,
    growth,
    no_store,
    tree_at,
)
from ledger.store.postgres_connections import LineDatastore, PostgresAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from eventsourcing.persistence import StoredEvent

    from ledger.store.base import Entry

BATCH_EVENTS = 2_000
"""Lines of one statement: at most 60,000 bytes each, far from the server's limit of 1 GB."""

FUNCTION = """
    CREATE FUNCTION {schema}.tourney_append_1(
        of_stream text, known bigint, head bytea, grown bytea, topics text[], lines bytea[]
    ) RETURNS TABLE (now_size bigint, now_head bytea, line bytea) LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended(of_stream, hashtext({name})));
            IF known = 0 THEN
                INSERT INTO {schema}.tourney_streams (stream, size, frontier)
                VALUES (of_stream, cardinality(lines), grown) ON CONFLICT (stream) DO NOTHING;
            ELSE
                UPDATE {schema}.tourney_streams
                SET size = known + cardinality(lines), frontier = grown
                WHERE stream = of_stream AND size = known AND frontier = head;
            END IF;
            IF NOT FOUND THEN
                RETURN QUERY SELECT coalesce(size, 0), coalesce(frontier, ''), state
                FROM (VALUES (1)) AS always LEFT JOIN {schema}.tourney_streams ON stream = of_stream
                    LEFT JOIN {schema}.tourney_events
                    ON originator_id = stream AND originator_version > known
                ORDER BY originator_version;
                RETURN;
            END IF;
            LOCK TABLE {schema}.tourney_events IN EXCLUSIVE MODE;
            INSERT INTO {schema}.tourney_events (originator_id, originator_version, topic, state)
            SELECT of_stream, known + place, entry.topic, entry.line
            FROM unnest(topics, lines) WITH ORDINALITY AS entry (topic, line, place);
            NOTIFY tourney_events;
        END
    $body$
"""
"""Under another name where it says something else: desks of two releases share one store."""

APPEND = "SELECT * FROM {schema}.tourney_append_1(%b, %b, %b, %b, %b, %b)"


def append(
    connection: Connection[DictRow],
    statement: bytes,
    stream: str,
    tree: Tree,
    entries: Sequence[Entry],
) -> list[tuple[Any, ...]]:
    """Write behind a tree, which grows: one round trip, mostly, and all of it or nothing.

    Returns rows of what is there where the tree is the head no more, and nothing was written.
    """
    with connection.transaction() if len(entries) > BATCH_EVENTS else nullcontext():
        for start in range(0, len(entries), BATCH_EVENTS):
            known, head, batch = tree.size, frontier_of(tree), entries[start : start + BATCH_EVENTS]
            topics, lines = [topic for topic, _ in batch], [line for _, line in batch]
            values = (stream, known, head, frontier_of(tree.add_lines(lines)), topics, lines)
            cursor = connection.cursor(row_factory=tuple_row, binary=True)
            if found := cursor.execute(statement, values).fetchall():
                return found
    return []


# Any number that no other program uses for its advisory locks.
_MAKING = 0x746F75726E6579

_SCHEMA = """
    CREATE TABLE {schema}.tourney_streams (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        stream text COLLATE "C" NOT NULL UNIQUE,
        size bigint NOT NULL,
        frontier bytea NOT NULL
    );
    CREATE TABLE {schema}.tourney_events (
        originator_id text COLLATE "C" NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        notification_id bigserial NOT NULL UNIQUE,
        PRIMARY KEY (originator_id, originator_version)
    );
    CREATE TYPE {schema}.stored_event_text AS (
        originator_id text, originator_version bigint, topic text, state bytea
    );
    CREATE TABLE {schema}.tourney_vault (
        stream text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        secret bytea NOT NULL,
        PRIMARY KEY (stream, name)
    );
    CREATE FUNCTION {schema}.tourney_never() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
            RAISE EXCEPTION 'an event on the record is never changed: record a correction';
        END
    $body$;
    CREATE TRIGGER tourney_never BEFORE UPDATE OR DELETE OR TRUNCATE
        ON {schema}.tourney_events EXECUTE FUNCTION {schema}.tourney_never();
    CREATE TABLE {schema}.tourney_format (version integer NOT NULL);
    INSERT INTO {schema}.tourney_format VALUES ({format})
"""

_ALL = (_SCHEMA, FUNCTION)
_FOUND = """
    SELECT version, EXISTS (
        SELECT FROM pg_proc
        WHERE proname = 'tourney_append_1' AND pronamespace = {name}::regnamespace
    ) AS can_append
    FROM {schema}.tourney_format
"""


class PostgresLineRecorder(PostgresApplicationRecorder):
    """The library's recorder on tables of our own, each stream without a gap.

    It inserts under the library's table lock, so that no reader of the notifications passes over
    an event of a slower writer; the library's database functions, which leave it out, are unused.
    """

    def __init__(
        self, datastore: PostgresDatastore, *, events_table_name: str = EVENTS_TABLE
    ) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._statements: dict[str, bytes] = {}
        # The first sets a timeout that is set for the whole session already.
        self.lock_table_statements = self.lock_table_statements[1:]

    def sql(self, statement: str) -> bytes:
        """Put the schema's name into a statement, once."""
        if statement not in self._statements:
            name = self.datastore.schema
            named = {"schema": Identifier(name), "name": Literal(name)}
            composed = SQL(statement).format(**named, format=SQL(str(FORMAT)))
            self._statements[statement] = composed.as_bytes()
        return self._statements[statement]

    def is_made(self) -> bool:
        """Tell whether the tables are there; StoreUnavailable where a newer release made them."""
        return self._missing() != _ALL

    def _missing(self) -> tuple[str, ...]:
        """Return the statements that make what is not there yet."""
        with self.datastore.get_connection() as connection:
            try:
                found = connection.execute(self.sql(_FOUND)).fetchone()
            except psycopg.errors.UndefinedTable:
                return _ALL
        if problem := format_problem(found["version"] if found else FORMAT + 1):
            raise StoreUnavailable(phrase("the store {problem}", problem=problem))
        return () if found and found["can_append"] else (FUNCTION,)

    def create_table(self) -> None:
        """Make the tables where there are none, however many processes start at once."""
        if self._missing():
            with self.datastore.transaction(commit=True) as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_MAKING])
                for statement in self._missing():
                    cursor.execute(self.sql(statement))
        # Not only where they were made here: another process may have been a moment earlier.
        self.datastore.register_type_adapters()

    def _insert_stored_events(
        self,
        curs: Cursor[DictRow],
        stored_events: Sequence[StoredEvent],
        **kwargs: Any,  # noqa: ANN401 - as the library declares it
    ) -> None:
        for stream, events in by_stream(stored_events).items():
            curs.execute(self.sql(GROW), growth(stream, self._tree(curs, stream), events))
        super()._insert_stored_events(curs, stored_events, **kwargs)

    def _tree(self, curs: Cursor[DictRow], stream: str) -> Tree:
        row = curs.execute(self.sql(TREE), [stream]).fetchone()
        return tree_at(row["size"], row["frontier"], "the store") if row else Tree()


class PostgresListener(Listener):
    """A connection of its own; the library's recorder notifies the same channel as our function."""

    def __init__(self, connection: Connection[DictRow], answer: PostgresAnswer) -> None:
        self._connection, self._answer = connection, answer
        with answer:
            connection.execute(f"LISTEN {EVENTS_TABLE}")

    def fileno(self) -> int:
        """See `Listener.fileno`."""
        return self._connection.fileno()

    def take(self) -> None:
        """See `Listener.take`."""
        with self._answer:
            for _ in self._connection.notifies(timeout=0):
                pass

    def close(self) -> None:
        """See `Listener.close`."""
        self._connection.close()


TRIES = 2
"""How often an act is decided before the lock, where the head that it was decided on had moved."""

_WRITTEN_PAST = phrase("was changed by another program without the lock; try again")

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
                    raise StoreUnavailable(
                        phrase(
                            "{where} {problem}{outcome}",
                            where=self.where,
                            problem=_WRITTEN_PAST,
                            outcome=NOTHING_WRITTEN,
                        )
                    )
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
            phrase(
                "the store's URL cannot be read; write {example} (with % and two hex digits for "
                "each special character)",
                example="postgresql://user:password@host:port/database",
            )
        ) from None
    name, host, port, user = (parts.get(each) for each in ("dbname", "host", "port", "user"))
    shown = f"{user}@" if user else ""
    shown += str(host or "") + (f":{port}" if port else "")
    return f"postgresql://{shown}/{name or ''}", str(parts.get("password") or "")
