"""The rulesets that ship with the program, and those of a user's own file."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ledger.events.opening import Document
from ledger.rulesets.ruleset import Ruleset
from ledger.rulesets.toml_files import TomlFiles

RULESET_BYTES_MAX = 40_000
"""The longest ruleset file: its whole text goes into the opening event."""

RULESETS = TomlFiles("ruleset", Ruleset, RULESET_BYTES_MAX, Path(__file__).with_name("games"))

_EDITION = re.compile(r'^edition = "(.*)"$', re.MULTILINE)

names, text_of, parse = RULESETS.names, RULESETS.text_of, RULESETS.parse


class LoadedRuleset(Struct, frozen=True):
    """A ruleset, and the document of it that the opening event carries."""

    document: Document
    ruleset: Ruleset


def load(key: str) -> LoadedRuleset:
    """Load the ruleset of that key, as it ships with the program.

    Raises:
        NotFound: no ruleset has that key.
    """
    return load_text(text_of(key))


def load_text(text: str) -> LoadedRuleset:
    """Make a ruleset and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
    """
    ruleset = parse(text)
    digest = sha256(text.encode()).hexdigest()
    return LoadedRuleset(Document(ruleset.key, ruleset.edition, digest, text), ruleset)


def of_edition(text: str, what: str) -> str:
    """Return a ruleset's text whose edition says what an import changed of it."""
    return _EDITION.sub(rf'edition = "\1, {what}"', text, count=1)


def load_file(path: Path) -> LoadedRuleset:
    """Load the ruleset in a user's own file, of at most `RULESET_BYTES_MAX` bytes.

    Raises:
        NotFound: the file cannot be read.
        InvalidRuleset: every problem found.
    """
    return load_text(RULESETS.text_in(path))
