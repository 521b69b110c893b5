"""The stages that a ruleset's table of structures asks for (FFG-STRUCTURE)."""

from __future__ import annotations

from ledger.events.base import Tier
from ledger.events.opening import Stage
from ledger.rulesets import Ruleset, StructureKind


def stages_by_attendance(
    rules: Ruleset, structure: StructureKind, players: int, asked: tuple[int, int] = (0, 0)
) -> tuple[Stage, ...] | None:
    """The stages for a number of players: Swiss rounds and, where there is a cut, an elimination.

    `asked` are other rounds and another cut, 0 for the table's own, where it leaves a choice.
    None for a custom structure, an attendance that the table does not hold, and a choice that it
    does not leave.
    """
    band = rules.structure(structure, players)
    if band is None:
        return None
    rounds, cut = asked[0] or band.rounds, asked[1] or band.cut
    if not band.allows(rounds, cut):
        return None
    swiss = Stage("swiss", rounds)
    return (swiss, Stage("single", entry="top", size=cut)) if cut else (swiss,)


def is_asked_for(
    rules: Ruleset, structure: StructureKind, players: int, stages: tuple[Stage, ...]
) -> bool:
    """Whether the table's row for these players has these stages, or leaves them as a choice."""
    swiss, *rest = stages
    asked = (swiss.rounds, rest[0].size if rest else 0)
    return stages == stages_by_attendance(rules, structure, players, asked)


def unusual_for_tier(rules: Ruleset, structure: StructureKind, tier: Tier) -> str:
    """Say that events of this tier have another structure; empty where they have not.

    RW-TIER, FFG-PREMIER: a warning, and no more.
    """
    tiers = rules.structures.tiers
    usual = tiers.usual.get(tier) if tiers else None
    if tiers is None or usual in {None, structure}:
        return ""
    return f"a {tier} event of {rules.key} has the {usual} structure ({tiers.clause})"


def in_words(rules: Ruleset, structure: StructureKind, players: int) -> str:
    """What the table's row for these players asks for."""
    band = rules.structure(structure, players)
    return band.in_words if band else "no row for it"
