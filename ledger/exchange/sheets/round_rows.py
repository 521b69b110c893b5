"""From the rows of a spreadsheet to a foreign tournament: rounds in order, stages, players."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.base import PLAYERS_MAX
from ledger.events.opening import Source
from ledger.exchange.foreign import (
    ForeignCut,
    ForeignGame,
    ForeignPlayer,
    ForeignRound,
    ForeignTournament,
)
from ledger.exchange.sheets.cells import NOBODY, SheetRow, plain, rows_of, seat_key
from ledger.exchange.sheets.result_columns import ResultReader, columns_of
from ledger.rulesets import Ruleset, parse
from ledger.tournament.same_names import name_key

if TYPE_CHECKING:
    from ledger.events.results import Result

KIND = "csv"
NEEDED = ("round", "player1")
PLAIN: Mapping[str, tuple[str, ...]] = {
    "round": ("rd", "roundnumber"),
    "player1": ("p1", "player", "player1name", "name1"),
    "player2": ("p2", "opponent", "player2name", "name2"),
    "table": ("tablenumber", "match"),
    "stage": ("phase",),
    "drop": ("drops", "dropped"),
}
"""The columns of every game, and further titles that they may have."""

SWISS = frozenset({"", "swiss"})
CUT = frozenset({"cut", "topcut", "single", "elimination", "singleelimination", "bracket"})
ROUNDS_MAX = 100
_NUMBER = re.compile(r"(?:(?:round|rd|r|table|t) ?)?#?([0-9]{1,6})(?:\.0{1,9})?", re.IGNORECASE)
_TOP = re.compile(r"(?:top|t|roundof)([0-9]{1,4})")
_NAMED = {"quarterfinal": 8, "semifinal": 4, "final": 2}


UNDATED = "1970-01-01"
"""The day of an event without a date."""


class Details(Struct, frozen=True):
    """What a spreadsheet does not say: the ruleset's whole text, a name, a day.

    Without a name the event has that of its file, without a day it is undated.
    """

    ruleset: str
    name: str = ""
    date: str = ""


class _Stage(Struct, frozen=True):
    """A stage as a row names it: its place, and whether it is an elimination."""

    number: int
    elimination: bool


def read_rounds(data: bytes, details: Details, file: str = "") -> ForeignTournament:
    """Read and validate a file; equal bytes, details and name of the file give an equal tournament.

    Raises:
        InvalidSheet: everything that is wrong, by row and column.
    """
    rules = parse(details.ruleset)
    rows = rows_of(data, _titled({**PLAIN, **columns_of(rules)}), NEEDED)
    reader = _Reader(rules)
    reader.read(rows)
    reader.problems.refuse()
    sha256 = hashlib.sha256(data).hexdigest()
    swiss = tuple(round_ for _, round_ in reader.rounds if not round_.elimination)
    elimination = tuple(round_ for _, round_ in reader.rounds if round_.elimination)
    return ForeignTournament(
        source=Source(KIND, sha256),
        tournament=sha256[:32],
        ruleset=details.ruleset,
        name=details.name or file,
        date=details.date or UNDATED,
        recorder="Imported from a CSV file",
        players=reader.players(),
        swiss=swiss,
        elimination=elimination,
        swiss_announced=len(swiss),
        cut=_cut(elimination),
        swiss_stages=reader.swiss_stages(),
    )


def _titled(columns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns by their titles; a title that could be two columns' is neither's."""
    found: dict[str, str] = {}
    for column, titles in columns.items():
        for title in {plain(each) for each in titles}:
            found[title] = "" if title in found else column
    return found | {plain(column): column for column in columns}


def _cut_size(text: str) -> int:
    """Return how many are left in a round that has a name, as Top 8 or Final; 0 for others."""
    word = plain(text).removesuffix("s")
    found = _TOP.fullmatch(word)
    return int(found[1]) if found else _NAMED.get(word, 0)


def _is_cut(row: SheetRow) -> bool:
    return plain(row.cell("stage")) in CUT or bool(_cut_size(row.cell("stage")))


class _Reader:
    """The rounds of one file in the making."""

    def __init__(self, rules: Ruleset) -> None:
        self._results = ResultReader(rules)
        self.problems = self._results.problems
        self.rounds: list[tuple[_Stage, ForeignRound]] = []
        self._advances = {outcome.name: outcome.advances for outcome in rules.outcomes}
        self._known: dict[str, str] = {}

    def read(self, rows: list[SheetRow]) -> None:
        """Read every row, round after round."""
        by_round: dict[tuple[bool, bool, int], list[SheetRow]] = {}
        for row in rows:
            if (place := self._place(row)) is not None:
                by_round.setdefault(place, []).append(row)
        if not by_round and not self.problems.found:
            self.problems.found.append("holds no row below its titles")
        self._count(sorted(by_round))
        for place in sorted(by_round):
            self._round(by_round[place])
        if len(self._known) > PLAYERS_MAX:
            self.problems.found.append(f"{len(self._known):,} players are too many")

    def _place(self, row: SheetRow) -> tuple[bool, bool, int] | None:
        """Return a round's place: elimination last, its rounds by number and then by name."""
        if size := _cut_size(row.cell("round")):
            return True, True, -size
        number = self._number(row, "round")
        return None if number is None else (_is_cut(row), False, number)

    def _count(self, places: list[tuple[bool, bool, int]]) -> None:
        """Rounds count on through the event; those of the elimination may begin again at 1."""
        if len(places) > ROUNDS_MAX:
            self.problems.found.append(f"{len(places)} rounds are more than {ROUNDS_MAX}")
        numbers = [(is_cut, number) for is_cut, is_named, number in places if not is_named]
        for count, (is_cut, number) in enumerate(numbers, start=1):
            before = sum(not each for each, _ in numbers) if is_cut else 0
            if number not in {count, count - before}:
                why = f"there is no row of round {count}: rounds count from 1"
                if not is_cut and (True, count) in numbers:
                    why = f"round {number} is Swiss, and comes after the elimination"
                self.problems.found.append(why)
                return

    def players(self) -> tuple[ForeignPlayer, ...]:
        """Return everybody in the order in which the file first names them."""
        named = enumerate(self._known.items(), start=1)
        return tuple(ForeignPlayer(key, name, rank, {}) for rank, (key, name) in named)

    def swiss_stages(self) -> tuple[int, ...]:
        """Return how many rounds each Swiss stage has."""
        numbers = [stage.number for stage, _ in self.rounds if not stage.elimination]
        return tuple(numbers.count(each) for each in sorted(set(numbers)))

    def _round(self, rows: list[SheetRow]) -> None:
        before, stage = len(self.problems.found), self._stage(rows)
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
            elif self._results.lost_to_nobody(row, first=bool(first)):
                absent.append(first or second)
            else:
                games.append(ForeignGame(first or second))
        if not games and len(self.problems.found) == before:
            self.problems.add(rows[0].number, "round", "nobody plays in it, and nobody has a bye")
        round_ = ForeignRound(stage.elimination, tuple(games), tuple(absent), tuple(leaving))
        self.rounds.append((stage, round_))

    def _by_table(self, rows: list[SheetRow]) -> list[SheetRow]:
        numbered = [(self._number(row, "table", default=0), row) for row in rows]
        return [row for _, row in sorted(numbered, key=lambda one: (not one[0], one[0] or 0))]

    def _number(self, row: SheetRow, column: str, default: int | None = None) -> int | None:
        text = row.cell(column)
        if default is not None and plain(text) in NOBODY:
            return default
        found = _NUMBER.fullmatch(text)
        if found and int(found[1]):
            return int(found[1])
        why = f"{text!r} is no number from 1" if text else "is empty"
        self.problems.add(row.number, column, why)
        return default

    def _stage(self, rows: list[SheetRow]) -> _Stage:
        """Return the stage of a round; stages have no gap, the elimination comes last."""
        before = self.rounds[-1][0] if self.rounds else _Stage(1, elimination=False)
        words = {row.cell("stage").lower(): row for row in reversed(rows)}
        word, row = next(reversed(words.items()))
        if len(words) > 1:
            self.problems.add(row.number, "stage", "the rows of one round name different stages")
        if _is_cut(row) or _cut_size(row.cell("round")):
            return _Stage(before.number + (not before.elimination), elimination=True)
        if word in SWISS or word == str(before.number):
            return before
        if word == str(before.number + 1) and self.rounds:
            return _Stage(before.number + 1, elimination=False)
        why = f"{word!r} is neither {before.number}, {before.number + 1} nor cut"
        self.problems.add(row.number, "stage", why)
        return before

    def _seats(self, row: SheetRow, seats: dict[str, int]) -> tuple[str, str]:
        keys = []
        for column in ("player1", "player2"):
            name = row.cell(column)
            key = seat_key(name)
            if key and key in seats:
                self.problems.add(row.number, column, f"{name!r} sits in row {seats[key]} already")
            elif key:
                seats[key] = row.number
                self._known.setdefault(key, " ".join(name.split()))
            keys.append(key)
        if not any(keys):
            self.problems.add(row.number, "player1", "is empty")
        return keys[0], keys[1]

    def _winner(self, result: Result | None, first: str, second: str) -> str:
        one, two = map(self._advances.get, result.outcomes) if result else (False, False)
        return first if one else second if two else ""

    def _leaving(self, row: SheetRow, first: str, second: str) -> list[str]:
        """Return who drops after the round: 1, 2, both, or names apart by a semicolon."""
        word = row.cell("drop")
        if not word:
            return []
        sides = {"1": [first], "2": [second], "both": [first, second]}
        named = sides.get(word.lower(), [name_key(name) for name in word.split(";")])
        if not all(each and each in {first, second} for each in named):
            why = f"{word!r} is neither 1, 2, both nor a player of the row"
            self.problems.add(row.number, "drop", why)
            return []
        return named


def _cut(elimination: tuple[ForeignRound, ...]) -> ForeignCut | None:
    """Return who went on: everybody who plays; the seeds follow from the standings."""
    games = (game for round_ in elimination for game in round_.games)
    playing = dict.fromkeys(key for game in games for key in (game.first, game.second) if key)
    return ForeignCut(("",) * len(playing), tuple(playing)) if playing else None
