"""One desk's process, for the tests of several at once: `store_worker.py ACT LOCATION [WORDS]`.

It says `ready`, waits for a line on its standard input, acts, and says what came of it.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreUnavailable
from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.store import Store


def one(store: Store, stream: str, known: int, line: str) -> int:
    """Append a line behind what is there; return the stream's size."""
    seen = store.transact(stream, known, lambda _: [("Noted", line.encode())])
    return known + len(seen) + 1


def append(location: str, stream: str, count: str, label: str) -> None:
    """Append so many lines `label-number`, each in a transaction of its own."""
    known = 0
    with open_store(location) as store:
        ready()
        for number in range(int(count)):
            known = one(store, stream, known, f"{label}-{number}")
        say("done")


def raw(location: str, count: str, label: str) -> None:
    """Insert so many rows without the store: what a benchmark compares `append` with."""
    connection, insert = raw_table(location)
    with closing(connection):
        ready()
        for number in range(int(count)):
            connection.execute(insert, (label, number, "Noted", f"{label}-{number}".encode()))
        say("done")


def raw_table(location: str) -> tuple[Any, str]:
    """Make the plainest table for events; a durable connection to it, and the insert."""
    if location.startswith("postgresql"):
        import psycopg  # noqa: PLC0415 - the tests on SQLite do without it

        connection: Any = psycopg.connect(location, autocommit=True)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS raw (a text, b bigint, c text, d bytea, UNIQUE (a, b))"
        )
        return connection, "INSERT INTO raw VALUES (%s, %s, %s, %s)"
    connection = sqlite3.connect(f"{location}-raw", isolation_level=None, timeout=30)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS raw (a TEXT, b INTEGER, c TEXT, d BLOB, UNIQUE (a, b))"
    )
    return connection, "INSERT INTO raw VALUES (?, ?, ?, ?)"


def start(location: str) -> None:
    """Open a store at the same moment as others, and use it."""
    ready()
    with open_store(location) as store:
        store.transact("0" * 32, 0, lambda _: [("Noted", b"started")])
    say("done")


def forever(location: str, stream: str) -> None:
    """Append until killed, saying each size when it is acknowledged."""
    known = 0
    with open_store(location) as store:
        ready()
        while True:
            known = one(store, stream, known, f"line {known + 1}")
            say(known)


def cramped(location: str, stream: str, limit: str) -> None:
    """Append long lines until files may not grow further than `limit` bytes."""
    import resource  # noqa: PLC0415 - not on every system
    import signal  # noqa: PLC0415

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
    known = 0
    try:
        with open_store(location) as store:
            ready()
            while True:
                known = one(store, stream, known, "x" * 5_000)
    except StoreUnavailable as error:
        say(known, error)


def ready() -> None:
    """Wait for the others."""
    say("ready")
    sys.stdin.readline()


def say(*words: object) -> None:
    """Tell the test, at once."""
    print(*words, flush=True)  # noqa: T201 - its standard output is what the test reads


def main(words: Sequence[str]) -> None:
    """Do the act that the first word names."""
    acts = {each.__name__: each for each in (append, raw, start, forever, cramped)}
    acts[words[0]](*words[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
