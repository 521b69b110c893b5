"""A folder next to the season for the logs of one load, which also removes the remains of others.

Another kind of work that leaves many files uses another name for its folders.

A killed process removes nothing. Next to each folder a lock is taken before the folder is made, and
the lock ends with its process: by that the next load recognizes unused folders.
"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from ledger.files.locks import InUse, Lock, NoLock, take_alone
from ledger.files.system import is_ours

PREFIX = ".season-room-"
"""The beginning of a folder's name; earlier releases, whose locks differ, use other names."""

ENDING = ".lock"
ATTEMPTS = 100
"""Names that are tried if another load removes the file of a new lock."""


@contextmanager
def room_beside(folder: Path, prefix: str = PREFIX) -> Iterator[Path]:
    """Have a folder of our own inside this one; at the end it is removed with all that is in it."""
    _remove_left(folder, prefix)
    room, lock = _made(folder, prefix)
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)  # what is in use still, the next one removes
        if lock is not None:
            _give_back(lock, room)


def _made(folder: Path, prefix: str) -> tuple[Path, Lock | None]:
    """Make a folder whose lock was taken before; None if this disk has no locks.

    A folder without a lock stays if its process is killed.
    """
    for _ in range(ATTEMPTS):
        room = folder / f"{prefix}{uuid4().hex}"
        try:
            lock = take_alone(_lock_of(room))
        except InUse:
            continue
        except NoLock:
            if _lock_of(room).exists():  # nothing can be locked in this place
                break
        else:
            if lock.file.exists():
                return _with_folder(room, lock), lock
            lock.close()  # another load has removed its file
    room = folder / f"{prefix}{uuid4().hex}"
    room.mkdir(0o700)
    return room, None


def _with_folder(room: Path, lock: Lock) -> Path:
    try:
        room.mkdir(0o700)
    except BaseException:
        lock.remove()
        raise
    return room


def _remove_left(folder: Path, prefix: str) -> None:
    """Remove each such folder whose lock is free; a folder without locks stays."""
    for place in folder.glob(f"{prefix}*"):
        with suppress(OSError, InUse, NoLock):
            status = place.lstat()
            if not is_ours(status):
                continue
            if stat.S_ISDIR(status.st_mode):
                lock = take_alone(_lock_of(place))
                shutil.rmtree(place, ignore_errors=True)
                _give_back(lock, place)
            elif place.name.endswith(ENDING) and not (room := _room_of(place)).exists():
                # A missing file is not made again: the process that made it checks that it exists.
                _give_back(take_alone(place, makes_file=False), room)


def _lock_of(room: Path) -> Path:
    return room.with_name(f"{room.name}{ENDING}")


def _room_of(lock: Path) -> Path:
    return lock.with_name(lock.name.removesuffix(ENDING))


def _give_back(lock: Lock, room: Path) -> None:
    """Remove a lock with its folder; it stays while something in the folder is in use."""
    if room.exists():
        lock.close()
    else:
        lock.remove()
