"""What a Swiss round is paired from, and what comes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

Method = Literal["quick", "groups", "whole field"]
"""quick: random groups met the bound; groups: some were solved exactly; or all had to be."""


class Field(Struct, frozen=True):
    """The players of a round and what a legal and fair round has to look at.

    `score` gives each player's total points in the stage: one value is one score group. `met`
    gives whom a player must not meet: earlier opponents in the stage and any other ban; a ban
    counts for both, whichever lists it. `bye_order` is looked at where the field is odd: who should
    get the bye, the first choice first; who is not in it gets none. `spare` gives whom a player may
    meet, though as few as possible do. `clause` is the one that bans rematches.
    """

    players: Sequence[int]
    score: Mapping[int, int] | Sequence[int]
    met: Mapping[int, Collection[int]]
    bye_order: Sequence[int] = ()
    spare: Mapping[int, Collection[int]] = MappingProxyType({})
    clause: str = "FFG-REMATCH"


class Pairing(Struct, frozen=True):
    """A round: the place of a pair in `tables` is its table number less one.

    `gap` is the sum over the tables of the squared number of steps between the two score groups,
    a step leading from one score to the next that any paired player has. `bye_passed_over` are
    those earlier in the order whose bye would have left no legal round (or more rematches).
    """

    tables: list[tuple[int, int]]
    bye: int | None
    bye_passed_over: list[int]
    gap: int
    rematches: int
    method: Method
