"""Tries at the door that were wrong: counted by address, and for all codes together.

A secret is too long to be guessed, so it is counted by address alone: nobody can close the door to
others by guessing. A code is short; when many are wrong within a minute none is taken for a while,
and the links on paper go on working.
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
ADDRESS_MAX = 10
"""Wrong tries of one address within the window."""

CODES_MAX = 60
"""Wrong codes of all addresses together within the window."""

NOTED_SECONDS = 600.0
"""How long after a burst the next one is put on record."""

ADDRESSES_MAX = 4_000
"""Addresses that are remembered at once: the oldest are forgotten first."""


class Guesses:
    """What was tried lately, and whether that is too much."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}
        self._codes: deque[float] = deque()
        self._noted = -NOTED_SECONDS

    def check(self, address: str, *, is_code: bool) -> None:
        """Refuse another try where too many were wrong; or TooMany."""
        mine = self._lately(self._wrong.get(address, deque()))
        if mine >= ADDRESS_MAX or (is_code and self._lately(self._codes) >= CODES_MAX):
            text = "too many wrong tries: wait a minute, or ask the desk for your link"
            raise TooMany(problem("serve.too_many", text))

    def wrong(self, address: str, *, is_code: bool) -> int:
        """Count a wrong try; returns how many there were, once a burst is to be put on record."""
        now = self._clock()
        if address not in self._wrong and len(self._wrong) >= ADDRESSES_MAX:
            del self._wrong[next(iter(self._wrong))]
        mine = self._wrong.setdefault(address, deque())
        for tried in (mine, self._codes) if is_code else (mine,):
            tried.append(now)
        many, all_codes = self._lately(mine), self._lately(self._codes)
        is_burst = many >= ADDRESS_MAX or all_codes >= CODES_MAX
        if not is_burst or now - self._noted < NOTED_SECONDS:
            return 0
        self._noted = now
        return max(many, all_codes)

    def _lately(self, tried: deque[float]) -> int:
        while tried and self._clock() - tried[0] > WINDOW_SECONDS:
            tried.popleft()
        return len(tried)
