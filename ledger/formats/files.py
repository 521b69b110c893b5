"""The formats that ship with the program, and those of a user's own file."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from ledger.events.opening import Document
from ledger.formats.format import Format
from ledger.rulesets.parsing import checked
from ledger.rulesets.sources import keys_in, read_text, text_in

_FOLDER = Path(__file__).parent / "games"

FORMAT_BYTES_MAX = 16_000
"""The longest format file: its text shares the opening event's line with the ruleset's."""

SEPARATOR = ":"
"""Between a format's key and a variant of it."""


class LoadedFormat(Struct, frozen=True):
    """A format, the variant in force, and the document that the opening event carries."""

    document: Document
    format: Format
    variant: str


def names() -> tuple[str, ...]:
    """List the keys of the formats that ship with the program, in alphabetical order."""
    return keys_in(_FOLDER)


def text_of(key: str) -> str:
    """Read the whole text of a format that ships with the program.

    Raises:
        NotFound: there is none of that key.
    """
    return text_in(_FOLDER, key, "format")


def load(named: str) -> LoadedFormat:
    """Load `key` or `key:variant`, as it ships with the program.

    Raises:
        NotFound: there is none of that key, or it has no such variant.
    """
    key, _, variant = named.partition(SEPARATOR)
    return load_text(text_of(key), variant)


def load_text(text: str, variant: str = "") -> LoadedFormat:
    """Make a format and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
        NotFound: the format has no such variant.
    """
    made = parse(text)
    chosen = made.variant(variant)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    key = f"{made.key}{SEPARATOR}{chosen}" if chosen else made.key
    return LoadedFormat(Document(key, made.edition, sha256, text), made, chosen)


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
        NotFound: the file can not be read, or has no such variant.
        InvalidRuleset: every problem found.
    """
    return load_text(read_text(path, FORMAT_BYTES_MAX), variant)


@lru_cache(maxsize=16)
def parse(text: str) -> Format:
    """Read and check a format; equal texts are read once.

    Raises:
        InvalidRuleset: every problem found, each with its place in the text.
    """
    return checked(text, Format, "format", FORMAT_BYTES_MAX)
