"""A number of every player, exact: integers over one common denominator.

So they are of any size, and nothing is rounded but where a ruleset says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from msgspec import Struct

from ledger.rulesets.tiebreakers import Steps, Where


class PlayerValues(Struct, frozen=True):
    """A value of every player: `numerators[player] / denominator`."""

    numerators: list[int]
    denominator: int

    def value(self, player: int) -> Fraction:
        """The player's value."""
        return Fraction(self.numerators[player], self.denominator)

    def over(self, denominator: int) -> list[int]:
        """The numerators over a multiple of the denominator."""
        factor = denominator // self.denominator
        return self.numerators if factor == 1 else [factor * each for each in self.numerators]


def divided(
    column: PlayerValues, divisors: list[int], scale: int, common: int | None = None
) -> PlayerValues:
    """Divide each value by its divisor times the scale; by 0 it is 0.

    The common multiple is given where these are a few of all players.
    """
    occurring = set(divisors) - {0}
    common = common or lcm(*occurring)
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
    bottom = least.numerator * (common // least.denominator)
    numerators = [max(numerator, bottom) for numerator in column.over(common)]
    numerators[0] = 0  # who met nobody adds nothing
    return PlayerValues(numerators, common)


def rounded(column: PlayerValues) -> PlayerValues:
    """Round each value to a whole number, half up."""
    twice = 2 * column.denominator
    numerators = [(2 * each + column.denominator) // twice for each in column.numerators]
    return PlayerValues(numerators, 1)


def looked_up(column: PlayerValues, steps: Steps, counts: Sequence[int]) -> PlayerValues:
    """Look each value up in a table; who has no rounds that count has 0."""
    at = rounded(PlayerValues([steps.times * one for one in column.numerators], column.denominator))
    found = [
        steps.values[max(bisect_right(steps.at, one) - 1, 0)] if count else 0
        for one, count in zip(at.numerators, counts, strict=True)
    ]
    return PlayerValues(found, 1)


def summed(columns: Sequence[PlayerValues], signs: Sequence[int]) -> PlayerValues:
    """Add values of the same players, or take them off."""
    common = lcm(*(each.denominator for each in columns))
    signed = [
        [sign * value for value in each.over(common)]
        for each, sign in zip(columns, signs, strict=True)
    ]
    return PlayerValues(list(map(sum, zip(*signed, strict=True))), common)


def within(column: PlayerValues, where: Where) -> list[bool]:
    """Whose value lies between two bounds, each of which may be missing."""
    least, most = (Fraction(one) if one is not None else None for one in (where.min, where.max))
    below = least is not None and [
        each * least.denominator >= least.numerator * column.denominator
        for each in column.numerators
    ]
    above = most is not None and [
        each * most.denominator <= most.numerator * column.denominator for each in column.numerators
    ]
    every = [True] * len(column.numerators)
    return [low and high for low, high in zip(below or every, above or every, strict=True)]
