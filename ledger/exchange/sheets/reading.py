"""A sheet as a foreign tournament: its columns, its rows as rounds and stages, its event's id.

A sheet that this program wrote says in rows of the round `event` what it is called, when it was and
which game it is of, and has a record of the event (`own_record`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.exchange.account import Passed
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import ForeignCut, ForeignGame, ForeignRound, ForeignTournament
from ledger.exchange.own_record import CHANGED, named, taken, unpacked
from ledger.exchange.sheets.cells import (
    PASSED_OVER,
    Doubts,
    InvalidSheet,
    SheetRow,
    is_nobody,
    plain,
    rows_of,
    seat_key,
    table_of,
    titles_of,
)
from ledger.exchange.sheets.result_columns import ResultReader, columns_of
from ledger.exchange.sheets.sheet_people import (
    SheetPeople,
    columns_of_people,
    keep_problems,
    tier_of,
)
from ledger.facts.base import PLAYERS_MAX
from ledger.facts.opening import id_from_file
from ledger.facts.people import name_key
from ledger.facts.shared import Source
from ledger.files.kinds import unmarked
from ledger.problems import Phrase, marked, phrase, problem, remedy
from ledger.rulesets import names, parse, text_of

if TYPE_CHECKING:
    from ledger.facts.shared import Result
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
            self.problems.found.append(
                phrase("has no rows of rounds below the row of column names")
            )
        self._count(by_round)
        for place in sorted(by_round):
            self._round(by_round[place], is_last=place == max(by_round))
        if len(self.people) > PLAYERS_MAX:
            self.problems.found.append(
                phrase(
                    "{people} players: at most {players_max} are allowed",
                    people=f"{len(self.people):,}",
                    players_max=f"{PLAYERS_MAX:,}",
                )
            )

    def _is_roster(self, row: SheetRow) -> bool:
        return (
            plain(row.cell("round")) in REGISTERED or _ZERO.fullmatch(row.cell("round")) is not None
        )

    def _enter(self, row: SheetRow) -> None:
        """Take somebody who is entered, whether or not they ever sit."""
        keys = self._seats(row, {})
        if all(keys):
            self.problems.add(
                row.number, "player2", phrase("a registration has one player: use a row for each")
            )

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
            self.problems.found.append(
                phrase(
                    "{places} rounds: at most {rounds_max} are allowed",
                    places=len(places),
                    rounds_max=ROUNDS_MAX,
                )
            )
        numbers = [(is_cut, number) for is_cut, is_named, number in places if not is_named]
        for count, (is_cut, number) in enumerate(numbers, start=1):
            before = sum(not each for each, _ in numbers) if is_cut else 0
            if number not in {count, count - before}:
                why = phrase(
                    "there are no rows of round {count}: number the rounds from 1 without gaps",
                    count=count,
                )
                if not is_cut and (True, count) in numbers:
                    why = phrase(
                        "round {number} is a Swiss round after the elimination", number=number
                    )
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
            self.problems.add(rows[0].number, column, phrase("the round has no games and no byes"))
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
            why = phrase("the result is missing, but a later round was played")
            self.doubts.add("missing-result", row.number, where, why)
        elif stage.elimination and result is not None and not winner:
            self.problems.add(row.number, where, phrase("an elimination game needs a winner"))
        place = f"row {row.number}, {where}"
        return ForeignGame(first, second, winner=winner, result=result, place=place)

    def _doubt(
        self, of: str, stage: _Stage, byes: list[SheetRow], seats: Mapping[str, tuple[int, str]]
    ) -> None:
        """Doubt a second bye of a Swiss round, and who lost and plays on in an elimination."""
        if not stage.elimination:
            for row in byes[1:]:
                why = phrase(
                    "a second bye in round {of}: the first is in row {number}",
                    of=of,
                    number=byes[0].number,
                )
                self.doubts.add("two-byes", row.number, "player2", why)
            return
        for key, (number, column) in seats.items():
            if lost := self._lost.get(key):
                why = phrase("plays in round {of}, but lost in row {lost}", of=of, lost=lost)
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
                why = phrase(
                    "table {number} is already in row {earlier}", number=number, earlier=earlier
                )
                self.doubts.add("table-twice", row.number, "table", why)
        return [row for _, row in sorted(numbered, key=lambda one: (not one[0], one[0] or 0))]

    def _number(self, row: SheetRow, column: str, default: int | None = None) -> int | None:
        text = row.cell(column)
        if default is not None and is_nobody(text):
            return default
        found = _NUMBER.fullmatch(text)
        if found and int(found[1]):
            return int(found[1])
        why = (
            phrase("{text} is not a whole number of 1 or more", text=f"{text!r}")
            if text
            else phrase("is empty")
        )
        self.problems.add(row.number, column, why)
        return default

    def _stage(self, rows: list[SheetRow]) -> _Stage:
        """Return the stage of a round; stages have no gap, the elimination comes last."""
        before = self.rounds[-1][0] if self.rounds else _Stage(1, elimination=False)
        words = {row.cell("stage").lower(): row for row in reversed(rows)}
        word, row = next(reversed(words.items()))
        if len(words) > 1:
            self.problems.add(
                row.number, "stage", phrase("all rows of a round must name the same stage")
            )
        if _is_cut(row) or _cut_size(row.cell("round")):
            return _Stage(before.number + (not before.elimination), elimination=True)
        if word in SWISS or word == str(before.number):
            return before
        if word == str(before.number + 1) and self.rounds:
            return _Stage(before.number + 1, elimination=False)
        why = phrase(
            "{word} must be {number}, {next} or cut",
            word=f"{word!r}",
            number=before.number,
            next=before.number + 1,
        )
        self.problems.add(row.number, "stage", why)
        return before

    def _seats(self, row: SheetRow, seats: dict[str, tuple[int, str]]) -> tuple[str, str]:
        keys = []
        for side in (1, 2):
            column = f"player{side}"
            name = row.cell(column)
            key = seat_key(name)
            if key and key in seats:
                why = phrase("{name} already sits in row {row}", name=repr(name), row=seats[key][0])
                self.problems.add(row.number, column, why)
            elif key:
                seats[key] = row.number, column
                self.people.note(row, side, key, self.problems)
            keys.append(key)
        if not any(keys):
            self.problems.add(row.number, "player1", phrase("is empty"))
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
            why = phrase("{word} must be 1, 2, both or a player of the row", word=f"{word!r}")
            self.problems.add(row.number, "drop", why)
            return []
        return named


KIND = "csv"
RECORDER = "Imported from a CSV file"
PASSED_REASONS = {
    f"column {title}": marked("it is a column for your own use") for title in PASSED_OVER
}
NEEDED = ("round", "player1")
PLAIN: Mapping[str, tuple[str, ...]] = {
    "round": ("rd", "roundnumber"),
    "player1": ("p1", "player", "player1name", "name1"),
    "player2": ("p2", "opponent", "player2name", "name2"),
    "table": ("tablenumber", "match"),
    "stage": ("phase",),
    "drop": ("drops", "dropped"),
    "tier": (),
}
"""The columns of every game, and further titles that they may have."""


class Details(Struct, frozen=True):
    """What a spreadsheet does not say: the ruleset's whole text, a day, a name.

    Without a name the event has that of its file. `keep` are further columns of either side that
    become attributes, `allowed` the doubts that are meant (`DOUBTS`), and `is_whole` says that the
    sheet does not grow any more.
    """

    ruleset: str
    name: str = ""
    date: str = ""
    keep: tuple[str, ...] = ()
    allowed: frozenset[str] = frozenset()
    is_whole: bool = False
    is_sheet: bool = False
    """Whether it is about a spreadsheet, and not about another program's file."""


EVENT = "event"
"""What the column of rounds has in the rows about the whole event."""

NAME, DATE, RULESET, RECORD = "name", "date", "ruleset", "record"
"""What such a row is about, by its column `player1`; the value is in `player2`."""


class SheetAbout(Struct, frozen=True):
    """The rows about the event: their values, the parts of the record, and all other rows."""

    values: dict[str, str]
    parts: list[str]
    rest: list[str]


def about_of(data: bytes) -> SheetAbout:
    """Return what a sheet says of its event.

    Raises:
        InvalidSheet: it is not a CSV file.
    """
    listed = table_of(data)
    titles = [plain(title) for title in listed[0][1]]
    about = SheetAbout({}, [], [])
    places = [
        titles.index(each) if each in titles else -1 for each in ("round", "player1", "player2")
    ]
    for _, row in listed:
        cells = [unmarked(cell.strip()) for cell in row]
        at = [cells[place] if 0 <= place < len(cells) else "" for place in places]
        is_record = at[0] == EVENT and at[1] == RECORD
        if is_record:
            about.parts.append(at[2])
        else:
            about.rest.append("\t".join(cells).rstrip("\t"))
        if at[0] == EVENT and not is_record:
            about.values.setdefault(at[1], at[2])
    return about


def names_rounds(data: bytes) -> bool:
    """Return whether the titles of a file are those of a sheet of rounds, whatever its rows are."""
    try:
        titles = {plain(title) for title in titles_of(data)}
    except InvalidSheet:
        return False
    return titles.issuperset(NEEDED)


def sheet_details(data: bytes, others: Details) -> Details:
    """Return the details of a sheet: those in its own rows, and for the rest those of `others`.

    Raises:
        InvalidSheet: it is not a CSV file, or its game or its day is missing.
    """
    details = own_details(data)
    values = about_of(data).values if details is None else {}
    key = values.get(RULESET, "")
    text = details.ruleset if details else text_of(key) if key in names() else others.ruleset
    name = details.name if details else values.get(NAME, "")
    typed = details.date if details else values.get(DATE, "")
    day = day_in(typed) if typed else others.date
    if not (text and day):
        subject = marked("the game") if not text else marked("the day")
        missing = marked("the sheet does not contain {what} of its tournament")
        correction = remedy("import.rounds")
        raise InvalidSheet(
            problem("import.no_details", missing, remedy=correction, what=Phrase(subject))
        )
    return replace(others, ruleset=text, name=name, date=day, is_sheet=True)


def own_details(data: bytes) -> Details | None:
    """Return what a sheet of our own says of its event; None for another one.

    Raises:
        InvalidSheet: it is not a CSV file.
    """
    about = about_of(data)
    event = unpacked(about.parts, about.rest) if about.parts else None
    if event is not None:
        return Details(event.ruleset, event.name, event.date, is_sheet=True)
    key = about.values.get(RULESET, "")
    if key not in names() or not about.values.get(DATE):
        return None
    name, day = about.values.get(NAME, ""), day_in(about.values[DATE])
    return Details(text_of(key), name, day, is_sheet=True)


def read_rounds(data: bytes, details: Details, file: str = "") -> ForeignTournament:
    """Read and validate a file; equal bytes, details and name of the file give an equal tournament.

    Raises:
        InvalidSheet: everything that is wrong, by row and column.
    """
    about = about_of(data)
    event = unpacked(about.parts, about.rest) if about.parts else None
    if event is not None and event.ruleset == details.ruleset:
        return _own(data, named(event, details.name, details.date))
    rules, passed = parse(details.ruleset), Passed(PASSED_REASONS)
    if problems := keep_problems(details.keep):
        raise InvalidSheet(*problems)
    columns = {**PLAIN, **columns_of(rules), **columns_of_people(details.keep)}
    for what in about.values.keys() - {NAME, DATE, RULESET}:
        passed.add(f"event {what}")
    rows = rows_of(data, _titled(columns), NEEDED, passed)
    reader = RoundRows(rules, details.keep, details.allowed)
    reader.read([row for row in rows if row.cell("round") != EVENT])
    tier = tier_of(rows, reader.problems)
    reader.problems.refuse()
    sha256, name = hashlib.sha256(data).hexdigest(), details.name or file
    swiss = tuple(round_ for _, round_ in reader.rounds if not round_.elimination)
    elimination = tuple(round_ for _, round_ in reader.rounds if round_.elimination)
    return ForeignTournament(
        source=Source(KIND, sha256),
        tournament=id_from_file(sha256, name, details.date),
        ruleset=details.ruleset,
        name=name,
        date=details.date,
        recorder=RECORDER,
        players=reader.people.players(),
        swiss=swiss,
        elimination=elimination,
        swiss_announced=len(swiss),
        cut=ForeignCut.of(elimination),
        swiss_stages=reader.swiss_stages(),
        ignored=passed.ignored(),
        notes=(*([CHANGED] if about.parts else []), *reader.doubts.notes()),
        tier=tier,
        stays_open=not details.is_whole,
    )


def _own(data: bytes, event: ForeignTournament) -> ForeignTournament:
    found = taken(event, KIND, data, None)
    own_id = id_from_file(found.source.sha256, found.name, found.date)
    return replace(found, tournament=own_id, recorder=RECORDER)


def _titled(columns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns by their titles; a title that could be two columns' is neither's."""
    found: dict[str, str] = {}
    for column, titles in columns.items():
        for title in {plain(each) for each in titles}:
            found[title] = "" if title in found else column
    return found | {plain(column): column for column in columns}
