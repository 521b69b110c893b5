"""RW-TIER, FFG-PREMIER: the structure that an event of each tier is expected to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.opening import unusual_for_tier
from ledger.rulesets import load

if TYPE_CHECKING:
    from ledger.facts.base import Tier
    from ledger.rulesets import StructureKind
    from tests.support.cli_desk import Desk


@pytest.mark.parametrize(
    ("tier", "usual"), [("relaxed", "basic"), ("formal", "advanced"), ("premier", "custom")]
)
def test_rw_tier_warns_where_they_differ(tier: Tier, usual: StructureKind) -> None:
    """RW-TIER: each tier with each structure; a game without such a table never warns."""
    rules = load("runewars").ruleset
    kinds: tuple[StructureKind, ...] = ("basic", "advanced", "custom")
    for kind in kinds:
        note = unusual_for_tier(rules, kind, tier)
        assert (note == "") == (kind == usual)
        assert kind == usual or usual in note
        assert unusual_for_tier(load("ashes").ruleset, kind, tier) == ""


@pytest.mark.parametrize("game", ["l5r", "legion"])
def test_ffg_premier_warns_of_another_structure(game: str) -> None:
    """FFG-PREMIER: a Premier event is custom; the other tiers are not bound."""
    rules = load(game).ruleset
    note = f"a premier event of {game} should have the custom structure (FFG-PREMIER)"
    kinds: tuple[StructureKind, ...] = ("basic", "advanced", "custom")
    tiers: tuple[Tier, ...] = ("relaxed", "formal", "premier")
    for kind in kinds:
        for tier in tiers:
            told = unusual_for_tier(rules, kind, tier)
            assert told == (note if tier == "premier" and kind != "custom" else "")


@pytest.mark.parametrize("tier", ["formal", "premier"])
def test_ffg_tier_is_recorded(desk: Desk, tier: str) -> None:
    """FFG-TIER: what was said when the event was opened stands in its first line."""
    desk.done("new", "Cup", "--ruleset", "legion", "--tier", tier)
    assert f'"tier":"{tier}"' in desk.log().splitlines()[0]


@pytest.mark.slow
def test_the_desk_is_told(desk: Desk) -> None:
    """RW-TIER: a warning on the way, not a refusal."""
    desk.done("new", "Store Championship", "--ruleset", "runewars", "--tier", "relaxed")
    for number in range(9):
        desk.done("register", f"General {number}")
    assert "RW-TIER" in desk.done("start", "advanced").err
    changed = ("start", "change", "basic", "--reason", "few tables")
    assert "RW-TIER" not in desk.done(*changed).err
