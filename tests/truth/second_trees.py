"""Trees by their recursive definition (RFC 6962 2.1): for the second verifier."""

from __future__ import annotations

import hashlib


def tree_hash(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 2.1, over leaf hashes."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = below(len(leaves))
    return node(tree_hash(leaves[:k]), tree_hash(leaves[k:]))


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def below(n: int) -> int:
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def root_by_path(m: int, n: int, leaf: bytes, path: list[bytes]) -> bytes | None:
    """PATH of RFC 6962 2.1.1, undone; None where the path has another length than it needs."""
    if n == 1:
        return leaf if not path else None
    if not path:
        return None
    k, rest = below(n), path[:-1]
    if m < k:
        inner = root_by_path(m, k, leaf, rest)
        return inner and node(inner, path[-1])
    inner = root_by_path(m - k, n - k, leaf, rest)
    return inner and node(path[-1], inner)


def included(m: int, n: int, leaf: bytes, path: list[bytes], root: bytes) -> bool:
    if not 0 <= m < n or any(len(each) != 32 for each in [leaf, root, *path]):
        return False
    return root_by_path(m, n, leaf, path) == root


def both_roots(
    m: int, n: int, proof: list[bytes], old: bytes, *, whole: bool
) -> tuple[bytes, bytes] | None:
    """SUBPROOF of RFC 6962 2.1.2, undone: the roots of the first m and of all n leaves."""
    if m == n:
        if whole:
            return (old, old) if not proof else None
        return (proof[0], proof[0]) if len(proof) == 1 else None
    if not proof:
        return None
    k, rest, last = below(n), proof[:-1], proof[-1]
    if m <= k:
        inner = both_roots(m, k, rest, old, whole=whole)
        return inner and (inner[0], node(inner[1], last))
    inner = both_roots(m - k, n - k, rest, old, whole=False)
    return inner and (node(last, inner[0]), node(last, inner[1]))


def consistent(m: int, n: int, proof: list[bytes], old: bytes, new: bytes) -> bool:
    if not 0 < m <= n or any(len(each) != 32 for each in proof):
        return False
    return both_roots(m, n, proof, old, whole=True) == (old, new)
