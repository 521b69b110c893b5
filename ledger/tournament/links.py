"""Who gets into the hall, by which link, and what was entered over it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

_OVER = re.compile(r"w([1-9][0-9]{0,6})-")


class Link(Struct):
    """A link: whose, the SHA-256 of its secret, and the event and the command that gave it out.

    `until` is the event that ended it, 0 while it lets somebody in.
    """

    number: int
    of: str
    digest: str
    seq: int
    command_id: str
    until: int = 0


def link_in(command_id: str) -> int:
    """Return the number of the link with which an id begins, `w7-…`; 0 where it begins with none.

    It is over that link only where the log has one of that number.
    """
    found = _OVER.match(command_id)
    return int(found[1]) if found else 0


def link_over(links: Mapping[int, Link], command_id: str) -> int:
    """Return the link over which an act was entered; 0 for one at a desk."""
    number = link_in(command_id) if links else 0
    link = links.get(number)
    return number if link else 0


def link_of(links: Mapping[int, Link], person: str) -> Link | None:
    """Return somebody's link, if they have one that lets them in."""
    found = (each for each in links.values() if each.of == person and not each.until)
    return next(found, None)
