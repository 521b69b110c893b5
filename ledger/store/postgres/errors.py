"""What PostgreSQL's errors mean to the person at the desk, and what to do about them."""

from __future__ import annotations

from types import MappingProxyType
from urllib.parse import quote

import psycopg
from eventsourcing.persistence import PersistenceError

from ledger.store.base import LOCK_SECONDS, Answer

_AWAY = "gives no answer: is the server running, and are host and port right?"
_REFUSED = "does not do what it was asked"

_MEANING = MappingProxyType(
    {
        "25006": "only lets itself be read: is it a stand-by server?",
        "25P03": "gave up waiting for this program, which was too slow; try again",
        "28000": "lets nobody in by that name; check the user in the URL",
        "28P01": "refuses the password; check user and password",
        "3D000": "is not there; make it with createdb or check the name in the URL",
        "42501": "gives this user no right to do that; ask its owner for a schema of your own",
        "53100": "cannot grow: the server's disk is full; free some space there and repeat",
        "53300": "has no connection left; close another program or try again",
        "55P03": f"is busy: another desk has been writing to it for {LOCK_SECONDS} s; try again",
        "57P01": "is shutting down; try again when it is back",
        "57P03": "is starting up or shutting down; try again",
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

    def explain(self, error: BaseException) -> str | None:
        """See `Answer.explain`."""
        cause = error.__cause__ if isinstance(error, PersistenceError) else error
        if isinstance(cause, psycopg.Error):
            meaning = _MEANING.get(_code(cause), _REFUSED if cause.sqlstate else _AWAY)
            return f"{self._where} {meaning} ({self._without_password(str(cause))})"
        if isinstance(error, PersistenceError):
            return f"{self._where} {_AWAY} ({self._without_password(str(error))})"
        return None

    def _without_password(self, text: str) -> str:
        for secret in {self._password, quote(self._password, safe="")} - {""}:
            text = text.replace(secret, "***")
        return text


def _code(error: psycopg.Error) -> str:
    text = str(error)
    return error.sqlstate or next((code for words, code in _WORDS if words in text), "")
