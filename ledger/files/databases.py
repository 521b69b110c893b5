"""SQLite files of this program, refused if they hold what another program made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import StoreUnavailable
from ledger.problems import problem
from ledger.proof.databases import confine, strange_object

if TYPE_CHECKING:
    import sqlite3


def refuse_strange(database: sqlite3.Connection, file: str, *made_by: str) -> None:
    """Confine a connection, and refuse a file with objects that these scripts do not make.

    Raises:
        StoreUnavailable: the file has a view, a trigger, an index or a table of another program.
        sqlite3.Error: the file is damaged.
    """
    confine(database)
    if strange := strange_object(database, *made_by):
        text = (
            "{file} has {strange}, which tourney does not make: use a copy that only tourney "
            "has written to"
        )
        raise StoreUnavailable(problem("file.strange", text, file=file, strange=strange))
