"""Signed heads: the lines of a log that a head covers, and the note over a season's lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence, Sized
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.proof.formats import (
    ED25519,
    HASH_BYTES,
    Checkpoint,
    Invalid,
    Tree,
    leaf_hash,
    open_note,
    parse_checkpoint,
    parse_key,
    parse_note,
)
from ledger.proof.notes import Signer, checkpoint_text, signed_note, vkey

if TYPE_CHECKING:
    from ledger.proof.table import Vouched


class SignedPrefix(Struct, frozen=True):
    """The events that a head covers, which was held to the lines; 0 where there was none.

    `by` is the verifier key that signed it, empty where the log names none to check it with. Unless
    it is `by_policy`, that is a key which the log itself names. `unsigned` is the reason for which
    lines of a log with a key were taken that no head covers; empty if there are none.
    """

    size: int = 0
    by: str = ""
    by_policy: bool = False
    unsigned: str = ""

    def weight(self, seq: int) -> int:
        """Return how much the head says for a tournament: 2 by policy, 1 by its own key, or 0."""
        return 1 + self.by_policy if self.by and 0 < seq <= self.size else 0

    def in_words(self, seq: int) -> str:
        """Say who signed a tournament."""
        if not self.weight(seq):
            return "not signed up to there"
        whose = "accepted by the policy" if self.by_policy else "named by the log itself"
        return f"signed up to event {self.size} (key {self.by.split('+')[1]}, {whose})"


def signed_by(vouched: Vouched | None, unsigned: str = "") -> SignedPrefix:
    """Return what is kept of a head that fits, and of the lines that it does not cover."""
    if vouched is None:
        return SignedPrefix(unsigned=unsigned)
    key = vkey(vouched.key) if vouched.key is not None else ""
    return SignedPrefix(vouched.head.size, key, vouched.is_pinned, unsigned)


def stronger(one: SignedPrefix, other: SignedPrefix) -> SignedPrefix:
    """Return which of two heads of one history says more; of equal ones that with a reason."""
    return max(
        one,
        other,
        key=lambda each: (each.by_policy, bool(each.by), each.size, bool(each.unsigned)),
    )


def leaves_of(lines: Iterable[bytes]) -> bytes:
    """Hash lines without their newlines, 32 bytes each, one after the other."""
    sha256 = hashlib.sha256  # as `leaf_hash`, without a call for each line
    return b"".join([sha256(b"\x00" + line).digest() for line in lines])


class HashedBefore(Tree):
    """The tree of lines that were hashed before: nodes are made where its root is asked for."""

    def __init__(self, leaves: bytes) -> None:
        super().__init__()
        self._leaves = leaves
        self._made = Tree()

    def add_lines(self, lines: Iterable[bytes]) -> Tree:
        """Count lines, whose hashes are there."""
        self.size += len(lines) if isinstance(lines, Sized) else len(tuple(lines))
        return self

    def root(self) -> bytes:
        """Hash the whole tree, up to the line that was added last."""
        made = self._made
        made.add_leaves(self._leaves[HASH_BYTES * made.size : HASH_BYTES * self.size])
        return made.root()


def beginning(leaves: bytes, size: int) -> bytes:
    """Return the hashes of the first lines."""
    return leaves[: HASH_BYTES * size]


def root_of(leaves: bytes) -> str:
    """The SHA-256 tree root over the hashes of lines, in hex (RFC 6962, 2.1)."""
    return Tree().add_leaves(leaves).root().hex()


ORIGIN = "tourney.season/"
"""How the name of a season's key begins; the season's id follows."""

SignWith = Callable[[], Signer]
"""Gives the season's key: it is made only once something is to be signed."""


class SeasonHead(Struct, frozen=True):
    """How often the season was signed, the signed note and the verifier key that it names."""

    number: int
    note: str
    key: str

    @property
    def season(self) -> str:
        """The season's id, as the key is named."""
        return self.key.partition("+")[0].removeprefix(ORIGIN)


class SignedLines(Struct, frozen=True):
    """A head and the lines that it covers."""

    head: SeasonHead
    lines: list[str]


def signed_head(signer: Signer, number: int, lines: Sequence[str]) -> SeasonHead:
    """Sign lines: a checkpoint with their number and the root of their tree (RFC 6962)."""
    note = signed_note(checkpoint_text(_checkpoint(signer.key.name, lines)), signer)
    return SeasonHead(number, note.decode(), vkey(signer.key))


def covers(head: SeasonHead, lines: Sequence[str]) -> bool:
    """Return whether a head is signed with the key that it names, over exactly these lines.

    It shows that the holder of the key signed; the caller decides whose key it is.
    """
    try:
        key = parse_key(head.key, ED25519)
        note = parse_note(head.note.encode())
        open_note(note, [key])
        signed = parse_checkpoint(note.text)
    except (Invalid, UnicodeEncodeError):
        return False
    return key.name.startswith(ORIGIN) and signed == _checkpoint(key.name, lines)


def _checkpoint(origin: str, lines: Sequence[str]) -> Checkpoint:
    tree = Tree()
    for line in lines:
        tree.add(leaf_hash(line.encode()))
    return Checkpoint(origin, len(lines), tree.root())
