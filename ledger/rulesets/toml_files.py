"""The TOML that describes a game: from a text to a struct, or to everything that is wrong with it.

Rulesets, formats, points schemes and what a file format maps to are all read here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from ledger.errors import InvalidRuleset, NotFound
from ledger.files.access import first_bytes
from ledger.rulesets.words import Part, first_few, nearest, place, printable

LINE_LENGTH_MAX = 2_000
"""The longest line, in characters: a key of thousands of dotted parts would take seconds."""

LABEL_MAX = 64
"""How much of a wrong name a finding repeats."""


Declared = TypeVar("Declared", bound=Part)


class TomlFiles(Generic[Declared]):
    """A kind of file: its name, the struct it is read into, its size, and a folder of examples."""

    def __init__(
        self, what: str, kind: type[Declared], bytes_max: int, folder: Path | None = None
    ) -> None:
        self.what, self.kind, self.bytes_max, self.folder = what, kind, bytes_max, folder
        self.parse = lru_cache(maxsize=16)(self._parse)
        """Read and check a text, as `_parse` does; equal texts are read once."""

    def names(self) -> tuple[str, ...]:
        """List the keys of the files that ship with the program, in alphabetical order."""
        paths = self.folder.glob("*.toml") if self.folder else ()
        return tuple(sorted(path.stem for path in paths))

    def text_of(self, key: str) -> str:
        """Read the whole text of a file that ships with the program.

        Raises:
            NotFound: no file has that key.
        """
        if self.folder is None or key not in self.names():
            raise NotFound(f"no {self.what} {key!r}; {nearest(key, self.names())}")
        return (self.folder / f"{key}.toml").read_bytes().decode()

    def text_in(self, path: Path) -> str:
        """Read a user's own file whole, unless it is too long.

        Raises:
            NotFound: the file cannot be read.
            InvalidRuleset: it is too long, or no UTF-8 text.
        """
        try:
            data = first_bytes(path, self.bytes_max + 1)
        except OSError as error:
            raise NotFound(f"{path} cannot be read: {error.strerror}") from None
        if len(data) > self.bytes_max:
            raise InvalidRuleset(f"{path} is longer than {self.bytes_max:,} bytes")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise InvalidRuleset(f"{path} is no UTF-8 text at byte {error.start + 1}") from None

    def _parse(self, text: str) -> Declared:
        """Read and check a text.

        Raises:
            InvalidRuleset: every problem found, each with its place in the text.
        """
        table = self._table(text)
        try:
            declared = msgspec.convert(table, self.kind)
        except msgspec.ValidationError:
            problems = list(_findings(table, self.kind, ""))
        else:
            problems = list(declared.problems())
            if not problems:
                return declared
        raise InvalidRuleset(*first_few(problems))

    def _table(self, text: str) -> dict[str, object]:
        try:
            length = len(text.encode())
        except UnicodeEncodeError as error:
            why = f"the {self.what} is no UTF-8 text at character {error.start + 1}"
            raise InvalidRuleset(why) from None
        if length > self.bytes_max:
            raise InvalidRuleset(f"the {self.what} is longer than {self.bytes_max:,} bytes")
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > LINE_LENGTH_MAX:
                raise InvalidRuleset(f"line {number} is longer than {LINE_LENGTH_MAX:,} characters")
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidRuleset(f"the {self.what} is no TOML: {printable(str(error))}") from None


def _findings(value: object, kind: Any, where: str) -> Iterator[str]:  # noqa: ANN401 - any type
    if isinstance(kind, UnionType) and len(set(get_args(kind)) - {NoneType}) == 1:
        kind = next(member for member in get_args(kind) if member is not NoneType)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _table_findings(value, kind, where)
    elif get_origin(kind) is tuple and isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            yield from _findings(entry, get_args(kind)[0], _numbered(where, number, entry))
    elif get_origin(kind) is Literal and isinstance(value, str) and value not in get_args(kind):
        short = value[:LABEL_MAX]
        yield f"{where}: no such word: {printable(repr(short))}; {nearest(short, get_args(kind))}"
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            yield f"{where}: {printable(str(error))}"


def _table_findings(value: object, kind: type[Struct], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: a table is needed"
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            short = key[:LABEL_MAX]
            yield f"{where or 'the file'}: unknown entry {short!r}; {nearest(short, fields)}"
    for name, field in fields.items():
        below = f"{where}, {name}" if where else name
        if name in value:
            yield from _findings(value[name], field.type, below)
        elif field.required:
            yield f"{below}: missing"


def _numbered(where: str, number: int, entry: object) -> str:
    label = entry.get("code", entry.get("name")) if isinstance(entry, dict) else None
    if not isinstance(label, str):
        return f"{where} {number}"
    return place(where, number, printable(label[:LABEL_MAX]))
