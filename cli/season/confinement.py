"""A last end for a question that no database would end: a limit of memory, and of time."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from cli.terminal.diagnostics import complain
from cli.terminal.output import finish

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_BYTES = 3 << 30
"""What the program may take of addresses while it is asked, beside what it has."""

_TAKEN = Path("/proc/self/statm")

SECONDS_GRACE = 2.0
"""How much longer than its time a question may take to heed that it is over."""

ENDED = 1


@contextmanager
def limited_memory() -> Iterator[None]:
    """Let the system refuse memory beyond the limit meanwhile, where it can."""
    try:
        import resource

        least, most = resource.getrlimit(resource.RLIMIT_AS)
        taken = int(_TAKEN.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY_BYTES, most))
    except (ImportError, OSError, ValueError):  # not every system has such limits
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (least, most))


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End the program if this takes longer: a single step of a query heeds no interruption."""

    def end() -> None:
        complain(f"the question took longer than {seconds:g} seconds and was ended")
        finish()
        os._exit(ENDED)

    timer = Timer(seconds + SECONDS_GRACE, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
