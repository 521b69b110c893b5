"""The public formats of a proof, each checked: part one of the files that a sceptic reads.

RFC 6962 and RFC 9162 (tree); C2SP signed-note, tlog-checkpoint and tlog-cosignature; byte for byte;
RFC 8032 5.1 (points of edwards25519, to refuse public keys that no one may use). These functions
need the standard library and the package `cryptography`. Whatever fails raises Invalid, whose text
is one line. Part two is lines.py.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

KEY_BYTES = 32
_P, _L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P

Point = tuple[int, int, int, int]
"""Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""


def point_in(public: bytes) -> Point | None:
    """Read a point in its one spelling; None where it is not one."""
    number = int.from_bytes(public, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    x2 = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(x2, (_P + 3) // 8, _P)
    x = x if x * x % _P == x2 else x * pow(2, (_P - 1) // 4, _P) % _P
    if len(public) != KEY_BYTES or y >= _P or x * x % _P != x2 or (sign and not x):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def has_prime_order(point: Point) -> bool:
    """Whether L times the point is the neutral one, which it is not itself."""
    found = point
    for bit in bin(_L)[3:]:
        found = _plus(found, found)
        if bit == "1":
            found = _plus(found, point)
    return _is_neutral(found) and not _is_neutral(point)


def _is_neutral(point: Point) -> bool:
    return not point[0] and point[1] == point[2]


def _plus(one: Point, other: Point) -> Point:
    """Add two points: RFC 8032 5.1.4, which holds for all of them."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * _D * t1 * t2 % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


HASH_BYTES, SIGNATURE_BYTES = 32, 64
NOTE_BYTES_MAX = 1 << 16
SIGNATURES_MAX = 100
TIME_BYTES, TIME_MAX = 8, 2**63 - 1
EMPTY_ROOT = hashlib.sha256(b"").digest()
ED25519, COSIGNATURE = 1, 4


class Invalid(ValueError):  # noqa: N818 - it says what the thing is
    """Something does not prove what it should; `{officials}` in its text are those, by number."""

    code = "log.invalid"
    """The code of the refusal, for programs."""

    def __init__(self, text: str, *officials: int) -> None:
        super().__init__(text, *officials)
        self.text, self.officials = text, officials

    def __str__(self) -> str:
        named = ", ".join(f"o{each}" for each in self.officials)
        return named.join(self.text.rsplit("{officials}", 1)) if named else self.text

    def within(self, place: str) -> Invalid:
        """Return the same of a place: a line, a file."""
        return type(self)(f"{place}: {self.text}", *self.officials)


LOCKED_FILES: set[tuple[int, int]] = set()
"""Files that a database of this process has open, each by its device and its number.

When a process closes a file, POSIX releases all locks that the process has on it, also those of
another open file: a second desk would then write into a database that is in use. So a file in this
set is read, and stays open for the next reader.
"""

_IDLE: dict[tuple[int, int], list[int]] = {}
"""Descriptors of locked files that stay open and have no reader."""


def unlock(file: tuple[int, int]) -> None:
    """Let readers close a file that no database of this process has open any more."""
    LOCKED_FILES.discard(file)
    idle = _IDLE.pop(file, [])
    while idle:
        os.close(idle.pop())


class _ReadFile(io.BufferedReader):
    """A file that is only read: that its close fails says nothing of what was read."""

    def __init__(self, number: int) -> None:
        """Read the file that was opened under this number."""
        super().__init__(io.FileIO(number, "rb", closefd=False))
        self._number = number

    def close(self) -> None:
        """Close the file, unless locks depend on it."""
        if self.closed:
            return
        with suppress(OSError):
            super().close()
            file = _identity(os.fstat(self._number))
            if file in LOCKED_FILES:
                _IDLE.setdefault(file, []).append(self._number)
            else:
                os.close(self._number)


def file_identity(path: Path) -> tuple[int, int]:
    """Return what identifies a file on this machine: its device and its number there."""
    return _identity(path.stat())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _idle_number(path: Path) -> int | None:
    """Return an open descriptor of a locked file, at its beginning; None if there is no such."""
    with suppress(OSError, LookupError):
        number = _IDLE[file_identity(path)].pop() if LOCKED_FILES else None
        if number is not None:
            os.lseek(number, 0, os.SEEK_SET)
        return number
    return None


def opened(path: Path) -> BinaryIO:
    """Open an ordinary file; OSError for anything else, and no wait for who writes to a pipe."""
    if (idle := _idle_number(path)) is not None:
        return _ReadFile(idle)
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return _ReadFile(number)
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))


# --- the tree: RFC 6962 2.1, RFC 9162 2.1 ---


def leaf_hash(entry: bytes) -> bytes:
    """Hash one line, without its newline."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees to one."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that only grows: the hashes of its whole subtrees, the largest first."""

    def __init__(self, size: int = 0, frontier: tuple[bytes, ...] = ()) -> None:
        self.size, self.frontier = size, list(frontier)

    def copy(self) -> Tree:
        """Return a tree that grows by itself."""
        return Tree(self.size, tuple(self.frontier))

    def add(self, leaf: bytes) -> None:
        """Put a leaf's hash at the end."""
        size = self.size
        while size & 1:
            leaf = node_hash(self.frontier.pop(), leaf)
            size >>= 1
        self.frontier.append(leaf)
        self.size += 1

    def add_leaves(self, leaves: bytes) -> Tree:
        """Put leaves' hashes, one after the other, at the end; returns the tree itself.

        The nodes of an empty tree are hashed level by level, in two thirds of the time.
        """
        level = [leaves[at : at + HASH_BYTES] for at in range(0, len(leaves), HASH_BYTES)]
        if self.size:
            for leaf in level:
                self.add(leaf)
            return self
        self.size, sha256 = len(level), hashlib.sha256
        while level:
            if len(level) & 1:
                self.frontier.insert(0, level.pop())
            pairs = zip(level[::2], level[1::2], strict=True)
            level = [sha256(b"\x01" + first + second).digest() for first, second in pairs]
        return self

    def add_lines(self, lines: Iterable[bytes]) -> Tree:
        """Put the hashes of lines, without their newlines, at the end; returns the tree itself."""
        for line in lines:
            self.add(leaf_hash(line))
        return self

    def root(self) -> bytes:
        """Hash the whole tree."""
        root = self.frontier[-1] if self.frontier else EMPTY_ROOT
        for left in self.frontier[-2::-1]:
            root = node_hash(left, root)
        return root


def _check_length(proof: list[bytes], inner: int, index: int) -> None:
    if len(proof) != inner + (index >> inner).bit_count() or {len(h) for h in proof} - {HASH_BYTES}:
        raise Invalid("a proof does not have the hashes that its numbers require")


def verify_inclusion(index: int, size: int, leaf: bytes, proof: list[bytes], root: bytes) -> None:
    """Hold that the leaf stands at index, from 0, of the tree of that size and root."""
    if not 0 <= index < size or len(leaf) != HASH_BYTES:
        raise Invalid(f"a tree of {size} has no leaf {index}")
    inner = (index ^ (size - 1)).bit_length()
    _check_length(proof, inner, index)
    for level, sibling in enumerate(proof):
        is_right = level >= inner or index >> level & 1
        leaf = node_hash(sibling, leaf) if is_right else node_hash(leaf, sibling)
    if leaf != root:
        raise Invalid(f"the proof does not lead from leaf {index} to the root")


def verify_consistency(old: Checkpoint, new: Checkpoint, proof: list[bytes]) -> None:
    """Hold that the tree of new begins with the tree of old."""
    if not 0 < old.size <= new.size or (old.size == new.size and (proof or old.root != new.root)):
        raise Invalid(
            f"this proof cannot show that a tree of {new.size} continues a tree of {old.size}"
        )
    if old.size == new.size:
        return
    shift = (old.size & -old.size).bit_length() - 1
    seed, *path = [old.root, *proof] if old.size == 1 << shift else proof or [b""]
    inner, index = (old.size - 1 ^ new.size - 1).bit_length() - shift, old.size - 1 >> shift
    _check_length(path, inner, index)
    before = after = seed
    for level, sibling in enumerate(path):
        if level >= inner or index >> level & 1:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
    if (before, after) != (old.root, new.root) or len(seed) != HASH_BYTES:
        raise Invalid(f"the tree of {new.size} does not continue the tree of {old.size}")


# --- keys and signed notes: C2SP signed-note, tlog-checkpoint, tlog-cosignature ---


def unbase64(text: str, length: int = -1, what: str = "a text") -> bytes:
    """Read base64 in its one spelling, of length bytes; Invalid says of what that it is not."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        data = b""
    if base64.b64encode(data).decode() != text or length not in {-1, len(data)}:
        raise Invalid(f"{what} is not the expected base64: was all of it copied?")
    return data


@lru_cache(1024)
def checked_public(public: bytes) -> bytes:
    """Return an Ed25519 public key: a canonical point of prime order.

    Else it depends on how one checks whether a signature holds (RFC 8032 5.1.7), or anyone signs.
    """
    if (point := point_in(public)) is None:
        raise Invalid("a public key is not a canonical point of its curve")
    if not has_prime_order(point):
        raise Invalid(
            "a public key is or has a part of low order: its signatures could be ambiguous"
        )
    return public


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature holds."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - most runs verify none
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - as above

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class Key(NamedTuple):
    """A verifier key: who signs with it, and how."""

    name: str
    algorithm: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        named = self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public
        return hashlib.sha256(named).digest()[:4]


def parse_key(vkey: str, *algorithms: int) -> Key:
    """Read `name+id+base64`, of one of these algorithms."""
    name, hexed, encoded = (*vkey.split("+", 2), "", "")[:3]
    data = unbase64(encoded, -1, f"the key of {name[:80]}")
    if not is_name(name) or data[:1] not in {bytes([each]) for each in algorithms}:
        raise Invalid("a verifier key has no valid name, or no valid algorithm")
    key = Key(name, data[0], checked_public(data[1:]))
    if hexed != key.id.hex():
        raise Invalid(f"the verifier key of {name} does not match its id")
    return key


def is_name(name: str) -> bool:
    """Whether a key can be called so."""
    if any("\ud800" <= c <= "\udfff" for c in name):  # typed as bytes that are no UTF-8
        return False
    return bool(name) and not any(c in "+\x7f" or c <= " " or c.isspace() for c in name)


class Note(NamedTuple):
    """A text that ends in a newline, and its signatures: name, key id, bytes."""

    text: str
    signatures: list[tuple[str, bytes, bytes]]


def parse_note(data: bytes) -> Note:
    """Split a signed note; nothing in it is checked yet."""
    try:
        text, blank, block = data[: NOTE_BYTES_MAX + 1].decode().rpartition("\n\n")
    except UnicodeDecodeError:
        raise Invalid("a signed note is not UTF-8") from None
    if len(data) > NOTE_BYTES_MAX:
        raise Invalid(f"a signed note is too long: it can have at most {NOTE_BYTES_MAX:,} bytes")
    if not (text and blank and block.endswith("\n")):
        raise Invalid("this is not a signed note: it needs a text, an empty line and signatures")
    if any(c < " " and c != "\n" for c in text + block) or block.count("\n") > SIGNATURES_MAX:
        raise Invalid("a signed note contains a control character, or too many signatures")
    signatures = []
    for line in block[:-1].split("\n"):
        dash, name, encoded = (*line.split(" ", 2), "", "")[:3]
        signature = unbase64(encoded, -1, f"the signature by {name[:80]}")
        if dash != "\u2014" or not is_name(name) or len(signature) <= len(b"id()"):
            raise Invalid("a line below a note is not a signature")
        signatures.append((name, signature[:4], signature[4:]))
    return Note(text + "\n", signatures)


def open_note(note: Note, keys: list[Key]) -> dict[Key, int]:
    """Return the known keys that signed, with a witness's time; Invalid for a wrong one or none."""
    known = {(key.name, key.id): key for key in keys}
    signed: dict[Key, int] = {}
    for name, key_id, signature in note.signatures:
        key = known.get((name, key_id))
        if key is None or key in signed:
            continue
        message, time = note.text.encode(), 0
        if key.algorithm == COSIGNATURE:
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]  # noqa: PLW2901
            message = cosigned(note.text, time)
        if time > TIME_MAX or not is_signed(key.public, signature, message):
            raise Invalid(f"the signature by {name} is wrong")
        signed[key] = time
    if not signed:
        names = ", ".join(dict.fromkeys(name for name, *_ in note.signatures))[:200]
        raise Invalid(f"no known key signed this, only {names}: is the policy for another log?")
    return signed


def cosigned(text: str, time: int) -> bytes:
    """Return what a witness signs, at a Unix time."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


class Checkpoint(NamedTuple):
    """A log's head."""

    origin: str
    size: int
    root: bytes


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a head's three lines; a further line could not be audited."""
    found = re.fullmatch("([^\n]+)\n([^\n]+)\n([^\n]+)\n", text)
    if not found:
        raise Invalid("a checkpoint must have three lines: origin, size and root")
    if not re.fullmatch("0|[1-9][0-9]{0,15}", found[2]):
        wrong = "begins with a zero" if re.fullmatch("0[0-9]+", found[2]) else "is not a number"
        raise Invalid(f"the size of a checkpoint, {found[2][:20]!r}, {wrong}")
    head = Checkpoint(found[1], int(found[2]), unbase64(found[3], HASH_BYTES, "the root"))
    if head.size == 0 and head.root != EMPTY_ROOT:
        raise Invalid("this is not the root of an empty log")
    return head
