"""What free texts of the log look like within a sentence."""

from __future__ import annotations

from cli.terminal.visible import shortened, visible

TEXT_CELLS = 200
"""How much of a text stands in a line."""


def safe_text(text: str) -> str:
    """A text as it was typed, short and safe to show."""
    return shortened(visible(text), TEXT_CELLS)


def because(text: str) -> str:
    """The end of a sentence that says why; nothing where nobody said it."""
    return f": {safe_text(text)}" if text.strip() else ""
