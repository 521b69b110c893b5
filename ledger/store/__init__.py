"""The store: each tournament's lines and secrets, kept durably in one SQLite file or PostgreSQL.

Only this package imports `eventsourcing`. A store keeps bytes and never looks into them: the rules
live in the `decide` that a caller hands to `transact`; what it makes of the last line is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import StoreUnavailable
from ledger.problems import phrase
from ledger.store.base import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Store", "open_store"]


def open_store(
    location: str, *, create: bool = True, reading: Sequence[str] | None = None
) -> Store:
    """Open the store at a path (SQLite) or at a `postgresql://` URL; make it where it is missing.

    The backend is imported here, at the first use: a command that needs no store pays for none.
    NotFound where there is no store, and `create` is false; StoreUnavailable where it cannot be
    opened; the text never holds a password.

    With `reading` the store is opened read only: the database itself refuses every change, and of
    the vault only secrets are given whose names begin with one of these words.
    """
    scheme, separator, _ = location.partition("://")
    if not separator:
        from ledger.store.sqlite import SQLiteStore  # noqa: PLC0415 - 40 ms that --help saves

        return SQLiteStore(location, create=create, reading=reading)
    if scheme.lower() not in {"postgres", "postgresql"}:
        raise StoreUnavailable(
            phrase("a store must be a file or a postgresql:// URL, not {scheme}://", scheme=scheme)
        )
    try:
        from ledger.store.postgres import PostgresStore  # noqa: PLC0415 - psycopg may be absent
    except ImportError as error:
        raise StoreUnavailable(
            phrase(
                "PostgreSQL needs psycopg ({error}): pip install 'tourney-ledger[postgres]'",
                error=str(error),
            )
        ) from None
    return PostgresStore(location, create=create, reading=reading)
