"""Answers of the season: as a table, as CSV or as JSON, with names beside pseudonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.render.records import show_records
from cli.terminal.tables import Column
from cli.terminal.values import as_json, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cli.desk.session import Desk

    Row = Mapping[str, object]

LONG = ("text", "person")
"""What may be cut short where a table is too wide."""

_FORMATS = {"share": ".1%", "number": ",.2f", "minutes": ",.1f", "points": ",.2f"}


class Heading(NamedTuple):
    """A column's name and unit, as a named question has them."""

    name: str
    unit: str


def show_answer(
    desk: Desk,
    headings: Sequence[Heading],
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
) -> bool:
    """Print an answer; programs get a person's pseudonym, and the name in a column beside it.

    Returns whether a person is to read it.
    """
    keys = [each.name for each in headings]
    labels = _labels(headings, rows, names) if desk.options.for_person else {}
    records = (dict(zip(keys, row, strict=True)) for row in rows)
    columns = list(_columns(headings, labels, names))
    programs = [each for each in columns if each.only != "person"]
    return show_records(
        desk,
        columns,
        records,
        json=lambda: (
            {each.name: as_json(each.value_of(record)) for each in programs} for record in records
        ),
    )


def _columns(
    headings: Sequence[Heading], labels: Mapping[str, str], names: Mapping[str, str]
) -> Iterator[Column]:
    """Yield the columns; those of numbers give way, the last ones first."""
    yields = 0
    for heading in headings:
        is_long = heading.unit in LONG
        yield Column(
            heading.name.replace("_", " "),
            right=not is_long and heading.unit != "day",
            flexible=is_long,
            yields=0 if is_long else yields,
            key=heading.name,
            text=_as_read(heading, labels),
        )
        yields += not is_long
        if heading.unit == "person":
            yield Column(f"{heading.name}_name", value=_named(heading.name, names), only="program")


def _named(key: str, names: Mapping[str, str]) -> Callable[[Row], object]:
    return lambda row: names.get(str(row[key]))


def _as_read(heading: Heading, labels: Mapping[str, str]) -> Callable[[Row], str]:
    return lambda row: _text(heading.unit, row[heading.name], labels)


def _labels(
    headings: Sequence[Heading], rows: Sequence[Sequence[object]], names: Mapping[str, str]
) -> Mapping[str, str]:
    """What everybody of the table is called."""
    from projections.season.people.pseudonyms import labels_of

    places = [place for place, column in enumerate(headings) if column.unit == "person"]
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
