"""Counted words: one row, but 1,200 rows."""

from __future__ import annotations


def how_many(count: int, thing: str, things: str = "") -> str:
    """Say how many there are of a thing; `things` where an s at its end does not make it many."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def amount_of(shown: str, thing: str) -> str:
    """Say an amount that may be a fraction: 1 point, but 2½ points."""
    return f"{shown} {thing if shown == '1' else f'{thing}s'}"


def first_of(shown: int, count: int, thing: str) -> str:
    """Say how many there are, and that only the first of them are shown where that is so."""
    counted = how_many(count, thing)
    return counted if shown >= count else f"the first {shown:,} of {counted}"
