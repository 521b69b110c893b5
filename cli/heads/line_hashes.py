"""The hashes of a log's lines, beside a head: which line was changed, and whether any was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from ledger.files.access import first_bytes, sync_folder
from ledger.proof.formats import HASH_BYTES, Tree, leaf_hash

CHUNK_LINES = 10_000
"""How many lines are put together to be hashed at once."""


class Digest:
    """The hash of lines at one go, each with its newline: a tenth of the work of their tree."""

    def __init__(self) -> None:
        self._hash = sha256()
        self.size = 0

    def feed(self, lines: Sequence[bytes]) -> bytes:
        """Go on with these lines; returns the digest of all so far."""
        for start in range(0, len(lines), CHUNK_LINES):
            self._hash.update(b"\n".join(lines[start : start + CHUNK_LINES]) + b"\n")
        self.size += len(lines)
        return self._hash.digest()


def write_hashes(path: Path, after: int, lines: Sequence[bytes]) -> None:
    """Put the hashes of the lines past `after` behind those in a file, or all; or OSError."""
    there = path.stat().st_size if path.is_file() else 0
    after = after if there >= after * HASH_BYTES else 0
    if not after:
        path.unlink(missing_ok=True)
    with path.open("r+b" if after else "xb") as file:
        file.seek(after * HASH_BYTES)
        file.write(b"".join(map(leaf_hash, lines[after:])))
        file.truncate()


def first_changed(path: Path, size: int, root: bytes, lines: Sequence[bytes]) -> int:
    """Return the first line that is not the one hashed, or is gone; 0 where the hashes are lost."""
    try:
        data = first_bytes(path, size * HASH_BYTES)
    except OSError:
        return 0
    known = [data[place : place + HASH_BYTES] for place in range(0, len(data), HASH_BYTES)]
    tree = Tree()
    for leaf in known:
        tree.add(leaf)
    if tree.root() != root:
        return 0
    pairs = enumerate(zip(known, lines, strict=False), start=1)
    return next((seq for seq, (leaf, line) in pairs if leaf != leaf_hash(line)), len(lines) + 1)


def rename_abandoned(paths: Iterable[Path], size: int) -> dict[Path, Path]:
    """Give files names that say what they were of; returns those names after the ones before."""
    renamed = {
        path: path.with_suffix(f".abandoned-{size}{path.suffix}") for path in paths if path.exists()
    }
    for path, other in renamed.items():
        path.replace(other)
        sync_folder(path.parent)
    return renamed
