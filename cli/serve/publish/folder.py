"""A folder that changes as a whole: readers find the files of before or those of now, never both.

It is made beside the one that is there, and the two change places. What it holds is listed in a
file of its own: a folder with anything else in it was not made here, and is left alone.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import Refused
from ledger.files.access import first_bytes, make_folder, refuse_to_replace, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MARK = ".tourney-published"
MARK_BYTES_MAX = 1 << 24
AT_WORKING_FOLDER, EXCHANGE = -100, 2
"""As Linux's renameat2 has them."""


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """What a folder holds, and of which event."""

    tournament: str
    files: tuple[str, ...]


def write_site(folder: Path, tournament: str, files: Iterable[tuple[str, bytes]]) -> int:
    """Put files in the place of all that a folder has; returns how many. Refused, as it was."""
    place = folder.resolve()
    part = place.with_name(f".{place.name}.part")
    try:
        make_folder(place.parent)
        with _alone(place.parent):
            refuse_other_folders(place, tournament)
            _clear(part, tournament)
            count = _write_all(part, tournament, files)
            _take_place(part, place)
            sync_folder(place.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(f"{folder} cannot be written: {reason}; it is as it was") from None
    return count


@contextmanager
def _alone(above: Path) -> Iterator[None]:
    """Be the one who publishes into a folder; the system gives the lock back by itself."""
    descriptor = os.open(above, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def refuse_other_folders(folder: Path, tournament: str) -> None:
    """Refuse a folder that was not published of this event, or has anything else in it."""
    if not folder.is_dir():
        refuse_to_replace(folder)
        if folder.exists():
            raise Refused(f"{folder} is a file: name a folder")
        return
    found = _files_in(folder)
    if not found:
        return
    published = _published(folder)
    if published is None:
        raise Refused(f"{folder} is not empty, and was not published from here: name another")
    if published.tournament != tournament:
        raise Refused(f"{folder} was published of another event: name another")
    if others := sorted(found - {MARK, *published.files}):
        raise Refused(f"{folder} has {others[0]}, which was not published from here: take it out")


def _published(folder: Path) -> Published | None:
    try:
        data = first_bytes(folder / MARK, MARK_BYTES_MAX)
        return msgspec.json.decode(data, type=Published)
    except (OSError, msgspec.DecodeError):
        return None


def _files_in(folder: Path) -> set[str]:
    """List all files below a folder, links and empty folders too."""
    found: set[str] = set()
    for above, folders, names in os.walk(folder):
        linked = [each for each in folders if os.path.islink(os.path.join(above, each))]  # noqa: PTH114, PTH118 - as os.walk has them
        empty = [] if folders or names else [""]
        for name in (*names, *linked, *empty):
            found.add(os.path.relpath(os.path.join(above, name), folder))  # noqa: PTH118 - as above
    return found - {"."}


def _clear(part: Path, tournament: str) -> None:
    """Remove what a process left that was killed while it wrote."""
    if part.exists():
        refuse_other_folders(part, tournament)
        shutil.rmtree(part)


def _write_all(part: Path, tournament: str, files: Iterable[tuple[str, bytes]]) -> int:
    made = dict(files)
    mark = msgspec.json.encode(Published(tournament, tuple(sorted(made))))
    try:
        for name, data in ((MARK, mark), *made.items()):
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return len(made)


def _take_place(part: Path, place: Path) -> None:
    """Let the new folder have the place of the old one, which is removed."""
    if not place.exists():
        part.rename(place)
        return
    if not _exchanged(part, place):
        old = place.with_name(f".{place.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        place.rename(old)
        part.rename(place)
        part = old
    shutil.rmtree(part, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places in one step, where the system can."""
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if exchange is None:
        return False
    names = os.fsencode(one), os.fsencode(other)
    done = exchange(AT_WORKING_FOLDER, names[0], AT_WORKING_FOLDER, names[1], EXCHANGE)
    return bool(done == 0)
