"""How far a long task has come: one line on stderr, on a terminal, once a second has passed."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Self

SECONDS_SILENT = 1.0
SECONDS_BETWEEN = 0.1
CELLS = 30


class Bar:
    """A line that is drawn over itself; in a pipe, and for what is quick, nothing is drawn."""

    def __init__(self) -> None:
        self._begun = self._drawn = monotonic()
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell how much is done."""
        now = monotonic()
        too_soon = now - self._begun < SECONDS_SILENT or now - self._drawn < SECONDS_BETWEEN
        if too_soon or not sys.stderr.isatty():
            return
        self._drawn = now
        self._is_shown = True
        full = CELLS * done // max(total, 1)
        bar = "#" * full + "." * (CELLS - full)
        sys.stderr.write(f"\r{what:<8} [{bar}] {done:,} of {total:,} ")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
