"""Go events as the European Go Federation takes them: h9 and wallist, which OpenGotha writes.

Description: the EGD's notes on result files, and `generateH9File` of
github.com/lucvannier/opengotha.
Lines of `;` say the event (`EV[name]`, `DT[day,day]`) and name the columns of numbers; each other
line is a player: place, name, rank, country, club, numbers, and a mark for each round, as `12+/w3`:
the opponent's line, the result, the colour and the handicap.

Variants met: columns by blanks or tabs; headings of five letters with no blank between them, as
`MMS  SOSSOSOS` (OpenGotha), or by blanks (Pairgoth); zeros to fill four columns; a half in `½` or,
in Latin-9, `?`; marks without colour; `!` for `/` where a game was not played; `0+` a bye, `0=`
half a point, `0-` not paired; handicaps; `?` no result yet; both sides losing; equal places left
blank; `|12345678`, a player's number in the EGD, behind the marks; names that several share; UTF-8,
Latin-1 and Latin-9; any number of columns of numbers; ranks as `5k`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from ledger.exchange.account import NO_PLACE, Passed
from ledger.exchange.foreign import ForeignPlayer, PublishedRow
from ledger.exchange.programs.building import (
    FileParts,
    assembled,
    counts_stones,
    day_of,
    is_number,
    lines_in,
    ranked_by,
)
from ledger.exchange.programs.crosstables import Cell, Crosstables
from ledger.files.access import one_line
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

KIND = "h9"
MARK = re.compile(r"([0-9]{1,4})([-+=?])(?:([/!])?([wbh?])?([0-9]?))?", re.IGNORECASE)
RANK = re.compile(r"[0-9]{1,2}(?:[kdp]|dan|kyu)", re.IGNORECASE)
_SAID = re.compile(r";\s*([A-Z]{2})\[(.*)\]")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,4}|[¼½¾?])?|[¼½¾]")
_PARTS = {"¼": ".25", "½": ".5", "¾": ".75", "?": ".5", ",": "."}
HEADING = 5
"""How wide a heading is that has no blank before it."""
FIGURES = {
    "mms": "points", "score": "points", "nbw": "NBW", "sosm": "SOSM", "sos": "SOSM",
    "sosos": "SOSOSM", "sososm": "SOSOSM", "sodos": "SODOSM", "sodosm": "SODOSM", "sosw": "SOSW",
    "sososw": "SOSOSW", "sodosw": "SODOSW", "sosm-1": "SOSM1", "sosm-2": "SOSM2", "cussm": "CUSSM",
    "cussw": "CUSSW", "dc": "DC",
}  # fmt: skip
"""Which column of the headings publishes which figure."""

KNOWN = frozenset(FIGURES) | {"cat", "rank", "ratin", "rating", "ext", "exr", "sdc", "sts", "sosts"}
"""Headings as programs write them."""

BY_WINS = {"sos": "SOSW", "sosos": "SOSOSW", "sodos": "SODOSW"}
"""The same where players are ranked by their wins, without points to start from."""

LEAGUE_ID_MAX = 64
REASONS = {
    **dict.fromkeys(("CL", "PC", "HA", "KM", "TM", "CM", "TC", "TA", "remark"), NO_PLACE),
    "handicap": "the ruleset has no handicap", "column": "the ruleset has no such tiebreaker",
}  # fmt: skip
_PLAYED = {"+": "win", "-": "loss", "=": "draw", "?": ""}
_DEFAULT = {"+": "came", "-": "absent", "=": "draw", "?": ""}
_ALONE = {"+": "bye", "=": "half", "-": "zero"}


def is_h9(text: str) -> bool:
    """Return whether a text is of this format: a line with a place, a rank and marks of rounds.

    An event without any such round has at least the first line that the format has.
    """
    return text.startswith("; CL[") or any(_split(line) for line in text.splitlines()[:200])


def read_h9(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line and round.
    """
    reader = _Reader(parse(ruleset))
    for number, line in lines_in(data, "iso-8859-15"):
        reader.line(number, line)
    reader.rounds()
    parts = reader.parts
    parts.name = name or reader.said.get("EV", "")
    days = reader.said.get("DT", "")
    parts.day = day or day_of(days, days.split(",")[1:])
    ranked = ranked_by(ruleset, reader.codes())
    foreign = assembled(KIND, data, parts, ranked or ruleset, reader.passed)
    return replace(foreign, is_ranked=bool(ranked))


class _Line(NamedTuple):
    """What a player's line says."""

    place: str
    name: str
    about: list[str]
    numbers: list[str]
    marks: list[str]
    pin: str


def _split(line: str, columns: int = 0) -> _Line | None:
    """Read a player's line, with at least that number of columns; None for another line."""
    if line.startswith(";") or not line.strip():
        return None
    line, _, pin = line.partition("|")
    tokens = line.split()
    ranks = [at for at, token in enumerate(tokens) if at and RANK.fullmatch(token)]
    if not ranks:
        return None
    begin = 1 if is_number(tokens[0]) else 0
    after = tokens[ranks[0] :]
    marks = len(after)
    while marks > 1 and MARK.fullmatch(after[marks - 1]):
        marks -= 1
    if marks == len(after) or ranks[0] <= begin:
        return None
    first = next(
        (at for at, each in enumerate(after[:marks]) if at and _NUMBER.fullmatch(each)), marks
    )
    if all(map(_NUMBER.fullmatch, after[marks : first + columns])):
        marks = max(marks, first + columns)  # halves in the last columns, written as `12?`
    name = " ".join(tokens[begin : ranks[0]])
    place = tokens[0] if begin else ""
    return _Line(place, name, after[:first], after[first:marks], after[marks:], pin.strip())


def _headings(line: str) -> list[str]:
    """Return the columns of numbers: by blanks, or in cells where no blank is between them."""
    after = line.partition("club")[2]
    words = after.split()
    if all(word in KNOWN for word in words):
        return words
    cells = [after[at : at + HEADING].strip() for at in range(0, len(after.rstrip()), HEADING)]
    return cells if all(cells) else words


class _Reader:
    """Reads one file, line after line."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)
        self.said: dict[str, str] = {}
        self._columns: list[str] = []
        self._lines: list[tuple[int, _Line]] = []
        self._rounded: dict[int, int] = {}
        """Whose halves for rounds missed count in pairs alone, and how many there were so far."""

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        if found := _SAID.match(line):
            self.said.setdefault(found[1], found[2].strip())
            if found[1] not in {"EV", "DT"}:
                self.passed.add(found[1])
        elif line.startswith(";"):
            words = line.lower().replace(";", " ").split()
            if words[:2] == ["pl", "name"]:
                self._columns = _headings(line.lower())
            elif words:
                self.passed.add("remark")
        elif found_line := _split(line, len(self._columns)):
            self._lines.append((number, found_line))
        elif line.strip():
            self.parts.problems.append(f"line {number} is no player: {one_line(line)[:60]!r}")

    def codes(self) -> list[str]:
        """Return the tiebreakers that the columns rank by, those that the ruleset has."""
        codes = dict.fromkeys(map(self._known.get, self._columns))
        return [code for code in codes if code in self._rules.in_force]

    @property
    def _known(self) -> dict[str, str]:
        return FIGURES if {"mms", "score"} & {*self._columns} else FIGURES | BY_WINS

    def rounds(self) -> None:
        """Make rounds, people and the published rows of the lines of players."""
        table = Crosstables(self._rules, self.parts)
        last = max((len(each.marks) for _, each in self._lines), default=0)
        level = 0
        for ordinal, (number, each) in enumerate(self._lines, start=1):
            level = int(each.place) if each.place else level or ordinal
            self._person(ordinal, number, each, table, level)
        for place in range(last):
            cells = [
                self._cell(ordinal, number, place, each.marks[place])
                for ordinal, (number, each) in enumerate(self._lines, start=1)
                if place < len(each.marks)
            ]
            table.add(f"round {place + 1}", [cell for cell in cells if cell is not None])

    def _person(
        self, ordinal: int, number: int, each: _Line, table: Crosstables, level: int
    ) -> None:
        key = str(ordinal)
        labels = dict(zip(("rank", "country", "club"), each.about, strict=False))
        figures = {}
        codes = self._known
        for column, value in zip(self._columns, each.numbers, strict=False):
            code = codes.get(column, "")
            if code:
                plain = "".join(_PARTS.get(letter, letter) for letter in value)
                figures[code] = "" if code == "points" and table.in_points(plain) is None else plain
            else:
                self.passed.add(f"column {column}")
        points = table.in_points(figures.get("points", ""))
        start = self._start(ordinal, points, each.marks)
        self.parts.players[key] = ForeignPlayer(
            key, each.name, ordinal, labels, league_id=each.pin[:LEAGUE_ID_MAX], numbers=start
        )
        shown = {code: value for code, value in figures.items() if value}
        self.parts.published.append(PublishedRow(key, level, shown, f"line {number}"))

    def _start(self, ordinal: int, points: Fraction | None, marks: list[str]) -> dict[str, int]:
        """Return what a player began with: the published points without those of the rounds.

        Where that is no whole number, halves for rounds missed were rounded down.
        """
        start, unit = self._rules.start, self._rules.full_win.points or 1
        if start is None or points is None:
            return {}
        worth = {"+": unit, "=": unit // 2, "-": 0, "?": 0}
        earned = sum(worth[found[2]] for found in map(MARK.fullmatch, marks) if found)
        begun = points - earned
        if begun % start.worth and sum(mark.startswith("0=") for mark in marks) % 2:
            self._rounded[ordinal] = 0
            begun += 1
        return {start.number: int(begun // start.worth)} if begun >= 0 else {}

    def _cell(self, ordinal: int, number: int, place: int, mark: str) -> Cell | None:
        where, found = f"line {number}, round {place + 1}", MARK.fullmatch(mark)
        if found is None:
            self.parts.problems.append(f"{where}: {one_line(mark)!r} is no mark such as 12+/w0")
            return None
        stones = int(found[5] or 0)
        if stones and not counts_stones(self._rules):
            self.passed.add("handicap")
        if not int(found[1]):
            kind = _ALONE.get(found[2], "")
            if kind == "half" and ordinal in self._rounded:
                self._rounded[ordinal] += 1
                kind = "zero" if self._rounded[ordinal] % 2 else "full"
            return Cell(where, str(ordinal), "", "", kind) if kind else None
        kinds = _DEFAULT if found[3] == "!" else _PLAYED
        colour = (found[4] or "").lower()
        return Cell(where, str(ordinal), str(int(found[1])), colour, kinds[found[2]], stones)
