"""The ruleset of an imported event, with the worth that its own byes have.

A match of two games gives a bye 6 points, a match of one game 3: the file shows which it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ledger.errors import InvalidLog
from ledger.rulesets import load, parse, text_of
from ledger.rulesets.toml_files import TomlFiles
from ledger.rulesets.words import Key, Part

_BYE = re.compile(r"^(\[bye\]\n(?:[^\[\n].*\n)*?points = )\d+$", re.MULTILINE)
_EDITION = re.compile(r'^edition = "(.*)"$', re.MULTILINE)


class _Mapping(Part, frozen=True):
    """What a file of this format becomes."""

    ruleset: Key


_MAPPINGS = TomlFiles("mapping of NRTM files", _Mapping, 1_000, Path(__file__).parent)


def ruleset_key() -> str:
    """Return the key of the ruleset that files of this format come under."""
    return _MAPPINGS.parse(_MAPPINGS.text_of("nrtm")).ruleset


def ruleset_with_bye(found: Mapping[int, str]) -> str:
    """Return the ruleset's text with the worth of the file's byes, each found at a place.

    Raises:
        InvalidLog: the file has byes of several worths.
    """
    usual = load(ruleset_key()).ruleset.bye.points
    text = text_of(ruleset_key())
    if set(found) <= {usual}:
        return text
    if len(found) > 1:
        shown = "; ".join(f"{points} points at {where}" for points, where in found.items())
        raise InvalidLog(f"its byes are worth different points: {shown}")
    points = next(iter(found))
    text = _EDITION.sub(rf'edition = "\1, byes worth {points}"', text, count=1)
    text = _BYE.sub(rf"\g<1>{points}", text, count=1)
    assert parse(text).bye.points == points  # noqa: S101 - both are our own text
    return text
