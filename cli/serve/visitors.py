"""Who asks: a player, an official or a screen by their link, or anybody, who only looks."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from cli.serve.turns import ASKER, Asker, Lane
from ledger.problems import Problem, problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    Visitors = Callable[[Request], Awaitable["Visitor"]]
    """Finds out who asks."""


ADDRESSES_KEPT = 1_024
"""Addresses whose asker is kept in mind: each request asks for its own."""


class Visitor(Struct, frozen=True):
    """Who asks; where nobody is signed in `by` is empty, and they only look.

    `by` is as the log has it: `p7` or `o2`. `link` is the number of the link that let them in.
    Who came by the event's own link (`is_newcomer`) may ask to be registered, and nothing else.
    `only_reads` is a word of `ONLY_READS` for a browser that may enter nothing now.
    """

    by: str = ""
    player: int = 0
    official: int = 0
    link: int = 0
    is_screen: bool = False
    screen: int = 0
    is_newcomer: bool = False
    only_reads: str = ""

    def acting_for(self, player: int = 0) -> str:
        """Return who enters an act: they themselves, or an official on a player's word."""
        return f"{self.by}/p{player}" if player and self.official else self.by

    def command_id(self, own: str) -> str:
        """Return the id of their command in the log: it begins with the link."""
        return f"w{self.link}-{own}" if self.link else own


NOBODY = Visitor()

ONLY_READS = MappingProxyType(
    {
        "before": "this browser signed in before marks protected acts, and may only read: open the "
        "link of your badge in it again",
        "reading": "a code of eight letters was sent in the open, and may only read: open the link "
        "of your badge with the camera, or ask the desk for a new sheet",
        "plain": "others can hear this connection, so an official may only read over it. To act, "
        "{where}. The organizer may allow plain HTTP, on record: `links plain-http allow`",
    }
)
"""Why a browser that is signed in may only read, and what to do about it."""


def why_only_reads(visitor: Visitor, private_address: str) -> Problem:
    """Return why a visitor who is signed in may enter nothing, and what to do about it."""
    where = "use the hall's own machine, or ask the organizer for `serve --tls`"
    if private_address:
        where = (
            f"open {private_address}in and type the code of your badge, or use the hall's machine"
        )
    text = ONLY_READS[visitor.only_reads].replace("{where}", where)
    return problem(f"mark.{visitor.only_reads}", text)


async def visitor_of(request: Request) -> Visitor:
    """Return who asks: looked up once for each request."""
    scope = request.scope
    if "visitor" not in scope:
        visitors: Visitors = scope["visitors"]
        scope["visitor"] = found = await visitors(request)
        is_posting = scope["method"] == "POST"
        asker = asker_of(found, address_of(request), is_posting=is_posting)
        ASKER.set(asker)
        if not asker.is_stranger and "signed_in" in scope:
            scope["signed_in"](asker.name)  # their connection is no stranger's
    visitor: Visitor = scope["visitor"]
    return visitor


def asker_of(visitor: Visitor, address: str, *, is_posting: bool = False) -> Asker:
    """Return the asker that a visitor counts as: their link, or their address without one.

    The event's own link is on many phones, so its visitors count as strangers.
    """
    if not visitor.by and not visitor.is_screen:
        return stranger_at(address)
    name = f"link {visitor.link}" if visitor.link else visitor.by
    is_official = bool(visitor.official)
    lane = Lane.OFFICIALS if is_official else Lane.OTHERS
    lane = Lane.ENTERING if is_posting else lane
    return Asker(name, lane, is_stranger=False, is_official=is_official)


@lru_cache(ADDRESSES_KEPT)
def stranger_at(address: str) -> Asker:
    """Return the asker that all strangers at one address are."""
    return Asker(f"address {address}")


def address_of(request: Request) -> str:
    """Return the address that a request came from."""
    client = request.scope.get("client")
    return client[0] if client else ""
