"""Derives seasons in children that kill themselves: `python -m tests.faults.derive_worker`.

Each line of stdin is a folder, a place of logs, and before which change of a file to be killed (0:
never); what comes back is how the child ended, and how many changes it had made by then.
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path

from projections.season.loading.deriving import Deriving, derive
from projections.season.loading.sources import sources_of
from tests.support.season import silent
from tests.support.store_worker import say

CHUNK_EVENTS = 150
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree"}


def derive_small(folder: str, logs: str, processes: int) -> None:
    """Derive logs in small chunks."""
    how = Deriving(processes=processes, chunk_events=CHUNK_EVENTS)
    derive(Path(folder), list(sources_of([logs])), silent, how)


def _killed(folder: str, logs: str, point: int, told: int) -> None:
    numbers = count(1)

    def before_a_change(event: str, given: tuple[object, ...]) -> None:
        writes = event == "open" and isinstance(given[2], int) and given[2] & os.O_ACCMODE
        if event in CHANGES or writes:
            number = next(numbers)
            os.pwrite(told, f"{number:06}".encode(), 0)
            if number == point:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(before_a_change)
    derive_small(folder, logs, 1)


def main() -> None:
    """Serve lines until there are no more."""
    told = os.memfd_create("changes")
    for line in sys.stdin:
        folder, logs, point = line.rstrip("\n").split("\t")
        child = os.fork()
        if not child:
            _killed(folder, logs, int(point), told)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        say(f"{code} {int(os.pread(told, 6, 0))}")


if __name__ == "__main__":
    main()
