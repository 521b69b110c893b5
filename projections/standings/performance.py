"""Performance: the lowest whole number at which what is expected against opponents is what was had.

A table of steps says what share of the points of a game is expected for a difference; its last
value is all of them. Nobody is worth less than the weakest opponent by more than its first step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ledger.rulesets.tiebreakers import Steps


def expected(steps: Steps, difference: int) -> int:
    """The share that is expected for a difference, in the units of the table."""
    return steps.values[max(bisect_right(steps.at, difference) - 1, 0)]


def performance(steps: Steps, opponents: Sequence[int], points: int, most: int) -> int:
    """The performance against opponents by some points, where a game gives `most` at the most.

    0 without opponents. What is expected grows with the number, so it is found by halving.
    """
    if not opponents:
        return 0
    wanted = points * steps.values[-1]
    low, high = min(opponents) + steps.at[0], max(opponents) + steps.at[-1]
    while low < high:
        middle = (low + high) // 2
        if most * sum(expected(steps, middle - each) for each in opponents) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low
