"""Wrong tries at the door.

A secret has 160 bits and a code of 16 letters 80: they cannot be guessed, so wrong ones close
nothing to anybody. A code of eight letters of an earlier sheet can be guessed by a program. It is
typed with the name or number of its owner, and only for that link are wrong tries counted: a
flood closes the eight letters of the links that it names for a minute, and nothing else.
A burst of wrong tries is put on record.
"""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from cli.serve.refusals import TooMany
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW_SECONDS = 60.0
LINK_MAX = 10
"""Wrong codes of eight letters for one link within the window."""

BURST = 10
"""Wrong tries of one address within the window that are put on record."""

NOTED_SECONDS = 600.0
"""Seconds after a burst until the next one is put on record."""

ADDRESSES_MAX = 4_000
"""Addresses that are remembered at once: the oldest are forgotten first."""


class Guesses:
    """The wrong tries of the last minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._of_link: dict[int, deque[float]] = {}
        self._from: dict[str, deque[float]] = {}
        self._noted = -NOTED_SECONDS

    def check_short_code(self, link: int) -> None:
        """Refuse another code of eight letters for a link.

        Raises:
            TooMany: there were too many wrong ones for this link within a minute.
        """
        if self._lately(self._of_link.get(link, deque())) >= LINK_MAX:
            text = (
                "too many wrong codes for this link: wait a minute, or open the code on the badge "
                "with a camera"
            )
            raise TooMany(problem("serve.too_many", text))

    def wrong_short_code(self, link: int) -> None:
        """Count a wrong code of eight letters for a link."""
        self._of_link.setdefault(link, deque(maxlen=LINK_MAX)).append(self._clock())

    def wrong(self, address: str) -> int:
        """Count a wrong try; return how many there were if this burst belongs on record, else 0."""
        now = self._clock()
        if address not in self._from and len(self._from) >= ADDRESSES_MAX:
            del self._from[next(iter(self._from))]
        tries = self._from.setdefault(address, deque(maxlen=1_000))
        tries.append(now)
        count = self._lately(tries)
        if count < BURST or now - self._noted < NOTED_SECONDS:
            return 0
        self._noted = now
        return count

    def _lately(self, tries: deque[float]) -> int:
        while tries and self._clock() - tries[0] > WINDOW_SECONDS:
            tries.popleft()
        return len(tries)
