"""The formats that ship with the program, and those of a user's own file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ledger.errors import Refused
from ledger.events.opening import Document
from ledger.formats.format import Format
from ledger.formats.list_files import read_part
from ledger.rulesets.toml_files import TomlFiles

FORMAT_BYTES_MAX = 16_000
"""The longest format file: its text shares the opening event's line with the ruleset's."""

FORMATS = TomlFiles("format", Format, FORMAT_BYTES_MAX, Path(__file__).with_name("games"))

names, text_of, parse = FORMATS.names, FORMATS.text_of, FORMATS.parse

SEPARATOR = ":"
"""Between a format's key and a variant of it."""


class LoadedFormat(Struct, frozen=True):
    """A format, the variant in force, and the document that the opening event carries."""

    document: Document
    format: Format
    variant: str


def load(named: str) -> LoadedFormat:
    """Load a format, or a variant of it (KEY:VARIANT), as it ships with the program.

    Raises:
        NotFound: no format has that key, or it has no such variant.
    """
    key, _, variant = named.partition(SEPARATOR)
    return load_text(text_of(key), variant)


def belongs_elsewhere(data: bytes, made: Format) -> str:
    """Return the shipped format that names more of a list's sections; empty where none does."""
    known = _sections_named(data, made)
    for key in names():
        if key != made.key and _sections_named(data, load(key).format) > known:
            return key
    return ""


def _sections_named(data: bytes, made: Format) -> int:
    try:
        listed = read_part(data, made.shape)
    except Refused:
        return 0
    return sum(made.shape.has(name) for name, entries in listed.sections.items() if entries)


def load_text(text: str, variant: str = "") -> LoadedFormat:
    """Make a format and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
        NotFound: the format has no such variant.
    """
    parsed = parse(text)
    chosen = parsed.variant(variant)
    key = f"{parsed.key}{SEPARATOR}{chosen}" if chosen else parsed.key
    digest = sha256(text.encode()).hexdigest()
    return LoadedFormat(Document(key, parsed.edition, digest, text), parsed, chosen)


def of_document(document: Document) -> LoadedFormat:
    """Read the format that an opening event carries.

    Raises:
        InvalidRuleset: its text is no format.
        NotFound: it has no variant of that name.
    """
    return load_text(document.text, document.key.partition(SEPARATOR)[2])


def load_file(path: Path, variant: str = "") -> LoadedFormat:
    """Load the format in a user's own file, of at most `FORMAT_BYTES_MAX` bytes.

    Raises:
        NotFound: the file cannot be read, or has no such variant.
        InvalidRuleset: every problem found.
    """
    return load_text(FORMATS.text_in(path), variant)
