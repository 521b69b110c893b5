"""Rulesets as data: a file for each game, checked when read, kept whole in the opening event.

A ruleset holds numbers, orders and lists; nothing in the program asks which game is played.
"""

from __future__ import annotations

from ledger.rulesets.files import Loaded
from ledger.rulesets.files import load
from ledger.rulesets.files import load_file
from ledger.rulesets.files import loaded
from ledger.rulesets.files import names
from ledger.rulesets.files import text_of
from ledger.rulesets.parsing import RULESET_BYTES_MAX
from ledger.rulesets.parsing import parse
from ledger.rulesets.procedures import Ending
from ledger.rulesets.procedures import Fact
from ledger.rulesets.procedures import Procedure
from ledger.rulesets.results import Field
from ledger.rulesets.results import Letter
from ledger.rulesets.results import Outcome
from ledger.rulesets.results import Scoring
from ledger.rulesets.results import Worth
from ledger.rulesets.ruleset import Confirmation
from ledger.rulesets.ruleset import Reading
from ledger.rulesets.ruleset import Ruleset
from ledger.rulesets.structures import Band
from ledger.rulesets.structures import Clock
from ledger.rulesets.structures import Structure
from ledger.rulesets.structures import StructureKind
from ledger.rulesets.structures import Structures
from ledger.rulesets.tiebreakers import Tiebreaker

__all__ = [
    "RULESET_BYTES_MAX",
    "Band",
    "Clock",
    "Confirmation",
    "Ending",
    "Fact",
    "Field",
    "Letter",
    "Loaded",
    "Outcome",
    "Procedure",
    "Reading",
    "Ruleset",
    "Scoring",
    "Structure",
    "StructureKind",
    "Structures",
    "Tiebreaker",
    "Worth",
    "load",
    "load_file",
    "loaded",
    "names",
    "parse",
    "text_of",
]
