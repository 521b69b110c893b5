"""What kind a file is of, by its beginning; and which files belong to another, by their names."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING
from typing import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGINNING_BYTES = 1 << 18
"""How much of a file tells its kind."""


class Kind(NamedTuple):
    """What a person calls such a file, the verbs that take it, and what to type."""

    name: str
    verbs: frozenset[str]
    command: str


BACKUP, STORE, SEASON, LOG, HEAD = "backup", "store", "season", "log", "head"
PARQUET = "parquet"

KINDS: Mapping[str, tuple[re.Pattern[bytes], Kind]] = MappingProxyType(
    {
        BACKUP: (
            re.compile(rb'\{"tourney-backup":'),
            Kind("a backup", frozenset({"restore"}), "tourney restore {file}"),
        ),
        STORE: (
            re.compile(rb"SQLite format 3\0"),
            Kind("a SQLite store", frozenset(), "tourney --store {file} tournaments"),
        ),
        SEASON: (
            re.compile(rb"(?s).{8}DUCK"),
            Kind("a season", frozenset(), "tourney season list --in {file}"),
        ),
        LOG: (
            re.compile(rb'\s*\{\s*"(?:seq|id|type|at|by|data|sig)"\s*:'),
            Kind("a log", frozenset({"import", "replay"}), "tourney import {file}"),
        ),
        "foreign": (
            re.compile(rb'(?s)(?:\xef\xbb\xbf)?\s*\{.*"(?:preliminaryRounds|cutToTop)"\s*:'),
            Kind("no log but NRTM/Cobra JSON", frozenset({"import"}), "tourney import {file}"),
        ),
        PARQUET: (
            re.compile(rb"PAR1"),
            Kind("a Parquet file", frozenset(), "tourney season add {file}"),
        ),
        "key": (
            re.compile(rb'PRIVATE\+KEY\+|\{"scrypt":'),
            Kind("a private key", frozenset(), "tourney key list"),
        ),
        HEAD: (
            re.compile(rb'\{"size":[0-9]+,"note":"'),
            Kind("the head that was signed last", frozenset(), "tourney checkpoint"),
        ),
        "memory": (
            re.compile(rb'\{\n  "(?:store|tournament|official)":'),
            Kind("what a folder has in hand", frozenset(), "tourney use"),
        ),
    }
)
"""The first whose beginning fits is the kind."""

BELONGING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {STORE: ("-vault", "-checkpoints", "-wal", "-shm", "-journal"), SEASON: (".wal",)}
)
"""By kind, what is added to a file's name for what it can not do without."""


def kind_of(beginning: bytes) -> str:
    """Return the kind of a file by its first `BEGINNING_BYTES`; empty where it is none of these."""
    return next((kind for kind, (found, _) in KINDS.items() if found.match(beginning)), "")
