"""Logs on their way in: checked one by one, and their rows spooled to files that DuckDB reads.

Nothing is loaded before every log is known to be sound, so a bad one in the middle changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO

import msgspec
from msgspec import Struct, field

from ledger.tournament.state import Tournament
from projections.season.loading.folded_log import FoldedLog
from projections.season.loading.row_files import lines_of
from projections.season.loading.rows import ROWS
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.tables.definitions import tables

HASHED_BYTES = 1 << 20
"""How many bytes of hashes a row has at most: the reader of rows takes none of any length."""

BATCH_BYTES = 192 << 20
"""How many bytes of lines are derived at once: what a load needs of memory does not grow.

DuckDB shares the writing of a table out among threads from about 250,000 rows on.
"""

_ENCODER = msgspec.json.Encoder()


class Logged(Struct, frozen=True):
    """A log that was spooled: its number and batch in this load, and what it is known by."""

    log: int
    batch: int
    tournament: str
    size: int
    root: str
    signed: SignedPrefix = SignedPrefix()
    is_checked: bool = False
    """Whether each of its lines was held to the rules, now or before."""


class SpoolPart(Struct):
    """What one process spools for a batch, in files of a folder of its own: one of each kind."""

    folder: Path
    number: int
    size: int = 0
    """Bytes of the logs' lines."""

    files: dict[str, BinaryIO] = field(default_factory=dict)
    """Those that are open, by kind."""

    def write(self, kind: str, lines: Iterable[bytes]) -> None:
        """Add lines of a kind, each with its newline, so that any process can read them."""
        if text := b"".join(lines):
            if kind not in self.files:
                self.files[kind] = (self.folder / f"{kind}-{self.number}.ndjson").open("ab")
            self.files[kind].write(text)
            self.files[kind].flush()

    def close(self) -> None:
        """Write no more."""
        for file in self.files.values():
            file.close()


class Batch(Struct, frozen=True):
    """Some logs of one load, with the files of their rows."""

    folder: Path
    number: int
    logs: list[Logged]

    def files(self, kind: str) -> list[str]:
        """Where the rows of a kind stand; rows of other logs are passed over."""
        return sorted(map(str, self.folder.glob(f"*/{kind}-{self.number}.ndjson")))


class Spool:
    """Logs that one process spools for a load, in batches of `batch_bytes` of lines."""

    def __init__(self, folder: Path, batch_bytes: int) -> None:
        self._part = SpoolPart(Path(mkdtemp(dir=folder)), 0)
        self._batch_bytes = batch_bytes

    def close(self) -> None:
        """Write no more."""
        self._part.close()

    def add(
        self, number: int, tournament: Tournament, lines: list[bytes], leaves: bytes, root: str
    ) -> Logged:
        """Spool a checked log, and return what it is known by."""
        opening = tournament.opening
        assert opening is not None  # noqa: S101 - a checked log begins with it
        if self._part.size > self._batch_bytes:
            self.close()
            self._part = SpoolPart(self._part.folder, self._part.number + 1)
        part = self._part
        part.size += sum(map(len, lines))
        log = FoldedLog(tournament, lines)
        for table in tables():
            part.write(table.name, lines_of(table, number, ROWS[table.name](log)))
        part.write("leaves", [_ENCODER.encode_lines(_pieces(leaves, number))])
        return Logged(number, part.number, opening.tournament, len(lines), root)


def _pieces(leaves: bytes, log: int) -> list[dict[str, object]]:
    """The hashes of a log's lines, in as many rows as they take; JSON has them in base 64."""
    return [
        {"log": log, "piece": start, "hashes": leaves[start : start + HASHED_BYTES]}
        for start in range(0, len(leaves), HASHED_BYTES)
    ]


def batches_of(logs: Iterable[Logged], folder: Path) -> list[Batch]:
    """Join the logs that a load takes with what was spooled of them."""
    batches: dict[int, Batch] = {}
    for each in logs:
        batches.setdefault(each.batch, Batch(folder, each.batch, [])).logs.append(each)
    return [batches[number] for number in sorted(batches)]
