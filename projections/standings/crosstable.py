"""The rounds that count as columns: one column per round, one place in it per player.

`Values` are exact numbers of all players: integers over one common denominator. They can have any
size, and are rounded only where a ruleset requires it.

Which rounds count for a tiebreaker, and how much each adds, is computed twice: for all players at
once as columns, and for one player as a row, place by place. Both give the same numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import mul
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.rulesets.tiebreakers import (
    FURTHER_COLUMNS,
    KINDS,
    Further,
    Steps,
    Tiebreaker,
    Trailing,
    Where,
)
from ledger.tournament.state import Match, Round


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


class Unplayed(NamedTuple):
    """What a round was to who met nobody, and who should have sat opposite; 0: nobody.

    `open`: the result is still to come.
    """

    kind: str
    scheduled: int


class Crosstable(Struct):
    """The rounds that count, each column padded to a place for everyone; place 0 is nobody's.

    `start` are the points that players began with, `numbers` the further numbers that they have.
    `planned` is how many rounds are announced. `listed` says whom the standings list, and who of
    them was disqualified; None: everybody, and nobody.
    """

    size: int
    rounds: Sequence[Round]
    against: list[list[int]]
    seqs: list[list[int]]
    start: list[int] | None = None
    numbers: Mapping[str, list[int]] = field(default_factory=dict)
    planned: int = 0
    listed: dict[int, bool] | None = None
    byes: Mapping[str, str] = field(default_factory=dict)
    """What kind of round each named bye is."""

    _totals: dict[str, list[int]] = field(default_factory=dict)
    _unplayed: dict[int, dict[int, Unplayed]] = field(default_factory=dict)
    _seats: dict[int, dict[int, Match]] = field(default_factory=dict)
    _apart: list[int] | None = None
    _met: list[int] | None = None

    def columns(self, name: str) -> list[list[int]]:
        """What each round added to the points, to the rounds or to a field of the ruleset."""
        if name == "points":
            return [padded(round_.points, self.size) for round_ in self.rounds]
        if name == "rounds":
            return [[1 if seq else 0 for seq in column] for column in self.seqs]
        if name in FURTHER_COLUMNS and not any(name in each.fields for each in self.rounds):
            return self._further(name)
        return [padded(round_.fields.get(name, []), self.size) for round_ in self.rounds]

    def _further(self, name: str) -> list[list[int]]:
        """Points as they were earned, rounds as they were held, the start in the first round."""
        if name == "earned":
            return self.columns("points")
        if name == "held":
            return [[1] * self.size] * len(self.rounds)
        nothing = [0] * self.size
        return [self.start or nothing, *[nothing] * (len(self.rounds) - 1)][: len(self.rounds)]

    def row(self, name: str, player: int) -> list[int]:
        """What each round added to a player's points, rounds or field."""
        if name == "rounds":
            return [1 if column[player] else 0 for column in self.seqs]
        return [column[player] for column in self.columns(name)]

    def totals(self, name: str) -> list[int]:
        """Each player's total of a column over all rounds, or their number of that name."""
        known = self._totals.get(name)
        if known is None:
            known = self._totals[name] = self._total(name)
        return known

    def _total(self, name: str) -> list[int]:
        if name in self.numbers:
            return self.numbers[name]
        if name == "rounds":
            return filled(self.seqs, self.size)
        if not self.rounds:
            sums = [0] * self.size
        else:
            sums = list(map(sum, zip(*self.columns(name), strict=True)))
        if name == "points" and self.start is not None:
            return [begun + earned for begun, earned in zip(self.start, sums, strict=True)]
        return sums

    def unplayed(self, place: int) -> dict[int, Unplayed]:
        """What the round at a place was to everybody who met nobody in it."""
        known = self._unplayed.get(place)
        if known is None:
            known = self._unplayed[place] = _unplayed(
                self.rounds[place], self.against[place], self.byes
            )
        return known

    def seats(self, place: int) -> dict[int, Match]:
        """At which table of the round at a place everybody sat."""
        known = self._seats.get(place)
        if known is None:
            matches = self.rounds[place].matches
            known = {player: match for match in matches for player in match.players}
            self._seats[place] = known
        return known

    def look_again(self, place: int, player: int) -> None:
        """What the round at a place was to a player may have changed."""
        known = self._unplayed.get(place)
        if known is None:
            return
        known.pop(player, None)
        if not self.against[place][player]:
            match = self.seats(place).get(player)
            known[player] = _unplayed_by(self.rounds[place], player, match, self.byes)

    def meetings(self) -> list[int]:
        """In how many rounds each player met somebody."""
        if self._met is None:
            self._met = filled(self.against, self.size)
        return self._met.copy()

    def apart(self) -> list[int]:
        """Who met nobody in some round."""
        if self._apart is None:
            self._apart = sorted(set().union(*map(self.unplayed, range(len(self.rounds)))))
        return self._apart

    def kind(self, place: int, player: int) -> Unplayed:
        """What the round at a place was to a player, and who sat opposite."""
        other = self.against[place][player]
        return Unplayed("met", other) if other else self.unplayed(place)[player]

    def mask(self, place: int, kinds: Collection[str]) -> list[bool]:
        """To whom the round at a place was of one of these kinds."""
        met = "met" in kinds
        mask = [met and other > 0 for other in self.against[place]]
        if set(kinds) != {"met"}:
            for player, found in self.unplayed(place).items():
                mask[player] = found.kind in kinds
        return mask

    def last_drawn(self, points: int) -> Crosstable:
        """The table as it were if all games of the last round announced ended in a draw."""
        if not self.rounds or len(self.rounds) != self.planned:
            return self
        last = self.rounds[-1]
        against, worth = padded(last.against, self.size)[:], padded(last.points, self.size)[:]
        records = [*last.records, *" " * (self.size - len(last.records))]
        seqs = self.seqs[-1][:]
        for match in last.matches:
            if match.first and match.second:
                against[match.first], against[match.second] = match.second, match.first
                for player in match.players:
                    worth[player], records[player] = points, "D"
                    seqs[player] = seqs[player] or last.paired_seq
        drawn = replace(last, against=against, points=worth, records=records, seqs=seqs)
        rounds = [*self.rounds[:-1], drawn]
        against_all, seqs_all = [*self.against[:-1], against], [*self.seqs[:-1], seqs]
        return Crosstable(
            self.size,
            rounds,
            against_all,
            seqs_all,
            self.start,
            self.numbers,
            self.planned,
            self.listed,
            self.byes,
        )


def _unplayed(
    round_: Round, against: Sequence[int], byes: Mapping[str, str]
) -> dict[int, Unplayed]:
    idle = {player for player, other in enumerate(against) if not other} - {0}
    if not idle:
        return {}
    found = dict.fromkeys(idle, Unplayed("absent", 0))
    for match in round_.matches:
        for player in (match.first, match.second):
            if player in idle:
                found[player] = _unplayed_by(round_, player, match, byes)
    return found


def _unplayed_by(
    round_: Round, player: int, match: Match | None, byes: Mapping[str, str]
) -> Unplayed:
    """What a round was to a player who met nobody, by the table that they sat at."""
    if match is None:
        return Unplayed("absent", 0)
    if match.is_bye:
        return Unplayed(byes.get(match.named, "bye"), 0)
    other = match.second if player == match.first else match.first
    return Unplayed(_missed(round_, player), other)


def _missed(round_: Round, player: int) -> str:
    letter = round_.records[player] if player < len(round_.records) else " "
    return "won" if letter == "W" else "lost" if letter == "L" else "open"


def crosstable(rounds: Sequence[Round], size: int) -> Crosstable:
    """Line up the columns of the rounds; place 0 is nobody's."""
    against = [padded(round_.against, size) for round_ in rounds]
    return Crosstable(size, rounds, against, [padded(round_.seqs, size) for round_ in rounds])


def padded(column: list[int], size: int) -> list[int]:
    """Give a column a place for everyone: an early round is short where players came later."""
    missing = size - len(column)
    return column + [0] * missing if missing else column


def filled(columns: Sequence[list[int]], size: int) -> list[int]:
    """Count each player's nonzero places."""
    if not columns:
        return [0] * size
    return [len(columns) - places.count(0) for places in zip(*columns, strict=True)]


def own_columns(one: Tiebreaker, name: str, table: Crosstable) -> list[list[int]]:
    """What each round added to a column, 0 where the tiebreaker does not count the round."""
    columns = table.columns(name)
    if one.picks:
        columns = [
            list(map(mul, column, counted(one, table, place)))
            for place, column in enumerate(columns)
        ]
    trails = one.trailing is not None and name == one.source
    return _with_trailing(one, columns, table) if trails else columns


def own_totals(one: Tiebreaker, name: str, table: Crosstable) -> list[int]:
    """Everybody's total of a column over the rounds that a tiebreaker counts."""
    if name in table.numbers or not (one.picks or one.trailing):
        return table.totals(name)
    columns = own_columns(one, name, table)
    return list(map(sum, zip(*columns, strict=True))) if columns else [0] * table.size


def counted(one: Tiebreaker, table: Crosstable, place: int) -> list[bool]:
    """To whom the round at a place counts for a tiebreaker of own rounds."""
    mask = picked(one, table, place)
    if set(one.kinds) == set(KINDS):
        return mask
    of_kind = table.mask(place, one.kinds)
    return [yes and also for yes, also in zip(mask, of_kind, strict=True)]


def _with_trailing(one: Tiebreaker, columns: list[list[int]], table: Crosstable) -> list[list[int]]:
    """The columns with another worth for rounds at the end of a player's day."""
    assert one.trailing is not None  # noqa: S101 - asked by the caller
    columns = [column[:] for column in columns]
    for player in table.unplayed(len(columns) - 1) if columns else ():
        for place in trailing_places(one.trailing, table, player):
            columns[place][player] = one.trailing.points
    return columns


def trailing_places(trailing: Trailing, table: Crosstable, player: int) -> Iterator[int]:
    """The rounds that have another worth, of who met nobody in the last round."""
    following = {*trailing.rounds, *trailing.before}
    for place in reversed(range(len(table.rounds))):
        kind = table.kind(place, player).kind
        if kind not in following:
            break
        if kind in trailing.rounds:
            yield place


def running_totals(one: Tiebreaker, table: Crosstable) -> list[list[int]]:
    """Everybody's total of a column after each round."""
    columns = own_columns(one, one.source, table)
    if one.source == "points" and table.start is not None and columns:
        start = zip(table.start, columns[0], strict=True)
        columns = [[begun + earned for begun, earned in start], *columns[1:]]
    return [list(accumulate(row)) for row in zip(*columns, strict=True)]


def own_row(one: Tiebreaker, name: str, table: Crosstable, player: int) -> list[int]:
    """What each round added to a column of one player, 0 where it does not count."""
    row = table.row(name, player)
    if one.picks:
        row = [
            worth if is_counted(one, table, place, player) else 0 for place, worth in enumerate(row)
        ]
    if one.trailing is not None and name == one.source and row and not table.against[-1][player]:
        for place in trailing_places(one.trailing, table, player):
            row[place] = one.trailing.points
    return row


def is_counted(one: Tiebreaker, table: Crosstable, place: int, player: int) -> bool:
    """Whether the round at a place counts to a player for a tiebreaker of own rounds."""
    of_kind = set(one.kinds) == set(KINDS) or table.kind(place, player).kind in one.kinds
    return of_kind and is_picked(one, table, place, player)


def running_row(one: Tiebreaker, table: Crosstable, player: int) -> list[int]:
    """A player's total of a column after each round."""
    row = own_row(one, one.source, table, player)
    if one.source == "points" and table.start is not None and row:
        row[0] += table.start[player]
    return list(accumulate(row))


def picked(one: Tiebreaker, table: Crosstable, place: int) -> list[bool]:
    """To whom the round at a place is one that a tiebreaker counts."""
    mask = [True] * table.size
    round_ = table.rounds[place]
    if one.records:
        letters = [*round_.records, *" " * (table.size - len(round_.records))]
        mask = [letter in one.records for letter in letters]
    if one.seat:
        first = one.seat == "first"
        there = {match.first if first else match.second for match in round_.matches}
        mask = [yes and player in there for player, yes in enumerate(mask)]
    if one.worth:
        points = table.columns("points")[place]
        mask = [yes and gave >= one.worth for yes, gave in zip(mask, points, strict=True)]
    return mask


def is_picked(one: Tiebreaker, table: Crosstable, place: int, player: int) -> bool:
    """Whether the round at a place is one that a tiebreaker counts to a player."""
    round_ = table.rounds[place]
    if one.records and (round_.records[player : player + 1] or [" "])[0] not in one.records:
        return False
    if one.seat:
        match = table.seats(place).get(player)
        if match is None or player != (match.first if one.seat == "first" else match.second):
            return False
    return not one.worth or table.columns("points")[place][player] >= one.worth


def beside(declared: Further, table: Crosstable) -> list[list[int]]:
    """What each round adds to the worth of who was met."""
    plus, times = table.columns(declared.plus), declared.times
    if declared.minus is None:
        return [[times * more for more in column] for column in plus]
    minus = table.columns(declared.minus)
    return [
        [times * (more - less) for more, less in zip(*both, strict=True)]
        for both in zip(plus, minus, strict=True)
    ]


def beside_row(declared: Further, table: Crosstable, player: int) -> list[int]:
    """What each round adds to the worth of whom a player met."""
    more = table.row(declared.plus, player)
    less = table.row(declared.minus, player) if declared.minus else [0] * len(more)
    return [declared.times * (plus - minus) for plus, minus in zip(more, less, strict=True)]
