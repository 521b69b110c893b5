"""What a page is handed: who asks for it, for what, and what was wrong with what they posted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cli.serve.pages.frame import PLAIN, Surroundings
from cli.serve.visitors import Visitor  # noqa: TC001 - a NamedTuple's
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from htpy import Node

    from ledger.formats import CardFile


class Visit(NamedTuple):
    """`words` are those of the path and of the question behind it, by name.

    After a form was refused `problems` says why, and `fields` has what was typed, to be shown
    again. `cards` are what lists are checked with, where the hall has a card file.
    """

    tournament: Tournament
    visitor: Visitor
    words: Mapping[str, str]
    problems: tuple[str, ...] = ()
    fields: Mapping[str, str] = {}
    cards: CardFile | None = None


class HallPage(NamedTuple):
    """A page of its own: `path` as `/match/{match}`; `body` gives the nodes inside its frame.

    It raises NotFound where there is nothing to show, or NotSignedIn where it is not for all.
    """

    path: str
    title: str
    body: Callable[[Visit], Node]
    around: Surroundings = PLAIN
    takes_long: bool = False
    """Whether the reader makes it, so that no act waits for it; it has no form then."""
