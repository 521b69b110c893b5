"""What comes from outside the program: the time, and randomness for ids."""

from __future__ import annotations

import os


def draw_id() -> str:
    """Draw a command's id: 128 random bits in hex."""
    return os.urandom(16).hex()


def now() -> str:
    """Read the clock as a line holds it: UTC, in milliseconds."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
