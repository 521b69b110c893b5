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
    made: list[list[object]] = []
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
        made.append([*values, note or None])
    if noted:
        fields.append(DataField(NOTE, "string", meaning_of(NOTE)))
    else:
        made = [row[:-1] for row in made]
    return DownloadTable(name, title, fields, made)


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
            data["parquet"] = _parquet(table, data["json"])
            self.resources += [
                Resource(table.name, f"{table.name}.{form}", table.title, table.fields)
                for form in forms
            ]
        for form in forms:
            yield f"{DATA}/{table.name}.{form}", data[form]

    def package(self, title: str) -> tuple[str, bytes]:
        """Return the description of the files that have every form."""
        return f"{DATA}/datapackage.json", data_package("season-site", title, self.resources)


def _parquet(table: DownloadTable, rows: bytes) -> bytes:
    """Return the rows of a table as Parquet; the same rows give the same bytes."""
    import duckdb  # 100 ms that other commands save

    kinds = ", ".join(
        f"{_quoted(field.name)}: '{_OF_DUCKDB[field.type]}'" for field in table.fields
    )
    with TemporaryDirectory() as folder, duckdb.connect() as connection:
        source, target = Path(folder) / "rows.json", Path(folder) / "rows.parquet"
        source.write_bytes(rows)
        connection.execute("SET threads = 1")
        connection.execute(
            f"COPY (FROM read_json({_text(str(source))}, format = 'array', "
            f"maximum_object_size = 1073741824, columns = {{{kinds}}})) "
            f"TO {_text(str(target))} (FORMAT parquet, COMPRESSION zstd)"
        )
        return target.read_bytes()


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))
