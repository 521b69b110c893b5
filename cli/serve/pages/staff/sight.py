"""What a page of officials is made of: the desk's book, who looks, and what was just said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cli.desk.session import Desk
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.screens.showing import Screens
    from cli.serve.visitors import Visitor


class Sight(NamedTuple):
    """`at` is the page's own path, `words` those of the path and of the question.

    `said` answers what was posted from the page; `line` is shown in its field again.
    """

    desk: Desk
    screens: Screens
    visitor: Visitor
    at: str
    words: Mapping[str, str]
    said: Node = None
    line: str = ""
    story: Sequence[int] | None = ()
    """The places of the events of the page's match; None if they cannot be looked up now."""

    is_asking: bool = False
    """Whether the answer waits for a confirmation."""

    @property
    def tournament(self) -> Tournament:
        """The event as it is now."""
        return self.desk.book.tournament
