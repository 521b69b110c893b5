"""Kinds of results in few words: the outcome alone where that is enough, else the points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from cli.terminal.counting import how_many

if TYPE_CHECKING:
    from ledger.events.results import Result

Value = TypeVar("Value")


def kinds_named(
    some: Sequence[Result], every: Sequence[Result], *, reported: bool = False
) -> list[str]:
    """Name some of every kind of result: `win`, or `win 10-1, 9-2` where not each win is meant.

    Where points are `reported`, by the side's own points if the other's make no difference.
    """
    named: list[str] = []
    if reported and any(_parted(some, every)):
        own = _complete([one.points[0] for one in some], [one.points[0] for one in every])
        named += _in_ranges(own)
        some = [one for one in some if one.points[0] not in own]
    for outcome in sorted({one.outcomes[0] for one in some}, key=_best_first(every)):
        scores = [one.points for one in some if one.outcomes[0] == outcome]
        whole = len(scores) == sum(one.outcomes[0] == outcome for one in every)
        named.append(outcome if whole else f"{outcome} {', '.join(_in_rows(scores))}")
    return named


def _parted(some: Sequence[Result], every: Sequence[Result]) -> Iterator[str]:
    """Yield the outcomes of which some kinds are meant and some are not."""
    for outcome in {one.outcomes[0] for one in some}:
        meant, known = (sum(one.outcomes[0] == outcome for one in each) for each in (some, every))
        if meant < known:
            yield outcome


def _complete(some: Sequence[int], every: Sequence[int]) -> list[int]:
    """The numbers that are among some as often as among all, the least first."""
    return sorted(own for own in set(some) if some.count(own) == every.count(own))


def _in_ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Put numbers that follow each other together: `4 to 6 points`."""
    for first, last in _runs(numbers, lambda number: number + 1):
        yield how_many(first, "point") if first == last else f"{first} to {last} points"


def _best_first(every: Sequence[Result]) -> Callable[[str], tuple[int, int]]:
    """Order outcomes by the best that they are worth."""
    best: dict[str, tuple[int, int]] = {}
    for one in every:
        worth = (one.points[1] - one.points[0], -one.points[0])
        best[one.outcomes[0]] = min(worth, best.get(one.outcomes[0], worth))
    return best.__getitem__


def _in_rows(scores: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Put scores that follow each other together: `6-0 to 6-5`."""
    ordered = sorted(scores, key=lambda score: (-score[0], score[1]))
    for run in _runs(ordered, lambda score: (score[0], score[1] + 1)):
        first, last = (f"{own}-{other}" for own, other in run)
        yield first if first == last else f"{first} to {last}"


def _runs(values: Sequence[Value], after: Callable[[Value], Value]) -> list[tuple[Value, Value]]:
    """List the first and the last of those that follow each other."""
    runs: list[tuple[Value, Value]] = []
    for value in values:
        begins = runs.pop()[0] if runs and after(runs[-1][1]) == value else value
        runs.append((begins, value))
    return runs
