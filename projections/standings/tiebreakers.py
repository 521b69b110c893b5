"""Tiebreakers: one evaluator for whatever a ruleset declares, in whole numbers.

    term of a player    total of `source`, divided by `scale` times the total of `per` where that
                        is given (0 where that is 0), no less than `floor`
    over own rounds     the player's own term
    over opponents      sum or mean of the terms of the opponents met, an opponent met twice
                        counted twice; 0 without opponents

An opponent met is a nonzero place of a round's `against`; a round played is a nonzero place of
its `seqs`, so a bye or an unpaired loss is a round without an opponent (FFG-TIEBREAK-SOS).

Values are fractions over one common denominator for all players, so that they are compared and
added as integers: exact, and of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from msgspec import Struct, field

from ledger.rulesets import Tiebreaker
from ledger.tournament.state import Round


class Crosstable(Struct):
    """The rounds that count, each column padded to a place for everyone; place 0 is nobody's."""

    size: int
    rounds: Sequence[Round]
    against: list[list[int]]
    seqs: list[list[int]]
    _totals: dict[str, list[int]] = field(default_factory=dict)

    def columns(self, name: str) -> list[list[int]]:
        """What each round added to the points, to the rounds or to a field of the ruleset."""
        if name == "points":
            return [padded(round_.points, self.size) for round_ in self.rounds]
        if name == "rounds":
            return [[1 if seq else 0 for seq in column] for column in self.seqs]
        return [padded(round_.fields.get(name, []), self.size) for round_ in self.rounds]

    def met(self, player: int) -> list[tuple[int, int, int]]:
        """Return whom a player met: the round, the seq of its result, the opponent."""
        return [
            (round_.number, seqs[player], against[player])
            for round_, seqs, against in zip(self.rounds, self.seqs, self.against, strict=True)
            if against[player]
        ]

    def totals(self, name: str) -> list[int]:
        """Each player's total of a column over all rounds."""
        known = self._totals.get(name)
        if known is None:
            counted = filled(self.seqs, self.size) if name == "rounds" else self._sums(name)
            known = self._totals[name] = counted
        return known

    def _sums(self, name: str) -> list[int]:
        if not self.rounds:
            return [0] * self.size
        return list(map(sum, zip(*self.columns(name), strict=True)))


class PlayerValues(Struct, frozen=True):
    """A value of every player: `numerators[player] / denominator`."""

    numerators: list[int]
    denominator: int

    def value(self, player: int) -> Fraction:
        """The player's value."""
        return Fraction(self.numerators[player], self.denominator)


class Evaluated(Struct, frozen=True):
    """A tiebreaker of every player, and the terms that it was reduced from.

    `quotients` are the terms before the floor is put under them.
    """

    declared: Tiebreaker
    quotients: PlayerValues
    terms: PlayerValues
    result: PlayerValues


def crosstable(rounds: Sequence[Round], size: int) -> Crosstable:
    """Line up the columns of the rounds; place 0 is nobody's."""
    against = [padded(round_.against, size) for round_ in rounds]
    return Crosstable(size, rounds, against, [padded(round_.seqs, size) for round_ in rounds])


def evaluate(table: Crosstable, declared: Sequence[Tiebreaker]) -> list[Evaluated]:
    """Compute every tiebreaker of every player, in the order declared."""
    done: dict[str, Evaluated] = {}
    for one in declared:
        earlier = done.get(one.source)
        source = earlier.result if earlier else PlayerValues(table.totals(one.source), 1)
        quotients = source
        if one.per is not None:
            quotients = divided(source, table.totals(one.per), one.scale)
        terms = quotients if one.least is None else raised(quotients, one.least)
        result = terms if one.over == "own" else _over_opponents(one, terms, table)
        done[one.code] = Evaluated(one, quotients, terms, result)
    return list(done.values())


def padded(column: list[int], size: int) -> list[int]:
    """Give a column a place for everyone: an early round is short where players came later."""
    missing = size - len(column)
    return column + [0] * missing if missing else column


def filled(columns: Sequence[list[int]], size: int) -> list[int]:
    """Count each player's nonzero places."""
    if not columns:
        return [0] * size
    return [len(columns) - places.count(0) for places in zip(*columns, strict=True)]


def _over_opponents(one: Tiebreaker, terms: PlayerValues, table: Crosstable) -> PlayerValues:
    if not table.rounds:
        return PlayerValues([0] * table.size, 1)
    term_of = terms.numerators.__getitem__
    met = [map(term_of, column) for column in table.against]
    sums = PlayerValues(list(map(sum, zip(*met, strict=True))), terms.denominator)
    return sums if one.reduction == "sum" else divided(sums, filled(table.against, table.size), 1)


def divided(column: PlayerValues, divisors: list[int], scale: int) -> PlayerValues:
    """Divide each value by its divisor times the scale; by 0 it is 0."""
    occurring = set(divisors) - {0}
    common = lcm(*occurring)
    factors = {divisor: common // divisor for divisor in occurring}
    factors[0] = 0
    numerators = [
        numerator * factors[divisor]
        for numerator, divisor in zip(column.numerators, divisors, strict=True)
    ]
    return PlayerValues(numerators, column.denominator * common * scale)


def raised(column: PlayerValues, least: Fraction) -> PlayerValues:
    """Put a floor under every value but the first, which is nobody's."""
    common = lcm(column.denominator, least.denominator)
    factor = common // column.denominator
    bottom = least.numerator * (common // least.denominator)
    numerators = [max(numerator * factor, bottom) for numerator in column.numerators]
    numerators[0] = 0  # who met nobody adds nothing
    return PlayerValues(numerators, common)
