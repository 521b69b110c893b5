"""How much memory a JSON text may take: its values are counted before it is decoded.

A text of `{}` after `{}` takes thirty times its size in memory, one of long strings no more than
twice. The marks that separate values are counted also inside of strings, where a real file has few.
"""

from __future__ import annotations

OBJECTS_MAX = 250_000
"""Objects, and lists, of a file: a player and a table of each round have one or two."""

VALUES_MAX = 1_500_000
"""Values that commas separate."""


def many_values(data: bytes) -> str:
    """Return why a text has too many values to be decoded; empty if it has not."""
    if max(data.count(b"{"), data.count(b"[")) > OBJECTS_MAX:
        return f"has more than {OBJECTS_MAX:,} objects or lists"
    return f"has more than {VALUES_MAX:,} values" if data.count(b",") > VALUES_MAX else ""
