"""How long everything took, and what went wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SLOWEST = 5
"""How many of the slowest requests are listed."""


class Took(Struct, frozen=True):
    """How long something took, in milliseconds, over all times that it was done."""

    what: str
    count: int
    median: float
    p99: float
    longest: float


class Figures:
    """What is measured while the rehearsal runs."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = defaultdict(list)
        self._slowest: list[tuple[float, str]] = []
        self.wrong: Counter[str] = Counter()
        self.answered: dict[str, int] = {}
        """The place of every event that was answered as done, by its id."""

        self._answered_at: dict[int, float] = {}

    def took(self, what: str, seconds: float, path: str = "") -> None:
        """Note how long a thing took; a request with its path."""
        self._times[what].append(seconds)
        if path:
            self._slowest = sorted([*self._slowest, (seconds, path)])[-SLOWEST:]

    def act_done(self, events: Mapping[str, int]) -> None:
        """Note the events of an act that was answered as done, by id, with their places."""
        self.answered |= events
        for seq in events.values():
            self._answered_at.setdefault(seq, perf_counter())

    def page_shows(self, after: int, position: int) -> None:
        """Note that an open page shows everything up to a position, and knew it up to another."""
        now = perf_counter()
        for seq in range(after + 1, position + 1):
            if seq in self._answered_at:
                self.took("an act, from its answer to an open page", now - self._answered_at[seq])

    def table(self) -> list[Took]:
        """Return what was done, in the order in which it was done first."""
        return [Took(what, len(times), *_shares(times)) for what, times in self._times.items()]

    def slowest(self) -> Iterator[tuple[str, float]]:
        """Yield the slowest requests, the slowest first, in milliseconds."""
        for seconds, path in reversed(self._slowest):
            yield path, round(seconds * 1_000, 1)


def _shares(times: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(times)
    places = (len(ordered) // 2, len(ordered) * 99 // 100, len(ordered) - 1)
    median, p99, longest = (round(ordered[place] * 1_000, 1) for place in places)
    return median, p99, longest
