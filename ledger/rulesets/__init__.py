"""Rulesets as data: a file for each game, checked when read, kept whole in the opening event.

A ruleset holds numbers, orders and lists; nothing in the program asks which game is played.
"""

from __future__ import annotations

from ledger.rulesets.outcomes import Forfeit, ForfeitWorth, Letter, Outcome, Worth
from ledger.rulesets.procedures import Ending, Fact, Procedure
from ledger.rulesets.ruleset import (
    RULESET_BYTES_MAX,
    Ruleset,
    load,
    load_file,
    load_text,
    names,
    of_edition,
    parse,
    text_of,
    with_forfeits,
    words_shown,
)
from ledger.rulesets.structures import Structure, StructureKind
from ledger.rulesets.tiebreakers import Tiebreaker

__all__ = [
    "RULESET_BYTES_MAX",
    "Ending",
    "Fact",
    "Forfeit",
    "ForfeitWorth",
    "Letter",
    "Outcome",
    "Procedure",
    "Ruleset",
    "Structure",
    "StructureKind",
    "Tiebreaker",
    "Worth",
    "load",
    "load_file",
    "load_text",
    "names",
    "of_edition",
    "parse",
    "text_of",
    "with_forfeits",
    "words_shown",
]
