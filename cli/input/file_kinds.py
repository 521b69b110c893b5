"""A file that was given to the wrong verb, and the verb that takes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from ledger.errors import InvalidLog, NotFound
from ledger.files import kinds
from ledger.files.access import kind_at

TAKEN_BY: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        kinds.BACKUP: ("tourney restore {file}", ("restore",)),
        kinds.STORE: ("tourney --store {file} tournaments", ()),
        kinds.SEASON: ("tourney season list --in {file}", ()),
        kinds.LOG: (
            "tourney import {file}",
            ("import", "replay", "verify", "compare", "reproduce"),
        ),
        kinds.FOREIGN: ("tourney import {file}", ("import", "reproduce")),
        kinds.PARQUET: ("tourney season add {file}", ()),
        kinds.DISCLOSURE: ("tourney verify LOG --disclosed {file}", ("verify --disclosed",)),
        kinds.KEY: ("tourney key list", ()),
        kinds.HEAD: ("tourney checkpoint", ()),
        kinds.MEMORY: ("tourney use", ()),
    }
)
"""By a file's kind what to type with it, and the verbs that take it."""


def refuse_other_kinds(file: Path, verb: str) -> None:
    """Refuse a file that another verb takes, before a store is made; NotFound, or InvalidLog."""
    if file.is_dir():
        raise NotFound(f"{file} is a directory: name the file in it")
    try:
        found = kind_at(file)
    except FileNotFoundError:
        raise NotFound(f"there is no file {file}") from None
    except OSError:
        return  # the reader says why it cannot be read
    if not found:
        return
    command, verbs = TAKEN_BY[found]
    if verb not in verbs:
        name = kinds.KINDS[found][1]
        raise InvalidLog(f"{file} is {name}: use `{command.format(file=file)}`")
