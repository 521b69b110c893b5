"""Commands about the clock: extra time, extensions of a table, time."""

from __future__ import annotations

from ledger.commands.base import Command


class AnnounceExtraTime(Command, frozen=True):
    """Make every round but the final longer, before the event."""

    minutes: int


class ExtendTable(Command, frozen=True):
    """Give a match more minutes."""

    match: int
    minutes: int
    reason: str


class CallTime(Command, frozen=True):
    """Call out that so many minutes are left; 0: time is over."""

    left: int = 0
