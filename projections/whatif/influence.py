"""How far one player's match moves everybody's tiebreakers.

A tiebreaker begins with a term of each player, made of their own totals. It reaches others by who
met whom, with weights that no result changes once every open match has one: the opponents of a
player, and for a mean of means their opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import lcm

from msgspec import Struct

from ledger.events.results import Result
from ledger.rulesets import Tiebreaker
from projections.standings.crosstable import Crosstable, PlayerValues, divided, filled, raised
from projections.standings.tiebreakers import evaluate

Worth = tuple[int, ...]
"""What a match adds to one side's columns, in the order of `Worths.columns`."""


class Worths:
    """What results are worth to a side, as far as the standings read it, each worth once.

    `sides` has of each result the places of both sides' worths. `seen` has of each worth what is
    read of it over opponents, as a place in `sights`, which has a worth of each.
    """

    def __init__(self, declared: Sequence[Tiebreaker], results: Sequence[Result]) -> None:
        read = {name for one in declared for name in _columns(declared, one)}
        self.columns = ["points", *sorted(read - {"points"})]
        known: dict[Worth, int] = {}
        self.sides = [
            tuple(known.setdefault(self._worth(result, side), len(known)) for side in (0, 1))
            for result in results
        ]
        self.worths = list(known)
        over = [one for one in declared if one.over == "opponents"]
        shown = {name for one in over for name in _columns(declared, one)}
        self._see([at for at, name in enumerate(self.columns) if name in shown])

    def _worth(self, result: Result, side: int) -> Worth:
        fields = (result.fields.get(name, (0, 0))[side] for name in self.columns[1:])
        return (result.points[side], *fields)

    def _see(self, read: list[int]) -> None:
        sights: dict[Worth, int] = {}
        self.seen = [
            sights.setdefault(tuple(worth[at] for at in read), len(sights)) for worth in self.worths
        ]
        self.sights = [self.seen.index(sight) for sight in range(len(sights))]
        keys: dict[tuple[int, int], int] = {}
        self.keys = [
            keys.setdefault((self.seen[first], self.seen[second]), len(keys))
            for first, second in self.sides
        ]
        self.pairs = list(keys)

    def column(self, name: str) -> list[int]:
        """What each worth adds to a column."""
        at = self.columns.index(name)
        return [worth[at] for worth in self.worths]


def _source(declared: Sequence[Tiebreaker], one: Tiebreaker) -> Tiebreaker | None:
    """The tiebreaker that another is made of; none where that is a column."""
    return next((each for each in declared if each.code == one.source), None)


def _columns(declared: Sequence[Tiebreaker], one: Tiebreaker) -> set[str]:
    """The columns that differ by a match's result and that a tiebreaker reads in the end."""
    source = _source(declared, one)
    read = {one.source} if source is None else _columns(declared, source)
    return (read | {one.per or "rounds"}) - {"rounds"}


class Reach(Struct, frozen=True):
    """How much of a move of one player's term reaches whom: numerators over a denominator."""

    reaches: dict[int, int]
    denominator: int


class Influence:
    """What moves the tiebreakers of a table in which every open match has the first result."""

    def __init__(self, table: Crosstable, declared: Sequence[Tiebreaker], worths: Worths) -> None:
        self.table = table
        self.declared = declared
        self.worths = worths
        self._met = [[one for one in row if one] for row in zip(*table.against, strict=True)]
        self._counts = filled(table.against, table.size)
        self._rounds = table.totals("rounds")

    @cached_property
    def values(self) -> list[PlayerValues]:
        """Points and tiebreakers of everybody, more always being better."""
        columns = [PlayerValues(self.table.totals("points"), 1)]
        for one in evaluate(self.table, self.declared):
            sign = -1 if one.declared.order == "ascending" else 1
            numerators = [sign * value for value in one.result.numerators]
            columns.append(PlayerValues(numerators, one.result.denominator))
        return columns

    def moves(self, player: int, worth: int) -> list[tuple[PlayerValues, Reach]]:
        """How each column's term of a player moves by each worth, and whom that reaches.

        `worth` is what the player has in the table as it is.
        """
        points = self.worths.column("points")
        moved = PlayerValues([each - points[worth] for each in points], 1)
        found = [(moved, Reach({player: 1}, 1))]
        spreads = self._spreads(player)
        for one in self.declared:
            terms = self._terms(one, player, worth)
            sign = -1 if one.order == "ascending" else 1
            moves = [sign * (each - terms.numerators[worth]) for each in terms.numerators]
            found.append((PlayerValues(moves, terms.denominator), spreads[one.code]))
        return found

    def _terms(self, one: Tiebreaker, player: int, worth: int) -> PlayerValues:
        """The player's term by each worth, from which the tiebreaker begins."""
        source = _source(self.declared, one)
        if source is not None and source.over == "opponents":
            return self._terms(source, player, worth)
        if source is not None:
            terms = self._terms(source, player, worth)
        else:
            terms = PlayerValues(self._totals(one.source, player, worth), 1)
        terms = PlayerValues([0, *terms.numerators], terms.denominator)
        if one.per is not None:
            terms = divided(terms, [0, *self._totals(one.per, player, worth)], one.scale)
        if one.least is not None:
            terms = raised(terms, one.least)
        return PlayerValues(terms.numerators[1:], terms.denominator)

    def _totals(self, name: str, player: int, worth: int) -> list[int]:
        total = self.table.totals(name)[player]
        if name == "rounds":
            return [total] * len(self.worths.worths)
        added = self.worths.column(name)
        return [total - added[worth] + each for each in added]

    def _spreads(self, player: int) -> dict[str, Reach]:
        found: dict[str, Reach] = {}
        for one in self.declared:
            moved = found.get(one.source, Reach({player: 1}, 1))
            source = _source(self.declared, one)
            if source is not None and source.over == "opponents" and one.per is not None:
                moved = self._by_rounds(moved, one.scale)
            found[one.code] = moved if one.over == "own" else self._over_opponents(one, moved)
        return found

    def _by_rounds(self, moved: Reach, scale: int) -> Reach:
        common = lcm(*(self._rounds[player] for player in moved.reaches if self._rounds[player]))
        reaches = {
            player: value * (common // self._rounds[player])
            for player, value in moved.reaches.items()
            if self._rounds[player]
        }
        return Reach(reaches, moved.denominator * common * scale)

    def _over_opponents(self, one: Tiebreaker, moved: Reach) -> Reach:
        reaches: dict[int, int] = {}
        for player, value in moved.reaches.items():
            for opponent in self._met[player]:
                reaches[opponent] = reaches.get(opponent, 0) + value
        if one.reduction == "sum":
            return Reach(reaches, moved.denominator)
        common = lcm(*(self._counts[player] for player in reaches))
        shares = {
            player: value * (common // self._counts[player]) for player, value in reaches.items()
        }
        return Reach(shares, moved.denominator * common)
