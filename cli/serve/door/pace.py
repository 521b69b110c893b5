"""How often something is entered over a link: more than people do is held back for a minute."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from cli.serve.refusals import TooMany
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.serve.visitors import Visitor

WINDOW_SECONDS = 60.0
PLAYER_MAX = 60
"""Acts over a player's link within the window, on all of its browsers together."""

EVENT_MAX = 600
"""Over the event's link, which is on the phones of all who ask to be registered."""

OFFICIAL_MAX = 6_000
"""Over an official's, which may be a program's or a scanner's."""


class Pace:
    """What was entered over each link lately."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lately: dict[int, deque[float]] = {}

    def count(self, visitor: Visitor) -> None:
        """Count an act over a link; TooMany where there were too many, and this one is not one."""
        if not visitor.link:
            return
        now, most = self._clock(), _most(visitor)
        lately = self._lately.setdefault(visitor.link, deque())
        while lately and now - lately[0] > WINDOW_SECONDS:
            lately.popleft()
        if len(lately) >= most:
            text = "{count} acts came over this link within a minute: wait one, and send it again"
            raise TooMany(problem("serve.too_fast", text, count=most))
        lately.append(now)


def _most(visitor: Visitor) -> int:
    if visitor.is_newcomer:
        return EVENT_MAX
    return PLAYER_MAX if visitor.player else OFFICIAL_MAX
