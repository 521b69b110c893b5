"""Logs on their way in: checked one by one, and kept aside as the files that DuckDB reads.

Nothing is loaded before every log is known to be sound, so a bad one in the middle changes nothing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec import field

from projections.season.snapshots import cuts_of
from projections.season.snapshots import finishes_of
from projections.season.snapshots import setups_of
from projections.season.snapshots import standings_of
from projections.season.snapshots import unconfirmed_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ledger.state import Tournament

LINES = ("told", "enrolled", "named", "acts")
"""The files that lines stand in: results, registrations, who people are, and all else."""

_FILE_OF = MappingProxyType(
    {
        b"ResultReported": "told",
        b"ResultCorrected": "told",
        b"ResultWithdrawn": "told",
        b"PlayerRegistered": "enrolled",
        b"PersonRecorded": "named",
    }
)

TYPE = 9
"""How many quotation marks stand before the type of a line's event."""

BATCH_BYTES = 96 << 20
"""How many bytes of lines are derived at once: what a load needs of memory does not grow."""

_ENCODER = msgspec.json.Encoder()


class Logged(Struct, frozen=True):
    """A log as it was taken in: its number in this load, and what it is known by."""

    log: int
    tournament: str
    size: int
    root: str
    ruleset: str
    """The whole text of its ruleset."""


class Batch(Struct):
    """Some logs in files of one folder: their lines, and of each kind what the fold says."""

    folder: Path
    number: int
    logs: list[Logged] = field(default_factory=list)
    size: int = 0
    """Bytes of lines."""

    def file(self, kind: str) -> Path:
        """Where the rows of a kind stand."""
        return self.folder / f"{kind}-{self.number}.ndjson"

    def write(self, kind: str, rows: Iterable[bytes]) -> None:
        """Add rows to a file of this batch, each with its newline."""
        with self.file(kind).open("ab") as file:
            file.writelines(rows)

    def write_lines(self, lines: Iterable[bytes], log: int) -> None:
        """Add lines, a log's number before the members of each, to where they are read from.

        A line is canonical, so its type stands between the same quotation marks in each.
        """
        sorted_out: dict[str, list[bytes]] = {kind: [] for kind in LINES}
        for line in lines:
            kind = line.split(b'"', TYPE + 1)[TYPE]
            sorted_out[_FILE_OF.get(kind, "acts")].append(b'{"log":%d,%s\n' % (log, line[1:]))
        for kind, rows in sorted_out.items():
            self.write(kind, rows)


class Spool:
    """Logs kept aside for one load, in batches; a log told of again is replaced."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self.batches: list[Batch] = []

    def add(self, tournament: Tournament, lines: list[bytes], leaves: bytes, root: str) -> Logged:
        """Keep a checked log aside, and what it is known by."""
        opening = tournament.opening
        assert opening is not None  # noqa: S101 - a checked log begins with it
        self._count += 1
        logged = Logged(self._count, opening.tournament, len(lines), root, opening.ruleset.text)
        batch = self._batch()
        batch.logs.append(logged)
        batch.size += sum(map(len, lines))
        batch.write_lines(lines, logged.log)
        for kind, rows in (
            ("standings", standings_of(tournament, logged.log)),
            ("finishes", finishes_of(tournament, logged.log)),
            ("qualified", cuts_of(tournament, logged.log)),
            ("unconfirmed", unconfirmed_of(tournament, logged.log)),
            ("set_up", setups_of(tournament, logged.log)),
            ("hashed", [{"log": logged.log, "hashes": leaves.hex()}]),
        ):
            batch.write(kind, [_ENCODER.encode_lines(list(rows))])
        return logged

    def forget(self, logged: Logged) -> None:
        """Leave a log out that a longer one has replaced; its rows are passed over."""
        for batch in self.batches:
            if logged in batch.logs:
                batch.logs.remove(logged)

    def _batch(self) -> Batch:
        if not self.batches or self.batches[-1].size > BATCH_BYTES:
            self.batches.append(Batch(self._folder, len(self.batches)))
        return self.batches[-1]
