"""Totals and tiebreakers of everybody, of which a few players' are computed again.

Each value is the numerator that it has from scratch, over the same denominator: what players are
divided by is counted, and where that is no longer the same set, there is no denominator to keep.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from projections.standings.cells import AGAINST, POINTS, RECORDS, SEQS
from projections.standings.crosstable import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.rulesets import Ruleset, Tiebreaker
    from projections.standings.cells import CellChange
    from projections.standings.crosstable import Crosstable
    from projections.standings.tiebreakers import Evaluated

ROUNDS, MET, EARNED, HELD = "rounds", "met", "earned", "held"


def is_plain(rules: Ruleset) -> bool:
    """Whether each is a total, a quotient, or the sum or mean of such terms over opponents."""
    known = {POINTS, ROUNDS, *(each.name for each in rules.fields)} - {EARNED, HELD}
    for one in rules.tiebreakers:
        if not one.is_plain or one.source not in known:
            return False
        known.add(one.code)
    return not rules.numbers


class Totals:
    """Everybody's total of each column, their records, and how many opponents they met."""

    def __init__(
        self, table: Crosstable, declared: Sequence[Tiebreaker], letters: list[list[int]]
    ) -> None:
        codes = {one.code for one in declared}
        names = {name for one in declared for name in (one.source, one.per) if name} - codes
        self.of = {name: list(table.totals(name)) for name in (*names, POINTS, ROUNDS)}
        self.of[MET] = filled(table.against, table.size)
        self.letters = letters
        self._by_letter = dict(zip("WLDB", letters, strict=True))
        divisors = {one.per for one in declared if one.per} | {MET}
        self._counts = {name: Counter(self.of[name]) for name in divisors}
        self._sets = self._occurring()

    def take(self, change: CellChange) -> None:
        """Count a changed cell."""
        name, player, before, now = change
        if name == RECORDS:
            for letter, more in ((before, -1), (now, 1)):
                if letter in self._by_letter:
                    self._by_letter[letter][player] += more
        elif name == SEQS:
            self._add(ROUNDS, player, bool(now) - bool(before))
        elif name == AGAINST:
            self._add(MET, player, bool(now) - bool(before))
        else:
            self._add(name.removeprefix("field "), player, now - before)

    def has_same_divisors(self) -> bool:
        """Whether what players are divided by is the same set as it was."""
        return self._occurring() == self._sets

    def _add(self, name: str, player: int, more: int) -> None:
        column = self.of.get(name)
        if column is None or not more:
            return
        if counts := self._counts.get(name):
            counts[column[player]] -= 1
            counts[column[player] + more] += 1
        column[player] += more

    def _occurring(self) -> list[set[int]]:
        counted = self._counts.values()
        return [{each for each, often in found.items() if often and each} for found in counted]


def kept_of(evaluated: Sequence[Evaluated], totals: Totals) -> list[tuple[Tiebreaker, Kept]]:
    """Keep tiebreakers as they were evaluated."""
    sources = {name: (column, 1) for name, column in totals.of.items()}
    found = []
    for each in evaluated:
        one = each.declared
        kept = Kept(each, *sources[one.source], totals)
        sources[one.code] = (kept.result, each.result.denominator)
        found.append((one, kept))
    return found


class Kept:
    """One tiebreaker of everybody."""

    def __init__(self, evaluated: Evaluated, source: list[int], below: int, totals: Totals) -> None:
        """The last but one is the denominator of the source."""
        one = evaluated.declared
        self.over_opponents = one.over == "opponents"
        self.order = 1 if one.order == "ascending" else -1
        self._source, self._met = source, totals.of[MET]
        self._per = totals.of[one.per] if one.per else None
        quotients, terms, result = evaluated.quotients, evaluated.terms, evaluated.result
        self._common = quotients.denominator // (below * one.scale)
        self._factor = terms.denominator // quotients.denominator
        least = one.least
        self._least: int | None = None
        if least is not None:
            self._least = least.numerator * (terms.denominator // least.denominator)
        self._shared = result.denominator // terms.denominator if one.reduction == "mean" else 0
        self._terms = list(terms.numerators)
        self.result = list(result.numerators) if self.over_opponents else self._terms

    def update(self, touched: set[int], against: Sequence[Sequence[int]]) -> set[int]:
        """Compute the touched again, and those they met; returns who has another value."""
        terms, other = self._terms, set()
        for player in touched:
            if (term := self._term(player)) != terms[player]:
                terms[player] = term
                other.add(player)
        if not self.over_opponents:
            return other
        reached = {column[player] for column in against for player in other} - {0}
        found = set()
        for player in touched | reached:
            value = self._reduced(player, against)
            if value != self.result[player]:
                self.result[player] = value
                found.add(player)
        return found

    def _term(self, player: int) -> int:
        value = self._source[player]
        if self._per is not None:
            divisor = self._per[player]
            value = value * (self._common // divisor) if divisor else 0
        return value if self._least is None else max(value * self._factor, self._least)

    def _reduced(self, player: int, against: Sequence[Sequence[int]]) -> int:
        terms = self._terms
        value = sum([terms[column[player]] for column in against])
        if not self._shared:
            return value
        met = self._met[player]
        return value * (self._shared // met) if met else 0
