"""The lists that players handed in, as part of the tournament's state."""

from __future__ import annotations

from msgspec import Struct, field

from ledger.events.lists import ListChecked


class HandedList(Struct):
    """One list of a player: event `seq` brought its open `text` and the seal of its `hidden` part.

    `significant` is what a correction says of itself, None where the list was handed in.
    """

    seq: int
    text: str
    hidden: str = ""
    significant: bool | None = None
    is_lost: bool = False
    """Whether the key of what is hidden was lost since."""


class SubmittedList(Struct):
    """A player's list as it stands: event `seq` brought `text`; 0 and empty without a list.

    `hidden` is the seal of what opponents may not see, `handed` every list of the player, and
    `checks` how many checks there were.
    """

    seq: int = 0
    text: str = ""
    hidden: str = ""
    handed: list[HandedList] = field(default_factory=list)
    checks: int = 0
    is_lost: bool = False
    """Whether the key of what is hidden was lost since the list or its check."""

    checked: ListChecked | None = None
    """The check of this very text; none after a correction."""

    checked_seq: int = 0
    """The event of the latest check, 0 before the first."""

    flagged: list[int] = field(default_factory=list)
    """The corrections that are to be investigated (FFG-LIST)."""
