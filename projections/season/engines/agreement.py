"""Two engines' answers to one question, compared: the same rows to nine digits, in any order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from projections.season.asking.questions import AnswerColumn

DIGITS = 9

Rows = Sequence[tuple[Any, ...]]


def difference(columns: Sequence[AnswerColumn], here: Rows, there: Rows) -> str:
    """Return the first difference between answers, in words; empty if they agree."""
    if len(here) != len(there):
        return f"{len(here):,} rows here, {len(there):,} there"
    for mine, theirs in zip(sorted(here, key=_key), sorted(there, key=_key), strict=True):
        for column, one, other in zip(columns, mine, theirs, strict=True):
            if not same(one, other):
                row = ", ".join(str(each) for each in mine if isinstance(each, str)) or mine[0]
                return f"{column.name} of {row}: {one} here, {other} there"
    return ""


def same(one: object, other: object) -> bool:
    """Whether two values are the same: numbers of one kind, fractions to nine digits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float) and isinstance(other, float):
        is_none = math.isnan(one) and math.isnan(other)
        return is_none or math.isclose(one, other, rel_tol=10**-DIGITS, abs_tol=1e-12)
    return one == other


def _key(row: tuple[Any, ...]) -> list[tuple[bool, str]]:
    """Order rows by what is exact, and by fractions only where all of that is the same."""
    exact = [each for each in row if not isinstance(each, float)]
    rounded = [f"{each:.6f}" for each in row if isinstance(each, float)]
    return [(each is None, str(each)) for each in (*exact, *rounded)]
