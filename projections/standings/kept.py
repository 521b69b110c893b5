"""One tiebreaker of everybody, kept to compute a few players' again.

It is the evaluation from scratch over a few players: the same steps, from the same values. Place 0
of the few is nobody's, as in a column of everybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from projections.standings.counted_rounds import own_row, own_totals, running_row
from projections.standings.opponents import sum_without
from projections.standings.tiebreakers import followed
from projections.standings.touched import Divisors, Unlike
from projections.standings.values import PlayerValues, divided, raised, within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.rulesets.tiebreakers import Steps
    from projections.standings.opponents import OverOpponents
    from projections.standings.tiebreakers import Evaluated
    from projections.standings.touched import Touched

T = TypeVar("T", int, bool)


class Kept:
    """A tiebreaker over own rounds, or over opponents."""

    def __init__(self, evaluated: Evaluated, steps: Mapping[str, Steps], touched: Touched) -> None:
        self.one, self._table = evaluated.declared, evaluated.table
        self._steps, self._touched = steps, touched
        self._divisors = None
        if per := self.one.per:
            is_own = self.one.over == "own"
            totals = own_totals(self.one, per, self._table) if is_own else self._table.totals(per)
            self._divisors = Divisors(totals)
        self._over = Opponents(evaluated.over, touched) if evaluated.over else None
        result = evaluated.result
        self.values = PlayerValues(list(result.numerators), result.denominator)

    def update(self) -> set[int]:
        """Compute the touched again, and who met them; returns who has another value."""
        one, touched = self.one, self._touched
        found = touched.by(*one.plus, *one.minus)
        if self._over is None:
            few = [0, *(found | touched.players)]
            reduced, counts = self._terms(few), self._total("held", few) if one.steps else []
        else:
            again = [0, *touched.by(one.source, one.per)]
            few = [0, *(found | self._over.take(again, self._terms(again)))]
            reduced, counts = self._over.reduced(few)
        further = [touched.few(each, few) for each in (*one.plus, *one.minus)]
        return self._store(few, followed(one, reduced, counts, self._steps, further))

    def _terms(self, few: Sequence[int]) -> PlayerValues:
        """What some players are worth: source, divided, and no less than the floor."""
        one = self.one
        terms = self._source(few)
        if one.per is not None and self._divisors is not None:
            per = self._total(one.per, few)
            self._divisors.take(few[1:], per[1:])
            terms = divided(terms, per, one.scale, self._divisors.common)
        return terms if one.least is None else raised(terms, one.least)

    def _source(self, few: Sequence[int]) -> PlayerValues:
        if self.one.over == "opponents":
            return self._touched.few(self.one.source, few)
        if self.one.over == "own":
            return PlayerValues(self._total(self.one.source, few), 1)
        rows = [running_row(self.one, self._table, player) for player in few[1:]]
        cut = self.one.cut
        return PlayerValues([0, *(sum_without(row, cut) if cut else sum(row) for row in rows)], 1)

    def _total(self, name: str, few: Sequence[int]) -> list[int]:
        """The totals of a column over the rounds that count, of some players."""
        one, table = self.one, self._table
        if one.over != "own" or name in table.numbers or not (one.picks or one.trailing):
            column = self._touched.values[name].numerators
            return [column[player] for player in few]
        return [0, *(sum(own_row(one, name, table, player)) for player in few[1:])]

    def _store(self, few: Sequence[int], found: PlayerValues) -> set[int]:
        if found.denominator != self.values.denominator:
            raise Unlike
        return stored(self.values.numerators, few[1:], found.numerators[1:])


class Opponents:
    """The terms of a tiebreaker over opponents, of everybody."""

    def __init__(self, over: OverOpponents, touched: Touched) -> None:
        self._over, self._touched = over, touched
        over.own = list(over.own)
        over.counting = list(over.counting) if over.counting is not None else None
        self._divisors = None
        if over.one.reduction == "mean":
            counts = (over.of_player(player)[1] for player in range(1, over.table.size))
            self._divisors = Divisors([0, *counts])

    def take(self, few: Sequence[int], terms: PlayerValues) -> set[int]:
        """Take players' terms; returns who has to be computed again."""
        over, touched = self._over, self._touched
        found = set(touched.players)
        for player in touched.players:
            over.look_again(player)
        others = stored(over.terms, few[1:], terms.over(over.denominator)[1:])
        virtual, where = over.one.virtual, over.one.where
        if where is not None:
            others |= self._count_again([*touched.by(where.source, where.per)])
        if virtual is not None:
            players = [*touched.by(virtual.source)]
            own = touched.few(virtual.source, players).over(over.denominator)
            found |= stored(over.own, players, own)
        return found.union(*map(over.opposite, others)) - {0}

    def _count_again(self, players: Sequence[int]) -> set[int]:
        over, where = self._over, self._over.one.where
        assert where is not None  # noqa: S101 - asked by the caller
        assert isinstance(over.counting, list)  # noqa: S101 - as it was made above
        values = self._touched.few(where.source, players)
        if where.per is not None:
            per = self._touched.few(where.per, players).numerators
            values = divided(values, per, where.scale)
        return stored(over.counting, players, within(values, where))

    def reduced(self, few: Sequence[int]) -> tuple[PlayerValues, list[int]]:
        """The sums or means of some players, and of how many terms."""
        found = [(0, 0), *map(self._over.of_player, few[1:])]
        sums, counts = [total for total, _ in found], [count for _, count in found]
        values = PlayerValues(sums, self._over.denominator)
        if self._divisors is not None:
            self._divisors.take(few[1:], counts[1:])
            values = divided(values, counts, 1, self._divisors.common)
        return values, counts


class KeptLevel:
    """A direct encounter of everybody, and who is level in everything that ranks before it."""

    def __init__(self, evaluated: Evaluated, before: Sequence[str], touched: Touched) -> None:
        assert evaluated.encounters is not None  # noqa: S101 - asked by the caller
        self.one, self._found = evaluated.declared, evaluated.encounters
        self._listed = evaluated.table.listed or {}
        self._touched, self._before = touched, before
        self.values = PlayerValues(list(self._found.values), 1)
        self._keys = {player: self._key(player) for player in self._listed}
        self._groups: dict[tuple[int, ...], set[int]] = {}
        for player, key in self._keys.items():
            self._groups.setdefault(key, set()).add(player)

    def _key(self, player: int) -> tuple[int, ...]:
        columns = [self._touched.values[name].numerators[player] for name in self._before]
        return self._listed[player], *columns

    def update(self) -> set[int]:
        """Order those again who are level with somebody else, or by other games."""
        touched, keys = self._touched, set()
        moved = touched.players | touched.by(*self._before)
        for player in moved & self._keys.keys():
            keys |= {self._keys[player], key := self._key(player)}
            self._groups[self._keys[player]].discard(player)
            self._groups.setdefault(key, set()).add(player)
            self._keys[player] = key
        groups = {key: sorted(self._groups[key]) for key in keys}
        players = [player for group in groups.values() for player in group]
        for player in players:
            self._found.values[player] = 0
        self._found.count({key: group for key, group in groups.items() if len(group) > 1})
        now = [self._found.values[player] for player in players]
        return stored(self.values.numerators, players, now)


def stored(column: list[T], players: Sequence[int], values: Sequence[T]) -> set[int]:
    """Give players these values; returns who has another than before."""
    found = set()
    for player, value in zip(players, values, strict=True):
        if column[player] != value:
            column[player] = value
            found.add(player)
    return found
