"""What every command has in common."""

from __future__ import annotations

from msgspec import Struct


class Seen(Struct, frozen=True):
    """The matches that the words of an act named, and the event up to which they were known."""

    matches: tuple[int, ...]
    seq: int


class Command(Struct, frozen=True, kw_only=True):
    """A wish; it becomes events, or is refused with a reason.

    `seen`: it is meant for these matches as they were then, and for no others.
    """

    seen: Seen | None = None
