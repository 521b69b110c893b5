"""The rulesets that ship with the program, and those of a user's own file."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.opening import Document
from ledger.rulesets.ruleset import Ruleset
from ledger.rulesets.toml_files import TomlFiles

if TYPE_CHECKING:
    from ledger.rulesets.outcomes import Forfeit

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


def with_forfeits(text: str, forfeit: Forfeit, what: str) -> str:
    """Return a ruleset's text with another `[forfeit]` section, which its edition names as `what`.

    Raises:
        InvalidRuleset: the ruleset declares no such fields, or the section declares nothing.
    """
    lines = ["", "[forfeit]", f'clause = "{forfeit.clause}"']
    for name, worth in (("absent", forfeit.absent), ("present", forfeit.present)):
        if worth is not None:
            fields = ", ".join(f"{label} = {value}" for label, value in worth.fields.items())
            given = f", fields = {{ {fields} }}" if fields else ""
            lines.append(f"{name} = {{ points = {worth.points}{given} }}")
    if forfeit.met:
        lines.append("met = true")
    changed = of_edition("\n".join([*_without_forfeits(text), *lines, ""]), what)
    parse(changed)
    return changed


def _without_forfeits(text: str) -> list[str]:
    """Return the lines of a ruleset's text without its section of forfeits."""
    lines, is_left_out = [], False
    for line in text.rstrip("\n").split("\n"):
        if line.startswith(("[", "#")):
            is_left_out = line.startswith(("[forfeit]", "[forfeit."))
        if not is_left_out:
            lines.append(line)
    return lines


def load_file(path: Path) -> LoadedRuleset:
    """Load the ruleset in a user's own file, of at most `RULESET_BYTES_MAX` bytes.

    Raises:
        NotFound: the file cannot be read.
        InvalidRuleset: every problem found.
    """
    return load_text(RULESETS.text_in(path))
