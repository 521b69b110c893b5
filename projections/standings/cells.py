"""The columns of the rounds that count, compared cell by cell with what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from ledger.tournament.state import Round

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
        self._size, self._names = size, (*COLUMNS, *(f"field {each}" for each in fields))
        self.rounds = [self._own(each, fields) for each in rounds]
        self._seats = [(each.matches, *_seated(each)) for each in rounds]

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
        for place, (own, round_) in enumerate(zip(self.rounds, rounds, strict=True)):
            for name in self._names:
                before, now = self._column(own, name), self._column(round_, name)
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
