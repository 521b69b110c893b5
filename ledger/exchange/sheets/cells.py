"""A CSV file as rows of named cells; its problems and doubts are collected, and refused at once.

A score in one cell is 2-1, 2:1, 1-1-1, 1-0, ½-½ or 0.5-0.5, or what a spreadsheet made of one. `½`
may be typed as 1/2, 0.5 or 0,5. `+--` and `1-0F` are a match that was not played: the player who
came has it, as chess programs write it.

A doubt is something that a sheet may mean, but hardly does. Each kind has a word of its own, with
which its importer lets it pass.
"""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.exchange.account import safe
from ledger.facts.people import name_key
from ledger.files.access import one_line
from ledger.files.kinds import unmarked
from ledger.problems import One, Phrase, Problem, marked, phrase, problem, remedy
from ledger.rulesets.toml_files import first_few, nearest

if TYPE_CHECKING:
    from ledger.exchange.account import Passed

_NUMBER = r"([0-9]{0,15}(?:½|[.,]5|[.,]0{1,9})|[0-9]{1,15})"
_BETWEEN = r" ?[-:\u2013\u2014] ?"
_SCORE = re.compile(rf"{_NUMBER}{_BETWEEN}{_NUMBER}(?:{_BETWEEN}{_NUMBER})?")
_MONTH = r"[a-zäéû]{3,9}\.?"
_DAY = re.compile(
    rf"(?:[0-9]{{1,2}}[. -]+{_MONTH}|{_MONTH}[. -]+[0-9]{{1,2}})(?:[. ,-]+[0-9]{{2,4}})?"
    r"|[0-9]{1,2}([-./])[0-9]{1,2}\1(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}([-./])[0-9]{1,2}\2[0-9]{1,2}"
    r"|[0-9]{1,2}([./])[0-9]{1,2}\3(?:[0-9]{2})?|[0-9]{1,2}/[0-9]{1,2}",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"[ t]+[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?$", re.IGNORECASE)

FORFEITS = {
    "+--": "no-show2", "+:-": "no-show2", "1-0f": "no-show2", "1-0ff": "no-show2",
    "--+": "no-show1", "-:+": "no-show1", "0-1f": "no-show1", "0-1ff": "no-show1",
    "---": "no-show", "-:-": "no-show", "0-0f": "no-show", "0-0ff": "no-show",
}  # fmt: skip
"""What chess programs write of a match that was not played, and the word for it here."""


def score_of(text: str) -> tuple[Fraction, ...]:
    """Return the two or three numbers of a score; nothing where it is no score."""
    found = _SCORE.fullmatch(_plain(text))
    return tuple(map(_number, filter(None, found.groups()))) if found and not is_date(text) else ()


def whole_score(text: str) -> tuple[int, ...]:
    """Return the numbers of a score that has no half; nothing where it has one, or is no score."""
    numbers = score_of(text)
    is_whole = all(number.denominator == 1 for number in numbers)
    return tuple(map(int, numbers)) if is_whole else ()


def is_date(text: str) -> bool:
    """Whether a cell is a day: what a spreadsheet makes of 2-1 or 1-1-1."""
    return bool(_DAY.fullmatch(_CLOCK.sub("", text.strip())))


def forfeit_of(text: str) -> str:
    """Return the word for a match that was not played, or nothing."""
    return FORFEITS.get("".join(text.lower().split()), "")


def _plain(text: str) -> str:
    return text.strip().replace("\u2044", "/").replace("\u2212", "-").replace("1/2", "½")


def _number(text: str) -> Fraction:
    if text.endswith("½"):
        return Fraction(int(text[:-1] or 0)) + Fraction(1, 2)
    return Fraction(text.replace(",", ".") if text[0].isdigit() else f"0{text.replace(',', '.')}")


BYTES_MAX = 20_000_000
ROWS_MAX = 100_000
"""Rows of a sheet: the matches of 8,000 players in 25 rounds."""

BROKEN_MAX = 10_000
"""Characters of a broken row that are looked at to name its column."""

NOTED_MAX = 1_000
"""Problems of a sheet that are kept; a person reads a few."""

CELL_MAX = 1_000
COLUMNS_MAX = 200

_MARK = r"[\s\-\u2010-\u2015_*()\[\]<>./]*"
_NOBODY = re.compile(rf"{_MARK}(?:bye{_MARK})?", re.IGNORECASE)
"""What a cell says in the place of an opponent; a name of other signs, as #, is a name."""

PASSED_OVER = frozenset(
    {"note", "notes", "comment", "comments", "remark", "remarks", "date", "time", "timestamp"}
)
"""Columns that anybody may keep for themselves; they are counted."""


class InvalidSheet(InvalidLog):
    """A file whose rows cannot be used, with every problem by row and column."""

    def __init__(self, *problems: Problem | Phrase | str) -> None:
        super().__init__(*first_few(problems))


class SheetRow(Struct, frozen=True):
    """One line of the file: its number, and the cells that are not empty, by column."""

    number: int
    cells: dict[str, str]

    def cell(self, column: str) -> str:
        """The text of a cell, or nothing."""
        return self.cells.get(column, "")


class SheetProblems:
    """What is wrong with a file, by row and column."""

    def __init__(self) -> None:
        self.found: list[Problem | Phrase | str] = []

    def add(self, row: int, column: str, text: Phrase | str) -> None:
        """Note one problem; InvalidSheet if there are more than anybody reads."""
        if len(self.found) >= NOTED_MAX:
            self.refuse()
        where, shown = marked("row {row}, {column}: {text}"), safe(text)
        self.found.append(problem("sheet.cell", where, row=row, column=column, text=shown))

    def refuse(self) -> None:
        """End here if anything is wrong. Raises InvalidSheet: everything that was noted."""
        if self.found:
            raise InvalidSheet(*self.found)


def rows_of(
    data: bytes, known: Mapping[str, str], needed: Collection[str], passed: Passed
) -> list[SheetRow]:
    """Read the rows below the line of titles.

    `known` are the columns by every title that they may have, each as `plain` gives it; cells of
    columns that anybody may keep for themselves are counted in `passed`.

    Raises:
        InvalidSheet: it is no CSV, or its columns are not those that are known.
    """
    listed, problems = table_of(data), SheetProblems()
    titles = _titles(listed[0], known, needed)
    rows = [_row(number, cells, titles, problems) for number, cells in listed[1:]]
    problems.refuse()
    for title in {title for title in titles if title in PASSED_OVER}:
        for row in rows:
            if row.cells.pop(title, ""):
                passed.add(f"column {title}")
    return rows


def titles_of(data: bytes) -> list[str]:
    """Read the titles in the first line of a file.

    Raises:
        InvalidSheet: it is not a text, or it is empty.
    """
    lines = (match[0] for match in re.finditer(r"[^\r\n]+", _text(data)))
    first = next((line for line in lines if plain(line)), "")
    return next(csv.reader([first], delimiter=max(",;\t", key=first.count)), [])


def table_of(data: bytes) -> list[tuple[int, list[str]]]:
    """Read a file's lines that are not blank: the number of each, and its cells.

    Comma, semicolon or tab, in UTF-8 or UTF-16, as a spreadsheet writes them.

    Raises:
        InvalidSheet: it is no CSV, or has no line.
    """
    text = _text(data)
    lines = (found[0] for found in re.finditer(r"[^\r\n]+", text))
    first = next((line for line in lines if plain(line)), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    listed: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                _refuse_large(len(listed), reader.line_num, row)
                listed.append((reader.line_num, row))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InvalidSheet(_broken(text, delimiter, begins, str(error))) from None
    if not listed:
        raise InvalidSheet(phrase("is empty: its first line must name the columns"))
    return listed


def _refuse_large(rows: int, number: int, row: list[str]) -> None:
    """Refuse what would take much more memory than its file: too many rows, or cells in a row."""
    if rows > ROWS_MAX:
        raise InvalidSheet(
            phrase(
                "has more than {rows_max} rows: import only a part of it", rows_max=f"{ROWS_MAX:,}"
            )
        )
    if len(row) > COLUMNS_MAX and any(cell.strip() for cell in row[COLUMNS_MAX:]):
        text = phrase(
            "row {row}, column {column}: a sheet can have at most {columns_max} columns",
            row=number,
            column=len(row),
            columns_max=COLUMNS_MAX,
        )
        raise InvalidSheet(text)
    del row[COLUMNS_MAX:]


def _broken(text: str, delimiter: str, begins: int, why: str) -> Problem:
    """Say where a line cannot be cut into cells: the row, and the column of its last quote."""
    line = next(islice(io.StringIO(text, newline=""), begins - 1, None), "")[:BROKEN_MAX]
    line = line.rstrip("\r\n")
    cell = re.compile(rf'"(?:[^"]|"")*"|(?!")[^{re.escape(delimiter)}]*')
    place, at = 1, cell.match(line)
    while at is not None and line[at.end() : at.end() + 1] == delimiter:
        place, at = place + 1, cell.match(line, at.end() + 1)
    reason = phrase('a quote (") is never closed') if "end of data" in why else why
    found = marked("row {row}, column {column}: {text}")
    return problem("sheet.quote", found, row=begins, column=place, text=reason)


def plain(title: str) -> str:
    """Return a title without case, spaces and marks: "Player 1" and "PLAYER_1" are one."""
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def seat_key(name: str) -> str:
    """Return a name as it is compared; empty where the cell says that nobody sits there."""
    return "" if is_nobody(name) else name_key(name)


def is_nobody(cell: str) -> bool:
    """Whether a cell is empty, a dash or BYE."""
    return bool(_NOBODY.fullmatch(cell))


def _text(data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise InvalidSheet(phrase("is larger than {bytes_max} bytes", bytes_max=f"{BYTES_MAX:,}"))
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InvalidSheet(phrase("is a workbook; save the sheet as CSV (UTF-8)"))
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        where = phrase(
            "row {row} is not UTF-8 text at byte {place}; save the sheet as CSV (UTF-8)",
            row=row,
            place=error.start + 1,
        )
        raise InvalidSheet(where) from None
    if text[:4].lower() != "sep=":
        return text
    # Excel's first line names the delimiter; left blank, the rows keep their numbers.
    return "\n" + text.partition("\n")[2]


def _titles(
    listed: tuple[int, list[str]], known: Mapping[str, str], needed: Collection[str]
) -> list[str]:
    """Return the column of each title; empty where a column has neither title nor use."""
    number, row = listed
    if len(row) > COLUMNS_MAX:
        raise InvalidSheet(
            phrase(
                "row {row}, column {column}: a sheet can have at most {columns_max} columns",
                row=number,
                column=len(row),
                columns_max=COLUMNS_MAX,
            )
        )
    titles: list[str] = []
    problems = SheetProblems()
    if not any(known.get(plain(title)) for title in row):
        _refuse_untitled(number, row, sorted(set(known.values())), needed)
    for place, title in enumerate(row, start=1):
        column = known.get(plain(title), "") or (
            plain(title) if plain(title) in PASSED_OVER else ""
        )
        if column and column in titles and column not in PASSED_OVER:
            problems.add(
                number,
                f"column {place}",
                phrase("the column {column} appears twice", column=column),
            )
        elif not column and title.strip():
            hint = nearest(plain(title)[:64], sorted(set(known.values())))
            text = _unknown_column(title, hint, can_be_kept=plain(title)[-1:] in {"1", "2"})
            problems.add(number, f"column {place}", text)
        titles.append(column)
    for column in needed:
        if column not in titles:
            problems.add(number, column, phrase("the column {column} is missing", column=column))
    problems.refuse()
    return titles


OWN_TABLES = {
    "list": ("player", "name", "faction", "league_id", "status"),
    "log": ("seq", "at", "by", "who", "type", "what"),
    "pairings": ("round", "table", "match", "player", "name", "against"),
    "standings": ("rank", "player", "name", "points"),
}
"""The first titles of tables that views write with --csv: none holds a whole tournament."""


TITLES_BYTES = 4_096
"""Bytes at the beginning of a file that contain the first titles of a table of ours."""


def own_table(data: bytes) -> str:
    """Return the view that wrote a table with --csv, from the beginning of a file; "" for none."""
    first_line = data.decode("utf-8-sig", "replace").partition("\n")[0]
    titles = tuple(first_line.strip().split(","))
    return next((verb for verb, first in OWN_TABLES.items() if titles[: len(first)] == first), "")


def _unknown_column(title: str, hint: One, *, can_be_kept: bool) -> Phrase:
    """Say that a column has no known title, and what can be done."""
    shown = repr(one_line(title))
    if can_be_kept:
        return phrase(
            "{title} is not a known column: rename or delete it, or keep it as an attribute; "
            "{known}",
            title=shown,
            known=hint,
        )
    return phrase(
        "{title} is not a known column: rename or delete it; {known}", title=shown, known=hint
    )


def _refuse_untitled(
    number: int, row: list[str], known: list[str], needed: Collection[str]
) -> None:
    """Refuse a first line that names no column at all; it may be the first line of a table."""
    words = [plain(title)[:64] for title in row]
    is_table = any(map(str.isdigit, words)) or any(map(whole_score, row))
    if not is_table and any(str(nearest(word, known)).startswith("did") for word in words):
        return
    shown = one_line(", ".join(cell.strip() for cell in row if cell.strip()))[:60]
    text = marked(
        "row {row}, column 1: the titles are missing: the first line must name the "
        "columns ({needed}, player2, result …), but is {shown}"
    )
    columns = ", ".join(needed)
    raise InvalidSheet(problem("sheet.titles", text, row=number, needed=columns, shown=repr(shown)))


def _row(number: int, cells: list[str], titles: list[str], problems: SheetProblems) -> SheetRow:
    row = SheetRow(number, {})
    for place, cell in enumerate(cells):
        title = titles[place] if place < len(titles) else ""
        value = unmarked(cell.strip())
        if len(value) > CELL_MAX:
            where = title or f"column {place + 1}"
            problems.add(
                number,
                where,
                phrase("is longer than {cell_max} characters", cell_max=f"{CELL_MAX:,}"),
            )
        elif value and title:
            row.cells[title] = value
        elif value:
            problems.add(
                number,
                f"column {place + 1}",
                phrase("{value} has no column title above it", value=f"{value!r}"),
            )
    return row


NEW_NAMES = "new-names"
DOUBTS = {
    NEW_NAMES: marked("a new name that is nearly the name of a player missing from that round"),
    "missing-result": marked("a table without a result in a round before the last"),
    "table-twice": marked("the same table number in two rows of a round"),
    "two-byes": marked("two byes in one round"),
    "loser-plays": marked("a player who lost in the elimination plays again"),
    "changed-details": marked("a faction, league id or attribute that differs from an earlier row"),
    "new-faction": marked("a faction that the ruleset does not list"),
}
"""The kinds, in the words of the help."""

NOTES_MAX = 20


class Doubts:
    """The doubts of one sheet: those let pass become notes, all others problems."""

    def __init__(self, problems: SheetProblems, allowed: Collection[str]) -> None:
        self._problems, self._allowed = problems, frozenset(allowed)
        self._notes: list[Phrase | str] = []

    def add(self, kind: str, row: int, column: str, text: Phrase | str) -> None:
        """Note one doubt."""
        shown = safe(text)
        if kind in self._allowed:
            self._notes.append(
                phrase(
                    "row {row}, {column}: {shown} (allowed: {kind})",
                    row=row,
                    column=column,
                    shown=shown,
                    kind=kind,
                )
            )
            return
        allow = remedy("import.allow", kind=kind)
        self._problems.found.append(
            problem(
                "sheet.doubt",
                "row {row}, {column}: {text}",
                remedy=remedy("import.new_names") if kind == NEW_NAMES else allow,
                kind=kind,
                row=row,
                column=column,
                text=shown,
            )
        )

    def notes(self) -> tuple[Phrase | str, ...]:
        """Return what was let pass, the first of very many."""
        more = len(self._notes) - NOTES_MAX
        rest = [phrase("and {more} more that were allowed", more=f"{more:,}")] if more > 0 else []
        return (*self._notes[:NOTES_MAX], *rest)
