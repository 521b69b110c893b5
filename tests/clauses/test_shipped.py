"""What the shipped rulesets say of the floor around the tables, clause by clause.

The other tests of the floor bring tables of their own; these hold the files to the catalogue.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.rulesets import load, names
from ledger.rulesets.floor import (
    Authority,
    Components,
    DamagedModel,
    First,
    FloorClock,
    FloorRules,
    Provision,
    Sides,
)

FOUR = ("ashes", "l5r", "legion", "runewars")
MODELS = Components("FFG-LOST", "extension", essential_only=True, damaged=True)


def floor(key: str) -> FloorRules:
    """The floor's tables of a shipped ruleset."""
    return load(key).ruleset.floor


def test_who_leads() -> None:
    """AOP-AUTH, AOP-DECLARE, AOP-RULEBOOK, AOP-ORGANIZER, FFG-ROLE-JUDGE, FFG-LEADER-TIER."""
    assert floor("ashes").authority == Authority(
        "AOP-AUTH",
        ("organizer", "co-organizer"),
        "announced",
        "passes",
        "AOP-ORGANIZER",
        "organizer",
        "AOP-RULEBOOK",
        "AOP-DECLARE",
        "AOP-PAIR",
    )
    for key in ("l5r", "runewars", "legion"):
        assert floor(key).authority == Authority(
            "FFG-ROLE-JUDGE", ("organizer", "marshal", "judge"), "relaxed", "kept"
        )


def test_the_clock() -> None:
    """SWL-CLOCK, AOP-CLOCK: half an hour may be added; ten minutes are called out."""
    clocks = {key: floor(key).clock for key in FOUR}
    assert clocks["legion"] == FloorClock("SWL-CLOCK", extra_max=30)
    assert clocks["ashes"] == FloorClock("AOP-CLOCK", warning=10)
    assert clocks["l5r"] == clocks["runewars"] == FloorClock()


def test_components() -> None:
    """FFG-LOST, FFG-DAMAGED, FFG-INELIGIBLE, FFG-SHARE, L5R-LOST: models apart from cards."""
    kept = DamagedModel("RW-DAMAGED-MODEL", "kept")
    assert floor("runewars").components == replace(MODELS, model=kept, playmats="RW-PLAYMAT")
    modified = DamagedModel("SWL-DAMAGED-MINI", "modified")
    assert floor("legion").components == replace(MODELS, model=modified)
    assert floor("l5r").components == Components()
    assert floor("ashes").components == Components("AOP-COMPONENT", lost=False, proxies=False)


def test_first_players_and_sides() -> None:
    """RW-FIRST, AOP-FIRST, L5R-FIRST, RW-SIDE, SWL-SIDES, SWL-SETUP."""
    assert {key: floor(key).first for key in FOUR} == {
        "ashes": First("AOP-FIRST", "roll"),
        "l5r": First("L5R-FIRST", "random"),
        "legion": None,
        "runewars": First("RW-FIRST", "army total"),
    }
    assert {key: floor(key).sides for key in FOUR} == {
        "ashes": None,
        "l5r": None,
        "legion": Sides("SWL-SIDES", "army total"),
        "runewars": Sides("RW-SIDE", "second player"),
    }
    assert {key for key in names() if floor(key).battle} == {"legion"}
    assert floor("legion").battle == Provision("SWL-SETUP")


@pytest.mark.parametrize(
    ("day", "deployments", "objectives"),
    [
        ("2018-07-22", set(), set()),
        ("2018-07-23", {"Standoff", "Unprepared", "Meeting Engagement"},
         {"Demoralize Their Forces", "Confluence of Magic", "Volatile Runes"}),
        ("2018-09-30", {"Standoff", "Unprepared", "Meeting Engagement"},
         {"Demoralize Their Forces", "Confluence of Magic", "Volatile Runes"}),
        ("2018-10-01", {"Unprepared", "Meeting Engagement", "Maelstrom"},
         {"Confluence of Magic", "Volatile Runes", "Seize the Artifacts"}),
    ],
)  # fmt: skip
def test_the_seasons(day: str, deployments: set[str], objectives: set[str]) -> None:
    """RW-SEASON: at the edges of both."""
    scenario = floor("runewars").scenario
    assert scenario is not None
    season = scenario.season(day)
    assert set(season.deployments if season else ()) == deployments
    assert set(season.objectives if season else ()) == objectives
    assert [key for key in names() if floor(key).scenario] == ["runewars"]
