"""The columns of the rounds that count, compared cell by cell with what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from ledger.tournament.state import Round

BLOCK = 128
"""Cells that are compared at once where a column differs."""

AGAINST, POINTS, RECORDS, SEQS = "against", "points", "records", "seqs"
COLUMNS = (AGAINST, POINTS, RECORDS, SEQS)
"""What every round has; the fields of a ruleset are beside them, none of which is called so."""


class CellChange(NamedTuple):
    """A cell that is another: its column, the player, what it was, and what it is."""

    column: str
    player: int
    before: Any
    now: Any


class Cells:
    """The columns of rounds, of its own, padded to a place for everyone."""

    def __init__(self, rounds: Iterable[Round], size: int, fields: Iterable[str]) -> None:
        self._size, self._names = size, (*COLUMNS, *(f"field {each}" for each in fields))
        self._rounds = [
            {name: list(self._column(each, name)) for name in self._names} for each in rounds
        ]

    @property
    def against(self) -> list[list[int]]:
        """Whom everybody met, round by round."""
        return [each[AGAINST] for each in self._rounds]

    def changes(self, rounds: Iterable[Round]) -> Iterator[CellChange]:
        """Yield every cell that is another now, and remember it."""
        for kept, round_ in zip(self._rounds, rounds, strict=True):
            for name, before in kept.items():
                now = self._column(round_, name)
                if now != before:
                    yield from _changes(name, before, now)
                    kept[name] = list(now)

    def _column(self, round_: Round, name: str) -> Sequence[Any]:
        column: list[Any] = (
            getattr(round_, name)
            if name in COLUMNS
            else round_.fields.get(name.removeprefix("field "), [])
        )
        missing = self._size - len(column)
        return [*column, *[" " if name == RECORDS else 0] * missing] if missing else column


def _changes(name: str, before: Sequence[Any], now: Sequence[Any]) -> Iterator[CellChange]:
    for start in range(0, len(now), BLOCK):
        block = slice(start, start + BLOCK)
        if before[block] != now[block]:
            pairs = zip(before[block], now[block], strict=True)
            for player, (old, new) in enumerate(pairs, start):
                if old != new:
                    yield CellChange(name, player, old, new)
