"""Standings: an order of all players without ties, and its text for the wall.

Points decide, then the ruleset's tiebreakers as exact fractions, then the random rank drawn at
registration, the lowest first (FFG-TIEBREAK-RANDOM). Reading of FFG-AUTH-DQ: a disqualified player
is listed below everyone else and marked. A player who dropped keeps the place they earned.

The table of everyone is that of the last Swiss stage, followed by the players who did not qualify
for this stage. Where points are carried from stage to stage, a player who was cut keeps the points
and tiebreakers that they had: rounds played without them change nothing (FFG-CUT).

`ColumnCells` remembers the columns of the rounds, so that a later table finds the cells that
differ.

The text for the wall has player numbers and exact fractions, and no names:

    standings   rank player points tiebreaker...    one line per row, best first
    pairings    table player player                 one line per table; 0 instead of a player: a bye

It has decimal numbers, one space between two fields, a tiebreaker as `57/16` in lowest terms (`3`
if it is a whole number), ASCII, and one LF at the end of each line. `Posted` holds the SHA-256 of
these bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import NotFound
from ledger.problems import phrase
from ledger.rulesets.entries import number_columns
from ledger.rulesets.tiebreakers import Tiebreaker
from ledger.tournament.progress import counted_rounds, planned_rounds, starting_points
from ledger.tournament.state import Player, Round, Stage, Tournament
from projections.standings.crosstable import Crosstable, crosstable
from projections.standings.tiebreakers import Evaluated, Evaluation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

BLOCK = 128
"""Cells that are compared at once where a column differs."""

AGAINST, POINTS, RECORDS, SEQS = "against", "points", "records", "seqs"
COLUMNS = (AGAINST, POINTS, RECORDS, SEQS)
"""What every round has; the fields of a ruleset are beside them, none of which is called so."""


class MadeOf(NamedTuple):
    """What a stage's table rests on beside the cells of its rounds, and statuses."""

    stage: int
    listed: list[int]
    rounds: list[int]
    planned: int
    ranks: list[int]
    numbers: list[dict[str, int]]


class CellChange(NamedTuple):
    """A cell that is another: the place of its round, its column, the player, before and now."""

    place: int
    column: str
    player: int
    before: Any
    now: Any


class Cells:
    """Rounds with columns of their own, padded to a place for everyone."""

    def __init__(self, rounds: Sequence[Round], size: int, fields: Collection[str]) -> None:
        self._size, self._names = size, (*COLUMNS, *(f"field {field}" for field in fields))
        self.rounds = [self._own(round_, fields) for round_ in rounds]
        self._seats = [(round_.matches, *_seated(round_)) for round_ in rounds]

    def _own(self, round_: Round, fields: Collection[str]) -> Round:
        columns = {name: list(self._column(round_, name)) for name in COLUMNS}
        further = {name: list(self._column(round_, f"field {name}")) for name in fields}
        return replace(round_, **columns, fields=further)

    def is_seated(self, rounds: Sequence[Round]) -> bool:
        """Whether everybody still sits where they sat."""
        pairs = zip(self._seats, rounds, strict=True)
        return all(
            before[0] is round_.matches and before[1:] == _seated(round_)
            for before, round_ in pairs
        )

    def changes(self, rounds: Sequence[Round]) -> Iterator[CellChange]:
        """Yield every cell that is another now, and remember it."""
        for place, (copied, round_) in enumerate(zip(self.rounds, rounds, strict=True)):
            for name in self._names:
                before, now = self._column(copied, name), self._column(round_, name)
                if now != before:
                    yield from _changes(place, name, before, now)

    def _column(self, round_: Round, name: str) -> list[Any]:
        column: list[Any] = (
            getattr(round_, name)
            if name in COLUMNS
            else round_.fields.get(name.removeprefix("field "), [])
        )
        missing = self._size - len(column)
        return [*column, *[" " if name == RECORDS else 0] * missing] if missing else column


def _seated(round_: Round) -> tuple[int, dict[int, int]]:
    """What is another whenever somebody is seated elsewhere at the same tables."""
    return len(round_.matches), dict(round_.reseated)


def _changes(place: int, name: str, before: list[Any], now: list[Any]) -> Iterator[CellChange]:
    for start in range(0, len(now), BLOCK):
        block = slice(start, start + BLOCK)
        if before[block] != now[block]:
            pairs = zip(before[block], now[block], strict=True)
            for player, (old, new) in enumerate(pairs, start):
                if old != new:
                    before[player] = new
                    yield CellChange(place, name, player, old, new)


_BYTE_MAX = 255

_ONES = {letter: bytes(byte == letter for byte in range(256)) for letter in b"WLDB"}
"""By letter of a record what makes 1 of it, and 0 of every other byte."""


class StandingsRow(Struct, frozen=True, gc=False):
    """One player's place; the tiebreakers are numerators over the table's denominators."""

    rank: int
    player: int
    points: int
    wins: int
    losses: int
    draws: int
    byes: int
    dropped: bool
    """Left the tournament, by a drop or a disqualification."""
    disqualified: bool
    numerators: tuple[int, ...]
    denominators: tuple[int, ...]

    @property
    def tiebreakers(self) -> tuple[Fraction, ...]:
        """The tiebreakers in the ruleset's order, in lowest terms."""
        return tuple(map(Fraction, self.numerators, self.denominators))

    def in_lowest_terms(self) -> StandingsRow:
        """Return the row with its tiebreakers reduced, as rows of two tables are compared."""
        exact = self.tiebreakers
        return replace(
            self,
            numerators=tuple(fraction.numerator for fraction in exact),
            denominators=tuple(fraction.denominator for fraction in exact),
        )


class Standings(Struct, frozen=True):
    """A stage's table, best first; rounds are the numbers of the rounds that count."""

    stage: int
    rounds: tuple[int, ...]
    tiebreakers: tuple[Tiebreaker, ...]
    rows: list[StandingsRow]


MakeTable: TypeAlias = Callable[[Tournament, int | None], Standings]
"""Makes a stage's table: from scratch, or from the last one."""


class Order(Struct, frozen=True):
    """The players listed, best first, and what ordered them."""

    stage: int
    table: Crosstable
    players: list[int]
    evaluated: list[Evaluated]
    work: Evaluation


def standings(
    tournament: Tournament, stage: int | None = None, through_round: int | None = None
) -> Standings:
    """Rank everyone entered in a Swiss stage, by its rounds up to `through_round`.

    Without `stage`: the last Swiss stage that had begun by then, else the first. Rounds of
    earlier stages count as long as points are carried; elimination rounds never do.

    Raises:
        NotFound: there is no such stage, or it is not played for points.
    """
    return ordered(tournament, stage, through_round)[0]


def ordered(
    tournament: Tournament, stage: int | None = None, through_round: int | None = None
) -> tuple[Standings, Order]:
    """Return the standings, and what ordered them."""
    order = _order(tournament, stage, through_round)
    columns = _columns(tournament, order)
    statuses = [tournament.players[number].status for number in columns.players]
    rows = map(
        StandingsRow,
        count(1),
        columns.players,
        columns.points,
        *columns.records,
        columns.left,
        [status == "disqualified" for status in statuses],
        zip(*columns.numerators, strict=True) if columns.numerators else repeat(()),
        repeat(columns.denominators),
    )
    counted = tuple(round_.number for round_ in order.table.rounds)
    return Standings(order.stage, counted, columns.tiebreakers, list(rows)), order


class StandingsColumns(Struct, frozen=True):
    """A stage's table by columns, best first: what many tables at once are read as.

    `records` are the wins, losses, draws and byes; `left` says who left the tournament. There is a
    column of numerators and one denominator for each tiebreaker.
    """

    players: list[int]
    points: list[int]
    records: list[list[int]]
    left: list[bool]
    tiebreakers: tuple[Tiebreaker, ...]
    numerators: list[list[int]]
    denominators: tuple[int, ...]


def standings_columns(
    tournament: Tournament, stage: int | None = None, through_round: int | None = None
) -> StandingsColumns:
    """Return what `standings` returns as columns, without a row for each player.

    Raises:
        NotFound: there is no such stage, or it is not played for points.
    """
    return _columns(tournament, _order(tournament, stage, through_round))


def _columns(tournament: Tournament, order: Order) -> StandingsColumns:
    table, best, players = order.table, order.players, tournament.players
    results = [evaluation.result for evaluation in order.evaluated]
    return StandingsColumns(
        best,
        _picked(table.totals("points"), best),
        [_picked(column, best) for column in records(table)],
        [players[number].status in {"dropped", "disqualified"} for number in best],
        tournament.ruleset.tiebreakers,
        [_picked(result.numerators, best) for result in results],
        tuple(result.denominator for result in results),
    )


def everyone(tournament: Tournament, of: MakeTable = standings) -> Standings:
    """List the last Swiss stage that has begun, then those cut before it as they stood then.

    A stage that carries no points has a table of its own, and only that is listed.
    """
    tables = tables_of_everyone(tournament, of)
    return replace(tables[0], rows=[row for table in tables for row in table.rows])


def tables_of_everyone(tournament: Tournament, of: MakeTable = standings) -> list[Standings]:
    """List the same rows stage by stage, the last one first."""
    table = of(tournament, None)
    tables = [table]
    listed = {row.player for row in table.rows}
    for stage in reversed(tournament.stages[: table.stage]):
        if not stage.is_swiss:
            continue
        if stage.number < table.stage:
            earlier = of(tournament, stage.number)
            below = [row for row in earlier.rows if row.player not in listed]
            ranked = [replace(row, rank=rank) for rank, row in enumerate(below, len(listed) + 1)]
            tables.append(replace(earlier, rows=ranked))
            listed |= {row.player for row in below}
        if not stage.plan.carries:
            break
    return tables


def ranking(tournament: Tournament, stage: int | None = None) -> list[int]:
    """List the players of a Swiss stage, best first, those who left too; raises as standings do."""
    return _order(tournament, stage, None).players


def crosstable_of(tournament: Tournament, stage: int | None = None) -> Crosstable:
    """Line up the rounds that count for a stage, as they are ranked by; raises as standings do."""
    return _lined_up(tournament, stage, None)[1]


def made_of(tournament: Tournament, stage: int | None) -> MadeOf:
    """Return what a stage's table rests on beside the cells of its rounds, and statuses."""
    chosen = _chosen(tournament, stage, len(tournament.rounds))
    listed = list(chosen.entrants) if chosen and chosen.plan.entry != "all" else []
    rounds = counted_rounds(tournament, chosen) if chosen else []
    planned = planned_rounds(tournament, chosen) if chosen else 0
    ranks = [player.random_rank for player in tournament.players]
    numbers = [player.numbers for player in tournament.players]
    return MadeOf(chosen.number if chosen else 0, listed, rounds, planned, ranks, numbers)


def announced_stage(tournament: Tournament, number: int) -> Stage:
    """Return a stage by its number; NotFound where none of that number is announced."""
    if not 1 <= number <= len(tournament.stages):
        raise NotFound(
            phrase(
                "there is no stage {stage}; stages announced: {announced}",
                stage=number,
                announced=len(tournament.stages),
            )
        )
    return tournament.stages[number - 1]


def as_json(table: Standings, names: Mapping[str, str]) -> list[dict[str, object]]:
    """Make the rows for scripts; the names are by "p7"."""
    return [
        {
            "rank": row.rank,
            "player": row.player,
            "name": names.get(f"p{row.player}", f"player {row.player}"),
            **worth_as_json(row, table.tiebreakers),
        }
        for row in table.rows
    ]


def worth_as_json(row: StandingsRow, tiebreakers: Sequence[Tiebreaker]) -> dict[str, object]:
    """Make what a row is ranked by for scripts; value is the only inexact number."""
    return {
        "points": row.points,
        "record": {"wins": row.wins, "losses": row.losses, "draws": row.draws, "byes": row.byes},
        "dropped": row.dropped,
        "tiebreakers": {
            tiebreaker.code: {"exact": str(value), "value": float(value)}
            for tiebreaker, value in zip(tiebreakers, row.tiebreakers, strict=True)
        },
    }


def _order(tournament: Tournament, stage: int | None, through_round: int | None) -> Order:
    chosen, table = _lined_up(tournament, stage, through_round)
    rules = tournament.ruleset
    work = Evaluation(table, rules.tiebreakers, rules)
    evaluated = [work.of(tiebreaker) for tiebreaker in rules.tiebreakers]
    listed = _listed(tournament, chosen)
    numbers = [player.number for player in listed]
    keys = zip(
        [player.status == "disqualified" for player in listed],
        _negated(table.totals("points"), numbers),
        *(_key(evaluation, numbers) for evaluation in evaluated),
        [player.random_rank for player in listed],
        numbers,  # where an imported file gave two players one random rank
        strict=True,
    )
    best = [key[-1] for key in sorted(keys)]
    return Order(chosen.number if chosen else 0, table, best, evaluated, work)


def _lined_up(
    tournament: Tournament, stage: int | None, through_round: int | None
) -> tuple[Stage | None, Crosstable]:
    last = len(tournament.rounds) if through_round is None else through_round
    chosen = _chosen(tournament, stage, last)
    numbers = counted_rounds(tournament, chosen) if chosen else []
    rounds = [tournament.rounds[number - 1] for number in numbers if number <= last]
    table = crosstable(rounds, len(tournament.players))
    if any(not rule.is_plain for rule in tournament.ruleset.in_force.values()):
        listed = _listed(tournament, chosen)
        table.listed = {player.number: player.status == "disqualified" for player in listed}
        table.planned = planned_rounds(tournament, chosen) if chosen else 0
        table.byes = {bye.name: bye.kind for bye in tournament.ruleset.byes}
    if tournament.ruleset.numbers:
        table.start = starting_points(tournament, chosen)
        numbers_of_players = [player.numbers for player in tournament.players[1:]]
        table.numbers = number_columns(tournament.ruleset.numbers, numbers_of_players)
    return chosen, table


def _key(evaluation: Evaluated, numbers: list[int]) -> list[int]:
    least_first = evaluation.declared.order == "ascending"
    return (_picked if least_first else _negated)(evaluation.result.numerators, numbers)


def _chosen(tournament: Tournament, number: int | None, last: int) -> Stage | None:
    if number is None:
        swiss = [stage for stage in tournament.stages if stage.is_swiss]
        begun = [stage for stage in swiss if stage.rounds and stage.rounds[0] <= last]
        return begun[-1] if begun else swiss[0] if swiss else None
    stage = announced_stage(tournament, number)
    if not stage.is_swiss:
        raise NotFound(
            phrase("stage {stage} is not played for points; ask for its bracket", stage=number)
        )
    return stage


def _listed(tournament: Tournament, stage: Stage | None) -> list[Player]:
    if stage is None or stage.plan.entry == "all":
        return list(tournament.registered())
    return [tournament.players[number] for number in stage.entrants]


def records(table: Crosstable) -> list[list[int]]:
    """Count everybody's wins, losses, draws and byes, each round's letters as one long number.

    So a round is added for everybody at once: one byte a player, and no more rounds than it holds.
    """
    if len(table.rounds) > _BYTE_MAX:
        return _records_one_by_one(table)
    columns = ["".join(round_.records).ljust(table.size).encode() for round_ in table.rounds]
    return [_counted(columns, letter, table.size) for letter in b"WLDB"]


def _counted(columns: list[bytes], letter: int, size: int) -> list[int]:
    total = sum([int.from_bytes(column.translate(_ONES[letter]), "little") for column in columns])
    return list(total.to_bytes(size, "little"))


def _records_one_by_one(table: Crosstable) -> list[list[int]]:
    letters = ["".join(round_.records).ljust(table.size) for round_ in table.rounds]
    records_of_seats = list(zip(*letters, strict=True))
    return [[places.count(letter) for places in records_of_seats] for letter in "WLDB"]


def _picked(column: list[int], numbers: list[int]) -> list[int]:
    return [column[number] for number in numbers]


def _negated(column: list[int], numbers: list[int]) -> list[int]:
    return [-column[number] for number in numbers]


def posted_standings(table: Standings) -> bytes:
    """Serialise a stage's table."""
    return _lines([[row.rank, row.player, row.points, *row.tiebreakers] for row in table.rows])


def posted_pairings(round_: Round) -> bytes:
    """Serialise a round's tables."""
    return _lines([[match.table, match.first, match.second] for match in round_.matches])


def fingerprint(posted: bytes) -> str:
    """Return the SHA-256 of a serialisation, in hex."""
    return hashlib.sha256(posted).hexdigest()


def _lines(rows: list[list[object]]) -> bytes:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows).encode("ascii")
