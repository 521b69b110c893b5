"""New names made durable: a power cut may take the name of a file that was synced itself.

POSIX promises a file's bytes once the file is synced, and its name once its folder is. So who
makes a file or a folder that somebody relies on, or renames one, ends here before it says so.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

_NOT_THERE = frozenset({errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.EACCES, errno.EPERM})
"""What a system answers that does not let a folder be synced, or not by us."""


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system lets a folder be synced.

    OSError where the disk failed, and the names may be lost.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if os.name == "posix" and error.errno not in _NOT_THERE:
            raise


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, where they are missing; their names are durable.

    OSError where it cannot be made.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(mode, parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


def put_in_place(draft: Path, target: Path) -> None:
    """Give a file that was synced its name, in the place of what had it.

    OSError where it cannot have that name, or the name may be lost.
    """
    draft.replace(target)
    sync_folder(target.parent)
