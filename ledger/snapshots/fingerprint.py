"""Which code makes a state: a snapshot that other code made is not read."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

_LEDGER = Path(__file__).parent.parent
_FOLDERS = (".", "events", "fold", "proof", "rulesets", "snapshots")
"""Where everything stands that a fold imports; a test keeps it so."""


def sources() -> list[Path]:
    """List the files that a state depends on."""
    return sorted(chain.from_iterable((_LEDGER / name).glob("*.py") for name in _FOLDERS))


@cache
def fingerprint() -> bytes:
    """Return the SHA-256 over these files.

    Raises:
        OSError: they can not be read.
    """
    hashed = sha256()
    if not (found := sources()):
        raise FileNotFoundError(_LEDGER)
    for path in found:
        text = path.read_bytes()
        hashed.update(f"{path.name} {len(text)}\n".encode() + text)
    return hashed.digest()
