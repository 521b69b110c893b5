"""Room beside the season for the logs of one load, and an end to what a killed one left there.

Of another kind of work that leaves much behind, the folders have another name.

A process that is killed removes nothing. In each folder a file is locked as long as its load goes
on, and a lock ends with its process: so the next load can tell what nobody uses any more.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

PREFIX = ".season-load-"


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
            lock.close()


def _made(folder: Path, prefix: str) -> tuple[Path, IO[bytes] | None]:
    """Make a folder and lock it; Windows and some networks have no such lock: None."""
    while True:
        room = Path(mkdtemp(prefix=prefix, dir=folder))
        try:
            return room, _locked(room)
        except (BlockingIOError, FileNotFoundError):
            continue  # a load that began meanwhile took it for left
        except (ImportError, OSError):
            return room, None


def _remove_left(folder: Path, prefix: str) -> None:
    """Remove every such folder that nobody has locked; one of which it is not known stays."""
    for room in folder.glob(f"{prefix}*"):
        try:
            if not _is_ours(room):
                continue
            lock = _locked(room)
        except (ImportError, OSError):
            continue
        shutil.rmtree(room, ignore_errors=True)
        lock.close()


def _is_ours(room: Path) -> bool:
    """Whether it is a folder of the user who runs this: many may write where it is."""
    found = room.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == getattr(os, "geteuid", lambda: 0)()


def open_lock(path: Path) -> IO[bytes]:
    """Open a file that is only locked; OSError if its name is a link, which may lead elsewhere."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.fdopen(os.open(path, flags, 0o666), "ab")


def _locked(room: Path) -> IO[bytes]:
    """Lock a folder for as long as the file that is returned is open.

    Raises:
        BlockingIOError: somebody else has it locked.
        FileNotFoundError: it is gone.
        ImportError, OSError: nothing can be locked here.
    """
    import fcntl  # noqa: PLC0415 - Windows has none

    lock = open_lock(room / "lock")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (room / "lock").stat()
    except OSError:
        lock.close()
        raise
    return lock
