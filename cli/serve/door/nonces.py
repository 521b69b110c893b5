"""Nonces of signing in: each is good for one proof, and for a minute.

A nonce carries its own end and a mark of this server, so that giving one out takes no memory, and
no flood of requests can push out the nonce of somebody else. Only those that let a browser in are
remembered, until they end.
"""

from __future__ import annotations

import hmac
import os
import re
from time import monotonic
from typing import TYPE_CHECKING

from ledger.books.links import NONCE_BEGINS

if TYPE_CHECKING:
    from collections.abc import Callable

NONCE_SECONDS = 60
_NONCE = re.compile(rf"({NONCE_BEGINS}([0-9a-f]{{1,12}})-[0-9a-f]{{32}})-([0-9a-f]{{32}})")


class Nonces:
    """The nonces of one running server; another one, or the same after a restart, takes none."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._key = clock, os.urandom(32)
        self._used: dict[str, float] = {}

    def new(self) -> str:
        """Return a nonce that nobody has had."""
        end = int(self._clock()) + NONCE_SECONDS
        text = f"{NONCE_BEGINS}{end:x}-{os.urandom(16).hex()}"
        return f"{text}-{self._mark(text)}"

    def is_good(self, nonce: str) -> bool:
        """Return whether this server gave the nonce within the minute, and it was not used."""
        match = _NONCE.fullmatch(nonce)
        if match is None or not hmac.compare_digest(self._mark(match[1]), match[3]):
            return False
        return self._clock() < int(match[2], 16) and nonce not in self._used

    def use(self, nonce: str) -> None:
        """Remember that a nonce let a browser in."""
        now = self._clock()
        while self._used and next(iter(self._used.values())) < now:
            del self._used[next(iter(self._used))]
        self._used[nonce] = now + NONCE_SECONDS + 1

    def _mark(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:32]
