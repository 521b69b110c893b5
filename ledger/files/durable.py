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


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, with durable names; OSError if that is not possible."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(mode, parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


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
