"""The description of files of tables, as a Frictionless Data Package.

https://datapackage.org/standard/data-package/: a JSON file next to the files names each of them as
a resource, with the type and meaning of every column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE_FILE = "datapackage.json"
"""Name of the description next to the files."""

_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_MEDIA = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
_TYPES = {
    "BOOLEAN": "boolean",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "DOUBLE": "number",
    "DATE": "date",
    "TIMESTAMP": "datetime",
}


class DataField(NamedTuple):
    """A column of a file: its name, its type in a data package, its meaning."""

    name: str
    type: str
    description: str


class Resource(NamedTuple):
    """A file of a data package: the name of its table, its path, and its columns."""

    table: str
    path: str
    title: str
    fields: Sequence[DataField]


def field_type(kind: str) -> str:
    """Return the type in a data package of a column's type in DuckDB; a nested one is JSON text."""
    return _TYPES.get(kind, "string")


def data_package(name: str, title: str, resources: Sequence[Resource]) -> bytes:
    """Return the JSON file that describes these files."""
    described = {
        "$schema": _PROFILE,
        "name": name,
        "title": title,
        "resources": [_described(resource) for resource in resources],
    }
    return msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"


def _described(resource: Resource) -> dict[str, object]:
    form = resource.path.rpartition(".")[2]
    fields = [
        {"name": field.name, "type": field.type}
        | ({"description": field.description} if field.description else {})
        for field in resource.fields
    ]
    return {
        "name": re.sub(r"[^a-z0-9._-]+", "-", f"{resource.table}-{form}".lower()),
        "path": resource.path,
        "title": resource.title,
        "format": form,
        "mediatype": _MEDIA[form],
        "encoding": "utf-8",
        "schema": {"fields": fields},
    }
