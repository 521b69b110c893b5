"""Who takes part in a rehearsal: players with a phone, and the organizer."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from cli.serve.rehearsal.browser import Browser, NoAnswer

if TYPE_CHECKING:
    import random

    from cli.serve.rehearsal.browser import Reply
    from cli.serve.rehearsal.figures import Figures
    from cli.serve.rehearsal.venue import Venue

OWN_PAGE, A_LOOK = "/me", ("/standings", "/pairings", "/clock")
OTHER = {"win": "loss", "loss": "win", "draw": "win"}
TRIES = 5
SPREAD_SECONDS = 2.0
"""A page waits this long at most before it fetches itself again; see `player.js`."""

CONTRADICTS, CONFIRMS, LOOKS, SLEEPS = 0.04, 0.5, 0.3, 0.2
"""How likely a player is to do each of these."""


class Person:
    """Somebody with a browser, who is signed in over their link."""

    def __init__(self, who: str, venue: Venue, figures: Figures) -> None:
        self.who, self.figures = who, figures
        self.browser = Browser(venue.port, figures)
        self._secret, self._sent = venue.secrets[who], 0

    async def come(self) -> None:
        """Open the link."""
        await self.browser.sign_in(self._secret)

    async def go(self) -> None:
        """Close the browser."""
        await self.browser.close()

    async def act(self, kind: str, *, refusable: bool = False, **members: object) -> bool:
        """Send an act until it is answered, under one id; false where it is refused."""
        self._sent += 1
        sent = {"id": f"rehearsal-{self._sent}", "command": {"type": kind, **members}}
        for _ in range(TRIES):
            with suppress(NoAnswer):
                answer = await self.browser.post("/api/v1/acts", sent)
                return self._noted(answer, kind, refusable=refusable)
            await asyncio.sleep(1)
        self.figures.wrong[f"{kind}: never answered"] += 1
        return False

    async def value(self, name: str) -> Any:  # noqa: ANN401 - as the part's JSON is
        """Read a part as a program does."""
        return msgspec.json.decode((await self.browser.get(f"/api/v1/{name}", "JSON")).body)

    def _noted(self, answer: Reply, kind: str, *, refusable: bool) -> bool:
        value = msgspec.json.decode(answer.body)
        if answer.status == HTTPStatus.OK:
            self.figures.act_done({each["id"]: each["seq"] for each in value["events"]})
            return True
        if not refusable:
            self.figures.wrong[f"{kind}: {answer.status} {value.get('detail', '')}"] += 1
        return False


class Phone(Person):
    """A player, whose own page is open and follows the log as its script does."""

    def __init__(self, who: str, venue: Venue, figures: Figures) -> None:
        super().__init__(who, venue, figures)
        self._page = Browser(venue.port, figures)
        self._news = asyncio.Event()
        self.known = self.shown = 0

    async def come(self) -> None:
        """Open the link, and the page."""
        await super().come()
        self._page.same_person(self.browser)

    async def go(self) -> None:
        """Close both windows."""
        await super().go()
        await self._page.close()

    async def follow(self, chance: random.Random) -> None:
        """Keep the page open; now and then the phone sleeps, and comes back to where it was."""
        while True:
            awake = chance.uniform(3, 20) if chance.random() < SLEEPS else None
            both = [asyncio.create_task(each) for each in (self._hear(), self._show(chance))]
            try:
                await asyncio.wait(both, timeout=awake, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in both:
                    each.cancel()
                await asyncio.gather(*both, return_exceptions=True)
            await asyncio.sleep(chance.uniform(0.5, 3))

    async def _hear(self) -> None:
        async with aclosing(self._page.news(self.known)) as news:
            async for position in news:
                self.known = position
                self._news.set()

    async def _show(self, chance: random.Random) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(chance.uniform(0, SPREAD_SECONDS))
            self._news.clear()
            wanted = self.known
            with suppress(NoAnswer):
                await self._page.get(OWN_PAGE)
                self.figures.page_shows(self.shown, wanted)
                self.shown = wanted

    async def look(self, chance: random.Random) -> None:
        """Look at a page for everybody, perhaps."""
        if chance.random() < LOOKS:
            with suppress(NoAnswer):
                await self.browser.get(chance.choice(A_LOOK))


async def play(
    match: int, players: tuple[Phone, Phone], chance: random.Random, pace: float
) -> bool:
    """Play a match: one reports, the other confirms, contradicts or does nothing.

    True where the two do not agree.
    """
    one, other = chance.sample(players, 2)
    outcome = chance.choice(list(OTHER))
    await asyncio.sleep(chance.uniform(0, pace))
    await one.act("Report", match=match, result={"outcome": outcome})
    await one.look(chance)
    await asyncio.sleep(chance.uniform(0, pace / 4))
    if chance.random() < CONTRADICTS:
        return await other.act("Report", match=match, result={"outcome": OTHER[outcome]})
    if chance.random() < CONFIRMS:
        await other.act("ConfirmResult", match=match)
    return False
