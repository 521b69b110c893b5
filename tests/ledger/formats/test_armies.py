"""Army lists of the two miniatures games: points, factions, terrain, command and battle cards."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from ledger import formats
from ledger.errors import InvalidRuleset
from ledger.formats.checks.equipment import CustomTerrain
from ledger.rulesets.floor import Scenario, Season
from tests.support.files.format_lists import (
    SAMPLES,
    breaking,
    clauses,
    found,
    listed,
    replaced,
    sample_cards,
    sample_list,
    unchecked,
)

MARCH = sample_list("runewars")
OUTPOST = sample_list("legion")
OUTPOST_CARDS = json.loads((SAMPLES / "cards" / "legion.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "text"), [("runewars", MARCH), ("legion", OUTPOST)])
def test_the_legal_lists_break_nothing(name: str, text: str) -> None:
    assert not breaking(found(text, name))


def test_rw_army_at_most_200_points() -> None:
    """RW-ARMY: 200 are allowed, one more is not."""
    over = replaced(
        MARCH,
        {
            "Total: 200": "Total: 202",
            "- Lantern Bearer\n1 Captain Ilse Varga": "1 Captain Ilse Varga\n- Heavy Shields",
        },
    )
    assert breaking(found(over, "runewars")) == [("RW-ARMY", "202 points: at most 200 allowed")]


def test_ffg_list_content_the_declared_total() -> None:
    """FFG-LIST-CONTENT: a total that is missing, or is another than the sum."""
    wrong = MARCH.replace("Total: 200", "Total: 199")
    assert breaking(found(wrong, "runewars")) == [
        ("FFG-LIST-CONTENT", "the list declares 199 and comes to 200")
    ]
    silent = MARCH.replace("Total: 200\n", "")
    assert breaking(found(silent, "runewars")) == [
        ("FFG-LIST-CONTENT", "the total points are missing: `Total: NUMBER`")
    ]


def test_rw_army_one_faction_unless_an_effect_allows_more() -> None:
    """RW-ARMY: the neutral envoy lets a second faction in."""
    two = replaced(
        MARCH,
        {"Total: 200": "Total: 196", "1 Marcher Riders (3 trays)": "1 Bog Crawlers (2 trays)"},
    )
    assert breaking(found(two, "runewars")) == [
        ("RW-ARMY", "faction Marches, Fen: at most 1 allowed")
    ]
    led = replaced(two, {"Total: 196": "Total: 186", "1 Old Bartolo": "1 Hired Envoy"})
    assert not breaking(found(led, "runewars"))


def test_rw_army_two_unique_units() -> None:
    """RW-ARMY: two are allowed, the third is not."""
    three = replaced(
        MARCH, {"Total: 200": "Total: 184", "1 Marcher Riders (3 trays)": "1 Warden Teodor"}
    )
    assert breaking(found(three, "runewars")) == [("RW-ARMY", "3 unique units: at most 2 allowed")]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"1 Bramble Hedge\n": ""}, "3 terrain cards: exactly 4 allowed"),
        ({"1 Bramble Hedge": "2 Bramble Hedge"}, "5 terrain cards: exactly 4 allowed"),
        (
            {"1 Shallow Pond": "1 Old Quarry"},
            "Old Quarry and Broken Tower have capacity 8: 6 allowed",
        ),
        (
            {"1 Shallow Pond\n1 Broken Tower": "2 Old Quarry"},
            "Old Quarry and Old Quarry have capacity 8: 6 allowed",
        ),
    ],
)
def test_rw_army_four_terrain_cards_any_two_of_capacity_six(
    change: dict[str, str], told: str
) -> None:
    """RW-ARMY: exactly four; two with 6 together are allowed, as the legal list has them."""
    assert breaking(found(replaced(MARCH, change), "runewars")) == [("RW-ARMY", told)]


@pytest.mark.parametrize(
    ("diameter", "capacity"),
    [("0", 0), ("2.99", 0), ("3", 2), ("4.99", 2), ("5", 4), ("6.99", 4), ("7", 6), ("9", 6)],
)
def test_rw_terrain_capacity_by_diameter(diameter: str, capacity: int) -> None:
    """RW-TERRAIN: both edges of every band; an edge belongs to the higher one."""
    check = next(c for c in formats.load("runewars").format.checks if isinstance(c, CustomTerrain))
    assert check.capacity(Fraction(diameter)) == capacity
    right = f"[diameter: {diameter}; footprint: round; capacity: {capacity}]"
    wrong = right.replace(f"capacity: {capacity}", "capacity: 5")
    old = "[diameter: 5; footprint: square; capacity: 4; keywords: Elevated 2, Cover]"
    assert not clauses(found(replaced(MARCH, {old: right}), "runewars"))
    assert clauses(found(replaced(MARCH, {old: wrong}), "runewars")) == {"RW-TERRAIN"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"diameter: 5": "diameter: 9.01"}, "has a diameter over 9 inches"),
        ({"footprint: square": "footprint: long"}, "roughly square or circular or round"),
        ({"Elevated 2, Cover": "Elevated 2, Cover, Deadly 1"}, "3 keywords: at most 2"),
    ],
)
def test_rw_terrain_over_nine_inches_shape_and_keywords(change: dict[str, str], told: str) -> None:
    """RW-TERRAIN: nothing over nine inches, roughly square or round, two keywords."""
    [(clause, text)] = breaking(found(replaced(MARCH, change), "runewars"))
    assert clause == "RW-TERRAIN"
    assert told in text


def test_rw_terrain_what_is_not_stated_is_not_checked() -> None:
    """RW-TERRAIN: without a diameter there is no capacity to compare with."""
    bare = replaced(
        MARCH, {" [diameter: 5; footprint: square; capacity: 4; keywords: Elevated 2, Cover]": ""}
    )
    assert [clause for clause, _ in unchecked(found(bare, "runewars"))] == ["RW-TERRAIN"] * 2


@pytest.mark.parametrize(
    ("date", "tier", "broken"),
    [
        ("2018-07-22", "formal", "2018-07-22 is in no season: the first begins on 2018-07-23"),
        ("2018-07-23", "formal", "Maelstrom in deployments is out of season on 2018-07-23"),
        ("2018-09-30", "premier", "Seize the Artifacts in objectives is out of season"),
        ("2018-10-01", "formal", ""),
        ("2018-09-30", "relaxed", ""),
    ],
)
def test_rw_season(date: str, tier: str, broken: str) -> None:
    """RW-SEASON: the lists of both seasons at their first days; required but in Relaxed."""
    result = found(MARCH, "runewars", date=date, tier=tier)  # type: ignore[arg-type] # known tiers
    told = [text for clause, text in breaking(result) if clause == "RW-SEASON"]
    assert bool(told) is bool(broken)
    assert not broken or any(broken in text for text in told)


def test_rw_season_the_first_one() -> None:
    """RW-SEASON: until September Standoff and Demoralize are legal, afterwards they are not."""
    first = replaced(
        MARCH, {"1 Maelstrom": "1 Standoff", "1 Seize the Artifacts": "1 Demoralize Their Forces"}
    )
    assert not clauses(found(first, "runewars", date="2018-09-30"))
    assert clauses(found(first, "runewars", date="2018-10-01")) == {"RW-SEASON"}


def test_rw_season_the_events_own_ruleset_has_the_seasons() -> None:
    """RW-SEASON: one place for each; without an event the shipped ruleset's."""
    season = Season("2018-01-01", ("Reeds",), ("Crumbs", "Seize the Artifacts"))
    told = formats.findings(
        listed(MARCH),
        formats.load("runewars"),
        sample_cards("runewars"),
        date="2018-11-03",
        tier="formal",
        scenario=Scenario("RW-SEASON", (season,)),
    )
    assert any("Maelstrom in deployments is out of season" in text for _, text in breaking(told))
    assert not any("Seize the Artifacts in" in text for _, text in breaking(told))
    text = formats.load("runewars").document.text
    for name, problem in (("runewar", "did you mean runewars"), ("l5r", "has no seasons")):
        with pytest.raises(InvalidRuleset, match=problem):
            formats.load_text(text.replace('seasons_of = "runewars"', f'seasons_of = "{name}"'))


@pytest.mark.parametrize(
    ("mat", "broken"), [("official", False), ("venue", False), ("printed at home", True)]
)
def test_rw_playmat(mat: str, *, broken: bool) -> None:
    """RW-PLAYMAT: a player's own mat is an official one, the venue's need not be."""
    result = found(f"Playmat: {mat}\n{MARCH}", "runewars")
    assert clauses(result) == ({"RW-PLAYMAT"} if broken else set())


def test_swl_army_at_most_800_points() -> None:
    """SWL-ARMY: 800 are allowed, ten more are not."""
    over = replaced(OUTPOST, {"Total: 800": "Total: 810", "- MK-9": "- Field Scope\n- MK-9"})
    assert breaking(found(over, "legion")) == [("SWL-ARMY", "810 points: at most 800 allowed")]


def test_swl_army_one_faction_unless_an_effect_allows_more() -> None:
    """SWL-ARMY: as in the other game, but for the other envoy."""
    two = replaced(OUTPOST, {"Total: 800": "Total: 780", "1 Ridge Runners": "1 Dominion Guards"})
    assert breaking(found(two, "legion")) == [
        ("SWL-ARMY", "faction Coalition, Dominion: at most 1 allowed")
    ]
    led = replaced(two, {"Total: 780": "Total: 660", "1 Hull Cutter": "1 Sworn Envoy"})
    assert not breaking(found(led, "legion"))


@pytest.mark.parametrize(("corps", "broken"), [(2, True), (3, False), (6, False), (7, True)])
def test_swl_army_ranks_from_supplied_data(corps: int, *, broken: bool) -> None:
    """SWL-ARMY: the card file gives three to six of a rank; without it nothing is said."""
    text = replaced(
        OUTPOST,
        {
            "Total: 800": f"Total: {160 + 60 * corps + 90 + 20}",
            "1 Coalition Regulars\n- MK-9 Beam Trooper\n" * 4: f"{corps} Coalition Regulars\n",
            "1 Hull Cutter\n": "",
        },
    )
    told = breaking(found(text, "legion"))
    wanted = [("SWL-ARMY", f"{corps} of rank corps: 3 to 6 allowed")] if broken else []
    assert told == wanted
    silent = formats.read_cards(
        json.dumps(OUTPOST_CARDS | {"limits": {}}).encode(), formats.load("legion").format, "c.json"
    )
    result = found(text, "legion", silent)
    assert not breaking(result)
    assert (
        "SWL-ARMY",
        "no limits are supplied for rank commander, corps, heavy, support",
    ) in unchecked(result)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"Command (7)": "Command", "1 First Volley\n": ""}, "6 command cards: exactly 7 allowed"),
        ({"Command (7)": "Command", "1 First Volley\n": ""}, "1 of pips 1: exactly 2 allowed"),
        (
            {"1 Sudden Storm\n": "", "1 First Volley": "2 First Volley"},
            "2 copies of First Volley: at most 1 allowed",
        ),
        (
            {"1 Standing Orders\n": "", "1 Double Time": "2 Double Time"},
            "Standing Orders is missing in command",
        ),
        (
            {"1 Long Watch\n": "", "1 Double Time": "2 Double Time"},
            "3 of pips 2: exactly 2 allowed",
        ),
        (
            {"1 Sudden Storm": "1 Captain Orsk's Gambit"},
            "Captain Orsk's Gambit needs Captain Orsk in units",
        ),
    ],
)
def test_swl_command(change: dict[str, str], told: str) -> None:
    """SWL-COMMAND: seven, no copies, two of each pip, Standing Orders, characters present."""
    result = breaking(found(replaced(OUTPOST, change), "legion"))
    assert ("SWL-COMMAND", told) in result
    assert {clause for clause, _ in result} == {"SWL-COMMAND"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"Battle (12)": "Battle", "1 Wide Flank\n": ""}, "11 battle cards: exactly 12 allowed"),
        ({"1 Wide Flank": "1 Map the Caves"}, "5 of type objective: exactly 4 allowed"),
        ({"1 Wide Flank": "1 Map the Caves"}, "3 of type deployment: exactly 4 allowed"),
        (
            {"1 Wide Flank\n": "", "1 Two Fronts": "2 Two Fronts"},
            "2 copies of Two Fronts: at most 1 allowed",
        ),
    ],
)
def test_swl_battle(change: dict[str, str], told: str) -> None:
    """SWL-BATTLE: twelve different ones, four of each kind."""
    result = breaking(found(replaced(OUTPOST, change), "legion"))
    assert ("SWL-BATTLE", told) in result
    assert {clause for clause, _ in result} == {"SWL-BATTLE"}


def test_ffg_list_the_two_troopers() -> None:
    """FFG-LIST: words that two upgrades have do not tell which is meant."""
    text = OUTPOST.replace("MK-9 Beam Trooper", "MK-9 Trooper")
    told = breaking(found(text, "legion"))
    which = "'MK-9 Trooper' could be several cards: MK-9 Beam Trooper, MK-9 Shock Trooper"
    assert ("FFG-LIST", f"upgrades: {which}") in told
