"""The terms of a tiebreaker over opponents: whom each round brings, what it is worth, what is cut.

`OverOpponents.of` takes one player's terms apart, as they are shown; `values` computes everybody's.
Who met somebody in every round is summed column by column, all others term by term.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import NamedTuple

from ledger.rulesets.tiebreakers import Cut, Steps, Tiebreaker
from projections.standings.counted_rounds import beside, beside_row, is_picked, picked
from projections.standings.crosstable import Crosstable, filled
from projections.standings.performance import performance
from projections.standings.values import PlayerValues, divided


class Term(NamedTuple):
    """A round's term: who sat opposite (0: an opponent made up), their value, and what it adds.

    Both are numerators over one denominator. `times` is what the value was multiplied by.
    """

    place: int
    kind: str
    other: int
    value: int
    times: int
    worth: int


class Expects(NamedTuple):
    """What a performance goes by: the results that are expected, and the most of one game."""

    steps: Steps
    most: int


class OverOpponents:
    """One tiebreaker over opponents, of everybody in a table."""

    def __init__(
        self,
        one: Tiebreaker,
        table: Crosstable,
        terms: PlayerValues,
        own: PlayerValues | None = None,
        counting: Sequence[bool] | None = None,
        expects: Expects | None = None,
    ) -> None:
        self.one, self.table, self.counting, self.expects = one, table, counting, expects
        most = one.virtual.most if one.virtual else None
        self.most = Fraction(most or 0) * (table.planned or len(table.rounds)) if most else None
        self.denominator = lcm(
            terms.denominator,
            own.denominator if own else 1,
            self.most.denominator if self.most is not None else 1,
        )
        self.terms = [0, *terms.over(self.denominator)[1:]]  # who met nobody adds nothing
        self.own = own.over(self.denominator) if own else []
        self._times = table.columns(one.times) if one.times else None
        more = beside(one.beside, table) if one.beside else []
        self._beside = more if any(map(any, more)) else None
        self._rounds = [self._picked(place) for place in range(len(table.rounds))]
        self._is_picky = self._looks_at_terms()
        self._has_further = one.virtual is not None or one.kinds != ("met",)

    def _picked(self, place: int) -> list[bool] | None:
        """Who the round at a place counts for, whatever it was; None: for everybody."""
        one = self.one
        return picked(one, self.table, place) if one.records or one.seat or one.worth else None

    def of(self, player: int) -> list[Term]:
        """A player's terms, round by round, those that are cut among them."""
        found = []
        for place, column in enumerate(self.table.against):
            mask = self._rounds[place]
            if mask is None or mask[player]:
                other = column[player]
                kind, other = ("met", other) if other else self.table.unplayed(place)[player]
                if (value := self._value(place, player, kind, other)) is not None:
                    times = self._times[place][player] if self._times else 1
                    met = other if kind in self.one.kinds else 0
                    found.append(Term(place, kind, met, value, times, value * times))
        return found

    def _value(self, place: int, player: int, kind: str, other: int) -> int | None:
        if kind in self.one.kinds and other:
            more = self._beside[place][player] * self.denominator if self._beside else 0
            counts = self.counting is None or self.counting[other]
            return self.terms[other] + more if counts else None
        virtual = self.one.virtual
        if virtual is None or kind not in virtual.rounds:
            return None
        return min(self.bounds(player, other))

    def bounds(self, player: int, scheduled: int) -> list[int]:
        """What an opponent made up is worth at most: the least of these."""
        virtual = self.one.virtual
        bounds = [self.own[player]]
        if virtual is not None and virtual.scheduled and scheduled:
            bounds.append(self.terms[scheduled])
        elif self.most is not None:
            bounds.append(int(self.most * self.denominator))
        return bounds

    def values(self) -> tuple[PlayerValues, list[int]]:
        """Everybody's sum or mean, and of how many terms."""
        sums, counts = self._one_by_one() if self._is_picky else self._by_columns()
        total = PlayerValues(sums, self.denominator)
        return (divided(total, counts, 1) if self.one.reduction == "mean" else total), counts

    def of_player(self, player: int) -> tuple[int, int]:
        """One player's sum, and of how many terms."""
        met = [column[player] for column in self.table.against]
        if self._is_picky or (self._has_further and not all(met)):
            return self._by_terms(player)
        places = [place for place, other in enumerate(met) if other]
        worths = [self.terms[met[place]] for place in places]
        if self._beside:
            more = [self._beside[place][player] * self.denominator for place in places]
            worths = list(map(add, worths, more))
        if self._times:
            worths = list(map(mul, worths, [self._times[place][player] for place in places]))
        cut = self.one.cut
        if cut is None:
            return sum(worths), len(worths)
        return sum_without(worths, cut), max(0, len(worths) - cut.low - cut.high)

    def opposite(self, player: int) -> set[int]:
        """Whom a player met, and whom they should have met; 0 is nobody."""
        found = {column[player] for column in self.table.against}
        if self._has_further and 0 in found:
            places = range(len(self.table.rounds))
            found |= {self.table.kind(place, player).scheduled for place in places}
        return found

    def look_again(self, player: int) -> None:
        """Rounds of a player have changed, in the columns of the table."""
        for place, mask in enumerate(self._rounds):
            if mask is not None:
                mask[player] = is_picked(self.one, self.table, place, player)
        declared = self.one.beside
        if declared is not None:
            self._beside = self._beside or beside(declared, self.table)
            for column, more in zip(
                self._beside, beside_row(declared, self.table, player), strict=True
            ):
                column[player] = more

    def _one_by_one(self) -> tuple[list[int], list[int]]:
        sums, counts = [0] * self.table.size, [0] * self.table.size
        for player in range(1, self.table.size):
            sums[player], counts[player] = self._by_terms(player)
        return sums, counts

    def _by_terms(self, player: int) -> tuple[int, int]:
        kept = kept_of(self.of(player), self.one.cut)
        if self.expects:
            return self.performed(kept) * self.denominator, len(kept)
        return sum([term.worth for term in kept]), len(kept)

    def performed(self, kept: Sequence[Term]) -> int:
        """The performance that some terms come to."""
        assert self.expects is not None  # noqa: S101 - asked by the caller
        ratings = [term.value // self.denominator for term in kept]
        return performance(
            self.expects.steps, ratings, sum(t.times for t in kept), self.expects.most
        )

    def _looks_at_terms(self) -> bool:
        """Whether terms have to be looked at one by one for everybody."""
        by_source = self.one.cut is not None and self.one.cut.by == "source" and self._times
        return bool(
            self.counting is not None
            or self.expects is not None
            or "met" not in self.one.kinds
            or by_source
            or any(each is not None for each in self._rounds)
        )

    def _by_columns(self) -> tuple[list[int], list[int]]:
        size, table, cut = self.table.size, self.table, self.one.cut
        if not table.rounds:
            return [0] * size, [0] * size
        columns = [list(map(self.terms.__getitem__, column)) for column in table.against]
        if self._beside:
            columns = [
                [
                    value + self.denominator * more if other else 0
                    for value, more, other in zip(*all_three, strict=True)
                ]
                for all_three in zip(columns, self._beside, table.against, strict=True)
            ]
        if self._times:
            columns = [list(map(mul, *both)) for both in zip(columns, self._times, strict=True)]
        rows = zip(*columns, strict=True)
        counts = filled(table.against, size)
        further = self._of_unplayed()
        if cut is None:
            sums = list(map(sum, rows))
            for player, found in further.items():
                sums[player] += sum(worth for _, worth in found)
                counts[player] += len(found)
            return sums, counts
        sums = [sum_without(row, cut) for row in rows]
        for player in table.apart():
            met = [
                column[player]
                for column, against in zip(columns, table.against, strict=True)
                if against[player]
            ]
            sums[player], counts[player] = _cut_sum(met, further.get(player, ()), cut)
        gone = min(len(columns), cut.low + cut.high)
        whole = set(range(size)).difference(table.apart())
        for player in whole:
            counts[player] = max(0, counts[player] - gone)
        return sums, counts

    def _of_unplayed(self) -> dict[int, list[tuple[str, int]]]:
        """The kind and the worth of each term that an unplayed round brings, by player."""
        found: dict[int, list[tuple[str, int]]] = {}
        if not self._has_further:
            return found
        for place in range(len(self.table.rounds)):
            times = self._times[place] if self._times else None
            for player, (kind, scheduled) in self.table.unplayed(place).items():
                value = self._value(place, player, kind, scheduled)
                if value is not None:
                    worth = value * times[player] if times else value
                    found.setdefault(player, []).append((kind, worth))
        return found


def _cut_sum(met: Sequence[int], further: Sequence[tuple[str, int]], cut: Cut) -> tuple[int, int]:
    """The sum of one player's terms without the lowest and the highest, and how many are left."""
    before = sorted(worth for kind, worth in further if kind in cut.first)
    others = [*met, *(worth for kind, worth in further if kind not in cut.first)]
    kept = [*before, *sorted(others)][cut.low :]
    if cut.high:
        kept = sorted(kept)[: max(0, len(kept) - cut.high)]
    return sum(kept), len(kept)


def sum_without(row: Sequence[int], cut: Cut) -> int:
    """The sum of terms without the lowest and the highest."""
    if cut.low + cut.high == 1 and row:
        return sum(row) - (min(row) if cut.low else max(row))
    return sum(sorted(row)[cut.low : max(cut.low, len(row) - cut.high)])


def kept_of(terms: Sequence[Term], cut: Cut | None) -> list[Term]:
    """The terms that are left after the cut."""
    kept = list(terms)
    if cut is None:
        return kept
    for _ in range(min(cut.low, len(kept))):
        kept.remove(_lowest(kept, cut))
    for _ in range(min(cut.high, len(kept))):
        kept.remove(max(kept, key=lambda term: _weight(term, cut)))
    return kept


def _lowest(kept: Sequence[Term], cut: Cut) -> Term:
    least = min(kept, key=lambda term: _weight(term, cut))
    before = [term for term in kept if term.kind in cut.first]
    if not before:
        return least
    first = min(before, key=lambda term: (term.worth, term.value))
    return first if first.worth >= least.worth else least


def _weight(term: Term, cut: Cut) -> tuple[int, int]:
    return (term.value, term.worth) if cut.by == "source" else (term.worth, term.value)
