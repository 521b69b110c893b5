"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """Say how many: `1 row`, `2 rows`, `1,200 rows`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
