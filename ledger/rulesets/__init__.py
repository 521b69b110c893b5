"""Rulesets as data: a file for each game, checked when read, kept whole in the opening event.

A ruleset holds numbers, orders and lists; nothing in the program asks which game is played.
"""

from __future__ import annotations

from ledger.rulesets.outcomes import Field, Letter, Outcome, Scoring, Worth
from ledger.rulesets.procedures import Ending, Fact, Procedure
from ledger.rulesets.ruleset import Confirmation, Interpretation, Ruleset
from ledger.rulesets.shipped import (
    RULESET_BYTES_MAX,
    LoadedRuleset,
    load,
    load_file,
    load_text,
    names,
    parse,
    text_of,
)
from ledger.rulesets.structures import Band, Clock, Structure, StructureKind, Structures
from ledger.rulesets.tiebreakers import Tiebreaker

__all__ = [
    "RULESET_BYTES_MAX",
    "Band",
    "Clock",
    "Confirmation",
    "Ending",
    "Fact",
    "Field",
    "Interpretation",
    "Letter",
    "LoadedRuleset",
    "Outcome",
    "Procedure",
    "Ruleset",
    "Scoring",
    "Structure",
    "StructureKind",
    "Structures",
    "Tiebreaker",
    "Worth",
    "load",
    "load_file",
    "load_text",
    "names",
    "parse",
    "text_of",
]
