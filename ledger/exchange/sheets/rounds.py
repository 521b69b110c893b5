"""From the rows of a spreadsheet to a foreign tournament: rounds in order, stages, players."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.base import PLAYERS_MAX
from ledger.events.opening import Source
from ledger.exchange.foreign import ForeignCut
from ledger.exchange.foreign import ForeignGame
from ledger.exchange.foreign import ForeignPlayer
from ledger.exchange.foreign import ForeignRound
from ledger.exchange.foreign import ForeignTournament
from ledger.exchange.sheets.cells import InvalidSheet
from ledger.exchange.sheets.cells import Problems
from ledger.exchange.sheets.cells import rows_of
from ledger.exchange.sheets.results import MISSED
from ledger.exchange.sheets.results import ResultReader
from ledger.exchange.sheets.results import columns_of
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.exchange.sheets.cells import Row
    from ledger.rulesets import Ruleset

KIND = "csv"
NEEDED = ("round", "player1")
PLAIN = (*NEEDED, "player2", "table", "stage", "drop")
CUT = frozenset({"cut", "single", "elimination"})
ROUNDS_MAX = 100
_NUMBER = re.compile(r"[0-9]{1,6}")


class Details(Struct, frozen=True):
    """What a spreadsheet does not tell: the ruleset's whole text, a name, a day."""

    ruleset: str
    name: str
    date: str


class _Stage(Struct, frozen=True):
    """A stage as a row names it: its place, and whether it is an elimination."""

    number: int
    elimination: bool


def read_rounds(data: bytes, details: Details) -> ForeignTournament:
    """Read and validate a file; equal bytes and details give an equal tournament.

    Raises:
        InvalidSheet: everything that is wrong, by row and column.
    """
    rules = parse(details.ruleset)
    rows = rows_of(data, {*PLAIN, *columns_of(rules)}, NEEDED)
    reader = _Reader(rules)
    reader.read(rows)
    reader.problems.refuse()
    sha256 = hashlib.sha256(data).hexdigest()
    swiss = [played for stage, played in reader.rounds if not stage.elimination]
    elimination = tuple(played for stage, played in reader.rounds if stage.elimination)
    return ForeignTournament(
        source=Source(KIND, sha256),
        tournament=sha256[:32],
        ruleset=details.ruleset,
        name=details.name,
        date=details.date,
        recorder="Imported from a CSV file",
        players=reader.players(),
        swiss=tuple(swiss),
        elimination=elimination,
        swiss_announced=len(swiss),
        cut=_cut(elimination),
        swiss_stages=reader.swiss_stages(),
    )


class _Reader:
    """The rounds of one file in the making."""

    def __init__(self, rules: Ruleset) -> None:
        self.problems = Problems()
        self.rounds: list[tuple[_Stage, ForeignRound]] = []
        self._results = ResultReader(rules, self.problems)
        self._advances = {outcome.name: outcome.advances for outcome in rules.outcomes}
        self._known: dict[str, str] = {}

    def read(self, rows: list[Row]) -> None:
        """Read every row, round after round."""
        by_round: dict[int, list[Row]] = {}
        for row in rows:
            number = self._number(row, "round")
            if number is not None:
                by_round.setdefault(number, []).append(row)
        if not by_round and not self.problems.found:
            raise InvalidSheet(["holds no row below its titles"])
        if by_round and sorted(by_round) != list(range(1, len(by_round) + 1)):
            gap = next(each for each in range(1, len(by_round) + 2) if each not in by_round)
            self.problems.found.append(f"there is no row of round {gap}: rounds count from 1")
        if len(by_round) > ROUNDS_MAX:
            self.problems.found.append(f"{len(by_round)} rounds are more than {ROUNDS_MAX}")
        for number in sorted(by_round):
            self._round(by_round[number])
        if len(self._known) > PLAYERS_MAX:
            self.problems.found.append(f"{len(self._known):,} players are too many")

    def players(self) -> tuple[ForeignPlayer, ...]:
        """Everybody in the order in which the file first names them."""
        named = enumerate(self._known.items(), start=1)
        return tuple(ForeignPlayer(key, name, rank, {}) for rank, (key, name) in named)

    def swiss_stages(self) -> tuple[int, ...]:
        """How many rounds each Swiss stage has."""
        numbers = [stage.number for stage, _ in self.rounds if not stage.elimination]
        return tuple(numbers.count(each) for each in sorted(set(numbers)))

    def _round(self, rows: list[Row]) -> None:
        before = len(self.problems.found)
        stage = self._stage(rows)
        games: list[ForeignGame] = []
        absent: list[str] = []
        leaving: list[str] = []
        seats: dict[str, int] = {}
        for row in self._by_table(rows):
            first, second = self._seats(row, seats)
            leaving += self._leaving(row, first, second)
            if not (first or second):
                continue
            if first and second:
                result = self._results.read(row, elimination=stage.elimination)
                winner = self._winner(result, first, second)
                games.append(ForeignGame(first, second, winner=winner, result=result))
            elif self._is_missed(row):
                absent.append(first or second)
            else:
                games.append(ForeignGame(first or second))
        if not games and len(self.problems.found) == before:
            self.problems.add(rows[0], "round", "nobody plays in it, and nobody has a bye")
        played = ForeignRound(stage.elimination, tuple(games), tuple(absent), tuple(leaving))
        self.rounds.append((stage, played))

    def _by_table(self, rows: list[Row]) -> list[Row]:
        numbered = [(self._number(row, "table", default=0), row) for row in rows]
        return [row for _, row in sorted(numbered, key=lambda one: (not one[0], one[0] or 0))]

    def _number(self, row: Row, column: str, default: int | None = None) -> int | None:
        text = row.cell(column)
        if default is not None and not text:
            return default
        if _NUMBER.fullmatch(text) and int(text):
            return int(text)
        told = f"{text!r} is no number from 1" if text else "is empty"
        self.problems.add(row, column, told)
        return default

    def _stage(self, rows: list[Row]) -> _Stage:
        """The stage of a round; stages count on without a gap, the elimination comes last."""
        before = self.rounds[-1][0] if self.rounds else _Stage(1, elimination=False)
        words = {row.cell("stage").lower(): row for row in reversed(rows)}
        word, row = next(reversed(words.items()))
        if len(words) > 1:
            self.problems.add(row, "stage", "the rows of one round name different stages")
        if word in CUT:
            return _Stage(before.number + (not before.elimination), elimination=True)
        if before.elimination and self.rounds:
            self.problems.add(row, "stage", "a Swiss round comes after the elimination")
            return before
        if not word or word == str(before.number):
            return before
        if word == str(before.number + 1) and self.rounds:
            return _Stage(before.number + 1, elimination=False)
        told = f"{word!r} is neither {before.number}, {before.number + 1} nor cut"
        self.problems.add(row, "stage", told)
        return before

    def _seats(self, row: Row, seats: dict[str, int]) -> tuple[str, str]:
        keys = []
        for column in ("player1", "player2"):
            name = row.cell(column)
            key = "" if column == "player2" and name.lower() == "bye" else name.casefold()
            if key and key in seats:
                self.problems.add(row, column, f"{name!r} sits in row {seats[key]} already")
            elif key:
                seats[key] = row.number
                self._known.setdefault(key, name)
            keys.append(key)
        if not any(keys):
            self.problems.add(row, "player1", "is empty")
        return keys[0], keys[1]

    def _is_missed(self, row: Row) -> bool:
        word = row.cell("result").lower()
        if word and word not in MISSED and word not in {"bye", "win", "w"}:
            told = f"{word!r} without an opponent is neither bye nor missed"
            self.problems.add(row, "result", told)
        return word in MISSED

    def _winner(self, result: Result | None, first: str, second: str) -> str:
        if result is None:
            return ""
        one, two = (self._advances[outcome] for outcome in result.outcomes)
        return first if one else second if two else ""

    def _leaving(self, row: Row, first: str, second: str) -> list[str]:
        """Who drops after the round: 1, 2, both, or the names apart by a semicolon."""
        word = row.cell("drop")
        if not word:
            return []
        sides = {"1": [first], "2": [second], "both": [first, second]}
        named = sides.get(word.lower(), [name.strip().casefold() for name in word.split(";")])
        if not all(each and each in {first, second} for each in named):
            told = f"{word!r} is neither 1, 2, both nor a player of the row"
            self.problems.add(row, "drop", told)
            return []
        return named


def _cut(elimination: tuple[ForeignRound, ...]) -> ForeignCut | None:
    """Who went on is who plays; the seeds follow from the standings."""
    playing: dict[str, None] = {}
    for played in elimination:
        for game in played.games:
            playing |= dict.fromkeys(key for key in (game.first, game.second) if key)
    return ForeignCut(("",) * len(playing), tuple(playing)) if playing else None
