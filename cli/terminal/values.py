"""What a database answers, as text for a person and as values for a script."""

from __future__ import annotations

from datetime import date, datetime

EXACT_IN_JSON = 2**53
"""Whole numbers below are read exactly by every reader of JSON."""


def as_json(value: object) -> object:
    """A value that JSON can hold; another becomes its text."""
    if value is None or isinstance(value, str | bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < EXACT_IN_JSON else str(value)
    if isinstance(value, dict):
        return {str(name): as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def as_text(value: object) -> str:
    """A value for a cell: nothing for NULL, moments to the second where they have no more."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {as_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_text, value))}]"
    return str(value)
