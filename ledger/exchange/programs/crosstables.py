"""Rounds out of crosstables: a player's own line says whom they met; both lines have to agree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.exchange.foreign import ForeignGame, ForeignRound
from ledger.exchange.programs.building import handicapped
from ledger.files.access import one_line
from ledger.tournament import scoring

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.events.results import Result
    from ledger.exchange.programs.building import FileParts
    from ledger.rulesets import Ruleset

FITS = {
    "win": "loss", "loss": "win", "draw": "draw", "came": "absent", "absent": "came", "": "",
}  # fmt: skip
"""What the other line says of the same game; where nobody came, both say absent."""


class Cell(Struct, frozen=True):
    """What a player's line says of a round: who was met, as `w` or `b`, and how it ended.

    Without an opponent: `bye`, `full`, `half` or `zero`. An empty `kind` with one: no result yet.
    """

    where: str
    player: str
    other: str
    colour: str
    kind: str
    stones: int = 0
    """Of the handicap, which White gives and Black receives."""


class Crosstables:
    """Makes the rounds of one file."""

    def __init__(self, rules: Ruleset, parts: FileParts) -> None:
        self._rules, self._parts = rules, parts
        self._draw = next((one.name for one in rules.outcomes if one.record == "D"), "")
        self._unit = parts.points_unit = rules.full_win.points or 1

    def in_points(self, text: str) -> Fraction | None:
        """Return points, of which a win has 1, as the ruleset counts them; None if not a number."""
        try:
            return Fraction(text.replace(",", ".").replace("½", ".5")) * self._unit
        except (ValueError, ZeroDivisionError):
            return None

    def add(
        self, place: str, cells: list[Cell], tables: Mapping[frozenset[str], int] | None = None
    ) -> None:
        """Add a round: each pair of cells that agree is a game, in the order of known tables."""
        by_player = {cell.player: cell for cell in cells}
        games: list[ForeignGame] = []
        if all(cell.kind == "zero" for cell in cells):
            return
        for cell in cells:
            if not cell.other:
                if cell.kind != "zero" or self._rules.unpaired_loss.points:
                    games.append(self._bye(cell))
                continue
            other = by_player.get(cell.other)
            if other is None or other.other != cell.player:
                self._problem(cell, f"meets {cell.other}, whose line does not say so")
            elif self._is_first(cell, other):
                games.append(self._game(cell, other))
        known = tables or {}
        games.sort(key=lambda each: known.get(frozenset({each.first, each.second} - {""}), 0))
        if games:
            self._parts.swiss.append(
                ForeignRound(elimination=False, games=tuple(games), place=place)
            )

    def _is_first(self, cell: Cell, other: Cell) -> bool:
        if cell.player == other.player:
            self._problem(cell, "meets itself")
            return False
        if cell.colour in {"w", "b"} and cell.colour == other.colour:
            self._problem(cell, f"has the same colour as {other.player}")
        if cell.colour in {"w", "b"}:
            return cell.colour == "w"
        return other.colour == "b" or (
            other.colour != "w" and self._order(cell) < self._order(other)
        )

    def _order(self, cell: Cell) -> tuple[int, str]:
        return len(cell.player), cell.player

    def _game(self, first: Cell, second: Cell) -> ForeignGame:
        nobody = first.kind == second.kind == "absent"
        if FITS[first.kind] != second.kind and not nobody:
            said = f"{first.kind or 'no result'}, and the line of {second.player} says "
            self._problem(first, f"says {said}{second.kind or 'no result'}")
            return ForeignGame(first.player, second.player, place=first.where)
        result = self._result(first, second)
        result = handicapped(self._rules, result, first.stones)
        return ForeignGame(first.player, second.player, result=result, place=first.where)

    def _result(self, first: Cell, second: Cell) -> Result | None:
        rules = self._rules
        if not first.kind:
            return None
        absent = first.kind == "absent", second.kind == "absent"
        if any(absent):
            return scoring.absence(rules, absent)
        if first.kind == "draw":
            if not self._draw:
                self._problem(first, f"is a draw, which {rules.key} does not have")
                return None
            return scoring.by_outcome(rules, self._draw)
        win = rules.full_win
        return scoring.by_outcome(rules, win.name if first.kind == "win" else win.against)

    def _bye(self, cell: Cell) -> ForeignGame:
        """Return a bye of the round, or one of another worth by its name in the ruleset."""
        if cell.kind == "bye":
            return ForeignGame(cell.player, place=cell.where)
        wanted = Fraction(self._unit * {"full": 2, "half": 1, "zero": 0}[cell.kind], 2)
        named = next((one.name for one in self._rules.byes if one.points == wanted), "")
        if not named and (cell.kind == "zero" or self._rules.bye.points != wanted):
            why = f"has a bye of {cell.kind} points, which {self._rules.key} does not have"
            self._problem(cell, why)
        return ForeignGame(cell.player, bye=named, place=cell.where)

    def _problem(self, cell: Cell, why: str) -> None:
        self._parts.problems.append(f"{cell.where}: {one_line(cell.player)} {why}")
