"""A CSV file as rows of named cells; what is wrong is collected, and told all at once."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.exchange.files import one_line
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from collections.abc import Collection

BYTES_MAX = 20_000_000
PROBLEMS_MAX = 40
CELL_MAX = 1_000


class InvalidSheet(InvalidLog):
    """A file whose rows can not be used; `problems` holds every one, by row and column."""

    def __init__(self, problems: list[str]) -> None:
        shown = problems[:PROBLEMS_MAX]
        if len(problems) > len(shown):
            shown.append(f"and {len(problems) - len(shown):,} more")
        super().__init__("; ".join(shown))
        self.problems = tuple(shown)


class Row(Struct, frozen=True):
    """One line of the file: its number, and the cells that are not empty, by column."""

    number: int
    cells: dict[str, str]

    def cell(self, column: str) -> str:
        """What stands there, or nothing."""
        return self.cells.get(column, "")


class Problems:
    """What is wrong with a file, by row and column."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, row: Row, column: str, text: str) -> None:
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


def rows_of(data: bytes, known: Collection[str], needed: Collection[str]) -> list[Row]:
    """Read the rows below the line of titles; titles are read without case and spaces.

    Raises:
        InvalidSheet: it is no CSV, or its columns are not those that are known.
    """
    text = _text(data)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        listed = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidSheet([f"row {reader.line_num}: {error}"]) from None
    if not listed:
        raise InvalidSheet(["is empty: its first line names the columns"])
    titles = _titles(listed[0][1], known, needed)
    problems = Problems()
    rows = [_row(number, cells, titles, problems) for number, cells in listed[1:]]
    problems.refuse()
    return rows


def _text(data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise InvalidSheet([f"is larger than {BYTES_MAX:,} bytes"])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidSheet([f"is no UTF-8 text at byte {error.start + 1}"]) from None


def _titles(row: list[str], known: Collection[str], needed: Collection[str]) -> list[str]:
    titles = ["".join(title.lower().split()) for title in row]
    problems = []
    for place, title in enumerate(titles, start=1):
        if title and titles.index(title) != place - 1:
            problems.append(f"row 1: the column {one_line(title)!r} stands twice")
        elif title and title not in known:
            hint = nearest(title[:64], sorted(known))
            problems.append(f"row 1: there is no column {one_line(title)!r} to read; {hint}")
    problems += [f"row 1: the column {one} is missing" for one in needed if one not in titles]
    if problems:
        raise InvalidSheet(problems)
    return titles


def _row(number: int, cells: list[str], titles: list[str], problems: Problems) -> Row:
    row = Row(number, {})
    if any(cell.strip() for cell in cells[len(titles) :]):
        problems.add(row, "", f"has {len(cells)} cells, the first line names {len(titles)}")
    for title, cell in zip(titles, cells, strict=False):
        value = cell.strip()
        if len(value) > CELL_MAX:
            problems.add(row, title, f"is longer than {CELL_MAX:,} characters")
        elif value and title:
            row.cells[title] = value
    return row
