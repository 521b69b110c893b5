"""Go events as the European Go Federation takes them: h9 and wallist, which OpenGotha writes.

Description: the EGD's notes on result files, and `generateH9File` of
github.com/lucvannier/opengotha.
Lines of `;` say the event (`EV[name]`, `DT[day,day]`) and name the columns of numbers; each other
line is a player: place, name, rank, country, club, numbers, and a mark for each round, as `12+/w3`:
the opponent's line, the result, the colour and the handicap.

Variants met: columns by blanks or tabs; marks without colour; `!` for `/` where a game was not
played; `0+` a bye, `0=` half a point, `0-` not paired; `?` no result yet; both sides losing; equal
places left blank; UTF-8, Latin-1 and Latin-9; any number of columns of numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.errors import InvalidLog
from ledger.exchange.account import Passed
from ledger.exchange.foreign import ForeignPlayer, PublishedRow
from ledger.exchange.programs.building import NO_PLACE, FileParts, assembled, day_of, is_number
from ledger.exchange.programs.crosstables import Cell, Crosstables
from ledger.files.access import one_line
from ledger.rulesets import parse

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset

KIND = "h9"
BYTES_MAX = 10_000_000
MARK = re.compile(r"([0-9]{1,4})([-+=?])(?:([/!])?([wbh?])?([0-9]?))?", re.IGNORECASE)
RANK = re.compile(r"[0-9]{1,2}(?:[kdp]|dan|kyu)", re.IGNORECASE)
_SAID = re.compile(r";\s*([A-Z]{2})\[(.*)\]\s*$")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,4}|½)?|½")
FIGURES = {
    "mms": "points", "score": "points", "nbw": "NBW", "sosm": "SOSM", "sos": "SOSM",
    "sosos": "SOSOSM", "sososm": "SOSOSM", "sodos": "SODOSM", "sodosm": "SODOSM", "sosw": "SOSW",
    "sososw": "SOSOSW", "sodosw": "SODOSW", "sosm-1": "SOSM1", "sosm-2": "SOSM2", "cussm": "CUSSM",
    "cussw": "CUSSW", "dc": "DC",
}  # fmt: skip
"""Which column of the headings publishes which figure."""

REASONS = {
    **dict.fromkeys(("CL", "PC", "HA", "KM", "TM", "CM", "remark"), NO_PLACE),
    "handicap": "the ruleset has no handicap", "column": "the ruleset has no such tiebreaker",
}  # fmt: skip
_PLAYED = {"+": "win", "-": "loss", "=": "draw", "?": ""}
_DEFAULT = {"+": "came", "-": "absent", "=": "draw", "?": ""}
_ALONE = {"+": "bye", "=": "half"}


def is_h9(text: str) -> bool:
    """Whether a text is of this format: a line with a place, a rank and marks of rounds."""
    return any(_split(line) for line in text.splitlines()[:200])


def read_h9(data: bytes, ruleset: str, name: str = "", day: str = "") -> ForeignTournament:
    """Read a file; `ruleset` is the whole text, `name` and `day` are for files without them.

    Raises:
        InvalidLog: everything that is wrong, by line and round.
    """
    if len(data) > BYTES_MAX:
        raise InvalidLog(f"is larger than {BYTES_MAX:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("iso-8859-15", "replace")
    reader = _Reader(parse(ruleset))
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        reader.line(number, line)
    reader.rounds()
    parts = reader.parts
    parts.name = name or reader.said.get("EV", "")
    parts.day = day or day_of(reader.said.get("DT", "").partition(",")[0])
    return assembled(KIND, data, parts, ruleset, reader.passed)


def _split(line: str) -> tuple[str, str, list[str], list[str], list[str]] | None:
    """Return place, name, what follows the name, numbers and marks; None for another line."""
    if line.startswith(";") or not line.strip():
        return None
    tokens = line.split()
    ranks = [at for at, token in enumerate(tokens) if at and RANK.fullmatch(token)]
    if not ranks:
        return None
    begin = 1 if is_number(tokens[0]) else 0
    after = tokens[ranks[0] :]
    marks = next((at for at, each in enumerate(after) if at and _is_mark(each)), len(after))
    first = next(
        (at for at, each in enumerate(after[:marks]) if at and _NUMBER.fullmatch(each)), marks
    )
    if marks == len(after) or ranks[0] <= begin:
        return None
    name = " ".join(tokens[begin : ranks[0]])
    return tokens[0] if begin else "", name, after[:first], after[first:marks], after[marks:]


def _is_mark(token: str) -> bool:
    found = MARK.fullmatch(token)
    return bool(found) and not _NUMBER.fullmatch(token)


class _Reader:
    """Reads one file, line after line."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.parts, self.passed = FileParts(), Passed(REASONS)
        self.said: dict[str, str] = {}
        self._columns: list[str] = []
        self._lines: list[tuple[int, tuple[str, str, list[str], list[str], list[str]]]] = []

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        if found := _SAID.match(line):
            self.said.setdefault(found[1], found[2].strip())
            if found[1] not in {"EV", "DT"}:
                self.passed.add(found[1])
        elif line.startswith(";"):
            words = line.lower().replace(";", " ").split()
            if words[:2] == ["pl", "name"]:
                self._columns = words[words.index("club") + 1 :] if "club" in words else []
            elif words:
                self.passed.add("remark")
        elif found_line := _split(line):
            self._lines.append((number, found_line))
        elif line.strip():
            self.parts.problems.append(f"line {number} is no player: {one_line(line)[:60]!r}")

    def rounds(self) -> None:
        """Make rounds, people and the published rows of the lines of players."""
        table = Crosstables(self._rules, self.parts)
        last = max((len(each[4]) for _, each in self._lines), default=0)
        for ordinal, (number, each) in enumerate(self._lines, start=1):
            self._person(ordinal, number, each, table)
        for place in range(last):
            cells = [
                self._cell(ordinal, number, place, each[4][place])
                for ordinal, (number, each) in enumerate(self._lines, start=1)
                if place < len(each[4])
            ]
            table.add(f"round {place + 1}", [cell for cell in cells if cell is not None])

    def _person(
        self,
        ordinal: int,
        number: int,
        each: tuple[str, str, list[str], list[str], list[str]],
        table: Crosstables,
    ) -> None:
        rank, name, about, values, marks = each
        key = str(ordinal)
        labels = dict(zip(("rank", "country", "club"), about, strict=False))
        figures = {}
        for column, value in zip(self._columns, values, strict=False):
            code = FIGURES.get(column, "")
            if code:
                plain = value.replace("½", ".5").replace(",", ".")
                figures[code] = table.in_points(value) if code == "points" else plain
            else:
                self.passed.add(f"column {column}")
        points = figures.get("points", "")
        self.parts.players[key] = ForeignPlayer(
            key, name, ordinal, labels, numbers=self._start(points, marks)
        )
        shown = {code: value for code, value in figures.items() if value}
        at = f"line {number}"
        place = int(rank) if rank else ordinal
        self.parts.published.append(PublishedRow(key, place, shown, at))

    def _start(self, points: str, marks: list[str]) -> dict[str, int]:
        """Return what a player began with: the published points without those of the rounds."""
        start, unit = self._rules.start, self._rules.full_win.points or 1
        if start is None or not points:
            return {}
        worth = {"+": unit, "=": unit // 2, "-": 0, "?": 0}
        earned = sum(worth[found[2]] for found in map(MARK.fullmatch, marks) if found)
        begun = (float(points) - earned) // start.worth
        return {start.number: int(begun)} if begun >= 0 else {}

    def _cell(self, ordinal: int, number: int, place: int, mark: str) -> Cell | None:
        where, found = f"line {number}, round {place + 1}", MARK.fullmatch(mark)
        if found is None:
            self.parts.problems.append(f"{where}: {one_line(mark)!r} is no mark such as 12+/w0")
            return None
        if (found[5] or "0") != "0":
            self.passed.add("handicap")
        if not int(found[1]):
            kind = _ALONE.get(found[2], "")
            return Cell(where, str(ordinal), "", "", kind) if kind else None
        kinds = _DEFAULT if found[3] == "!" else _PLAYED
        colour = (found[4] or "").lower()
        return Cell(where, str(ordinal), str(int(found[1])), colour, kinds[found[2]])
