"""The rows of a spreadsheet as rounds in order, with their stages and people."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.base import PLAYERS_MAX
from ledger.exchange.foreign import ForeignGame, ForeignRound
from ledger.exchange.sheets.cells import SheetRow, is_nobody, plain, seat_key
from ledger.exchange.sheets.doubts import Doubts
from ledger.exchange.sheets.result_columns import ResultReader
from ledger.exchange.sheets.sheet_people import SheetPeople
from ledger.tournament.same_names import name_key

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.rulesets import Ruleset

SWISS = frozenset({"", "swiss"})
CUT = frozenset({"cut", "topcut", "single", "elimination", "singleelimination", "bracket"})
ROUNDS_MAX = 100
_NUMBER = re.compile(r"(?:(?:round|rd|r|table|t) ?)?#?([0-9]{1,6})(?:\.0{1,9})?", re.IGNORECASE)
_TOP = re.compile(r"(?:top|t|roundof)([0-9]{1,4})")
_ZERO = re.compile(r"0(?:\.0{1,9})?")
_NAMED = {"quarterfinal": 8, "semifinal": 4, "final": 2}


REGISTERED = frozenset({"registered", "registration", "entrant", "entrants", "roster"})
"""What the column of rounds says, or 0, where somebody is entered and sits at no table."""


class _Stage(Struct, frozen=True):
    """A stage as a row names it: its place, and whether it is an elimination."""

    number: int
    elimination: bool


def _cut_size(text: str) -> int:
    """Return how many are left in a round that has a name, as Top 8 or Final; 0 for others."""
    word = plain(text).removesuffix("s")
    found = _TOP.fullmatch(word)
    return int(found[1]) if found else _NAMED.get(word, 0)


def _is_cut(row: SheetRow) -> bool:
    return plain(row.cell("stage")) in CUT or bool(_cut_size(row.cell("stage")))


class RoundRows:
    """The rounds of one file in the making."""

    def __init__(
        self, rules: Ruleset, keep: Sequence[str] = (), allowed: Collection[str] = ()
    ) -> None:
        self._results = ResultReader(rules)
        self.problems = self._results.problems
        self.doubts = Doubts(self.problems, allowed)
        self.people = SheetPeople(rules, keep, self.doubts)
        self.rounds: list[tuple[_Stage, ForeignRound]] = []
        self._advances = {outcome.name: outcome.advances for outcome in rules.outcomes}
        self._lost: dict[str, int] = {}

    def read(self, rows: list[SheetRow]) -> None:
        """Read every row, round after round."""
        by_round: dict[tuple[bool, bool, int], list[SheetRow]] = {}
        for row in rows:
            if self._is_roster(row):
                self._enter(row)
            elif (place := self._place(row)) is not None:
                by_round.setdefault(place, []).append(row)
        if not by_round and not self.problems.found:
            self.problems.found.append("holds no row of a round below its titles")
        self._count(by_round)
        for place in sorted(by_round):
            self._round(by_round[place], is_last=place == max(by_round))
        if len(self.people) > PLAYERS_MAX:
            self.problems.found.append(f"{len(self.people):,} players are too many")

    def _is_roster(self, row: SheetRow) -> bool:
        return (
            plain(row.cell("round")) in REGISTERED or _ZERO.fullmatch(row.cell("round")) is not None
        )

    def _enter(self, row: SheetRow) -> None:
        """Take somebody who is entered, whether or not they ever sit."""
        keys = self._seats(row, {})
        if all(keys):
            self.problems.add(row.number, "player2", "an entry has one player: a row for each")

    def _place(self, row: SheetRow) -> tuple[bool, bool, int] | None:
        """Return a round's place: elimination last, its rounds by number and then by name."""
        if size := _cut_size(row.cell("round")):
            return True, True, -size
        number = self._number(row, "round")
        return None if number is None else (_is_cut(row), False, number)

    def _count(self, by_round: Mapping[tuple[bool, bool, int], list[SheetRow]]) -> None:
        """Rounds count on through the event; those of the elimination may begin again at 1."""
        places = sorted(by_round)
        if len(places) > ROUNDS_MAX:
            self.problems.found.append(f"{len(places)} rounds are more than {ROUNDS_MAX}")
        numbers = [(is_cut, number) for is_cut, is_named, number in places if not is_named]
        for count, (is_cut, number) in enumerate(numbers, start=1):
            before = sum(not each for each, _ in numbers) if is_cut else 0
            if number not in {count, count - before}:
                why = f"there is no row of round {count}: rounds count from 1"
                if not is_cut and (True, count) in numbers:
                    why = f"round {number} is Swiss, and comes after the elimination"
                self.problems.add(by_round[is_cut, False, number][0].number, "round", why)
                return

    def swiss_stages(self) -> tuple[int, ...]:
        """Return how many rounds each Swiss stage has."""
        numbers = [stage.number for stage, _ in self.rounds if not stage.elimination]
        return tuple(numbers.count(each) for each in sorted(set(numbers)))

    def _round(self, rows: list[SheetRow], *, is_last: bool) -> None:
        before, stage = len(self.problems.found), self._stage(rows)
        known = self.people.keys()
        games: list[ForeignGame] = []
        absent: list[str] = []
        leaving: list[str] = []
        seats: dict[str, tuple[int, str]] = {}
        byes: list[SheetRow] = []
        for row in self._by_table(rows):
            first, second = self._seats(row, seats)
            leaving += self._leaving(row, first, second)
            if not (first or second):
                continue
            if first and second:
                games.append(self._game(row, first, second, stage, is_last=is_last))
            elif self._results.lost_to_nobody(row, first=bool(first)):
                absent.append(first or second)
            else:
                games.append(ForeignGame(first or second, place=f"row {row.number}"))
                byes.append(row)
        place, column = f"row {rows[0].number}, round", "round"
        if not games and len(self.problems.found) == before:
            self.problems.add(rows[0].number, column, "nobody plays in it, and nobody has a bye")
        self._doubt(rows[0].cell(column), stage, byes, seats)
        self._note_losers(stage, games)
        self.people.ask_about_new(known, seats, f"round {rows[0].cell(column)}")
        people = tuple(absent), tuple(leaving)
        self.rounds.append((stage, ForeignRound(stage.elimination, tuple(games), *people, place)))

    def _game(
        self, row: SheetRow, first: str, second: str, stage: _Stage, *, is_last: bool
    ) -> ForeignGame:
        before = len(self.problems.found)
        result = self._results.read(row, elimination=stage.elimination)
        winner = self._winner(result, first, second)
        where = self._results.told_in(row)
        if result is None and not is_last and len(self.problems.found) == before:
            why = "there is no result, though a later round was played"
            self.doubts.add("missing-result", row.number, where, why)
        elif stage.elimination and result is not None and not winner:
            self.problems.add(row.number, where, "an elimination game needs one who goes on")
        place = f"row {row.number}, {where}"
        return ForeignGame(first, second, winner=winner, result=result, place=place)

    def _doubt(
        self, of: str, stage: _Stage, byes: list[SheetRow], seats: Mapping[str, tuple[int, str]]
    ) -> None:
        """Doubt a second bye of a Swiss round, and who lost and plays on in an elimination."""
        if not stage.elimination:
            for row in byes[1:]:
                why = f"a second bye in round {of}: the first is in row {byes[0].number}"
                self.doubts.add("two-byes", row.number, "player2", why)
            return
        for key, (number, column) in seats.items():
            if lost := self._lost.get(key):
                why = f"plays in round {of}, and has lost in row {lost}"
                self.doubts.add("loser-plays", number, column, why)

    def _note_losers(self, stage: _Stage, games: list[ForeignGame]) -> None:
        for game in games if stage.elimination else ():
            if game.winner:
                loser = game.second if game.winner == game.first else game.first
                self._lost[loser] = int(game.place.removeprefix("row ").partition(",")[0])

    def _by_table(self, rows: list[SheetRow]) -> list[SheetRow]:
        numbered = [(self._number(row, "table", default=0), row) for row in rows]
        first: dict[int, int] = {}
        for number, row in numbered:
            if number and (earlier := first.setdefault(number, row.number)) != row.number:
                why = f"table {number} is in row {earlier} already"
                self.doubts.add("table-twice", row.number, "table", why)
        return [row for _, row in sorted(numbered, key=lambda one: (not one[0], one[0] or 0))]

    def _number(self, row: SheetRow, column: str, default: int | None = None) -> int | None:
        text = row.cell(column)
        if default is not None and is_nobody(text):
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

    def _seats(self, row: SheetRow, seats: dict[str, tuple[int, str]]) -> tuple[str, str]:
        keys = []
        for side in (1, 2):
            column = f"player{side}"
            name = row.cell(column)
            key = seat_key(name)
            if key and key in seats:
                why = f"{name!r} sits in row {seats[key][0]} already"
                self.problems.add(row.number, column, why)
            elif key:
                seats[key] = row.number, column
                self.people.note(row, side, key, self.problems)
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
