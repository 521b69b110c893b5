"""What kind a file is of, by its beginning, and the verb that takes it."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from typing import NamedTuple

from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.files import first_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGINNING_BYTES = 1 << 18


class Kind(NamedTuple):
    """What a person calls such a file, the verbs that take it, and what to type."""

    name: str
    verbs: frozenset[str]
    command: str


KINDS: Mapping[str, tuple[re.Pattern[bytes], Kind]] = MappingProxyType(
    {
        "backup": (
            re.compile(rb'\{"tourney-backup":'),
            Kind("a backup", frozenset({"restore"}), "tourney restore {file}"),
        ),
        "store": (
            re.compile(rb"SQLite format 3\0"),
            Kind("a SQLite store", frozenset(), "tourney --store {file} tournaments"),
        ),
        "log": (
            re.compile(rb'\s*\{\s*"(?:seq|id|type|at|by|data|sig)"\s*:'),
            Kind("a log", frozenset({"import", "replay"}), "tourney import {file}"),
        ),
        "foreign": (
            re.compile(rb'(?s)(?:\xef\xbb\xbf)?\s*\{.*"(?:preliminaryRounds|cutToTop)"\s*:'),
            Kind("no log but NRTM/Cobra JSON", frozenset({"import"}), "tourney import {file}"),
        ),
    }
)
"""The first whose beginning fits is the kind."""


def refuse_other_kinds(file: str, verb: str) -> None:
    """Refuse a file that another verb takes, before a store is made for it.

    Raises:
        NotFound: there is no such file, or it is a folder.
        InvalidLog: it is for another verb; the text says which.
    """
    if Path(file).is_dir():
        raise NotFound(f"{file} is a directory: name the file in it")
    kind = _kind_of(file)
    if kind is not None and verb not in kind.verbs:
        raise InvalidLog(f"{file} is {kind.name}: use `{kind.command.format(file=file)}`")


def refuse_to_replace(file: Path) -> None:
    """Refuse to put something else in the place of a file that may be all there is of a day.

    Raises:
        Refused: it is of a kind that is told of here.
    """
    kind = _kind_of(str(file)) if file.exists() else None
    if kind is not None:
        raise Refused(f"{file} is {kind.name}, and stays: name another file with --in")


def _kind_of(file: str) -> Kind | None:
    try:
        beginning = first_bytes(Path(file), BEGINNING_BYTES)
    except FileNotFoundError:
        raise NotFound(f"there is no file {file}") from None
    except OSError:
        return None  # whoever reads it says why it can not be read
    return next((kind for found, kind in KINDS.values() if found.match(beginning)), None)
