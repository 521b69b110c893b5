"""Answers of the season, shown: as a table, as CSV or as JSON, with names beside pseudonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.terminal.csv import csv_lines
from cli.terminal.output import show_json_rows, show_table, write_bytes
from cli.terminal.tables import Column
from cli.terminal.values import as_json, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LONG = ("text", "person")
"""What may be cut short where a table is too wide."""

_FORMATS = {"share": ".1%", "number": ",.2f", "minutes": ",.1f", "points": ",.2f"}


class Shown(NamedTuple):
    """How an answer is shown: for a spreadsheet, for a script, or as a table."""

    csv: bool
    json: bool


class Heading(NamedTuple):
    """A column's name and unit, as a named question has them."""

    name: str
    unit: str


def show_answer(
    columns: Sequence[Heading],
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
    shown: Shown,
) -> None:
    """Print an answer; CSV and JSON have a person's pseudonym, and the name in a column beside."""
    if shown.csv or shown.json:
        heads = [head for column in columns for head in _heads(column)]
        full = (list(_cells(columns, row, names)) for row in rows)
        if shown.csv:
            write_bytes(csv_lines(heads, full))
        else:
            show_json_rows(dict(zip(heads, map(as_json, row), strict=True)) for row in full)
        return
    labels = _labels(columns, rows, names)
    yields = [place for place, column in enumerate(columns) if column.unit not in LONG]
    show_table(
        [
            Column(
                column.name.replace("_", " "),
                right=column.unit not in {*LONG, "day"},
                flexible=column.unit in LONG,
                yields=yields.index(place) if place in yields else 0,
            )
            for place, column in enumerate(columns)
        ],
        [
            [_text(column.unit, value, labels) for column, value in zip(columns, row, strict=True)]
            for row in rows
        ],
    )


def _heads(column: Heading) -> Iterator[str]:
    yield column.name
    if column.unit == "person":
        yield f"{column.name}_name"


def _cells(
    columns: Sequence[Heading], row: Sequence[object], names: Mapping[str, str]
) -> Iterator[object]:
    for column, value in zip(columns, row, strict=True):
        yield value
        if column.unit == "person":
            yield names.get(str(value))


def _labels(
    columns: Sequence[Heading], rows: Sequence[Sequence[object]], names: Mapping[str, str]
) -> Mapping[str, str]:
    """What everybody of the table is called."""
    from projections.season.people.pseudonyms import labels_of

    places = [place for place, column in enumerate(columns) if column.unit == "person"]
    persons = (row[place] for row in rows for place in places)
    return labels_of((str(person) for person in persons if person is not None), names)


def _text(unit: str, value: object, labels: Mapping[str, str]) -> str:
    """A value for a cell of a table, as its unit is read."""
    if value is None:
        return "-"
    if unit == "person":
        return labels[str(value)]
    if isinstance(value, int | float) and unit != "text":
        return f"{value:{_FORMATS.get(unit, ',')}}"
    return as_text(value)
