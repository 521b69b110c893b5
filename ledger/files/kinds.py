"""The content of files: the kind by the first bytes, the values of a JSON text, formulas in cells.

The files that belong to another file follow from its name.

The values of a JSON text are counted before it is decoded. A text of `{}` after `{}` takes thirty
times its size in memory, one of long strings no more than twice. The marks that separate values are
counted also inside of strings, where a real file has few.

A cell that a spreadsheet would run as a formula is written with an apostrophe before it, which is
not part of the value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger import marking

if TYPE_CHECKING:
    from ledger.problems import Phrase

BEGINNING_BYTES = 1 << 18
"""How much of a file tells its kind."""

BACKUP, STORE, SEASON, LOG, HEAD = "backup", "store", "season", "log", "head"
FOREIGN, PARQUET, DISCLOSURE, KEY, MEMORY = "foreign", "parquet", "disclosure", "key", "memory"
MANIFEST = "manifest"

_BEGINNINGS = {
    BACKUP: (rb'\{"tourney-backup":', marking.marked("a backup")),
    STORE: (rb"SQLite format 3\0", marking.marked("a SQLite store")),
    SEASON: (rb"(?s).{8}DUCK", marking.marked("a season")),
    LOG: (rb'\s*\{\s*"(?:seq|id|type|at|by|data|sig)"\s*:', marking.marked("a log")),
    FOREIGN: (
        rb'(?s)(?:\xef\xbb\xbf)?\s*\{.*"(?:preliminaryRounds|cutToTop)"\s*:',
        marking.marked("NRTM/Cobra JSON, not a log"),
    ),
    PARQUET: (rb"PAR1", marking.marked("a Parquet file")),
    MANIFEST: (rb'\{"tourney-season":', marking.marked("the list of the files of a season")),
    DISCLOSURE: (
        rb'\{"tourney-disclosure":',
        marking.marked("texts of a log, sealed for one reader"),
    ),
    KEY: (rb'PRIVATE\+[A-Z]+\+|\{"scrypt":', marking.marked("a private key")),
    HEAD: (rb'\{"size":[0-9]+,"note":"', marking.marked("the latest signed head")),
    MEMORY: (
        rb'\{\n  "(?:store|tournament|official)":',
        marking.marked("the record of the current tournament of a folder"),
    ),
}
KINDS: Mapping[str, tuple[re.Pattern[bytes], str]] = MappingProxyType(
    {kind: (re.compile(begins), what) for kind, (begins, what) in _BEGINNINGS.items()}
)
"""Of each kind how its files begin, and what a person calls them; the first that fits counts."""

BELONGING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {STORE: ("-vault", "-wal", "-shm", "-journal"), SEASON: (".wal",)}
)
"""By kind, what is added to a file's name for what it cannot do without."""

ANSWERS_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, line TEXT NOT NULL, answer TEXT NOT NULL
) STRICT
"""
"""The table of first answers: a folder has it in a file of its own, a league in its vault."""

KEYS_FOLDER = ".tourney-keys"
"""The folder of a desk's keys and of what they signed: nothing else is written there."""


NO_TEXT: Mapping[re.Pattern[bytes], str] = MappingProxyType(
    {
        re.compile(rb"\x1f\x8b"): marking.marked("compressed (gzip): unpack it first"),
        re.compile(rb"PK\x03\x04"): marking.marked("a zip archive: unpack it first"),
        re.compile(rb"BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd"): marking.marked(
            "compressed: unpack it first"
        ),
        re.compile(rb"(?s)\xff\xfe|\xfe\xff|\0|.\0"): marking.marked(
            "in UTF-16, not UTF-8: an editor changed it, so ask for the original file"
        ),
    }
)
"""What a file is that is no text in UTF-8, by its beginning, and what to do."""


def kind_of(beginning: bytes) -> str:
    """Return the kind of a file by its first `BEGINNING_BYTES`; empty where none fits."""
    return next((kind for kind, (found, _) in KINDS.items() if found.match(beginning)), "")


OBJECTS_MAX = 250_000
"""Objects, and lists, of a file: a player and a table of each round have one or two."""

VALUES_MAX = 1_500_000
"""Values that commas separate."""


def many_values(data: bytes) -> Phrase | None:
    """Return why a text has too many values to be decoded; None if it has not."""
    from ledger.problems import phrase  # noqa: PLC0415 - tables of a terminal need no problems

    if max(data.count(b"{"), data.count(b"[")) > OBJECTS_MAX:
        return phrase("it has more than {most} objects or lists", most=f"{OBJECTS_MAX:,}")
    if data.count(b",") > VALUES_MAX:
        return phrase("it has more than {most} values", most=f"{VALUES_MAX:,}")
    return None


FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\0")
"""How a text begins that a spreadsheet would calculate."""

FORMULA_MARK = "'"


def marked(text: str) -> str:
    """Return a text so that a spreadsheet takes it for text."""
    return f"{FORMULA_MARK}{text}" if text.startswith(FORMULAS) else text


def unmarked(text: str) -> str:
    """Return a text as it was before it was marked."""
    return text[1:] if text.startswith(FORMULA_MARK) and text[1:].startswith(FORMULAS) else text
