"""What this process has written for good: the acts and files that landed, in order.

Who gives the answer may find that nobody can read it. This list then says that the act is done
all the same, and must not be taken for one that failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_acts: list[str] = []
_places: dict[str, None] = {}


def note_act(command_id: str) -> None:
    """Note that a command's events are in the store."""
    _acts.append(command_id)


def note_place(place: str) -> None:
    """Note that a file, or what a place of that name holds, has been written."""
    _places[place] = None


def acts() -> list[str]:
    """Return the ids of the commands that landed, in order."""
    return list(_acts)


def places() -> list[str]:
    """Return what else was written, each once, in order."""
    return list(_places)


def is_anything() -> bool:
    """Whether anything has landed."""
    return bool(_acts or _places)


def forget() -> None:
    """Begin again with nothing."""
    _acts.clear()
    _places.clear()


@contextmanager
def apart() -> Iterator[None]:
    """Write what is of no use to anybody afterwards: it is not noted."""
    kept = list(_places)
    try:
        yield
    finally:
        _places.clear()
        _places.update(dict.fromkeys(kept))
