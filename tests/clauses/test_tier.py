"""RW-TIER, FFG-PREMIER: the tier and the structure that an event is expected to have."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from cli.exits import USAGE
from ledger.facts.opening import (
    unusual_for_tier,
    unusual_structure_for_type,
    unusual_tier_for_type,
)
from ledger.rules.opening import tournament_opened
from ledger.rulesets import load
from ledger.tournament.state import Tournament
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.base import Tier
    from ledger.rulesets import StructureKind
    from tests.support.cli_desk import Desk


TIERS: tuple[Tier, ...] = ("relaxed", "formal", "premier")
STRUCTURES: tuple[StructureKind, ...] = ("basic", "advanced", "custom")


@pytest.mark.parametrize(
    ("event_type", "tier", "structure"),
    [
        ("store", "relaxed", "basic"),
        ("regional", "formal", "advanced"),
        ("national", "premier", "custom"),
    ],
)
def test_rw_tier_warns_where_they_differ(event_type: str, tier: Tier, structure: str) -> None:
    """RW-TIER: each type of event with each tier and each structure."""
    rules = load("runewars").ruleset
    note = f"a {event_type} tournament of runewars should have the"
    for told in TIERS:
        expected = "" if told == tier else f"{note} {tier} tier (RW-TIER)"
        assert str(unusual_tier_for_type(rules, event_type, told) or "") == expected
    for kind in STRUCTURES:
        expected = "" if kind == structure else f"{note} {structure} structure (RW-TIER)"
        assert str(unusual_structure_for_type(rules, event_type, kind) or "") == expected


@pytest.mark.parametrize("event_type", ["", "other"])
def test_rw_tier_no_warning_where_no_type_says_otherwise(event_type: str) -> None:
    """RW-TIER: neither where no type was recorded, nor for other events."""
    rules = load("runewars").ruleset
    assert rules.structures.tiers is None
    for tier, kind in product(TIERS, STRUCTURES):
        assert str(unusual_tier_for_type(rules, event_type, tier) or "") == ""
        assert str(unusual_structure_for_type(rules, event_type, kind) or "") == ""
        assert str(unusual_for_tier(rules, kind, tier) or "") == ""


@pytest.mark.parametrize("game", ["l5r", "legion"])
def test_ffg_premier_warns_of_another_structure(game: str) -> None:
    """FFG-PREMIER: a Premier event is custom; the other tiers are not bound."""
    rules = load(game).ruleset
    note = f"a premier tournament of {game} should have the custom structure (FFG-PREMIER)"
    kinds: tuple[StructureKind, ...] = ("basic", "advanced", "custom")
    tiers: tuple[Tier, ...] = ("relaxed", "formal", "premier")
    for kind in kinds:
        for tier in tiers:
            told = str(unusual_for_tier(rules, kind, tier) or "")
            assert told == (note if tier == "premier" and kind != "custom" else "")


@pytest.mark.parametrize("tier", ["formal", "premier"])
def test_ffg_tier_is_recorded(desk: Desk, tier: str) -> None:
    """FFG-TIER: what was said when the event was opened stands in its first line."""
    desk.done("new", "Cup", "--ruleset", "legion", "--tier", tier)
    assert f'"tier":"{tier}"' in desk.log().splitlines()[0]


RUNEWARS = ("new", "Flurry Field", "--ruleset", "runewars")


@pytest.mark.parametrize(
    ("options", "recorded", "tier", "is_warned"),
    [
        ((), "", "relaxed", False),
        (("--tier", "premier"), "", "premier", False),
        (("--type", "store"), "store", "relaxed", False),
        (("--type", "regional"), "regional", "formal", False),
        (("--type", "national"), "national", "premier", False),
        (("--type", "other"), "other", "relaxed", False),
        (("--type", "regional", "--tier", "relaxed"), "regional", "relaxed", True),
    ],
)
def test_rw_tier_the_type_is_recorded(
    desk: Desk,
    options: tuple[str, ...],
    recorded: str,
    tier: str,
    is_warned: bool,  # noqa: FBT001 - a case
) -> None:
    """RW-TIER: line 1 has the type only if one was said; the tier follows from it, unless typed."""
    told = desk.done(*RUNEWARS, *options).err
    assert ("should have the formal tier (RW-TIER)" in told) == is_warned
    assert ("RW-TIER" in told) == is_warned
    data = json.loads(desk.log().splitlines()[0])["data"]
    assert data.get("event_type", "") == recorded
    assert ("event_type" in data) == bool(recorded)
    assert data["tier"] == tier
    assert (f", {recorded} tournament" in desk.done("log").out) == bool(recorded)


@pytest.mark.parametrize(("options", "is_warned"), [((), False), (("--type", "store"), True)])
def test_rw_tier_the_desk_is_told(desk: Desk, options: tuple[str, ...], is_warned: bool) -> None:  # noqa: FBT001 - a case
    """RW-TIER: a warning on the way, not a refusal, and none where no type was recorded."""
    desk.done(*RUNEWARS, *options)
    for number in range(9):
        desk.done("register", f"General {number}")
    assert ("RW-TIER" in desk.done("start", "advanced").err) == is_warned
    changed = ("start", "basic", "--reason", "few tables")
    assert "RW-TIER" not in desk.done(*changed).err


@pytest.mark.parametrize(
    ("game", "typed", "told"),
    [
        ("l5r", "store", "l5r has no types of tournament: leave --type out, or choose a ruleset"),
        ("runewars", "kotei", "its types are store, regional, national, other"),
    ],
)
def test_rw_tier_another_type_is_refused(desk: Desk, game: str, typed: str, told: str) -> None:
    """RW-TIER: one sentence that names what is allowed, and nothing is written."""
    answer = desk.type("new", "Cup", "--ruleset", game, "--type", typed)
    assert answer.code == USAGE
    assert told in answer.err
    assert len(answer.err.strip().splitlines()) == 1
    assert not [path for path in desk.folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("game", "told"),
    [("runewars", "store, regional, national, other"), ("l5r", "has no types of tournament")],
)
def test_rw_tier_a_line_with_another_type_is_refused(game: str, told: str) -> None:
    """RW-TIER: the rules hold line 1 to the types of its ruleset, not only the verb."""
    opening = Day(4, ruleset=game).tournament.opening
    assert opening is not None
    forged = structs.replace(opening, event_type="kotei")
    (wrong,) = tournament_opened(Tournament(), forged)
    assert wrong.code == "opening.event_type"
    assert told in str(wrong)
