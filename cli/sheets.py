"""A table of players in a CSV file, every problem named with its row."""

from __future__ import annotations

import csv
import io
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.commands import Entry
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.events.base import PLAYERS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator

BYTES_MAX = 20_000_000

NAME = "name"
COLUMNS = ("faction", "league_id")
CELL_MAX = MappingProxyType({"faction": 64, "league_id": 64})
TEXT_MAX = 1_000
TITLE_MAX = 64

_ENTRY = re.compile(r"\bentry (\d+)\b")


class Sheet(Struct, frozen=True):
    """The players of a file, and the row that each stood in."""

    path: str
    entries: tuple[Entry, ...]
    rows: tuple[int, ...]

    @contextmanager
    def rows_named(self) -> Iterator[None]:
        """Let refusals that count the entries name the rows of the file instead."""
        try:
            yield
        except Refused as error:
            raise Refused(*map(self._worded, error.problems)) from None

    def _worded(self, problem: str) -> str:
        named = _ENTRY.sub(lambda found: f"row {self.rows[int(found[1]) - 1]}", problem)
        return f"{self.path}: {named}"


def read_entries(path: str) -> Sheet:
    """Read a file of players; `-` is stdin.

    Raises:
        NotFound: it can not be read.
        Refused: every row that is wrong.
    """
    text = _decoded(path, _bytes_of(path))
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise Refused(f"{path}: row {reader.line_num}: {error}") from None
    if not rows:
        raise Refused(f"{path} is empty: its first line names the columns, as name,faction")
    header = _header(path, rows[0][1])
    return _sheet(path, header, rows[1:])


def _bytes_of(path: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read(BYTES_MAX + 1)
        with Path(path).open("rb") as file:
            return file.read(BYTES_MAX + 1)
    except OSError as error:
        raise NotFound(f"{path} can not be read: {error.strerror}") from None


def _decoded(path: str, data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise Refused(f"{path} is longer than {BYTES_MAX:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise Refused(f"{path}: row {row} is no UTF-8 text: save the file as UTF-8") from None


def _header(path: str, cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    known = [
        cell.lower().replace(" ", "_")
        if cell.lower().replace(" ", "_") in (NAME, *COLUMNS)
        else cell
        for cell in header
    ]
    if NAME not in known:
        raise Refused(f"{path}: row 1 has no column `name`: it has {', '.join(header)[:200]}")
    if any(len(title) > TITLE_MAX for title in known):
        raise Refused(f"{path}: row 1: a column's name has at most {TITLE_MAX} characters")
    if len(set(known)) != len(known) or not all(known):
        raise Refused(f"{path}: row 1: every column needs a name of its own")
    return known


def _sheet(path: str, header: list[str], rows: list[tuple[int, list[str]]]) -> Sheet:
    entries: list[Entry] = []
    problems: list[str] = []
    for number, row in rows:
        cells = dict(zip(header, row, strict=False))
        if len(row) > len(header):
            problems.append(f"{path}: row {number} has {len(row)} cells under {len(header)} titles")
        elif not cells.get(NAME, "").strip():
            problems.append(f"{path}: row {number} has no name")
        problems += [
            f"{path}: row {number}: over {CELL_MAX.get(title, TEXT_MAX):,} characters in {title}"
            for title, cell in cells.items()
            if len(cell) > CELL_MAX.get(title, TEXT_MAX)
        ]
        entries.append(_entry(cells))
    if not rows:
        problems.append(f"{path} names nobody below its titles")
    if len(rows) > PLAYERS_MAX:
        problems = [f"{path} has {len(rows):,} players: a tournament holds {PLAYERS_MAX:,}"]
    if problems:
        raise Refused(*problems)
    return Sheet(path, tuple(entries), tuple(number for number, _ in rows))


def _entry(cells: dict[str, str]) -> Entry:
    return Entry(
        cells.get(NAME, ""),
        cells.get("faction", "").strip(),
        cells.get("league_id", "").strip(),
        {
            label: value
            for label, value in cells.items()
            if label not in (NAME, *COLUMNS) and value.strip()
        },
    )
