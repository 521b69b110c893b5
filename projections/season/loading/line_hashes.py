"""The hashes of a log's lines, and the root over them: what a log of some size is known by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.proof.formats import HASH_BYTES, Tree, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Iterable


def leaves_of(lines: Iterable[bytes]) -> bytes:
    """Hash lines without their newlines, 32 bytes each, one after the other."""
    return b"".join(map(leaf_hash, lines))


def beginning(leaves: bytes, size: int) -> bytes:
    """Return the hashes of the first lines."""
    return leaves[: HASH_BYTES * size]


def root_of(leaves: bytes) -> str:
    """The SHA-256 tree root over the hashes of lines, in hex (RFC 6962, 2.1)."""
    tree = Tree()
    for start in range(0, len(leaves), HASH_BYTES):
        tree.add(leaves[start : start + HASH_BYTES])
    return tree.root().hex()
