"""The tables of the site to download: CSV, JSON and Parquet, with a description of every column.

A file has what its table shows: groups that are too small are not broken out, and persons have the
same labels. Numbers and days are values. A word in the place of a number, such as "fewer than
five", is in the column `note`. `datapackage.json` describes the files as a Frictionless Data
Package.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cli.season.site.meanings import meaning_of
from cli.season.site.tables import DATA
from cli.terminal.tables import csv_lines
from projections.season.data_package import DataField, Resource, data_package
from projections.season.tables.parquet import parquet_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.season.site.tables import ShownTable

NOTE = "note"
"""Column of the words that a table shows in the place of a number."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OF_DUCKDB = {
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "string": "VARCHAR",
}


class DownloadTable(NamedTuple):
    """A table to download: name, title, columns with their types and meanings, and rows."""

    name: str
    title: str
    fields: Sequence[DataField]
    rows: Sequence[Sequence[object]]


def download_table(
    name: str, title: str, names: Sequence[str], rows: Sequence[Any]
) -> DownloadTable:
    """Return the values of a table, each column of one type."""
    kinds = [_kind([row[place] for row in rows]) for place in range(len(names))]
    fields = [
        DataField(field, kind, meaning_of(field)) for field, kind in zip(names, kinds, strict=True)
    ]
    numeric = [kind in {"integer", "number"} for kind in kinds]
    cleaned: list[list[object]] = []
    noted = False
    for row in rows:
        note = ", ".join(
            str(value)
            for value, is_number in zip(row, numeric, strict=True)
            if is_number and isinstance(value, str) and value
        )
        noted = noted or bool(note)
        values = [
            None if isinstance(value, str) and (is_number or not value) else value
            for value, is_number in zip(row, numeric, strict=True)
        ]
        cleaned.append([*values, note or None])
    if noted:
        fields.append(DataField(NOTE, "string", meaning_of(NOTE)))
    else:
        cleaned = [row[:-1] for row in cleaned]
    return DownloadTable(name, title, fields, cleaned)


def _kind(values: Sequence[object]) -> str:
    """Return the type of a column: of its numbers, if it has any."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if numbers:
        if all(isinstance(value, bool) for value in numbers):
            return "boolean"
        return "integer" if all(isinstance(value, int) for value in numbers) else "number"
    texts = [value for value in values if isinstance(value, str) and value]
    return "date" if texts and all(map(_DAY.fullmatch, texts)) else "string"


def of_shown(table: ShownTable) -> DownloadTable:
    """Return a table of a page to download."""
    return download_table(table.name, table.title, table.fields(), list(table.values()))


class Downloads:
    """The files of the tables, made one after the other, and what describes them."""

    def __init__(self) -> None:
        self.resources: list[Resource] = []

    def files(self, table: DownloadTable, forms: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield a table in each of these forms."""
        if not table.rows:
            return
        names = [field.name for field in table.fields]
        data = {
            "csv": b"".join(csv_lines(names, table.rows)),
            "json": b"[\n"
            + b",\n".join(
                msgspec.json.encode(dict(zip(names, row, strict=True))) for row in table.rows
            )
            + b"\n]\n",
        }
        if "parquet" in forms:
            kinds = {field.name: _OF_DUCKDB[field.type] for field in table.fields}
            with TemporaryDirectory() as folder:
                data["parquet"] = parquet_of(data["json"], kinds, Path(folder))
            self.resources += [
                Resource(table.name, f"{table.name}.{form}", table.title, table.fields)
                for form in forms
            ]
        for form in forms:
            yield f"{DATA}/{table.name}.{form}", data[form]

    def package(self, title: str) -> tuple[str, bytes]:
        """Return the description of the files that have every form."""
        return f"{DATA}/datapackage.json", data_package("season-site", title, self.resources)
