"""The tree that takes a number apart.

Each node says how its value follows from those of its terms, so that anybody can compute it again:

    event       read from the event in `seqs`; a leaf
    given       said by the ruleset, or by the place itself; a leaf
    count       how many `players` there are; a leaf
    sum         of the terms
    mean        of the terms, 0 without any
    ratio       the first term divided by the second, 0 where that is 0
    product     of the terms
    greatest    of the terms
    least       of the terms
    cut         0: the term is left out
    rounded     the term to a whole number, half up
    step        what a table of the ruleset has for the term
    performance the lowest number whose results against the terms are expected to be those had
    after       1 more than the sum of the terms
    difference  the first term less the second
    compared    the rank of somebody, whom the last of the terms separates
    order       1 more than the rank of who stands above; 1 where nobody does
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from msgspec import Struct

How = Literal[
    "event",
    "given",
    "count",
    "sum",
    "mean",
    "ratio",
    "product",
    "greatest",
    "least",
    "cut",
    "rounded",
    "step",
    "performance",
    "after",
    "difference",
    "compared",
    "order",
]


ADJUSTMENT = "adjustment"
"""The column of what a judge gave or took beside a result."""


class Explanation(Struct, frozen=True):
    """A number: whose, of which column, and what it is made of.

    `round` is the round that a term comes from, 0 without one. `seqs` are the events behind
    it: the result of a leaf, or the one by which two met. `clause` is the ruleset's for it.
    """

    column: str
    value: Fraction
    how: How
    player: int = 0
    round: int = 0
    terms: tuple[Explanation, ...] = ()
    seqs: tuple[int, ...] = ()
    clause: str = ""
    players: tuple[int, ...] = ()
    """Who is counted."""


def tree_size(root: Explanation, depth: int | None = None) -> int:
    """Count the nodes of a tree, down to some levels below the root; shared ones each time."""
    counted: dict[tuple[int, int | None], int] = {}

    def count(node: Explanation, left: int | None) -> int:
        if left == 0:
            return 1
        key = id(node), left
        if key not in counted:
            below = None if left is None else left - 1
            counted[key] = 1 + sum(count(term, below) for term in node.terms)
        return counted[key]

    return count(root, depth)


def as_json(
    root: Explanation,
    names: Callable[[int], str],
    event: Callable[[int], dict[str, object]],
    depth: int | None = None,
) -> dict[str, object]:
    """Make a tree for scripts; an event is shown with who entered it, and when.

    What is empty is left out, but for the terms; `value` is the only inexact number.
    """
    shown: dict[str, object] = {"column": root.column}
    if root.player:
        shown |= {"player": root.player, "name": names(root.player)}
    if root.round:
        shown["round"] = root.round
    shown |= {"how": root.how, "exact": str(root.value), "value": float(root.value)}
    if root.clause:
        shown["clause"] = root.clause
    if root.players:
        shown["players"] = root.players
    if root.seqs:
        shown["events"] = [event(seq) for seq in root.seqs]
    below = None if depth is None else depth - 1
    if depth != 0:
        shown["terms"] = [as_json(term, names, event, below) for term in root.terms]
    return shown
