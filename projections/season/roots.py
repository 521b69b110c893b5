"""The root over the lines of a log: what a log of some size is known by."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LEAF = b"\x00"
_NODE = b"\x01"


def root_of(lines: Iterable[bytes]) -> str:
    """The SHA-256 tree root of lines without their newlines, in hex (RFC 6962, 2.1)."""
    peaks: list[tuple[int, bytes]] = []  # whole subtrees from the left: height and hash
    for line in lines:
        height, node = 0, sha256(_LEAF + line).digest()
        while peaks and peaks[-1][0] == height:
            node = sha256(_NODE + peaks.pop()[1] + node).digest()
            height += 1
        peaks.append((height, node))
    if not peaks:
        return sha256().hexdigest()
    _, root = peaks.pop()
    while peaks:
        root = sha256(_NODE + peaks.pop()[1] + root).digest()
    return root.hex()
