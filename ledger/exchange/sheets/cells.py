"""A CSV file as rows of named cells; all that is wrong is collected, and refused at once."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Mapping

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.files.access import one_line
from ledger.problems import Problem, problem
from ledger.rulesets.words import first_few, nearest
from ledger.tournament.same_names import name_key

BYTES_MAX = 20_000_000
CELL_MAX = 1_000

NOBODY = frozenset({"", "bye", "nobody"})
"""What a cell says in the place of an opponent, besides all that has no letter, as a dash."""


class InvalidSheet(InvalidLog):
    """A file whose rows cannot be used, with every problem by row and column."""

    def __init__(self, *problems: Problem | str) -> None:
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
        self.found: list[Problem | str] = []

    def add(self, row: int, column: str, text: str) -> None:
        """Note one problem."""
        shown = one_line(text)
        found = problem("sheet.row", "row {row}: {text}", row=row, text=shown)
        if column:
            where = "row {row}, {column}: {text}"
            found = problem("sheet.cell", where, row=row, column=column, text=shown)
        self.found.append(found)

    def refuse(self) -> None:
        """End here if anything is wrong. Raises InvalidSheet: everything that was noted."""
        if self.found:
            raise InvalidSheet(*self.found)


def rows_of(data: bytes, known: Mapping[str, str], needed: Collection[str]) -> list[SheetRow]:
    """Read the rows below the line of titles.

    `known` are the columns by every title that they may have, each as `plain` gives it.

    Raises:
        InvalidSheet: it is no CSV, or its columns are not those that are known.
    """
    listed, problems = table_of(data), SheetProblems()
    titles = _titles(listed[0], known, needed)
    rows = [_row(number, cells, titles, problems) for number, cells in listed[1:]]
    problems.refuse()
    return rows


def table_of(data: bytes) -> list[tuple[int, list[str]]]:
    """Read a file's lines that are not blank: the number of each, and its cells.

    Comma, semicolon or tab, in UTF-8 or UTF-16, as a spreadsheet writes them.

    Raises:
        InvalidSheet: it is no CSV, or has no line.
    """
    text = _text(data)
    first = next((line for line in text.splitlines() if plain(line)), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        listed = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidSheet(f"row {reader.line_num}: {error}") from None
    if not listed:
        raise InvalidSheet("is empty: its first line names the columns")
    return listed


def plain(title: str) -> str:
    """Return a title without case, spaces and marks: "Player 1" and "PLAYER_1" are one."""
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def seat_key(name: str) -> str:
    """Return a name as it is compared; empty where the cell says that nobody sits there."""
    return "" if plain(name) in NOBODY else name_key(name)


def _text(data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise InvalidSheet(f"is larger than {BYTES_MAX:,} bytes")
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InvalidSheet("is a workbook; save the sheet as CSV (UTF-8)")
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        where = f"row {row} is no UTF-8 text at byte {error.start + 1}"
        raise InvalidSheet(f"{where}; save it as CSV UTF-8") from None
    if text[:4].lower() != "sep=":
        return text
    # Excel's first line names the delimiter; left blank, the rows keep their numbers.
    return "\n" + text.partition("\n")[2]


def _titles(
    listed: tuple[int, list[str]], known: Mapping[str, str], needed: Collection[str]
) -> list[str]:
    """Return the column of each title; empty where a column has neither title nor use."""
    number, row = listed
    titles: list[str] = []
    problems = SheetProblems()
    for title in row:
        column = known.get(plain(title), "")
        if column and column in titles:
            problems.add(number, "", f"the column {column} is there twice")
        elif not column and title.strip():
            hint = nearest(plain(title)[:64], sorted(set(known.values())))
            why = f"there is no column {one_line(title)!r} to read"
            problems.add(number, "", f"{why}: rename or delete it; {hint}")
        titles.append(column)
    for column in needed:
        if column not in titles:
            problems.add(number, "", f"the column {column} is missing")
    problems.refuse()
    return titles


def _row(number: int, cells: list[str], titles: list[str], problems: SheetProblems) -> SheetRow:
    row = SheetRow(number, {})
    for place, cell in enumerate(cells):
        title = titles[place] if place < len(titles) else ""
        value = cell.strip()
        if len(value) > CELL_MAX:
            problems.add(number, title, f"is longer than {CELL_MAX:,} characters")
        elif value and title:
            row.cells[title] = value
        elif value:
            problems.add(number, "", f"{value!r} is in column {place + 1}, which has no title")
    return row
