"""Totals and tiebreakers of everybody, of which a few players' are computed again.

Each value is the numerator that it has from scratch, over the same denominator: what players are
divided by is counted, and where its common multiple is another, there is no denominator to keep.
"""

from __future__ import annotations

from collections import Counter
from math import lcm
from typing import TYPE_CHECKING

from ledger.rulesets.tiebreaker_findings import FURTHER_COLUMNS
from projections.standings.cells import POINTS, RECORDS, SEQS
from projections.standings.values import PlayerValues

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.rulesets import Ruleset
    from projections.standings.cells import CellChange
    from projections.standings.crosstable import Crosstable
    from projections.standings.tiebreakers import Evaluated

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
