"""A witness: it cosigns a log's head only where that goes on from the last head it has seen.

The rules are those of C2SP tlog-witness, by file instead of HTTP. The heads stand in a small SQLite
file: comparing the last head and keeping the new one is one transaction, durable before the
signature exists, so that of two that race with both sides of a fork one at most is cosigned.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from ledger.proof import formats
from ledger.proof.databases import confine, strange_object
from ledger.proof.evidence.notes import Signer, base64_of, signature_line, vkey
from ledger.proof.formats import HASH_BYTES, NOTE_BYTES_MAX, Checkpoint, Invalid, Key, unbase64

LOCK_SECONDS = 30
HASHES_MAX = 63
_TABLE = """
    CREATE TABLE IF NOT EXISTS heads (
        origin TEXT PRIMARY KEY, vkey TEXT NOT NULL, size INTEGER NOT NULL, root BLOB NOT NULL,
        time INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
"""


class Request(NamedTuple):
    """What a log asks a witness: the last size it saw, the proof from there, the signed head."""

    old: int
    proof: list[bytes]
    note: bytes


def write_request(request: Request) -> bytes:
    """Write a request as `add-checkpoint` has it."""
    lines = [f"old {request.old}", *map(base64_of, request.proof), "", ""]
    return "\n".join(lines).encode() + request.note


def parse_request(data: bytes) -> Request:
    """Read a request; Invalid where it is not one."""
    top, blank, note = data[: 2 * NOTE_BYTES_MAX].partition(b"\n\n")
    first, *hashes = top.decode("ascii", "replace").split("\n")
    old = re.fullmatch("old (0|[1-9][0-9]{0,15})", first)
    if len(data) >= 2 * NOTE_BYTES_MAX or not blank or old is None or len(hashes) > HASHES_MAX:
        raise Invalid("this is no request to a witness: old, hashes, a blank line, a head")
    return Request(int(old[1]), [unbase64(each, HASH_BYTES) for each in hashes], note)


class Witness:
    """The heads that a witness has seen, in a file of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add_log(self, key: Key, *, renewed: bool = False) -> None:
        """Trust a log's key from now on; renewed: also in the place of the one it had before.

        What was seen of the log stays: the new key signs no second history of it either. Invalid
        where this log is known by another key, or the file cannot be used.
        """
        with self._writing() as database:
            found = self._find(database, key.name)
            if found is not None and found[0] != key and not renewed:
                raise Invalid(f"{key.name} is known here by another key, and keeps it")
            row = (key.name, vkey(key), 0, formats.EMPTY_ROOT, 0)
            database.execute(
                "INSERT INTO heads VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (origin) DO UPDATE SET vkey = excluded.vkey",
                row,
            )

    def heads(self) -> list[Checkpoint]:
        """List the last head seen of every log."""
        with self._writing() as database:
            rows = database.execute("SELECT origin, size, root FROM heads ORDER BY origin")
            return [Checkpoint(*row) for row in rows]

    def seen(self, origin: str) -> Checkpoint | None:
        """Return the last head seen of a log, None for one not known; Invalid for a bad file."""
        address = f"{self.path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS)) as database:
                self._refuse_strange(database)
                found = self._find(database, origin)
        except sqlite3.Error as error:
            raise Invalid(f"the witness's file {self.path} cannot be used: {error}") from None
        return found[1] if found else None

    def cosign(self, data: bytes, signer: Signer, time: int) -> bytes:
        """Keep the head, then sign it: returns the line to be added to the note.

        Asked for the same head again it signs it at the same time, so that its answer is the same:
        nobody chooses among several cosignatures of one head. Invalid where the head is not signed
        by its log, or does not go on from the last one seen.
        """
        request = parse_request(data)
        note = formats.parse_note(request.note)
        head = formats.parse_checkpoint(note.text)
        with self._writing() as database:
            found = self._find(database, head.origin)
            if found is None:
                raise Invalid(f"{head.origin} is no log that this witness knows")
            key, seen, before = found
            formats.open_note(note, [key])
            _refuse_fork(request, seen, head)
            if head == seen:
                time = before or time
            update = "UPDATE heads SET size = ?, root = ?, time = ? WHERE origin = ?"
            database.execute(update, (head.size, head.root, time, head.origin))
        return signature_line(signer, note.text, time).encode()

    def _find(
        self, database: sqlite3.Connection, origin: str
    ) -> tuple[Key, Checkpoint, int] | None:
        query = "SELECT vkey, size, root, time FROM heads WHERE origin = ?"
        for trusted, size, root, time in database.execute(query, (origin,)):
            return formats.parse_key(trusted, 1), Checkpoint(origin, size, root), time
        return None

    def _refuse_strange(self, database: sqlite3.Connection) -> None:
        confine(database)
        if strange := strange_object(database, _TABLE):
            raise Invalid(f"the witness's file {self.path} has {strange}, which no witness makes")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Be the one writer; what was written is durable when this ends without an error."""
        try:
            with closing(
                sqlite3.connect(self.path, timeout=LOCK_SECONDS, isolation_level=None)
            ) as database:
                self._refuse_strange(database)
                database.execute("PRAGMA synchronous = EXTRA")
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
                yield database
                database.execute("COMMIT")
        except sqlite3.Error as error:
            raise Invalid(f"the witness's file {self.path} cannot be used: {error}") from None


def _refuse_fork(request: Request, seen: Checkpoint, head: Checkpoint) -> None:
    if request.old > head.size:
        raise Invalid(f"the request goes back: from {request.old} to {head.size}")
    if request.old != seen.size:
        raise Invalid(f"this witness has seen {seen.size} lines, not {request.old}: ask from there")
    if not seen.size:
        if request.proof:
            raise Invalid("where nothing was seen there is nothing to prove")
        return
    formats.verify_consistency(seen, head, request.proof)
