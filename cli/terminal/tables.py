"""Tables: laid out to fit a terminal, and as CSV for a spreadsheet; the values in their cells.

Columns are padded by the cells that a terminal shows, not by code points. A pipe or a file has no
width: there every column is shown, and each cell whole. CSV contains nothing that a spreadsheet
would calculate.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from itertools import chain, repeat, zip_longest
from typing import Any, Literal, NamedTuple, TextIO

from cli.languages.speaking import marked, tr, tr_of
from cli.terminal.visible import Style, cells, shortened, styled, visible
from ledger.files import kinds

EXACT_IN_JSON = 2**53
"""Whole numbers below are read exactly by every reader of JSON."""


def as_json(value: object) -> object:
    """A value that JSON can hold; another becomes its text."""
    if value is None or isinstance(value, str | bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < EXACT_IN_JSON else str(value)
    if isinstance(value, dict):
        return {str(name): as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def as_text(value: object) -> str:
    """A value for a cell: empty for NULL, moments without empty fractions of a second."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {as_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_text, value))}]"
    return str(value)


def _in_cell(value: object) -> str:
    """Return a value for a cell that a person reads."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return as_text(value)


WIDTH = 80
"""Cells in a line without a terminal."""

GAP = 2
FLEXIBLE_MIN = 8

UNTITLED = marked("marks")
"""The name of a column without a title."""


class Strong(str):
    """Text of a cell that is bold on a terminal that has colours."""

    __slots__ = ()


class Column(NamedTuple):
    """A title, the value of a record under it, and the order of leaving out in a wide table.

    A flexible column is cut short to 8 cells, or continues in further lines if it `wraps`; after
    that the columns with the highest `yields` are left out, one by one. Those with 0 always stay.
    """

    title: str
    right: bool = False
    flexible: bool = False
    yields: int = 0
    wraps: bool = False
    key: str = ""
    """Name for a program: the record's member of that name; else the title's words."""

    value: Callable[[Any], object] | None = None
    """Callback that reads the value from a record, if it is not the member."""

    text: Callable[[Any], str] | None = None
    """Callback that writes a record's value for a person; else the value itself."""

    only: Literal["", "person", "program"] = ""
    """For whom it is, if not for both."""

    optional: bool = False
    """Whether the column is hidden from a person if it is empty in all records."""

    strong: Callable[[Any], bool] | None = None
    """Of which records it is bold, on a terminal that has colours."""

    @property
    def name(self) -> str:
        """The name of the column for a program."""
        return self.key or self.title.replace(" ", "_")

    @property
    def shown_title(self) -> str:
        """Return its title for a person, in the language that is spoken."""
        return tr_of("column", self.title) if self.title else ""

    def value_of(self, record: Any) -> object:  # noqa: ANN401 - of any kind
        """Return its value of a record."""
        if self.value is not None:
            return self.value(record)
        return record[self.name] if isinstance(record, dict) else getattr(record, self.name)

    def text_of(self, record: Any) -> str:  # noqa: ANN401 - as above
        """Return its value of a record as a person reads it."""
        text = _in_cell(self.value_of(record)) if self.text is None else self.text(record)
        return Strong(text) if self.strong is not None and self.strong(record) else text


def prose(title: str, value: Callable[[Any], object] | None = None, **more: Any) -> Column:  # noqa: ANN401
    """Return a column of texts, which continue in further lines; `more` as of Column."""
    return Column(title, flexible=True, wraps=True, value=value, **more)


def for_program(title: str, value: Callable[[Any], object] | None = None, **more: Any) -> Column:  # noqa: ANN401
    """Return a column that a person does without; `more` as of Column."""
    return Column(title, only="program", value=value, **more)


def terminal_width(stream: TextIO | None = None) -> int:
    """Return the cells in COLUMNS, or in a line of stdout's or another terminal; 80 in a pipe."""
    shown_on = stream or sys.stdout
    if "COLUMNS" in os.environ:
        return shutil.get_terminal_size((WIDTH, 24)).columns
    with suppress(OSError, ValueError):  # a stream without a terminal
        if shown_on.isatty():
            return os.get_terminal_size(shown_on.fileno()).columns or WIDTH
    return WIDTH


def terminal_height() -> int:
    """Return how many lines stdout's terminal has, or what LINES says; 24 in a pipe."""
    return shutil.get_terminal_size((WIDTH, 24)).lines


def table_width() -> int:
    """Return the width of stdout's terminal, or COLUMNS; in a pipe or a file the largest number."""
    is_terminal = False
    with suppress(ValueError):  # a stream that is closed
        is_terminal = sys.stdout.isatty()
    return terminal_width() if is_terminal or os.environ.get("COLUMNS") else sys.maxsize


class Layout(NamedTuple):
    """A table's cells, made safe, and how many of the terminal's each column has; 0: left out."""

    columns: Sequence[Column]
    rows: Iterable[Sequence[str]]
    widths: list[int]
    quiet: Sequence[bool] = ()
    """For each row, whether it is grey; empty without grey rows."""

    widest: Sequence[int] = ()
    """The cells of each column's widest; 0 where it says nothing."""

    has_colours: bool = False
    """Whether quiet rows are grey and strong cells bold."""

    alike: frozenset[str] = frozenset()
    """Cells that would look like another one if they were shortened: they are broken instead."""

    @property
    def left_out(self) -> list[str]:
        """The titles of columns that found no room, of those that say anything."""
        return [
            column.title or tr_of("column", UNTITLED)
            for place, column in enumerate(self.columns)
            if not self.widths[place] and self.widest[place]
        ]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table, its titles first; a table without rows has no lines."""
        rows = iter(self.rows)
        first = next(rows, None)
        if first is None:
            return
        kept = [place for place, each in enumerate(self.widths) if each]
        titles = [column.title for column in self.columns]
        aligned = [(self.widths[place], self.columns[place].right) for place in kept]
        if any(titles):
            yield from self._row(titles, kept, aligned)
        for row, quiet in zip(chain([first], rows), chain(self.quiet, repeat(0)), strict=False):
            lines = self._row(row, kept, aligned)
            is_grey = quiet and self.has_colours
            yield from (styled(line, Style.GREY) for line in lines) if is_grey else lines

    def _row(
        self, row: Sequence[str], kept: list[int], aligned: Sequence[tuple[int, bool]]
    ) -> Iterator[str]:
        """Yield the lines of a row."""
        strong = {place for place in kept if self.has_colours and isinstance(row[place], Strong)}
        plain = None if strong else _plain_line([row[place] for place in kept], aligned)
        if plain is not None:
            yield plain
            return
        parts = [self._lines(place, row[place]) for place in kept]
        for line in zip_longest(*parts):
            fitted = [
                _padded(self.columns[place], text or "", self.widths[place], strong=place in strong)
                for place, text in zip(kept, line, strict=True)
            ]
            yield (" " * GAP).join(fitted).rstrip()

    def _lines(self, place: int, text: str) -> list[str]:
        """Return the lines of a cell."""
        is_broken = self.columns[place].wraps or text in self.alike
        width = self.widths[place]
        return broken(text, width) if is_broken else [shortened(text, width)]


def laid_out(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int | None = None
) -> Layout:
    """Fit a table into a width; without one into that of the terminal, if it goes to one."""
    shown = [_visible_row(row) for row in rows]
    widest = [_widest(column) for column in zip(*shown, strict=True)] or [0] * len(columns)
    layout = fitted(columns, shown, widest, width)
    return layout._replace(alike=_alike(layout, shown))


def _alike(layout: Layout, rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the cells of a table that look like another cell of their column when shortened."""
    alike: set[str] = set()
    for place, width in enumerate(layout.widths):
        if not 0 < width < layout.widest[place] or layout.columns[place].wraps:
            continue
        texts: dict[str, set[str]] = {}
        for row in rows:
            texts.setdefault(shortened(row[place], width), set()).add(row[place])
        alike.update(*(group for group in texts.values() if len(group) > 1))
    return frozenset(alike)


def _plain_line(row: Sequence[str], aligned: Sequence[tuple[int, bool]]) -> str | None:
    """Lay out cells of ASCII that all fit, as in most rows; None if a cell does not."""
    if any(
        len(text) > width or not text.isascii()
        for text, (width, _) in zip(row, aligned, strict=True)
    ):
        return None
    fitted = (
        text.rjust(width) if right else text.ljust(width)
        for text, (width, right) in zip(row, aligned, strict=True)
    )
    return (" " * GAP).join(fitted).rstrip()


def _visible_row(row: Sequence[str]) -> Sequence[str]:
    """Return the cells as they may be shown; most rows are so already, and looked at once."""
    text = "".join(row)
    if text.isascii() and text.isprintable():
        return row
    return [type(cell)(visible(cell)) for cell in row]


def _widest(column: Sequence[str]) -> int:
    return max(map(len if all(map(str.isascii, column)) else cells, column), default=0)


def fitted(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    widest: Sequence[int],
    width: int | None = None,
) -> Layout:
    """Fit a table of visible cells into a width; `widest` has the cells of each column's widest."""
    safe = [column._replace(title=visible(column.shown_title)) for column in columns]
    room = table_width() if width is None else width
    return Layout(safe, rows, _widths(safe, widest, room), widest=widest)


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table that is so wide at most."""
    yield from laid_out(columns, rows, width).lines()


def _widths(columns: Sequence[Column], widest: Sequence[int], room: int) -> list[int]:
    """Return each column's cells; 0 for one that is left out."""
    widths = [
        max(cells(column.title), wide, 1) for column, wide in zip(columns, widest, strict=True)
    ]
    flexible = [place for place, column in enumerate(columns) if column.flexible]
    while (over := sum(widths) + GAP * (sum(map(bool, widths)) - 1) - room) > 0:
        wide = [place for place in flexible if widths[place] > FLEXIBLE_MIN]
        yielding = [p for p, c in enumerate(columns) if c.yields and widths[p]]
        if wide and sum(widths[p] - FLEXIBLE_MIN for p in wide) >= over:
            _narrow(widths, wide, over)
        elif yielding:
            widths[max(yielding, key=lambda place: columns[place].yields)] = 0
        elif narrower := [place for place in flexible if widths[place] > 1]:
            _narrow(widths, narrower, over)
        else:
            break
    return widths


def _narrow(widths: list[int], places: list[int], over: int) -> None:
    """Take from the widest columns what they have more than the next, or their share of `over`."""
    levels = sorted({widths[place] for place in places}, reverse=True)
    widest = [place for place in places if widths[place] == levels[0]]
    gap = levels[0] - (levels[1] if len(levels) > 1 else 1)
    each = min(gap, over // len(widest))
    for place in widest if each else widest[:over]:
        widths[place] -= each or 1


def _padded(column: Column, text: str, width: int, *, strong: bool) -> str:
    pad = " " * (width - cells(text))
    shown = styled(text, Style.BOLD) if strong and text else text
    return pad + shown if column.right else shown + pad


def broken(text: str, width: int) -> list[str]:
    """Break a visible text into lines of at most `width` cells, at spaces if possible."""
    if cells(text) <= width:
        return [text]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cells(longer) <= width:
            lines[-1] = longer
            continue
        lines += pieces(word, width)
    return [line for line in lines if line] or [""]


def pieces(word: str, width: int) -> Iterator[str]:
    """Cut a word that is longer than a line into parts that fit."""
    part = ""
    for letter in word:
        if part and cells(part) + cells(letter) > width:
            yield part
            part = ""
        part += letter
    yield part


_TO_QUOTE = re.compile('[,"\r\n]')


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    r"""Yield the lines of RFC 4180, each with `\n` at its end, and with formulas in quotes."""
    yield _csv_line(columns)
    yield from map(_csv_line, rows)


def _csv_line(cells: Sequence[object]) -> bytes:
    return (",".join(map(_csv_cell, cells)) + "\n").encode()


def _csv_cell(value: object) -> str:
    text = as_text(value)
    if not isinstance(value, int | float):
        text = kinds.marked(text)
    if _TO_QUOTE.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text
