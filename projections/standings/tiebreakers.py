"""Tiebreakers: one evaluator for everything that a ruleset declares, in whole numbers.

    term of a player    total of `source`, divided by `scale` times the total of `per` if that
                        is given (0 if that total is 0), at least `floor`
    over own rounds     the player's own term
    over opponents      sum or mean of the terms of the opponents met; an opponent met twice
                        counts twice; 0 without opponents
    over progress       sum of the running totals after each round
    over tied           number of players level so far who are behind by direct encounter

An opponent met is a nonzero place of a round's `against`; a round played is a nonzero place of its
`seqs`, so a bye or an unpaired loss is a round without an opponent (FFG-TIEBREAK-SOS).

Values are fractions over one common denominator for all players, so that they are compared and
added as integers: exact, and of any size.

Opponents: `OverOpponents.of` takes the terms of one player apart, as they are shown; `values`
computes those of all players. For players who met an opponent in every round the terms are summed
column by column, for all others term by term.

Direct encounter: if all players who are level have met each other, their scores in these games
order them. If some have not, the ruleset decides: with `decided`, a player is ahead who would be
ahead for every end of the missing games; with `ignored`, the scores so far order them; with `void`,
nothing does. Players who are level again are compared among themselves, as long as this separates
any of them. A player's value is the number of players behind, of those who were level.

Performance: the lowest whole number at which the expected score against the opponents is the score
that the player had. A table of steps gives the expected share of a game's points for a difference;
its last value is all of them. No player is worth less than the weakest opponent by more than the
first step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import add, mul
from typing import NamedTuple

from msgspec import Struct

from ledger.rulesets import Ruleset
from ledger.rulesets.tiebreakers import Cut, Steps, Tiebreaker, Where
from projections.standings.crosstable import (
    Crosstable,
    PlayerValues,
    beside,
    beside_row,
    divided,
    is_picked,
    looked_up,
    own_columns,
    own_totals,
    picked,
    raised,
    rounded,
    running_totals,
    summed,
    within,
)


def expected(steps: Steps, difference: int) -> int:
    """The share that is expected for a difference, in the units of the table."""
    return steps.values[max(bisect_right(steps.at, difference) - 1, 0)]


def performance(steps: Steps, opponents: Sequence[int], points: int, most: int) -> int:
    """The performance against opponents by some points, where a game gives `most` at the most.

    0 without opponents. What is expected grows with the number, so it is found by halving.
    """
    if not opponents:
        return 0
    wanted = points * steps.values[-1]
    low, high = min(opponents) + steps.at[0], max(opponents) + steps.at[-1]
    while low < high:
        middle = (low + high) // 2
        if most * sum(expected(steps, middle - each) for each in opponents) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


class Encounter(Struct, frozen=True):
    """A game of two who are level: its round by place, who sat opposite, and what it gave."""

    place: int
    other: int
    gave: int


class Encounters:
    """The games of everybody in a table that a tiebreaker looks at.

    `most` is what a game that is missing could give at the most.
    """

    def __init__(self, one: Tiebreaker, table: Crosstable, most: int) -> None:
        self.missing, self.most = one.missing, most
        self._table, self._kinds = table, one.kinds
        self._columns = table.columns(one.source)
        self.level: dict[int, Sequence[int]] = {}
        self.values = [0] * table.size

    def games(self, player: int, among: frozenset[int]) -> Iterator[Encounter]:
        """Yield the games of a player against some others."""
        for place, against in enumerate(self._table.against):
            other = against[player]
            if not other and self._kinds != ("met",):
                kind, other = self._table.unplayed(place)[player]
                other = other if kind in self._kinds else 0
            if other in among and other:
                yield Encounter(place, other, self._columns[place][player])

    def count(self, groups: Mapping[Hashable, Sequence[int]]) -> list[int]:
        """Count for everybody who of those level with them is behind."""
        for group in groups.values():
            left = len(group)
            for part in self._parted(list(group)):
                left -= len(part)
                for player in part:
                    self.values[player], self.level[player] = left, group
        return self.values

    def behind(self, player: int) -> list[int]:
        """Who of those level with a player is behind."""
        own = self.values[player]
        return [each for each in self.level.get(player, ()) if self.values[each] < own]

    def _parted(self, group: list[int]) -> Iterator[list[int]]:
        """Yield the players level with each other, the best first, those who stay so together."""
        if len(group) == 1:
            yield group
            return
        parts = self._once(group)
        if len(parts) == 1:
            yield group
            return
        for part in parts:
            yield from self._parted(part)

    def _once(self, group: list[int]) -> list[list[int]]:
        among = frozenset(group)
        scores: dict[int, int] = {}
        open_games: dict[int, int] = {}
        for player in group:
            games = list(self.games(player, among))
            scores[player] = sum(game.gave for game in games)
            open_games[player] = len(group) - 1 - len({game.other for game in games})
        if any(open_games.values()) and self.missing != "ignored":
            return self._decided(scores, open_games) if self.missing == "decided" else [group]
        by_score: dict[int, list[int]] = {}
        for player in group:
            by_score.setdefault(scores[player], []).append(player)
        return [by_score[score] for score in sorted(by_score, reverse=True)]

    def _decided(self, scores: Mapping[int, int], open_games: Mapping[int, int]) -> list[list[int]]:
        """Who is ahead of all others whatever happens, one after the other; then the rest."""
        best = {player: score + self.most * open_games[player] for player, score in scores.items()}
        order = sorted(scores, key=lambda player: -scores[player])
        reach = 0
        reaches = []
        for player in reversed(order):
            reaches.append(reach)
            reach = max(reach, best[player])
        reaches.reverse()
        count = 0
        while count < len(order) and scores[order[count]] > reaches[count]:
            count += 1
        alone = [[player] for player in order[:count]]
        return [*alone, sorted(order[count:])] if order[count:] else alone


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
        counts = table.meetings()
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


def evaluate(table: Crosstable, declared: Sequence[Tiebreaker]) -> list[Evaluated]:
    """Compute tiebreakers of every player, in the order in which they are ranked by."""
    work = Evaluation(table, declared)
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
