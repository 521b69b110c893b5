"""What would go to a terminal, kept instead: a page takes the same lines, and nobody sits there."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Overheard(NamedTuple):
    """What would have been written: talk, line by line, and data as one text."""

    said: list[str]
    shown: list[str]

    @property
    def data(self) -> str:
        """What would have gone to stdout."""
        return "".join(self.shown)


_now: ContextVar[Overheard | None] = ContextVar("overheard", default=None)


@contextmanager
def overhearing() -> Iterator[Overheard]:
    """Keep what this thread would write, and let nobody be asked."""
    kept = Overheard([], [])
    token = _now.set(kept)
    try:
        yield kept
    finally:
        _now.reset(token)


def overheard() -> Overheard | None:
    """Return what is kept at the moment; None while a terminal or a pipe is written to."""
    return _now.get()
