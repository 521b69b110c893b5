"""What every command has in common."""

from __future__ import annotations

from msgspec import Struct


class Command(Struct, frozen=True):
    """A wish; it becomes events, or is refused with a reason."""
