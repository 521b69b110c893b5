"""Hearing of what others write: the database says so at each commit, to who has asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.base import Listener
from ledger.store.mapping import EVENTS_TABLE

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.rows import DictRow

    from ledger.store.postgres.errors import PostgresAnswer


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
