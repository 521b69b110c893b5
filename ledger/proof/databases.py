"""SQLite files that may come from a stranger: nothing in their schema runs.

A database can hold more than rows: a view in the place of a table, triggers, virtual tables,
columns and indexes that compute. A file is used only if each object in it is one that this program
makes, in the same words. Everything else is refused before the first row is read, and functions
that could touch the machine are off on the connection.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from functools import cache

VALUE_BYTES_MAX = 1 << 26
"""Maximum size of one value, and of the text of one object, in a file."""

NAME_SHOWN = 60
"""Maximum number of characters of a stranger's name in a message."""

_OBJECTS = "SELECT type, name, sql FROM sqlite_master"
_OF_ANALYZE = {
    ("table", "sqlite_stat1"): "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    ("table", "sqlite_stat4"): "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""Tables that SQLite's own ANALYZE adds to any file."""


def confine(database: sqlite3.Connection) -> None:
    """Turn off, on a connection, what the schema of a file could do beyond its own rows."""
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if sys.version_info >= (3, 12):
        database.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # noqa: FBT003 - by place only
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")


def strange_object(database: sqlite3.Connection | sqlite3.Cursor, *made_by: str) -> str:
    """Return which object of a file these scripts do not make, in words; else nothing.

    Raises:
        sqlite3.Error: the schema cannot be read.
    """
    known = _objects_of(made_by)
    for kind, name, text in database.execute(_OBJECTS).fetchall():
        if kind == "index" and text is None:  # of a PRIMARY KEY or UNIQUE: its table has the words
            continue
        if (kind, name) not in known:
            return f"the {kind} {str(name)[:NAME_SHOWN]!r}"
        if _words(text) != known[kind, name]:
            return f"another form of the {kind} {name!r}"
    return ""


@cache
def _objects_of(scripts: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """Return the objects that scripts make, each with its text, as SQLite keeps them."""
    with closing(sqlite3.connect(":memory:")) as database:
        for script in scripts:
            database.executescript(script)
        made = {(kind, name): _words(text) for kind, name, text in database.execute(_OBJECTS)}
    return made | _OF_ANALYZE


def _words(text: object) -> str:
    """Return the text of an object with single spaces: releases indented it in several ways."""
    return " ".join(str(text).split())
