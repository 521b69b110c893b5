"""The current round as a sum: the order of the players, by the results of each open match.

A place in the standings is a comparison of points, then of each tiebreaker, then of the random
rank. Everybody plays one match of the round, so the possible ends of a player's own match are a
list of worths, one of which the player will have. A tiebreaker adds up, with known weights, a term
of each player that depends only on the player's own worth: so even a ratio with a floor is an
addend. All of it is one integer per player, the weightier part in higher digits.

    total of a player = base + for every open match the number that its result adds to them

The number that a result adds to its own two players depends on all of it; to everybody else it
depends on its `key`, the part that the tiebreakers over opponents read: many results have one key.

This holds unless a ruleset bounds or divides a value that several matches make up, or declares more
of a tiebreaker than its sum (`Tiebreaker.is_plain`); `is_a_sum` returns whether it holds.

The weights: a tiebreaker begins with a term of each player, made of their own totals. It reaches
other players through the opponents met, with weights that no result changes once every open match
has one: the opponents of a player, and for a mean of means their opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import lcm
from operator import add

from msgspec import Struct

from ledger.facts.base import Event
from ledger.facts.results import ResultReported
from ledger.facts.shared import Result
from ledger.fold import evolve
from ledger.lines.recorded import record
from ledger.rulesets import Tiebreaker
from ledger.tournament.state import Match, Tournament
from projections.standings.crosstable import Crosstable, PlayerValues, divided, filled, raised
from projections.standings.table import crosstable_of
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


SWEPT = "sweep"
"""The id of the results that are tried."""


class MatchEffect(Struct, frozen=True):
    """What an open match adds to everybody by its results.

    `own` has for either of its players a number for each result, `others` for everybody else
    whom it moves a number for each key.
    """

    players: tuple[int, int]
    own: tuple[list[int], list[int]]
    others: dict[int, list[int]]


class ScoreModel(Struct, frozen=True):
    """The players who play on, the effects of each open match, and everybody's base.

    `keys` has the key of each result; results of one key are the same to all who do not play it.
    `kinds` has the place of each result's kind: one outcome, one score of points.
    """

    players: list[int]
    base: dict[int, int]
    effects: list[MatchEffect]
    keys: list[int]
    kinds: list[int]


def is_a_sum(declared: Sequence[Tiebreaker]) -> bool:
    """Whether every tiebreaker adds up what single matches change."""
    of_several: set[str] = set()
    for one in declared:
        if not one.is_plain or one.source in {"earned", "held"}:
            return False
        several = one.source in of_several
        if several and (one.least is not None or one.per not in {None, "rounds"}):
            return False
        if several or one.over == "opponents":
            of_several.add(one.code)
    return True


def score_model(
    tournament: Tournament, matches: Sequence[Match], results: Sequence[Result]
) -> ScoreModel:
    """Measure what each result of each open match adds; the tournament is used up by it."""
    for match in matches:
        enter(tournament, ResultReported(match.number, results[0]))
    declared = tournament.ruleset.tiebreakers
    worths = Worths(declared, results)
    moved = Influence(crosstable_of(tournament), declared, worths)
    players = tournament.active()
    first = {player: worths.sides[0][side] for match in matches
             for side, player in enumerate(match.players)}  # fmt: skip
    by_lot = sorted(players, key=lambda one: (tournament.players[one].random_rank, one))
    base, gains = _weighed(moved, by_lot, first)
    effects = [_effect(worths, gains, match) for match in matches]
    return ScoreModel(players, base, effects, worths.keys, _kinds(results))


def points_alone(
    tournament: Tournament, matches: Sequence[Match], results: Sequence[Result]
) -> ScoreModel:
    """Measure the points and nothing else: equals are neither above nor below each other."""
    totals = crosstable_of(tournament).totals("points")
    own = ([one.points[0] for one in results], [one.points[1] for one in results])
    return ScoreModel(
        tournament.active(),
        {player: totals[player] for player in tournament.active()},
        [MatchEffect((match.first, match.second), own, {}) for match in matches],
        [0] * len(results),
        _kinds(results),
    )


def _kinds(results: Sequence[Result]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault((one.outcomes, one.points), len(known)) for one in results]


def enter(tournament: Tournament, event: Event) -> None:
    """Let a result that is tried count."""
    evolve(tournament, record(tournament.seq + 1, SWEPT, "", "o1", event))


MatchGains = dict[int, dict[int, list[int]]]
"""What somebody's match adds to somebody: by who plays it, by whom it moves.

To themselves by each worth, to others by each sight of it.
"""


def _weighed(
    moved: Influence, by_lot: list[int], first: dict[int, int]
) -> tuple[dict[int, int], MatchGains]:
    """Put the columns into one number, from the random rank up to the points."""
    base = {player: -place for place, player in enumerate(by_lot)}
    gains: MatchGains = {player: {} for player in first}
    moves = {player: moved.moves(player, worth) for player, worth in first.items()}
    for place in reversed(range(len(moved.values))):
        value = moved.values[place]
        common = lcm(
            value.denominator,
            *(each[place][0].denominator * each[place][1].denominator for each in moves.values()),
        )
        weight = _range(base, gains) + 1
        for player in by_lot:
            base[player] += weight * (common // value.denominator) * value.numerators[player]
        for player, columns in moves.items():
            terms, spread = columns[place]
            factor = weight * (common // (terms.denominator * spread.denominator))
            seen = [terms.numerators[worth] for worth in moved.worths.sights]
            for other, share in spread.reaches.items():
                added = terms.numerators if other == player else seen
                if other in base and any(added):
                    known = gains[player].get(other) or [0] * len(added)
                    weighed = [share * factor * each for each in added]
                    gains[player][other] = list(map(add, known, weighed))
    return base, gains


def _range(base: dict[int, int], gains: MatchGains) -> int:
    """How far two players can be apart by what has been weighed so far."""
    lowest, highest = dict(base), dict(base)
    for gained in gains.values():
        for player, values in gained.items():
            lowest[player] += min(values)
            highest[player] += max(values)
    return max(highest.values()) - min(lowest.values()) if base else 0


def _effect(worths: Worths, gains: MatchGains, match: Match) -> MatchEffect:
    players = a, b = match.first, match.second
    one, other = gains[a], gains[b]
    nothing = [0] * len(worths.sights)
    plain = [0] * len(worths.worths)
    seen = worths.seen
    from_one = (one.get(a, plain), one.get(b, nothing))
    from_other = (other.get(a, nothing), other.get(b, plain))
    own = (
        [from_one[0][i] + from_other[0][seen[j]] for i, j in worths.sides],
        [from_one[1][seen[i]] + from_other[1][j] for i, j in worths.sides],
    )
    others = {}
    for player in (one.keys() | other.keys()) - set(players):
        left, right = one.get(player, nothing), other.get(player, nothing)
        values = [left[i] + right[j] for i, j in worths.pairs]
        if any(values):
            others[player] = values
    return MatchEffect(players, own, others)
