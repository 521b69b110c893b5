"""A CSV file as rows of named cells; what is wrong is collected, and told all at once."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.exchange.foreign import SeveralProblems
from ledger.files.access import one_line
from ledger.rulesets.words import nearest
from ledger.tournament.same_names import name_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

BYTES_MAX = 20_000_000
CELL_MAX = 1_000

NOBODY = frozenset({"", "bye", "nobody"})
"""What stands in the place of an opponent, beside all that has no letter, as `-`."""


class InvalidSheet(SeveralProblems):
    """A file whose rows can not be used; `problems` holds every one, by row and column."""


class SheetRow(Struct, frozen=True):
    """One line of the file: its number, and the cells that are not empty, by column."""

    number: int
    cells: dict[str, str]

    def cell(self, column: str) -> str:
        """What stands there, or nothing."""
        return self.cells.get(column, "")


class SheetProblems:
    """What is wrong with a file, by row and column."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, row: SheetRow, column: str, text: str) -> None:
        """Note one problem."""
        where = f"row {row.number}, {column}" if column else f"row {row.number}"
        self.found.append(f"{where}: {one_line(text)}")

    def refuse(self) -> None:
        """End here if anything is wrong.

        Raises:
            InvalidSheet: everything that was noted.
        """
        if self.found:
            raise InvalidSheet(self.found)


def rows_of(data: bytes, known: Mapping[str, str], needed: Collection[str]) -> list[SheetRow]:
    """Read the rows below the line of titles.

    `known` are the columns by every title that they may have, each as `plain` gives it.

    Raises:
        InvalidSheet: it is no CSV, or its columns are not those that are known.
    """
    listed = table_of(data)
    titles = _titles(listed[0], known, needed)
    problems = SheetProblems()
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
        raise InvalidSheet([f"row {reader.line_num}: {error}"]) from None
    if not listed:
        raise InvalidSheet(["is empty: its first line names the columns"])
    return listed


def plain(title: str) -> str:
    """A title without case, spaces and marks: `Player 1`, `player_1` and `PLAYER1` are one."""
    return "".join(letter for letter in title.casefold() if letter.isalnum())


def seat_key(name: str) -> str:
    """A name as it is compared; empty where the cell says that nobody sits there."""
    return "" if plain(name) in NOBODY else name_key(name)


def _text(data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise InvalidSheet([f"is larger than {BYTES_MAX:,} bytes"])
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise InvalidSheet(["is a workbook; save the sheet as CSV (UTF-8)"])
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        told = f"row {row} is no UTF-8 text at byte {error.start + 1}; save it as CSV UTF-8"
        raise InvalidSheet([told]) from None
    if text[:4].lower() != "sep=":
        return text
    # Excel's first line names the delimiter; left blank, the rows keep their numbers.
    return "\n" + text.partition("\n")[2]


def _titles(
    listed: tuple[int, list[str]], known: Mapping[str, str], needed: Collection[str]
) -> list[str]:
    """The column of each title; empty where a column has neither title nor use."""
    number, row = listed
    titles: list[str] = []
    problems = []
    for title in row:
        column = known.get(plain(title), "")
        if column and column in titles:
            problems.append(f"row {number}: the column {column} stands twice")
        elif not column and title.strip():
            hint = nearest(plain(title)[:64], sorted(set(known.values())))
            told = f"there is no column {one_line(title)!r} to read"
            problems.append(f"row {number}: {told}: rename or delete it; {hint}")
        titles.append(column)
    problems += [
        f"row {number}: the column {one} is missing" for one in needed if one not in titles
    ]
    if problems:
        raise InvalidSheet(problems)
    return titles


def _row(number: int, cells: list[str], titles: list[str], problems: SheetProblems) -> SheetRow:
    row = SheetRow(number, {})
    for place, cell in enumerate(cells):
        title = titles[place] if place < len(titles) else ""
        value = cell.strip()
        if len(value) > CELL_MAX:
            problems.add(row, title, f"is longer than {CELL_MAX:,} characters")
        elif value and title:
            row.cells[title] = value
        elif value:
            problems.add(
                row, "", f"{value[:CELL_MAX]!r} stands in column {place + 1} without title"
            )
    return row
