"""What kind a file is of, by its beginning; and which files belong to another, by their names."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGINNING_BYTES = 1 << 18
"""How much of a file tells its kind."""


TAKE_LOGS = frozenset({"import", "replay", "verify", "compare"})


class Kind(NamedTuple):
    """What a person calls such a file, the verbs that take it, and what to type."""

    name: str
    verbs: frozenset[str]
    command: str


BACKUP, STORE, SEASON, LOG, HEAD = "backup", "store", "season", "log", "head"
PARQUET = "parquet"
DISCLOSURE = "disclosure"

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
            Kind("a log", TAKE_LOGS, "tourney import {file}"),
        ),
        "foreign": (
            re.compile(rb'(?s)(?:\xef\xbb\xbf)?\s*\{.*"(?:preliminaryRounds|cutToTop)"\s*:'),
            Kind("no log but NRTM/Cobra JSON", frozenset({"import"}), "tourney import {file}"),
        ),
        PARQUET: (
            re.compile(rb"PAR1"),
            Kind("a Parquet file", frozenset(), "tourney season add {file}"),
        ),
        DISCLOSURE: (
            re.compile(rb'\{"tourney-disclosure":'),
            Kind(
                "texts of a log, sealed for one reader",
                frozenset({"verify --disclosed"}),
                "tourney verify LOG --disclosed {file}",
            ),
        ),
        "key": (
            re.compile(rb'PRIVATE\+[A-Z]+\+|\{"scrypt":'),
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
    {STORE: ("-vault", "-wal", "-shm", "-journal"), SEASON: (".wal",)}
)
"""By kind, what is added to a file's name for what it cannot do without."""

KEYS_FOLDER = ".tourney-keys"
"""The folder of a desk's keys and of what they signed: nothing else is written there."""


NO_TEXT: Mapping[re.Pattern[bytes], str] = MappingProxyType(
    {
        re.compile(rb"\x1f\x8b"): "compressed (gzip): unpack it first, as with `gunzip {file}`",
        re.compile(rb"PK\x03\x04"): "a zip archive: unpack it first",
        re.compile(rb"BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd"): "compressed: unpack it first",
        re.compile(rb"(?s)\xff\xfe|\xfe\xff|\0|.\0"): (
            "in UTF-16, where UTF-8 belongs: an editor saved it so, ask for the file as it was"
        ),
    }
)
"""What a file is that is no text in UTF-8, by its beginning, and what to do."""


def kind_of(beginning: bytes) -> str:
    """Return the kind of a file by its first `BEGINNING_BYTES`; empty where none fits."""
    return next((kind for kind, (found, _) in KINDS.items() if found.match(beginning)), "")
