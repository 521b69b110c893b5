"""Rounds out of crosstables: a player's own line says whom they met, and how it ended.

Each side has the points that its own line gives. If the two lines of a game do not agree, as where
both say that they won, the rest of the points is adjusted. A game that only one line has is
entered as a bye of its worth, and listed as not computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.exchange.foreign import ForeignGame, ForeignRound
from ledger.exchange.odd_tables import adjusted_result, bye_name
from ledger.exchange.programs.building import handicapped
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

    def __init__(self, rules: Ruleset, parts: FileParts, unit: int = 0) -> None:
        """Take the ruleset's points in one point of the file; by default those of a win."""
        self._rules, self._parts = rules, parts
        self._draw = next((one.name for one in rules.outcomes if one.record == "D"), "")
        self._win = rules.full_win.points or 1
        parts.points_unit = unit or self._win

    def in_points(self, text: str) -> Fraction | None:
        """Return points, of which a win has 1, as the ruleset counts them; None if not a number."""
        try:
            return Fraction(text.replace(",", ".").replace("½", ".5")) * self._parts.points_unit
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
            if cell.other:
                other = by_player.get(cell.other)
                if other is not None and other.other == cell.player != other.player:
                    if self._is_first(cell, other):
                        games.append(self._game(cell, other))
                    continue
                cell = self._alone(cell)  # noqa: PLW2901 - from here on without an opponent
            if cell.kind != "zero" or self._rules.unpaired_loss.points:
                games.append(self._bye(cell))
        known = tables or {}
        games.sort(key=lambda each: known.get(frozenset({each.first, each.second} - {""}), 0))
        if games:
            self._parts.swiss.append(
                ForeignRound(elimination=False, games=tuple(games), place=place)
            )

    def _alone(self, cell: Cell) -> Cell:
        """Return the cell of a player whose opponent's line does not mention them, as a bye."""
        kinds = {"win": "full", "came": "full", "draw": "half"}
        said = f"{cell.kind or 'no result'} against {cell.other}, whose line has another opponent"
        if cell.other == cell.player:
            said = f"{cell.kind or 'no result'} against themselves"
        alone = replace(cell, other="", kind=kinds.get(cell.kind, "zero"))
        entered = f"a bye of {alone.kind} points is entered"
        self._parts.odd(cell.where, f"{self._parts.name_of(cell.player)} has a {said}", entered)
        return alone

    def _is_first(self, cell: Cell, other: Cell) -> bool:
        if cell.colour in {"w", "b"} and cell.colour == other.colour:
            if first := self._order(cell) < self._order(other):
                who = self._parts.name_of(other.player)
                self._parts.notes.append(f"{cell.where}: has the same colour as {who}")
            return first
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
            result = self._contradiction(first, second)
        else:
            result = self._result(first, second)
        result = handicapped(self._rules, result, first.stones)
        return ForeignGame(first.player, second.player, result=result, place=first.where)

    def _contradiction(self, first: Cell, second: Cell) -> Result | None:
        """Return the result of two lines that do not agree: each side has what its line says."""
        said = f"{first.kind or 'no result'}, and the line of {second.player} says "
        published = f"{first.player} says {said}{second.kind or 'no result'}"
        if not (first.kind and second.kind):
            known, is_second = (first, False) if first.kind else (second, True)
            self._parts.notes.append(f"{first.where}: {published}; the one result is entered")
            full = known, replace(known, kind=FITS[known.kind])
            return self._result(*(full[::-1] if is_second else full))
        worth = {"win": self._win, "came": self._win, "draw": self._worth_of_draw}
        points = worth.get(first.kind, 0), worth.get(second.kind, 0)
        return self._adjusted(first.where, published, points)

    def _adjusted(self, where: str, published: str, points: tuple[int, int]) -> Result | None:
        result = adjusted_result(self._rules, points)
        if result is None:
            self._parts.odd(where, published, "no result is entered")
        else:
            by = "{:+}:{:+}".format(*result.adjusted)
            entered = f"entered as a {result.outcomes[0]}, adjusted by {by} points"
            self._parts.notes.append(f"{where}: {published}; {entered}")
        return result

    @property
    def _worth_of_draw(self) -> int:
        if self._draw and self._rules.outcome(self._draw).points is not None:
            return self._rules.outcome(self._draw).points or 0
        return self._win // 2

    def _result(self, first: Cell, second: Cell) -> Result | None:
        rules = self._rules
        if not first.kind:
            return None
        absent = first.kind == "absent", second.kind == "absent"
        if any(absent):
            return scoring.absence(rules, absent)
        if first.kind == "draw":
            if not self._draw:
                points, text = (
                    (self._worth_of_draw,) * 2,
                    f"a draw, which {rules.key} does not have",
                )
                return self._adjusted(first.where, text, points)
            return scoring.by_outcome(rules, self._draw)
        win = rules.full_win
        return scoring.by_outcome(rules, win.name if first.kind == "win" else win.against)

    def _bye(self, cell: Cell) -> ForeignGame:
        """Return a bye of the round, or one of another worth by its name in the ruleset."""
        if cell.kind == "bye":
            return ForeignGame(cell.player, place=cell.where)
        wanted = {"full": self._win, "half": self._worth_of_draw, "zero": 0}[cell.kind]
        named = next((one.name for one in self._rules.byes if one.points == wanted), "")
        if not named and (cell.kind == "zero" or self._rules.bye.points != wanted):
            named = bye_name(wanted)
            self._parts.byes[named] = wanted
            who = self._parts.name_of(cell.player)
            text = f"{cell.where}: {who} has a bye of {cell.kind} points"
            self._parts.notes.append(f"{text}, which is added to {self._rules.key}")
        return ForeignGame(cell.player, bye=named, place=cell.where)
