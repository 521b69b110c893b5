"""A terminal of 80 columns and 24 rows with a shell, and somebody who types at it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Self

COLUMNS, ROWS = 80, 24
SHELL = "at the desk> "
_WAITS = re.compile(rb"(> |\? |\] |: )$")
"""How everything ends that waits for a line: the shell, the loop of `report`, a question."""

AT_THE_SHELL = re.compile(rf"{SHELL}$".encode())
"""How only the shell waits: a slow program may pause behind a `: ` of its answer."""

_LONGEST_WAIT = 30


class Terminal:
    """A shell in a terminal of its own; what is typed is counted."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Begin the shell, without colours unless `variables` ask for them by NO_COLOR=""."""
        self.folder = folder
        self.keystrokes = 0
        self.lines = 0
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        attributes = termios.tcgetattr(theirs)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
        kept = {name: each for name, each in os.environ.items() if not name.startswith("TOURNEY")}
        kept.pop("COLUMNS", None)
        own = {"PATH": path, "PS1": SHELL, "TERM": "xterm", "NO_COLOR": "1", "HOME": str(folder)}
        environment = kept | own | variables
        self._shell = subprocess.Popen(
            ["/bin/sh", "-i"],
            cwd=folder,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._ours = ours
        self.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)
        os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.wait()

    def type(self, line: str, waits: re.Pattern[bytes] = _WAITS) -> str:
        """Type a line and Enter; return what is answered, up to what waits for the next one."""
        self.keystrokes += len(line) + 1
        self.lines += 1
        os.write(self._ours, f"{line}\n".encode())
        return self.read(waits)

    def read(self, waits: re.Pattern[bytes] = _WAITS) -> str:
        """Read until somebody waits for a line."""
        seen = b""
        while not (waits.search(seen) and not self._has_more(0.03)):
            if not self._has_more(_LONGEST_WAIT):
                raise AssertionError(f"nothing waits for a line: {seen!r}")
            seen += os.read(self._ours, 65_536)
        return seen.decode().replace("\r\n", "\n")

    def _has_more(self, seconds: float) -> bool:
        return bool(select.select([self._ours], [], [], seconds)[0])
