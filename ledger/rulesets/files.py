"""The rulesets that ship with the program, and those of a user's own file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from ledger.events.opening import Document
from ledger.rulesets.parsing import RULESET_BYTES_MAX, parse
from ledger.rulesets.ruleset import Ruleset  # noqa: TC001 - msgspec resolves the annotations
from ledger.rulesets.sources import keys_in, read_text, text_in

_FOLDER = Path(__file__).parent / "games"


class LoadedRuleset(Struct, frozen=True):
    """A ruleset, and the document of it that the opening event carries."""

    document: Document
    ruleset: Ruleset


def names() -> tuple[str, ...]:
    """List the keys of the rulesets that ship with the program, in alphabetical order."""
    return keys_in(_FOLDER)


def text_of(key: str) -> str:
    """Read the whole text of a ruleset that ships with the program.

    Raises:
        NotFound: there is none of that key.
    """
    return text_in(_FOLDER, key, "ruleset")


def load(key: str) -> LoadedRuleset:
    """Load the ruleset of that key, as it ships with the program.

    Raises:
        NotFound: there is none of that key.
    """
    return load_text(text_of(key))


def load_text(text: str) -> LoadedRuleset:
    """Make a ruleset and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
    """
    ruleset = parse(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return LoadedRuleset(Document(ruleset.key, ruleset.edition, sha256, text), ruleset)


def load_file(path: Path) -> LoadedRuleset:
    """Load the ruleset in a user's own file, of at most `RULESET_BYTES_MAX` bytes.

    Raises:
        NotFound: the file can not be read.
        InvalidRuleset: every problem found.
    """
    return load_text(read_text(path, RULESET_BYTES_MAX))
