"""From the text of a ruleset file to a ruleset, or to everything that is wrong with the text."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from ledger.errors import InvalidRuleset
from ledger.rulesets.ruleset import Ruleset
from ledger.rulesets.words import nearest, place

if TYPE_CHECKING:
    from collections.abc import Iterator

RULESET_BYTES_MAX = 40_000
"""The longest ruleset file: its whole text goes into the opening event."""

LINE_LENGTH_MAX = 2_000
"""The longest line, in characters: a key of thousands of dotted parts would take seconds."""

FINDINGS_MAX = 40
"""How many findings are told at once."""

LABEL_MAX = 64
"""How much of a wrong name a finding repeats."""


@lru_cache(maxsize=16)
def parse(text: str) -> Ruleset:
    """Read and check a ruleset; equal texts are read once.

    Raises:
        InvalidRuleset: every problem found, each with its place in the text.
    """
    return checked(text, Ruleset, "ruleset", RULESET_BYTES_MAX)


class _Declared(Protocol):
    def problems(self) -> Iterator[str]:
        """Yield every contradiction, with its place."""


Declared = TypeVar("Declared", bound=_Declared)


def checked(text: str, kind: type[Declared], what: str, bytes_max: int) -> Declared:
    """Read a file's text into a struct of `kind`; `what` names the file in a refusal.

    Raises:
        InvalidRuleset: every problem found, each with its place in the text.
    """
    table = _table(text, what, bytes_max)
    try:
        made = msgspec.convert(table, kind)
    except msgspec.ValidationError:
        problems = list(_findings(table, kind, ""))
    else:
        problems = list(made.problems())
        if not problems:
            return made
    if len(problems) > FINDINGS_MAX:
        problems[FINDINGS_MAX:] = [f"and {len(problems) - FINDINGS_MAX:,} more"]
    raise InvalidRuleset(*problems)


def _table(text: str, what: str, bytes_max: int) -> dict[str, object]:
    if len(text.encode("utf-8", "replace")) > bytes_max:
        raise InvalidRuleset(f"the {what} is longer than {bytes_max:,} bytes")
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LINE_LENGTH_MAX:
            raise InvalidRuleset(f"line {number} is longer than {LINE_LENGTH_MAX:,} characters")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRuleset(f"the {what} is no TOML: {_printable(str(error))}") from None


def _findings(value: object, kind: Any, where: str) -> Iterator[str]:  # noqa: ANN401 - any type
    kind = _without_none(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _table_findings(value, kind, where)
    elif get_origin(kind) is tuple and isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            yield from _findings(entry, get_args(kind)[0], _numbered(where, number, entry))
    elif get_origin(kind) is Literal and isinstance(value, str) and value not in get_args(kind):
        short = value[:LABEL_MAX]
        yield f"{where}: no such word: {_printable(repr(short))}; {nearest(short, get_args(kind))}"
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            yield f"{where}: {_printable(str(error))}"


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
    return place(where, number, _printable(label[:LABEL_MAX]))


def _without_none(kind: Any) -> Any:  # noqa: ANN401 - a type of any form
    if isinstance(kind, UnionType):
        held = [member for member in get_args(kind) if member is not NoneType]
        if len(held) == 1:
            return held[0]
    return kind


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
