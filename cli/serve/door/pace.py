"""Limits over time: acts over a link, questions and reading, and wrong codes.

More acts than people enter are refused for a minute. Questions have a budget for each link; without
a link, for each address, which a whole hall behind one router shares. A budget that is used up
makes its questions slower, one after the other in the order in which they came; only those of an
asker who has too many open at once are refused. So no asker takes another's budget.

Pages that the hall makes itself have a budget in seconds of its processor. Pages beyond the budget
are made later and never refused, so that a room behind one router reads without a limit.

A secret has 160 bits and a code of 16 letters 80: they cannot be guessed, so wrong ones close
nothing. A program can guess a code of eight letters of an earlier sheet. Such a code is typed with
the name or number of its owner, and wrong tries are counted only for that link: a flood closes the
eight letters of the links that it names for a minute, and nothing else. A burst of wrong tries is
recorded.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager, suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from cli.languages.speaking import marked
from cli.serve.refusals import Busy, TooMany
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from cli.serve.visitors import Asker, Visitor

WINDOW_SECONDS = 60.0
PLAYER_MAX = 60
"""Acts over a player's link within the window, on all of its browsers together."""

EVENT_MAX = 600
"""Over the tournament's link, which is on the phones of all who ask to be registered."""

OFFICIAL_MAX = 6_000
"""Over an official's, which may be a program's or a scanner's."""

QUESTIONS_MAX, OFFICIAL_QUESTIONS_MAX, STRANGERS_QUESTIONS_MAX = 120, 600, 600
"""Questions within the window over a player's link, an official's, and from the strangers of one
address together. Those after them are answered at this rate.
"""

AT_ONCE_MAX, STRANGERS_AT_ONCE_MAX = 8, 64
"""Questions that may be open at once over a link, and from the strangers of one address."""

PAUSE_SECONDS = 1.0
"""How long a refused question waits for its refusal, so that asking again at once gains nothing."""

SHORT_SECONDS = 0.001
"""A wait that is not worth waiting."""

LINK_SHARE, OFFICIAL_SHARE, STRANGERS_SHARE = 0.1, 0.5, 0.25
"""Share of the hall's time for pages over a player's or a screen's link, over an official's, and
for the strangers of one address together: about 80, 400 and 200 pages in a second."""

READING_WINDOW = 4.0
"""Seconds whose share may be used up at once: by a room that opens its pages in one moment."""

READINGS_AT_ONCE = 4
"""Pages of one asker that are made or wait for the hall's thread; the next ones wait in order."""

ASKERS_MAX = 1_000
"""Askers that are kept in mind before those who have not asked lately are forgotten."""


class _Questions:
    """What one asker has open, and when the budget is whole again."""

    def __init__(self, most: int, at_once: int) -> None:
        self.seconds_each = WINDOW_SECONDS / most
        self.at_once_max, self.at_once = at_once, 0
        self.due = -inf

    def wait(self, now: float) -> float:
        """Take one question out of the budget; return the seconds until its turn."""
        self.due = max(self.due, now - WINDOW_SECONDS) + self.seconds_each
        return self.due - now


class _Waiting:
    """Requests that wait until their budget allows them, or until the hall closes."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Refuse every request that waits, and every later one that has to: the hall closes."""
        self._ended.set()

    async def _pause(self, seconds: float) -> None:
        """Let a request wait; Busy if the hall closes meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        if self._ended.is_set():
            raise Busy(phrase("the hall is closing"))


class QuestionPace(_Waiting):
    """What is asked over each link, and from each address without one."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(clock)
        self._askers: dict[str, _Questions] = {}

    @asynccontextmanager
    async def asking(self, asker: Asker) -> AsyncIterator[None]:
        """Count a question while it is open, and wait until the budget of its asker allows it.

        Raises:
            TooMany: the asker has too many questions open.
            Busy: the hall closes.
        """
        questions = self._of(asker)
        if questions.at_once >= questions.at_once_max:
            await self._pause(PAUSE_SECONDS)
            text = marked(
                "{count} questions are already open: wait for their answers, then ask again"
            )
            raise TooMany(problem("serve.too_many", text, count=questions.at_once_max))
        questions.at_once += 1
        try:
            if (seconds := questions.wait(self._clock())) > SHORT_SECONDS:
                await self._pause(seconds)
            yield
        finally:
            questions.at_once -= 1

    def _of(self, asker: Asker) -> _Questions:
        if asker.name not in self._askers:
            self._forget_idle()
            most = STRANGERS_QUESTIONS_MAX if asker.is_stranger else QUESTIONS_MAX
            most = OFFICIAL_QUESTIONS_MAX if asker.is_official else most
            at_once = STRANGERS_AT_ONCE_MAX if asker.is_stranger else AT_ONCE_MAX
            self._askers[asker.name] = _Questions(most, at_once)
        return self._askers[asker.name]

    def _forget_idle(self) -> None:
        """Forget who has nothing open and a whole budget, if many are kept in mind."""
        if len(self._askers) < ASKERS_MAX:
            return
        whole = self._clock() - WINDOW_SECONDS
        for name, questions in list(self._askers.items()):
            if not questions.at_once and questions.due < whole:
                del self._askers[name]


class _Reading:
    """What one asker has had of the hall's processor, as the moment when the budget is whole."""

    def __init__(self, share: float) -> None:
        self.share, self.due = share, -inf
        self.waiting, self.at_once = 0, asyncio.Semaphore(READINGS_AT_ONCE)

    def took(self, now: float, seconds: float) -> None:
        """Charge what a page took."""
        self.due = max(self.due, now - READING_WINDOW) + seconds / self.share


class ReadingPace(_Waiting):
    """What the hall's own thread makes for each link, and for each address without one.

    The reads of a link's acts and the pages of the link have separate budgets, so that pages, also
    of a browser with a copied cookie, do not delay an act.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(clock)
        self._askers: dict[str, _Reading] = {}

    @asynccontextmanager
    async def reading(self, asker: Asker) -> AsyncIterator[Callable[[float], None]]:
        """Wait until an asker's budget allows a page; give what takes the seconds that it took.

        Raises:
            Busy: the hall closes.
        """
        reading = self._of(asker)
        reading.waiting += 1
        try:
            async with reading.at_once:
                if (seconds := reading.due - self._clock()) > SHORT_SECONDS:
                    await self._pause(seconds)
                yield lambda took: reading.took(self._clock(), took)
        finally:
            reading.waiting -= 1

    def _of(self, asker: Asker) -> _Reading:
        name = f"{asker.name}, {asker.lane.name}"
        reading = self._askers.get(name)
        if reading is None:
            if len(self._askers) >= ASKERS_MAX:
                whole = self._clock() - READING_WINDOW
                for other, reading in list(self._askers.items()):
                    if not reading.waiting and reading.due <= whole:
                        del self._askers[other]
            share = STRANGERS_SHARE if asker.is_stranger else LINK_SHARE
            share = OFFICIAL_SHARE if asker.is_official else share
            reading = self._askers[name] = _Reading(share)
        return reading


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
            text = marked(
                "{count} acts came over this link within a minute: wait, then send it again"
            )
            raise TooMany(problem("serve.too_fast", text, count=most))
        lately.append(now)


def _most(visitor: Visitor) -> int:
    if visitor.is_newcomer:
        return EVENT_MAX
    return PLAYER_MAX if visitor.player else OFFICIAL_MAX


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
            text = marked(
                "too many wrong codes for this link: wait a minute, or scan the code on the "
                "badge with a camera"
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
