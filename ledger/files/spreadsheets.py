"""What a spreadsheet calculates: a text that begins so gets a mark before it, no part of it."""

from __future__ import annotations

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\0")
"""How a text begins that a spreadsheet would calculate."""

MARK = "'"


def marked(text: str) -> str:
    """Return a text so that a spreadsheet takes it for text."""
    return f"{MARK}{text}" if text.startswith(FORMULAS) else text


def unmarked(text: str) -> str:
    """Return a text as it was before it was marked."""
    return text[1:] if text.startswith(MARK) and text[1:].startswith(FORMULAS) else text
