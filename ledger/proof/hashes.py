"""The files beside a log's: its head, and the hashes of its lines, which name one that is another.

FILE.hashes has 32 bytes for each line that FILE's head covers. A sceptic reads it with heads.py.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from ledger.proof.formats import HASH_BYTES, NOTE_BYTES_MAX, Checkpoint, Invalid, Tree, opened

CHECKPOINT = ".checkpoint"
"""What is added to a log's file name for its head."""

HASHES = ".hashes"
"""What is added to a log's file name for the hashes of its lines."""

TOURNAMENT = re.compile(rb'"tournament":"([^"\\]{1,64})"')
ASK_AGAIN = "ask the organizer for the export again"


def beside(path: Path, suffix: str) -> Path:
    """Return the file that belongs to a log."""
    return path.with_name(path.name + suffix)


def tournament_in(path: Path) -> str:
    """Return the tournament that a log's first line names; empty where it names none."""
    with opened(path) as file:
        found = TOURNAMENT.search(file.readline(NOTE_BYTES_MAX))
    return found[1].decode("utf-8", "replace") if found else ""


def note_beside(path: Path) -> bytes | None:
    """Read the head beside a log; None where no file is, Invalid where it cannot be read."""
    note = beside(path, CHECKPOINT)
    try:
        with opened(note) as file:
            return file.read(NOTE_BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Invalid(f"{note.name} beside it cannot be read: {error.strerror}") from None


class Hashes:
    """The hashes of lines, one after the other; wrong says why they are not those of the head."""

    def __init__(self, path: Path, head: Checkpoint | None) -> None:
        place = beside(path, HASHES)
        self.name = place.name
        self.is_there = place.exists()
        self.is_signed = False
        self.wrong = ""
        self.count = head.size if head else 0
        self._file: BinaryIO | None = None
        try:
            if self.is_there:
                self._open(place, path.stat().st_size, head)
        except OSError as error:
            self.wrong = f"it cannot be read: {error.strerror}"

    def _open(self, place: Path, log_bytes: int, head: Checkpoint | None) -> None:
        """Open it; a line is longer than its hash, so a file of holes is not read to its end."""
        size = place.stat().st_size if place.is_file() else 0
        if head is None:
            self.count = size // HASH_BYTES
        if place.is_file() and (size != HASH_BYTES * self.count or size > log_bytes):
            self.wrong = f"it has {size:,} bytes, not {HASH_BYTES} for each line"
            return
        self._file = opened(place)
        if head is not None:
            self._hold_to(head)

    def _hold_to(self, head: Checkpoint) -> None:
        assert self._file is not None  # noqa: S101 - it was opened just now
        tree = Tree()
        while tree.size < head.size and len(leaf := self._file.read(HASH_BYTES)) == HASH_BYTES:
            tree.add(leaf)
        self._file.seek(0)
        self.is_signed = (tree.size, tree.root()) == head[1:]
        if not self.is_signed:
            self.wrong = "it is not what the head was signed for"
            self.close()

    def hold(self, number: int, leaf: bytes) -> None:
        """Compare the hash of the next line; Invalid where the hashes name another line."""
        if self._file is None or number > self.count or self._file.read(HASH_BYTES) == leaf:
            return
        if self.is_signed:
            raise Invalid(f"it is not the line that was signed at this place: {ASK_AGAIN}")
        raise Invalid(f"it is not the line whose hash is in {self.name}: {ASK_AGAIN}")

    def settle(self, size: int) -> None:
        """Hold that they are those of the head, or without one of every line; Invalid if not."""
        if not self.wrong and not self.is_signed and self.count != size:
            self.wrong = f"it has {self.count} hashes, and the log {size} lines"
        if self.wrong:
            raise Invalid(f"{self.name} beside it does not fit: {self.wrong}; {ASK_AGAIN}")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
