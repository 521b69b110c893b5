"""Files that are opened, written or listed in a test, as Python's audit events name them."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATHS_AT = {
    "open": (0,),
    "os.chmod": (0,),
    "os.link": (0, 1),
    "os.listdir": (0,),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.scandir": (0,),
    "os.symlink": (0, 1),
    "os.truncate": (0,),
    "shutil.copyfile": (0, 1),
    "sqlite3.connect": (0,),
}
"""The audit events that name files, and at which places of their arguments."""

_NEVER = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect")
"""The audit events of processes and of the network."""

PROGRAM = tuple(
    dict.fromkeys(
        str(path)
        for path in (
            *map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix}),
            Path(sys.prefix).resolve(),
            *(ROOT / name for name in ("cli", "ledger", "projections", "tests")),
        )
    )
)
"""Where Python, its packages and the program itself are."""

SYSTEM = ("/proc/self/mountinfo",)
"""What is read to tell whether a store is on a network drive."""

_kept: list[str] | None = None
_installed: list[bool] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _kept is None:
        return
    if event in _NEVER:
        _kept.append(f"{event} {arguments[:2]}")
    for place in _PATHS_AT.get(event, ()):
        if isinstance(name := arguments[place], str | bytes | os.PathLike):
            path = os.fsdecode(name).removeprefix("file:").partition("?")[0]
            _kept.append(f"{event} {os.path.abspath(path)}")  # noqa: PTH100 - no link is followed


@contextmanager
def files_opened() -> Iterator[list[str]]:
    """Keep each audit event about a file, a process or the network: its name, and the path."""
    global _kept  # noqa: PLW0603 - an audit hook stays to the end of the process
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    kept: list[str] = []
    _kept = kept
    try:
        yield kept
    finally:
        _kept = None


def outside(kept: list[str], *allowed: str) -> set[str]:
    """Return the events about other files than the program's own and those that are allowed."""
    begins = (*PROGRAM, *SYSTEM, *allowed)
    return {each for each in kept if not each.partition(" ")[2].startswith(begins)}
