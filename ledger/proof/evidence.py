"""Evidence for others: proofs of a tree, tiles, receipts, proofs of a fork, and a witness.

* Proofs of inclusion and consistency follow RFC 9162 2.1.3 and 2.1.4.
* Tiles are the tree as files for a static host (C2SP tlog-tiles): any reader of that format can
  check them.
* A receipt proves that one event is in a signed log (C2SP tlog-proof).
* A fork is proven by two signed heads of one log that no single history has. Its file is one JSON
  object: the two signed notes, the smaller log first. If the sizes differ, `root` is the root that
  the larger log has at the smaller size, and `proof` shows that the larger log contains it.
* A witness cosigns a head of a log only if the head extends the last head that the witness saw. The
  rules are those of C2SP tlog-witness, by file instead of HTTP. The heads are rows of a small
  SQLite file: comparing the last head and keeping the new one is one transaction, durable before
  the signature exists, so that of two requests with both sides of a fork at most one is cosigned.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof import formats
from ledger.proof.databases import confine, strange_object
from ledger.proof.formats import (
    EMPTY_ROOT,
    HASH_BYTES,
    NOTE_BYTES_MAX,
    Checkpoint,
    Invalid,
    Key,
    leaf_hash,
    node_hash,
    parse_checkpoint,
    unbase64,
)
from ledger.proof.notes import Signer, base64_of, signature_line, vkey

if TYPE_CHECKING:
    from ledger.proof.policy import Policy


class Prover:
    """The hashes of all whole subtrees: `levels[h][i]` spans `2**h` leaves."""

    def __init__(self, entries: Iterable[bytes] = ()) -> None:
        self.levels: list[list[bytes]] = [[]]
        for entry in entries:
            self.add(leaf_hash(entry))

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self.levels[0])

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf."""
        return self.levels[0][index]

    def add(self, leaf: bytes) -> None:
        """Put a leaf's hash at the end."""
        height = 0
        while True:
            level = self.levels[height]
            level.append(leaf)
            if len(level) % 2:
                return
            leaf = node_hash(*level[-2:])
            height += 1
            if height == len(self.levels):
                self.levels.append([])

    def root(self, size: int) -> bytes:
        """Hash the tree of the first size leaves."""
        return self._span(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Prove that leaf index, from 0, is in the tree of size; its sibling comes first."""
        return self._beside(index, size, is_leaf=True)[1]

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Prove that the tree of new begins with the tree of old, for 0 < old <= new."""
        start, proof = self._beside(old - 1, new, is_leaf=False)
        return [self._span(start, old), *proof] if start else proof

    def _beside(self, index: int, size: int, *, is_leaf: bool) -> tuple[int, list[bytes]]:
        """Hash the subtrees beside the leaf, or beside the one that ends with it and its start."""
        proof: list[bytes] = []
        start, end = 0, size
        while end != index + 1 or (is_leaf and start != index):
            middle = start + _split(end - start)
            if index < middle:
                proof.insert(0, self._span(middle, end))
                end = middle
            else:
                proof.insert(0, self._span(start, middle))
                start = middle
        return start, proof

    def _span(self, start: int, end: int) -> bytes:
        """Hash the subtree of the leaves from start to end, as the tree is split."""
        width = end - start
        if width.bit_count() == 1:
            height = width.bit_length() - 1
            return self.levels[height][start >> height]
        middle = start + _split(width)
        return node_hash(self._span(start, middle), self._span(middle, end))


def _split(size: int) -> int:
    """Return the largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


TILE_WIDTH = 256
TILE_HEIGHT = 8
TILE_GROUP = 1_000


def tiles(prover: Prover, entries: list[bytes], note: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each file's path and content; the head comes last, when all it counts on is there."""
    for place in range(0, len(entries), TILE_WIDTH):
        bundle = entries[place : place + TILE_WIDTH]
        data = b"".join(len(each).to_bytes(2, "big") + each for each in bundle)
        yield f"tile/entries/{tile_path(place // TILE_WIDTH, len(bundle))}", data
    for level, hashes in enumerate(prover.levels[::TILE_HEIGHT]):
        for place in range(0, len(hashes), TILE_WIDTH):
            tile = hashes[place : place + TILE_WIDTH]
            yield f"tile/{level}/{tile_path(place // TILE_WIDTH, len(tile))}", b"".join(tile)
    yield "checkpoint", note


def tile_path(number: int, width: int) -> str:
    """Write a tile's number in groups of three digits, all but the last with an x."""
    groups = [f"{number % TILE_GROUP:03}"]
    while number := number // TILE_GROUP:
        groups.insert(0, f"x{number % TILE_GROUP:03}")
    return "/".join(groups) + ("" if width == TILE_WIDTH else f".p/{width}")


RECEIPT_HEADER = "c2sp.org/tlog-proof@v1"
HASHES_MAX = 63


class Receipt(NamedTuple):
    """Where the event stands, from 0, the hashes up to the root, and the signed head.

    `extra` is nobody's word: nothing vouches for it. Here it is the event's own line.
    """

    position: int
    proof: list[bytes]
    note: bytes
    extra: bytes = b""


def write_receipt(receipt: Receipt) -> bytes:
    """Write a `.tlog-proof` file."""
    lines = [RECEIPT_HEADER]
    lines += [f"extra {base64_of(receipt.extra)}"] if receipt.extra else []
    lines += [f"index {receipt.position}", *map(base64_of, receipt.proof), "", ""]
    return "\n".join(lines).encode() + receipt.note


def parse_receipt(data: bytes) -> Receipt:
    """Read a `.tlog-proof` file; nothing in it is checked yet; Invalid where it is not one."""
    top, blank, note = data[: 3 * formats.NOTE_BYTES_MAX].partition(b"\n\n")
    lines = top.decode("ascii", "replace").split("\n")
    if len(data) >= 3 * formats.NOTE_BYTES_MAX or not blank or lines.pop(0) != RECEIPT_HEADER:
        raise Invalid("this is not a receipt: a receipt begins as a tlog-proof")
    extra = b""
    if lines and lines[0].startswith("extra "):
        extra = unbase64(lines.pop(0).removeprefix("extra "))
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0) if lines else "")
    if index is None or len(lines) > HASHES_MAX:
        raise Invalid("the receipt has no index, or more hashes than a log can need")
    return Receipt(int(index[1]), [unbase64(line, HASH_BYTES) for line in lines], note, extra)


def check_receipt(receipt: Receipt, line: bytes, policy: Policy) -> Checkpoint:
    """Hold that the line is in the log of a head that the policy trusts; Invalid if not."""
    head, _, _ = policy.open(receipt.note)
    formats.verify_inclusion(
        receipt.position, head.size, formats.leaf_hash(line), receipt.proof, head.root
    )
    return head


FORK_FORMAT = "tourney/fork@1"
FORK_MEMBERS = {"format", "notes", "root", "proof"}


class ForkProof(NamedTuple):
    """What two heads amount to: the smaller first, and the key that signed both."""

    smaller: Checkpoint
    larger: Checkpoint
    key: Key


def heads_by_one_key(notes: list[bytes], keys: list[Key]) -> ForkProof:
    """Open two heads of one log, signed by one of these keys; Invalid if they are not."""
    parsed = [formats.parse_note(note) for note in notes]
    heads = [parse_checkpoint(note.text) for note in parsed]
    if heads[0].origin != heads[1].origin:
        raise Invalid(f"these heads are of two logs, {heads[0].origin} and {heads[1].origin}")
    own = [key for key in keys if key.name == heads[0].origin]
    signed = [formats.open_note(note, own) for note in parsed]
    both = [key for key in signed[0] if key in signed[1]]
    if not both:
        raise Invalid("no single key signed both heads")
    smaller, larger = sorted(heads, key=lambda head: head.size)
    return ForkProof(smaller, larger, both[0])


def prove_fork(notes: list[bytes], larger: Prover, keys: list[Key]) -> bytes | None:
    """Prove, by the larger log's lines, that two heads are of two histories; None if not."""
    fork = heads_by_one_key(notes, keys)
    heads = sorted(notes, key=lambda note: parse_checkpoint(formats.parse_note(note).text).size)
    size, total = fork.smaller.size, fork.larger.size
    root, proof = b"", list[bytes]()
    if size < total:
        root = larger.root(size)
        proof = larger.consistency(size, total) if size else []
    if fork.smaller.root == (root or fork.larger.root):
        return None
    value = {
        "format": FORK_FORMAT,
        "notes": [note.decode() for note in heads],
        "root": base64_of(root),
        "proof": [base64_of(each) for each in proof],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def check_fork(data: bytes, keys: list[Key]) -> ForkProof:
    """Hold that the file proves two histories under one key; Invalid where it proves nothing."""
    try:
        value = json.loads(data[: 3 * formats.NOTE_BYTES_MAX + 1])
    except (ValueError, RecursionError):
        raise Invalid("this is not a proof of a fork: it is not JSON") from None
    if not isinstance(value, dict) or set(value) != FORK_MEMBERS or value["format"] != FORK_FORMAT:
        raise Invalid("this is not a proof of a fork: its members are wrong")
    notes, written, proof = value["notes"], value["root"], value["proof"]
    are_lists = isinstance(notes, list) and isinstance(proof, list)
    texts = [*notes, written, *proof] if are_lists else [None]
    if not all(isinstance(each, str) for each in texts) or len(notes) != 2:  # noqa: PLR2004
        raise Invalid("this is not a proof of a fork: it needs two notes, a root and hashes")
    fork = heads_by_one_key([note.encode("utf-8", "replace") for note in notes], keys)
    root = unbase64(written, HASH_BYTES) if written else fork.larger.root
    if written:
        before = Checkpoint(fork.larger.origin, fork.smaller.size, root)
        formats.verify_consistency(
            before, fork.larger, [unbase64(each, HASH_BYTES) for each in proof]
        )
    elif fork.smaller.size != fork.larger.size:
        raise Invalid("heads of two sizes need the root of the larger log at the smaller size")
    if root == fork.smaller.root:
        raise Invalid("the two heads are of the same history: this does not prove a fork")
    return fork


LOCK_SECONDS = 30
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
        raise Invalid(
            "this is not a request to a witness: it needs old, hashes, a blank line and a head"
        )
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
                raise Invalid(f"this witness knows {key.name} by another key, and keeps that key")
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
                raise Invalid(f"this witness does not know the log {head.origin}")
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
            raise Invalid(
                f"the witness's file {self.path} has {strange}, which a witness does not make"
            )

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
        raise Invalid(f"the request would shorten the log, from {request.old} lines to {head.size}")
    if request.old != seen.size:
        raise Invalid(f"this witness has seen {seen.size} lines, not {request.old}: start there")
    if not seen.size:
        if request.proof:
            raise Invalid("the first request for a log cannot have a proof")
        return
    formats.verify_consistency(seen, head, request.proof)
