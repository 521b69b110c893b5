"""Standings brought up to date: what a report changed is computed, and the rest is as it was.

A table is kept with the columns that it was made of. Those of the next state are compared with
them, so it does not matter by which events a cell has changed: results, corrections, an undo. Only
who is touched is computed again: the players whose cells differ and, for a tiebreaker over
opponents, those who met somebody whose term differs.

The numbers are those from scratch, to the last denominator. Where a few players do not give that,
the table is made from scratch: in another stage or round, with other players, numbers, seats or
random ranks, many cells at once, a number of rounds that nobody had or has any more, a tiebreaker
that supposes other results for everybody.
"""

from __future__ import annotations

from bisect import bisect_left
from threading import Lock
from typing import TYPE_CHECKING

from msgspec.structs import replace

from projections.standings.cells import POINTS, Cells
from projections.standings.kept import Kept, KeptLevel
from projections.standings.table import StandingsRow, everyone, made_of, ordered, records
from projections.standings.touched import HELD, Totals, Touched, Unlike, is_followed

if TYPE_CHECKING:
    from ledger.tournament.state import Round, Tournament
    from projections.standings.table import Order, Standings

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
