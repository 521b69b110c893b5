"""Seasons as this machine left or verified them: such a file is opened without a copy.

    seen/<season>.season.json   the file, its state (inode, size, times) and how often it was signed

A file is known only in the state that is kept here: a single byte written to it, or another file in
its place, has another time of change, which no program can set. The record is in the key folder: a
person who can write there has the keys as well.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from cli.machine.keyring import folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.season.tables.head_notes import SeasonHead

FOLDER = "seen"
ENDING = ".season.json"
RECORD_BYTES_MAX = 10_000


class OwnSeason(Struct, frozen=True, forbid_unknown_fields=True):
    """A file with a season that this machine signed, and its state at that time."""

    file: str
    state: tuple[int, ...]
    number: int


def state_of(file: Path) -> tuple[int, ...]:
    """Return what changes with any write to a file; () if writes are pending next to it."""
    if file.with_name(f"{file.name}.wal").exists():
        return ()
    with suppress(OSError):
        found = file.stat()
        return (
            found.st_dev,
            found.st_ino,
            found.st_size,
            found.st_mtime_ns,
            found.st_ctime_ns,
        )
    return ()


def is_known(file: Path) -> bool:
    """Return whether a file is in the state in which this machine left or verified it."""
    state, place = state_of(file), str(file.resolve())
    return bool(state) and any(each.file == place and each.state == state for each in _records())


def last_number(season: str) -> int:
    """Return how often this machine signed a season, at least; 0 if that is not known."""
    record = _read(_place(season))
    return record.number if record is not None else 0


def keep(file: Path, head: SeasonHead) -> None:
    """Remember a file in its present state; without a word if the folder cannot be written."""
    import msgspec

    from ledger.files.access import make_private_folder, whole_file

    number = max(head.number, last_number(head.season))
    record = OwnSeason(str(file.resolve()), state_of(file), number)
    with suppress(OSError):
        make_private_folder(folder() / FOLDER)
        with whole_file(_place(head.season)) as written:
            written.write(msgspec.json.encode(record))


def _place(season: str) -> Path:
    return folder() / FOLDER / f"{season}{ENDING}"


def _records() -> Iterator[OwnSeason]:
    for path in sorted((folder() / FOLDER).glob(f"*{ENDING}")):
        if (record := _read(path)) is not None:
            yield record


def _read(path: Path) -> OwnSeason | None:
    """Read a record; None if it is missing or damaged: the file is verified again."""
    import msgspec

    from ledger.files.access import first_bytes

    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(first_bytes(path, RECORD_BYTES_MAX), type=OwnSeason)
    return None
