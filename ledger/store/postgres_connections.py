"""Durable connections to PostgreSQL, and the errors of PostgreSQL in words.

A connection keeps the events that it acknowledged, and notices a server that went away. The
library's pool runs threads and reports "timed out" for a wrong password; a desk needs one
connection, opened in its own thread, and the server's own words.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager, suppress
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
from eventsourcing.persistence import PersistenceError
from eventsourcing.postgres import PostgresDatastore
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg.types.composite import register_composite

from ledger.errors import StoreUnavailable
from ledger.problems import Phrase, phrase
from ledger.store.base import LOCK_SECONDS, Answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

IDLE_SECONDS = 25
"""A desk that stands still inside the write lock is thrown out before the others give up."""

_TRUST_SECONDS = 1
_DEFAULTS: Mapping[str, str | int] = MappingProxyType(
    {
        "application_name": "tourney",
        "connect_timeout": 10,
        # A cable that was pulled is noticed in half a minute, not in a quarter of an hour.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }
)
# One round trip: sets, and says what is in force. remote_apply is stronger than on, and stays.
_SESSION = f"""
    SELECT
        set_config(
            'synchronous_commit',
            CASE current_setting('synchronous_commit')
                WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on'
            END,
            false
        ) AS durable,
        set_config('idle_in_transaction_session_timeout', '{IDLE_SECONDS}s', false),
        set_config('lock_timeout', '{LOCK_SECONDS}s', false),
        set_config('default_transaction_isolation', 'read committed', false),
        current_schema() AS schema
"""


class LineDatastore(PostgresDatastore):
    """The library's datastore on plain connections; tables are in the URL's first schema."""

    def __init__(self, url: str, where: str, *, is_reading: bool = False) -> None:
        """With `is_reading` the server refuses every change over these connections."""
        super().__init__(
            dbname="",
            host="",
            port="",
            user="",
            password="",
            lock_timeout=LOCK_SECONDS,
            originator_id_type="text",
        )
        self._parameters = make_conninfo("", **{**_DEFAULTS, **conninfo_to_dict(url)})
        self._where, self._is_reading = where, is_reading
        self._idle: deque[tuple[float, Connection[DictRow]]] = deque()
        self._closed = False
        with self.get_connection():
            pass

    @contextmanager
    def get_connection(self) -> Iterator[Connection[DictRow]]:
        """Lend a connection: one that is at hand and alive, or a new one."""
        connection = self._at_hand() or self.connect()
        try:
            for info in self.psycopg_type_adapters.values():
                if not connection.adapters.types.get(info.oid):
                    register_composite(info, connection)
            yield connection
        finally:
            self._take_back(connection)

    def close(self) -> None:
        """Close what is not lent; what is lent is closed when it comes back."""
        self._closed = True
        for _, connection in getattr(self, "_idle", ()):
            connection.close()
        super().close()

    def _take_back(self, connection: Connection[DictRow]) -> None:
        """Roll back what was not committed; what cannot be used again is closed."""
        with suppress(psycopg.Error):
            connection.rollback()
        idle = connection.info.transaction_status == TransactionStatus.IDLE
        if idle and not self._closed:
            self._idle.append((monotonic(), connection))
        else:
            connection.close()

    def _at_hand(self) -> Connection[DictRow] | None:
        while self._idle:
            since, connection = self._idle.pop()
            if monotonic() - since < _TRUST_SECONDS or _is_alive(connection):
                return connection
            connection.close()
        return None

    def connect(self) -> Connection[DictRow]:
        """Open a connection that is the caller's."""
        connection = psycopg.connect(self._parameters, autocommit=True, row_factory=dict_row)
        try:
            session = connection.execute(_SESSION).fetchone()
            self.schema = _checked_session(session, self._where)
            if self._is_reading:
                connection.execute("SET default_transaction_read_only = on")
        except BaseException:
            connection.close()
            raise
        return connection


def _is_alive(connection: Connection[DictRow]) -> bool:
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True


def _checked_session(session: DictRow | None, where: str) -> str:
    if session is None or session["durable"] not in {"on", "remote_apply"}:
        raise StoreUnavailable(
            phrase("{where} does not allow synchronous_commit = on; ask its owner", where=where)
        )
    if session["schema"] is None:
        raise StoreUnavailable(
            phrase("{where} has no schema to use: no schema of search_path exists", where=where)
        )
    return str(session["schema"])


_AWAY = phrase("does not answer: check that the server is running, and check host and port")
_REFUSED = phrase("refused the request")

_MEANING = MappingProxyType(
    {
        "25006": phrase("is read-only: is it a standby server?"),
        "25P03": phrase("gave up waiting for this program, which was too slow; try again"),
        "28000": phrase("does not accept this user; check the user in the URL"),
        "28P01": phrase("refuses the password; check user and password"),
        "3D000": phrase("does not exist; create it with createdb or check the name in the URL"),
        "42501": phrase(
            "does not permit this user to do that; ask its owner for a separate schema"
        ),
        "53100": phrase("cannot grow: the server's disk is full; free some space there and repeat"),
        "53300": phrase("has no free connection; close another program or try again"),
        "55P03": phrase(
            "is busy: another desk has been writing to it for {seconds} s; try again",
            seconds=LOCK_SECONDS,
        ),
        "57P01": phrase("is shutting down; try again when it is back"),
        "57P03": phrase("is starting up or shutting down; try again"),
    }
)
# libpq gives no code where a connection did not come about, only the server's words. A server that
# speaks another language is quoted under the general meaning.
_WORDS = (
    ("password authentication failed", "28P01"),
    ("no password supplied", "28P01"),
    ('FATAL:  role "', "28000"),
    ('FATAL:  database "', "3D000"),
    ("no pg_hba.conf entry", "28000"),
    ("too many clients", "53300"),
    ("starting up", "57P03"),
    ("shutting down", "57P03"),
)


class PostgresAnswer(Answer):
    """Turn the errors of psycopg, and of the library around it, into one line."""

    def __init__(self, where: str, password: str | None) -> None:
        self._where = where
        self._password = password or ""

    def explain(self, error: BaseException) -> Phrase | None:
        """See `Answer.explain`."""
        cause = error.__cause__ if isinstance(error, PersistenceError) else error
        if isinstance(cause, psycopg.Error):
            meaning = _MEANING.get(_code(cause), _REFUSED if cause.sqlstate else _AWAY)
            return self._said(meaning, cause)
        if isinstance(error, PersistenceError):
            return self._said(_AWAY, error)
        return None

    def _said(self, meaning: Phrase, error: BaseException) -> Phrase:
        detail = " ".join(self._without_password(str(error)).split())
        return phrase(
            "{where} {problem} ({detail})", where=self._where, problem=meaning, detail=detail
        )

    def _without_password(self, text: str) -> str:
        for secret in {self._password, quote(self._password, safe="")} - {""}:
            text = text.replace(secret, "***")
        return text


def _code(error: psycopg.Error) -> str:
    text = str(error)
    return error.sqlstate or next((code for words, code in _WORDS if words in text), "")
