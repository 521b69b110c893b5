"""The stages that a ruleset's table of structures asks for (FFG-STRUCTURE)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.opening import Stage

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset
    from ledger.rulesets import StructureKind


def stages_by_attendance(
    rules: Ruleset, structure: StructureKind, players: int
) -> tuple[Stage, ...] | None:
    """The stages for so many players: Swiss rounds and, where there is a cut, an elimination.

    None for a custom structure, and for an attendance that the table does not hold.
    """
    band = rules.structure(structure, players)
    if band is None:
        return None
    swiss = Stage("swiss", band.rounds)
    return (swiss, Stage("single", entry="top", size=band.cut)) if band.cut else (swiss,)


def described(stages: tuple[Stage, ...] | None) -> str:
    """The stages of a table's row in words."""
    if stages is None:
        return "no row for it"
    swiss, *rest = stages
    cut = f"a cut to {rest[0].size}" if rest else "no cut"
    return f"{swiss.rounds} rounds and {cut}"
