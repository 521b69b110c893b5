"""Tiebreakers: one evaluator for whatever a ruleset declares, in whole numbers.

    term of a player    total of `source`, divided by `scale` times the total of `per` where that
                        is given (0 where that is 0), no less than `floor`
    over own rounds     the player's own term
    over opponents      sum or mean of the terms of the opponents met, an opponent met twice
                        counted twice; 0 without opponents (`opponents.py` has the rest)
    over progress       sum of the running totals after each round
    over tied           how many of those level so far are behind (`encounters.py`)

An opponent met is a nonzero place of a round's `against`; a round played is a nonzero place of
its `seqs`, so a bye or an unpaired loss is a round without an opponent (FFG-TIEBREAK-SOS).

Values are fractions over one common denominator for all players, so that they are compared and
added as integers: exact, and of any size.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from msgspec import Struct

from ledger.rulesets import Ruleset
from ledger.rulesets.tiebreakers import Steps, Tiebreaker, Where
from projections.standings.counted_rounds import own_columns, own_totals, running_totals
from projections.standings.crosstable import Crosstable
from projections.standings.encounters import Encounters
from projections.standings.opponents import Expects, OverOpponents, sum_without
from projections.standings.values import (
    PlayerValues,
    divided,
    looked_up,
    raised,
    rounded,
    summed,
    within,
)


class Evaluated(Struct, frozen=True):
    """A tiebreaker of every player, and the terms that it was reduced from.

    `quotients` are the terms before the floor is put under them; `reduced` is the sum or the mean
    before what follows it. `over` and `encounters` have the terms of each player, `table` the
    rounds that it was computed of.
    """

    declared: Tiebreaker
    quotients: PlayerValues
    terms: PlayerValues
    result: PlayerValues
    reduced: PlayerValues
    table: Crosstable
    over: OverOpponents | None = None
    encounters: Encounters | None = None

    def own_columns(self, name: str) -> list[list[int]]:
        """What each round added to a column, 0 where the round does not count."""
        return own_columns(self.declared, name, self.table)

    def running_totals(self) -> list[list[int]]:
        """Everybody's total after each round."""
        return running_totals(self.declared, self.table)


def evaluate(
    table: Crosstable, declared: Sequence[Tiebreaker], rules: Ruleset | None = None
) -> list[Evaluated]:
    """Compute tiebreakers of every player, in the order in which they are ranked by.

    The rules have what these are made of, where that is more than the ones before them.
    """
    work = Evaluation(table, declared, rules)
    return [work.of(one) for one in declared]


class Evaluation:
    """Tiebreakers of one table, each computed once."""

    def __init__(
        self, table: Crosstable, declared: Sequence[Tiebreaker], rules: Ruleset | None = None
    ) -> None:
        self.table, self._ranked, self._rules = table, declared, rules
        self._declared = {one.code: one for one in declared}
        if rules is not None:
            self._declared = {**self._declared, **rules.in_force}
        self.steps = {one.name: one for one in rules.steps} if rules is not None else {}
        self._drawn: dict[int, Crosstable] = {}
        self._done: dict[tuple[str, int | None], Evaluated] = {}

    def of(self, one: Tiebreaker, drawn: int | None = None) -> Evaluated:
        """Compute a tiebreaker, perhaps as if the last round's games had one worth for all."""
        drawn = one.last_drawn if one.last_drawn is not None else drawn
        known = self._done.get((one.code, drawn))
        if known is None:
            known = self._done[one.code, drawn] = self._computed(one, drawn)
        return known

    @property
    def done(self) -> list[Evaluated]:
        """Everything that was computed, each after what it is made of."""
        return list(self._done.values())

    def _computed(self, one: Tiebreaker, drawn: int | None) -> Evaluated:
        table = self.table if drawn is None else self._as_drawn(drawn)
        if one.over == "tied":
            return self._of_level(one, table)
        source = self._source(one, table, drawn)
        quotients = source
        if one.per is not None:
            per = own_totals(one, one.per, table) if one.over == "own" else table.totals(one.per)
            quotients = divided(source, per, one.scale)
        terms = quotients if one.least is None else raised(quotients, one.least)
        over = None
        counts: list[int] = []
        reduced = terms
        if one.over == "opponents":
            over = self._over(one, table, terms, drawn)
            reduced, counts = over.values()
        elif one.steps:
            counts = own_totals(one, "held", table)
        result = self._followed(one, reduced, counts, drawn)
        return Evaluated(one, quotients, terms, result, reduced, table, over)

    def _as_drawn(self, points: int) -> Crosstable:
        return self._drawn.setdefault(points, self.table.last_drawn(points))

    def _source(self, one: Tiebreaker, table: Crosstable, drawn: int | None) -> PlayerValues:
        if one.over == "progress":
            return PlayerValues(self._progress(one, table), 1)
        if one.over == "own":
            return PlayerValues(own_totals(one, one.source, table), 1)
        return self._named(one.source, table, drawn)

    def _named(self, source: str, table: Crosstable, drawn: int | None) -> PlayerValues:
        """A column, or a tiebreaker of that code."""
        declared = self._declared.get(source)
        if declared is not None:
            return self.of(declared, drawn).result
        return PlayerValues(table.totals(source), 1)

    def _over(
        self, one: Tiebreaker, table: Crosstable, terms: PlayerValues, drawn: int | None
    ) -> OverOpponents:
        own = self._named(one.virtual.source, table, drawn) if one.virtual else None
        counting = self._counting(one.where, table, drawn) if one.where else None
        expects = None
        if one.reduction == "performance" and one.steps and one.times:
            expects = Expects(self.steps[one.steps], self._most_of(one.times))
        return OverOpponents(one, table, terms, own, counting, expects)

    def _counting(self, where: Where, table: Crosstable, drawn: int | None) -> list[bool]:
        values = self._named(where.source, table, drawn)
        if where.per is not None:
            values = divided(values, table.totals(where.per), where.scale)
        return within(values, where)

    def _progress(self, one: Tiebreaker, table: Crosstable) -> list[int]:
        rows = running_totals(one, table)
        if one.cut is not None:
            return [sum_without(row, one.cut) for row in rows] or [0] * table.size
        return list(map(sum, rows)) or [0] * table.size

    def _of_level(self, one: Tiebreaker, table: Crosstable) -> Evaluated:
        found = Encounters(one, table, self._most_of(one.source))
        values = PlayerValues(found.count(self._level_before(one)), 1)
        return Evaluated(one, values, values, values, values, table, None, found)

    def _most_of(self, column: str) -> int:
        """What a game can give at the most."""
        rules = self._rules
        if rules is None:
            return 0
        if column == "points":
            return rules.most_points
        return max((one.max for one in rules.fields if one.name == column), default=1)

    def _level_before(self, one: Tiebreaker) -> Mapping[Hashable, Sequence[int]]:
        """Who is level in the points and in everything that is ranked by before this."""
        before = self._ranked[: self._ranked.index(one)] if one in self._ranked else ()
        columns = [self.table.totals("points")]
        columns += [self.of(each).result.numerators for each in before]
        listed = self.table.listed
        if listed is None:
            listed = dict.fromkeys(range(1, self.table.size), False)
        groups: dict[Hashable, list[int]] = {}
        for player, is_last in listed.items():
            key = (is_last, *(column[player] for column in columns))
            groups.setdefault(key, []).append(player)
        return {key: group for key, group in groups.items() if len(group) > 1}

    def _followed(
        self, one: Tiebreaker, values: PlayerValues, counts: Sequence[int], drawn: int | None
    ) -> PlayerValues:
        further = [self._named(each, self.table, drawn) for each in (*one.plus, *one.minus)]
        return followed(one, values, counts, self.steps, further)


def followed(
    one: Tiebreaker,
    values: PlayerValues,
    counts: Sequence[int],
    steps: Mapping[str, Steps],
    further: Sequence[PlayerValues],
) -> PlayerValues:
    """What becomes of a sum or a mean: divided, rounded, looked up, more or less others."""
    if one.divide != 1:
        values = PlayerValues(values.numerators, values.denominator * one.divide)
    if one.rounding:
        values = rounded(values)
    if one.steps and one.reduction != "performance":
        values = looked_up(values, steps[one.steps], counts)
    if further:
        signs = [1, *(1 for _ in one.plus), *(-1 for _ in one.minus)]
        values = summed([values, *further], signs)
    return values
