"""Proofs of inclusion and consistency, made (RFC 9162 2.1.3 and 2.1.4)."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.proof.formats import EMPTY_ROOT, leaf_hash, node_hash


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
