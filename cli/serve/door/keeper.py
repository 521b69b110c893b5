"""Who is let in: a link's secret or code is exchanged for a cookie, and a cookie says who asks.

A cookie is marked with a key in the vault, so that it outlives the server and no secret is kept;
it counts as long as its link lets somebody in and the browser is kept, which is looked up.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli import outside
from cli.serve.door.agents import agent_in_words
from cli.serve.door.guesses import Guesses
from cli.serve.visitors import NOBODY, Visitor
from cli.terminal.diagnostics import say
from ledger.books import link_secrets
from ledger.books.link_secrets import SignedIn
from ledger.decisions.keys import NoteGuesses
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.problems import problem
from ledger.tournament.office import lets_in

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from ledger.tournament.links import Link

BROWSERS_MAX = 5
"""Browsers that a link works on."""

KEPT_SECONDS = 10.0
"""How long a browser counts that was signed out by another server of the same store."""

_BROWSER_BYTES = 8


class Tried(NamedTuple):
    """What somebody shows at the door: a secret or a code, from where, with which browser."""

    secret: str
    code: str
    address: str
    agent: str
    cookie: str = ""


class Doorkeeper:
    """Knows every link that lets somebody in, and what follows from its key."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._key = hall, b""
        self.guesses = Guesses()
        self._opened: set[str] = set()
        """The browsers that are signed in, as the vault names them, and until when that counts."""

        self._known_until = 0.0
        self._looking: asyncio.Task[None] | None = None

    @property
    def cookie_name(self) -> str:
        """What the cookie of this event is called: another event's may be in the same browser."""
        return f"hall_{self._hall.event[:8]}"

    async def visitor(self, request: Request) -> Visitor:
        """Return who asks, by their cookie."""
        link = await self._link(request.cookies.get(self.cookie_name, ""))
        return visitor_over(link) if link else NOBODY

    async def let_in(self, tried: Tried) -> tuple[Visitor, str]:
        """Return who it is and their cookie; Refused for no link, or TooMany."""
        found = await self._hall.at_desk(lambda desk: self._tried(desk, tried))
        if isinstance(found, int):
            await self._note(tried, found)
            text = "no link has this {what}: look at your badge again, or ask the desk"
            what = "address any more" if tried.secret else "code"
            raise Refused(problem("link.not_one", text, what=what))
        return found

    async def let_out(self, cookie: str) -> None:
        """Forget the browser that shows this cookie."""
        shown = link_secrets.link_shown(self._key, self._hall.links, cookie) if self._key else None
        if shown:
            item = link_secrets.browser_item(shown[0].number, shown[1])
            await self._hall.at_desk(lambda desk: self._forget(desk, item))

    async def _link(self, cookie: str) -> Link | None:
        if not cookie or not self._hall.links:
            return None
        if not self._key:
            self._key = await self._hall.at_desk(_key_of)
        shown = link_secrets.link_shown(self._key, self._hall.links, cookie) if self._key else None
        if not shown or not await self._is_kept(*shown):
            return None
        if shown[0].of.startswith("o"):  # an official may read much: look into the store again
            with suppress(StoreUnavailable):
                await self._hall.at_desk(_nothing)
        link = self._hall.links.get(shown[0].number)
        return link if link and self._hall.admits(link) else None

    async def _is_kept(self, link: Link, browser: str) -> bool:
        """Whether a browser was not signed out; as it was known, while the store is away."""
        if link.of.startswith("e"):
            return True
        item = link_secrets.browser_item(link.number, browser)
        if monotonic() >= self._known_until or item not in self._opened:
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look())
            await asyncio.shield(self._looking)
        return item in self._opened

    async def _look(self) -> None:
        """Read which browsers are signed in: once, for all who ask at this moment."""
        with suppress(StoreUnavailable):
            await self._hall.at_desk(self._read_browsers)

    def _read_browsers(self, desk: Desk) -> None:
        secrets = desk.store().vault_items(desk.book.stream)
        links = desk.book.tournament.floor.links
        ended = link_secrets.browsers_of_ended(secrets, links)
        if ended:
            desk.store().vault_delete_all(desk.book.stream, ended)
        self._opened = {name for name in secrets if name.startswith(link_secrets.BROWSER)}
        self._opened -= set(ended)
        self._known_until = monotonic() + KEPT_SECONDS

    def _forget(self, desk: Desk, item: str) -> None:
        desk.store().vault_delete(desk.book.stream, item)
        self._opened.discard(item)

    def _tried(self, desk: Desk, tried: Tried) -> tuple[Visitor, str] | int:
        """Let a browser in, or count a wrong try.

        All in the hall's one thread, so that tries of the same moment count one after the other.
        """
        is_code = not tried.secret
        self.guesses.check(tried.address, is_code=is_code)
        found = self._let_in(desk, tried)
        return found or self.guesses.wrong(tried.address, is_code=is_code)

    def _let_in(self, desk: Desk, tried: Tried) -> tuple[Visitor, str] | None:
        """Let a browser in; None where it shows no link's secret or code."""
        store, stream = desk.store(), desk.book.refresh().stream
        secrets = store.vault_items(stream)
        self._key = secrets.get(link_secrets.LINKS_KEY, b"")
        tournament = desk.book.tournament
        links = tournament.floor.links
        working = [link for link in links.values() if lets_in(tournament, link)]
        link = _link_tried(self._key, working, tried)
        if link is None or not self._key:
            return None
        before = link_secrets.link_shown(self._key, links, tried.cookie)
        opened = {each.browser for _, each in link_secrets.browsers_in(secrets, link.number)}
        if before and before[0] == link and before[1] in opened:
            return visitor_over(link), tried.cookie
        if before and link.of.startswith("e") and not before[0].of.startswith("e"):
            item = link_secrets.browser_item(before[0].number, before[1])
            if item in secrets and lets_in(tournament, before[0]):
                return visitor_over(before[0]), tried.cookie  # they stay who they are
        if link.of.startswith("e"):  # for as many as come; none of them is kept
            return visitor_over(link), link_secrets.cookie_of(self._key, link, _drawn())
        if len(opened) >= BROWSERS_MAX:
            text = "this link is open on {count} browsers already: sign out on one, or ask the desk"
            raise Refused(problem("link.browsers", text, count=len(opened)))
        browser = _drawn()
        signed_in = SignedIn(browser, outside.now(), agent_in_words(tried.agent))
        item = link_secrets.browser_item(link.number, browser)
        store.vault_put(stream, item, msgspec.json.encode(signed_in))
        self._opened.add(item)
        if before:
            self._forget(desk, link_secrets.browser_item(before[0].number, before[1]))
        return visitor_over(link), link_secrets.cookie_of(self._key, link, browser)

    async def _note(self, tried: Tried, many: int) -> None:
        """Put a burst of wrong tries on record."""
        if not many:
            return
        say(f"somebody guesses at links from {tried.address}: {many} wrong tries within a minute")
        try:
            by = await self._hall.at_desk(lambda desk: desk.by)
            await self._hall.act(Visitor(by), outside.draw_id(), NoteGuesses(many, tried.address))
        except LedgerError as error:
            say(f"that is not on record: {error}")


def _nothing(_: Desk) -> None:
    """Do nothing at the desk, whose book has then every line of the store."""


def _drawn() -> str:
    """Draw what a browser is called."""
    return os.urandom(_BROWSER_BYTES).hex()


def visitor_over(link: Link) -> Visitor:
    """Return whom a link lets in."""
    number, kind = int(link.of[1:]), link.of[0]
    if kind in "se":
        screen = number if kind == "s" else 0
        return Visitor(
            link=link.number, is_screen=bool(screen), screen=screen, is_newcomer=not screen
        )
    player, official = (number, 0) if kind == "p" else (0, number)
    return Visitor(link.of, player, official, link.number)


def _key_of(desk: Desk) -> bytes:
    return desk.store().vault_get(desk.book.stream, link_secrets.LINKS_KEY) or b""


def _link_tried(key: bytes, links: list[Link], tried: Tried) -> Link | None:
    """Find the link whose secret, or else whose code, is shown."""
    if tried.secret:
        digest = link_secrets.digest_of_link(tried.secret)
        return next((each for each in links if each.digest == digest), None)
    code = link_secrets.typed_code(tried.code)
    if len(code) != link_secrets.CODE_LETTERS or not key:
        return None
    return next((each for each in links if link_secrets.code_of(key, each) == code), None)
