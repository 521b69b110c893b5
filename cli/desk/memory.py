"""What a directory remembers between two commands: what is in hand, and what it was shown."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from ledger.files.access import first_bytes, whole_file

FILE = Path(".tourney")

BYTES_MAX = 10_000


class Shown(Struct, frozen=True):
    """The round whose tables were shown last, and the last event that seated anybody in it.

    `line` is the digest of that event's line: a store that was restored may have another one there.
    """

    round: int
    seq: int
    line: str


class Memory(Struct, frozen=True, omit_defaults=True):
    """What is in hand, empty where nothing is; `shown` has the tables last shown, by tournament."""

    store: str = ""
    tournament: str = ""
    official: int = 0
    shown: dict[str, Shown] = {}
    backup_to: str = ""
    """The folder that gets a copy of the tournament after each round."""


def recall() -> Memory:
    """Read what this directory remembers; nothing where the file is absent or is not ours."""
    try:
        return msgspec.json.decode(first_bytes(FILE, BYTES_MAX), type=Memory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Memory()


def remember(memory: Memory) -> None:
    """Keep it whole, for its owner only: an address may hold a password; or OSError."""
    if memory == recall():
        return
    with whole_file(FILE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(memory), indent=2) + b"\n")
