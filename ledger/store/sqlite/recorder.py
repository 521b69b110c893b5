"""The library's recorder over the tables of the SQLite store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteTransaction,
)

from ledger.errors import StoreUnavailable
from ledger.proof.formats import Tree
from ledger.store.base import FORMAT, GROW, RESTORE, TREE, tree_at
from ledger.store.mapping import EVENTS_TABLE, by_stream, growth
from ledger.store.sqlite.files import APPLICATION_ID, SCHEMA, is_made, vault_path

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            f"{path} is empty, but its vault is not: the log was cut off or removed; {RESTORE}"
        )
