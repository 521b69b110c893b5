"""The tables of the PostgreSQL store, and the library's recorder over them.

The triggers stop slips of the hand, not an attacker: against one stand the hashes and signatures
over the lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import Cursor
from psycopg.sql import SQL, Identifier, Literal

from ledger.errors import StoreUnavailable
from ledger.proof.formats import Tree
from ledger.store.base import FORMAT, GROW, TREE, format_problem, tree_at
from ledger.store.mapping import EVENTS_TABLE, by_stream, growth
from ledger.store.postgres.appending import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventsourcing.persistence import StoredEvent
    from psycopg.rows import DictRow

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
            raise StoreUnavailable(f"the store {problem}")
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
