"""Standings brought up to date: what a report changed is computed, and the rest is kept.

A table is kept with the columns that it was made of. The columns of the next state are compared
with them, so it does not matter which events changed a cell: results, corrections, an undo. Only
the players who are touched are computed again: those whose cells differ and, for a tiebreaker over
opponents, those who met a player whose term differs.

The numbers are those from scratch, to the last denominator: the same steps over a few players, from
the same values. Place 0 of the few belongs to no player, as in a column of all players. The players
that each denominator is made of are counted; if their common multiple changes, there is no
denominator to keep.

If a few players do not give the same numbers, the table is made from scratch: in another stage or
round, with other players, numbers, seats or random ranks, with many changed cells at once, with a
number of rounds that no player had before or has any more, and for a tiebreaker that supposes other
results for all players.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import lcm
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from ledger.rulesets.tiebreakers import FURTHER_COLUMNS
from projections.standings.crosstable import (
    PlayerValues,
    divided,
    own_row,
    own_totals,
    raised,
    running_row,
    within,
)
from projections.standings.table import (
    POINTS,
    RECORDS,
    SEQS,
    Cells,
    StandingsRow,
    everyone,
    made_of,
    ordered,
    records,
)
from projections.standings.tiebreakers import followed, sum_without

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.rulesets import Ruleset
    from ledger.rulesets.tiebreakers import Steps
    from ledger.tournament.state import Round, Tournament
    from projections.standings.crosstable import Crosstable
    from projections.standings.table import CellChange, Order, Standings
    from projections.standings.tiebreakers import Evaluated, OverOpponents

ROUNDS, EARNED, HELD = "rounds", "earned", "held"


def is_followed(rules: Ruleset, evaluated: Iterable[Evaluated]) -> bool:
    """Whether a few players' tiebreakers can be computed again.

    Not where the last round is drawn for all, or rounds held are multiplied place by place.
    """
    if any(field.name in FURTHER_COLUMNS for field in rules.fields):
        return False
    declared = [each.declared for each in evaluated]
    return not any(
        one.last_drawn is not None
        or one.times == ROUNDS
        or (one.over == "tied" and one.source == ROUNDS)
        for one in declared
    )


class Unlike(Exception):  # noqa: N818 - it is no error: the table is made from scratch
    """A few players' values are not enough: those of everybody have another denominator."""


class Divisors:
    """What everybody is divided by, and the common multiple of it."""

    def __init__(self, column: Iterable[int]) -> None:
        self._of = list(column)
        self._often = Counter(self._of)
        self.common = self._multiple()

    def take(self, players: Sequence[int], divisors: Sequence[int]) -> None:
        """Let some players be divided by others; raises Unlike."""
        for player, divisor in zip(players, divisors, strict=True):
            self._often[self._of[player]] -= 1
            self._often[divisor] += 1
            self._of[player] = divisor
        if self._multiple() != self.common:
            raise Unlike

    def _multiple(self) -> int:
        return lcm(*(each for each, often in self._often.items() if often and each))


class Totals:
    """Everybody's total of each column, and their records."""

    def __init__(self, table: Crosstable, names: Iterable[str], letters: list[list[int]]) -> None:
        self.of = {name: list(table.totals(name)) for name in (*names, POINTS)}
        self.letters = letters
        self._by_letter = dict(zip("WLDB", letters, strict=True))

    def take(self, change: CellChange) -> None:
        """Count a changed cell."""
        _, name, player, before, now = change
        if name == RECORDS:
            for letter, more in ((before, -1), (now, 1)):
                if letter in self._by_letter:
                    self._by_letter[letter][player] += more
        elif name == SEQS:
            self._add(ROUNDS, player, bool(now) - bool(before))
        elif name == POINTS:
            self._add(POINTS, player, now - before)
            self._add(EARNED, player, now - before)
        elif name.startswith("field "):
            self._add(name.removeprefix("field "), player, now - before)

    def _add(self, name: str, player: int, more: int) -> None:
        if (column := self.of.get(name)) is not None:
            column[player] += more


class Touched:
    """Whose cells are others, whose tiebreakers are, and everybody's values."""

    def __init__(self, totals: Totals) -> None:
        self.totals, self.players = totals, set[int]()
        self.values = {name: PlayerValues(column, 1) for name, column in totals.of.items()}
        self._others: dict[str, set[int]] = {}

    def begin(self, players: set[int]) -> None:
        """Begin with those whose cells are others."""
        self.players, self._others = players, {}

    def note(self, code: str, players: set[int]) -> None:
        """Note who has another value of a tiebreaker."""
        self._others[code] = players

    def by(self, *names: str | None) -> set[int]:
        """Whose totals or tiebreakers of these names may be others."""
        return set().union(*(self._others.get(name, self.players) for name in names if name))

    def few(self, name: str, players: Sequence[int]) -> PlayerValues:
        """The values of some players, in their order."""
        values = self.values[name]
        return PlayerValues([values.numerators[each] for each in players], values.denominator)


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


FEW = 16
"""This number of players may be touched, and one in that number of all."""

LEFT = frozenset({"dropped", "disqualified"})


class UpToDate:
    """The last table of each stage, for those who ask again and again."""

    def __init__(self) -> None:
        self._kept: dict[int | None, _Table] = {}
        self._lock = Lock()

    def standings(self, tournament: Tournament, stage: int | None = None) -> Standings:
        """Return the same table as from scratch; raises as that does."""
        with self._lock:
            kept = self._kept.get(stage)
            if kept is None or not kept.follow(tournament):
                self._kept.pop(stage, None)
                kept = self._kept[stage] = _Table(tournament, stage)
            return kept.shown

    def everyone(self, tournament: Tournament) -> Standings:
        """Return the same table of everyone as from scratch; raises as that does."""
        return everyone(tournament, self.standings)


class _Table:
    """One stage's table, and what it was made of."""

    def __init__(self, tournament: Tournament, stage: int | None) -> None:
        self._stage, self._rules = stage, tournament.ruleset
        self._made_of = made_of(tournament, stage)
        counted = self._counted(tournament)
        fields = [each.name for each in self._rules.fields]
        self._cells = Cells(counted, len(tournament.players), fields)
        own = {each.number: each for each in self._cells.rounds}
        rounds = [own.get(each.number, each) for each in tournament.rounds]
        self.shown, order = ordered(replace(tournament, rounds=rounds), stage)
        self._is_followed = is_followed(self._rules, order.work.done)
        if not self._is_followed:
            return
        self._crosstable = order.table
        self._statuses = [player.status for player in tournament.players]
        self._ranks = [player.random_rank for player in tournament.players]
        self._withdrawn = self._statuses.count("withdrawn")
        self._keep(order)
        self._keys = {player: self._key(player) for player in order.players}
        self._order = list(self._keys.values())

    def _counted(self, tournament: Tournament) -> list[Round]:
        return [tournament.rounds[number - 1] for number in self._made_of.rounds]

    def _keep(self, order: Order) -> None:
        """Keep everything that was evaluated, and the totals that it was made of."""
        table, work = order.table, order.work
        codes = {each.declared.code for each in work.done}
        names = {name for each in work.done for name in (*each.declared.reads, HELD)} - codes
        self._totals = Totals(table, names, records(table))
        self._touched = touched = Touched(self._totals)
        self._kept: list[Kept | KeptLevel] = []
        ranked = [one.code for one in self.shown.tiebreakers]
        for each in work.done:
            code = each.declared.code
            if each.encounters is None:
                kept: Kept | KeptLevel = Kept(each, work.steps, touched)
            else:
                kept = KeptLevel(each, (POINTS, *ranked[: ranked.index(code)]), touched)
            self._kept.append(kept)
            touched.values[code] = kept.values
        self._ranked_by = [
            (1 if one.order == "ascending" else -1, touched.values[one.code].numerators)
            for one in self.shown.tiebreakers
        ]
        self._denominators = tuple(each.result.denominator for each in order.evaluated)

    def follow(self, tournament: Tournament) -> bool:
        """Bring the table up to date; false where it has to be made from scratch."""
        if not self._is_followed or tournament.ruleset is not self._rules:
            return False
        if made_of(tournament, self._stage) != self._made_of:
            return False
        rounds = self._counted(tournament)
        if not self._cells.is_seated(rounds):
            return False
        touched = self._with_another_status(tournament)
        for change in self._cells.changes(rounds):
            self._totals.take(change)
            self._crosstable.look_again(change.place, change.player)
            touched.add(change.player)
        is_few = len(touched) <= max(FEW, len(self._statuses) // FEW)
        if not is_few or self._is_listed_otherwise:
            return False
        try:
            if touched:
                self._compute(touched)
        except Unlike:
            return False
        return True

    def _with_another_status(self, tournament: Tournament) -> set[int]:
        """Take the players' statuses; returns whose is another."""
        before, now = self._statuses, [player.status for player in tournament.players]
        if now == before:
            return set()
        self._statuses = now
        pairs = enumerate(zip(before, now, strict=True))
        found = {player for player, (old, new) in pairs if old != new}
        if listed := self._crosstable.listed:
            listed |= {player: now[player] == "disqualified" for player in found & listed.keys()}
        return found

    @property
    def _is_listed_otherwise(self) -> bool:
        """Whether the registration of somebody stands who is not listed, or the other way."""
        return self._statuses.count("withdrawn") != self._withdrawn

    def _compute(self, touched: set[int]) -> None:
        moved = set(touched)
        self._touched.begin(touched)
        for kept in self._kept:
            changed = kept.update()
            self._touched.note(kept.one.code, changed)
            moved |= changed
        self._place(moved & self._keys.keys())

    def _place(self, moved: set[int]) -> None:
        """Put players where they belong; what was handed out stays as it is."""
        order, rows = self._order, list(self.shown.rows)
        places: list[int] = []
        for player in moved:
            before, key = bisect_left(order, self._keys[player]), self._key(player)
            del order[before], rows[before]
            now = bisect_left(order, key)
            order.insert(now, key)
            rows.insert(now, self._row(player))
            self._keys[player] = key
            places += before, now
        for place in range(min(places, default=0), max(places, default=-1) + 1):
            if rows[place].rank != place + 1:
                rows[place] = replace(rows[place], rank=place + 1)
        self.shown = replace(self.shown, rows=rows)

    def _key(self, player: int) -> tuple[int, ...]:
        """What a player is listed by, the least first, as in the table from scratch."""
        return (
            self._statuses[player] == "disqualified",
            -self._totals.of[POINTS][player],
            *[sign * column[player] for sign, column in self._ranked_by],
            self._ranks[player],
            player,
        )

    def _row(self, player: int) -> StandingsRow:
        """Return a player's row, without its rank."""
        status, totals = self._statuses[player], self._totals
        wins, losses, draws, byes = [column[player] for column in totals.letters]
        return StandingsRow(
            0,
            player,
            totals.of[POINTS][player],
            wins,
            losses,
            draws,
            byes,
            status in LEFT,
            status == "disqualified",
            tuple([column[player] for _, column in self._ranked_by]),
            self._denominators,
        )
