"""A second implementation of the tiebreakers, with fractions, from the text of the clauses.

It knows nothing of columns: a tournament is a list of entries, one for each result of a player.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Entry(NamedTuple):
    """A player's result in a round; `opponent` is 0 where nobody was met."""

    round: int
    stage: int
    player: int
    points: int
    record: str
    opponent: int
    fields: dict[str, int]


class Truth:
    """Every tiebreaker, by its code, over the entries that count."""

    def __init__(self, entries: list[Entry]) -> None:
        self._of: dict[int, list[Entry]] = {}
        for entry in entries:
            self._of.setdefault(entry.player, []).append(entry)

    def of(self, player: int) -> list[Entry]:
        """The player's results."""
        return self._of.get(player, [])

    def opponents(self, player: int) -> list[int]:
        """Whom the player met, as often as they met."""
        return [entry.opponent for entry in self.of(player) if entry.opponent]

    def points(self, player: int) -> int:
        """The player's points."""
        return sum(entry.points for entry in self.of(player))

    def total(self, player: int, name: str) -> int:
        """The player's total of a field."""
        return sum(entry.fields.get(name, 0) for entry in self.of(player))

    def wins(self, player: int, letter: str) -> int:
        """How many of the player's results are of that record."""
        return sum(entry.record == letter for entry in self.of(player))

    def value(self, code: str, player: int) -> Fraction:
        """The tiebreaker of that code."""
        formulas: dict[str, Callable[[int], Fraction]] = {
            "SOS": self.strength_of_schedule,
            "ESOS": self.extended_strength_of_schedule,
            "MOV": lambda one: Fraction(self.total(one, "mov")),
            "TOEP": lambda one: Fraction(sum(map(self.points, self.opponents(one)))),
            "BLOOD": lambda one: Fraction(self.total(one, "blood")),
            "OMW": lambda one: self._mean(map(self.match_wins, self.opponents(one))),
            "GW": self.game_wins,
            "OGW": lambda one: self._mean(map(self.game_wins, self.opponents(one))),
        }
        return formulas[code](player)

    def strength_of_schedule(self, player: int) -> Fraction:
        """FFG-TIEBREAK-SOS."""
        return self._mean(
            Fraction(self.points(other), len(self.of(other))) for other in self.opponents(player)
        )

    def extended_strength_of_schedule(self, player: int) -> Fraction:
        """L5R-TIEBREAK."""
        return self._mean(map(self.strength_of_schedule, self.opponents(player)))

    def match_wins(self, player: int) -> Fraction:
        """Match points of those that could be had, one third at least."""
        return max(Fraction(1, 3), Fraction(self.points(player), 3 * len(self.of(player))))

    def game_wins(self, player: int) -> Fraction:
        """Game points of those that could be had, one third at least."""
        games = self.total(player, "games")
        if not games:
            return Fraction(1, 3)
        return max(Fraction(1, 3), Fraction(self.total(player, "game-points"), 3 * games))

    @staticmethod
    def _mean(values: Iterable[Fraction]) -> Fraction:
        terms = list(values)
        return sum(terms, Fraction(0)) / len(terms) if terms else Fraction(0)
