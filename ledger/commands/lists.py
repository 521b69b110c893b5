"""Commands about lists: handed in, checked, corrected."""

from __future__ import annotations

from ledger.commands.base import Command
from ledger.events.lists import (
    CardSource,  # noqa: TC001 - msgspec resolves the annotations
    ListFinding,  # noqa: TC001
)


class SubmitList(Command, frozen=True):
    """Hand a player's list in, as the whole text of a file."""

    player: int
    text: str


class CheckList(Command, frozen=True):
    """Record that a leader checked a player's list, or the deck itself, and what was found."""

    player: int
    cards: CardSource | None = None
    findings: tuple[ListFinding, ...] = ()
    note: str = ""


class CorrectList(Command, frozen=True):
    """Bring a list in line with what is played; a leader says whether it is an advantage."""

    player: int
    text: str
    reason: str
    advantageous: bool = True
