"""Logs on their way in: checked one by one, and spooled to the files that DuckDB reads.

Nothing is loaded before every log is known to be sound, so a bad one in the middle changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

import msgspec
from msgspec import Struct

from ledger.tournament.state import Tournament
from projections.season.loading import snapshots
from projections.season.loading.signed_prefix import SignedPrefix

LINES = ("told", "enrolled", "named", "acts")
"""The files that lines stand in: results, registrations, who people are, and all else."""

_FILE_OF = {b"ResultReported": "told", b"ResultCorrected": "told"}
_FILE_OF |= {b"PlayerRegistered": "enrolled", b"PersonRecorded": "named"}

TYPE = 9
"""How many quotation marks stand before the type of a line's event."""

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
    ruleset: str
    """The whole text of its ruleset."""

    signed: SignedPrefix = SignedPrefix()


class SpoolPart(Struct):
    """What one process spools for a batch, in files of a folder of its own."""

    folder: Path
    number: int
    size: int = 0
    """Bytes of lines."""

    def write(self, kind: str, rows: Iterable[bytes]) -> None:
        """Add rows of a kind, each with its newline."""
        with (self.folder / f"{kind}-{self.number}.ndjson").open("ab") as file:
            file.writelines(rows)

    def write_lines(self, lines: Iterable[bytes], log: int) -> None:
        """Add lines, a log's number before the members of each, to where they are read from.

        A line is canonical, so its type stands between the same quotation marks in each.
        """
        sorted_out: dict[str, list[bytes]] = {kind: [] for kind in LINES}
        for line in lines:
            event_type = line.split(b'"', TYPE + 1)[TYPE]
            sorted_out[_FILE_OF.get(event_type, "acts")].append(b'{"log":%d,%s\n' % (log, line[1:]))
        for kind, rows in sorted_out.items():
            self.write(kind, rows)


class Batch(Struct, frozen=True):
    """Some logs of one load: their lines, and of each kind what the fold says."""

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

    def add(
        self, number: int, tournament: Tournament, lines: list[bytes], leaves: bytes, root: str
    ) -> Logged:
        """Spool a checked log, and return what it is known by."""
        opening = tournament.opening
        assert opening is not None  # noqa: S101 - a checked log begins with it
        if self._part.size > self._batch_bytes:
            self._part = SpoolPart(self._part.folder, self._part.number + 1)
        part = self._part
        part.size += sum(map(len, lines))
        part.write_lines(lines, number)
        for kind, rows in (
            ("standings", list(snapshots.standings_of(tournament, number))),
            ("leaves", _pieces(leaves, number)),
            *snapshots.rows_of(tournament, number),
        ):
            part.write(kind, [_ENCODER.encode_lines(rows)])
        return Logged(
            number, part.number, opening.tournament, len(lines), root, opening.ruleset.text
        )


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
