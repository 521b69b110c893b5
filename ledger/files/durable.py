"""New names made durable: a power cut may take the name of a file that was synced itself.

POSIX promises a file's bytes once the file is synced, and its name once its folder is. So who
makes a file or a folder that somebody relies on, or renames one, ends here before it says so.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ledger.files.kinds import KEYS_FOLDER

_NOT_THERE = frozenset({errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.EACCES, errno.EPERM})
"""What a system answers that does not let a folder be synced, or not by us."""


def sync_folder(folder: Path) -> None:
    """Make a folder's names durable, where the system lets that be; OSError if the disk fails."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if os.name == "posix" and error.errno not in _NOT_THERE:
            raise


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, with durable names; OSError if that is not possible."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def make_private_folder(folder: Path) -> None:
    """Make a folder of keys, and those above it: only its owner opens it, and git ignores it.

    Raises:
        OSError: it cannot be made.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(0o700, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)
    of_keys = [place for place in (folder, *folder.parents) if place.name == KEYS_FOLDER]
    for place in {*missing[-1:], *of_keys}:
        if not (ignored := place / ".gitignore").exists():
            with suppress(OSError), whole_file(ignored) as file:
                file.write(b"*\n")


@contextmanager
def whole_file(
    path: Path, name: Callable[[Path, Path], object] = Path.replace
) -> Iterator[BinaryIO]:
    """Write a file, for its owner alone, durable as a whole or not there at all; or OSError.

    `name` gives the draft its name: in the place of what had it, unless it is another's to decide.
    """
    draft = path.with_name(f".{path.name.lstrip('.')[:200]}.{os.getpid()}.part")
    try:
        draft.unlink(missing_ok=True)  # of a process that was killed and had this one's number
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        name(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink()
    sync_folder(path.parent)
