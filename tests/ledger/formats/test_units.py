"""Units and the upgrades that they bear: how a list says it, and what is wrong with one."""

from __future__ import annotations

import random
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.errors import Refused
from ledger.formats.play_lists import Listed, PlayList, Upgrade, as_text, read_part
from ledger.rules.lists import is_significant
from tests.support.files.format_lists import (
    breaking,
    cards_of,
    found,
    replaced,
    sample_list,
    unchecked,
)

MARCH = sample_list("runewars")
OUTPOST = sample_list("legion")
LEGION = formats.load("legion").format.shape
L5R = formats.load("l5r").format.shape


def read(text: str, shape: formats.Shape | None = LEGION) -> PlayList:
    """A list from its text."""
    return formats.read_list(text.encode(), shape)


@pytest.mark.parametrize(
    "text",
    [
        "Units\n1 Vey Tarsk\n- Scope\n- 2 Mines\n1 Regulars\n",
        "Units\n1 Vey Tarsk\n\u2022 Scope\n\u2013 2x Mines\n1 Regulars\n",
        "Units\n1 Vey Tarsk\n    Scope\n    2 Mines\n1 Regulars\n",
        "Units\n  1 Vey Tarsk\n\tScope\n\t2 \u00d7 Mines\n  1 Regulars\n",
        "  Units:\n  1 Vey Tarsk\n\n  + Scope\n  # a remark\n  * 2 Mines\n  1 Regulars\n",
    ],
)
def test_upgrades_stand_below_their_unit(text: str) -> None:
    """FFG-LIST-CONTENT: dashed, dotted or farther in, with a count or without."""
    upgrades = (Upgrade("Scope"), Upgrade("Mines", 2))
    units = (Listed("Vey Tarsk", upgrades=upgrades), Listed("Regulars"))
    assert dict(read(text).sections) == {"units": units}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Units\n- Scope\n1 Vey Tarsk\n", "line 2: the upgrade 'Scope' has no unit above it"),
        ("Units\n4 Regulars\n- Scope\n", "line 3: it is not clear which of 4 Regulars has 'Scope'"),
        ("Units\n1 Vey Tarsk, 2 Regulars\n", "line 2: two units on one line"),
        ("Units\n1 Vey Tarsk + 1x Regulars\n", "line 2: two units on one line"),
        ("Units\n1 Vey\nCommand\n1 Orders\n- Scope\n", "but command cannot have upgrades"),
        ("Units\n1 Vey\n  Hand (7)\n  1 Orders\n", "'Hand (7)' is a heading or an upgrade"),
        ("Units\n1 Vey\n- Scope [x: y]\n", "line 3: 'Scope [x: y]' is not an upgrade"),
        ("Units\n1 Vey\n- 0 Scope\n", "line 3: the number of copies must be from 1 to 999, not 0"),
        ('{"sections":{"units":[{"name":"A","count":2,"upgrades":[{"name":"B"}]}]}}', "2 A has"),
        (
            '{"sections":{"battle":[{"name":"A","upgrades":[{"name":"B"}]}]}}',
            "cannot have upgrades",
        ),
        ('{"sections":{"units":[{"name":"A\\n- B"}]}}', "the text form cannot"),
    ],
)
def test_what_is_wrong_is_one_line(text: str, problem: str) -> None:
    """Nothing is guessed and nothing dropped."""
    with pytest.raises(Refused) as caught:
        read(text)
    assert len(caught.value.problems) == 1
    assert problem in str(caught.value)


def test_a_known_heading_farther_in_is_a_heading() -> None:
    """The command hand does not become a unit's upgrades."""
    held = read("Units\n1 Vey Tarsk\n  Command\n  1 Orders\n")
    assert list(held.sections) == ["units", "command"]


def test_a_deck_of_cards_may_be_ragged() -> None:
    """Where nothing bears upgrades, how far in a line stands means nothing, as before."""
    held = read("Dynasty\n3 Ferryman\n  2 Gardener\n", L5R)
    assert held.sections["dynasty"] == (Listed("Ferryman", 3), Listed("Gardener", 2))
    with pytest.raises(Refused, match="dynasty cannot have upgrades"):
        read("Dynasty\n3 Ferryman\n- 2 Gardener\n", L5R)


WORDS = st.text(st.sampled_from("ab x2-(,'"), min_size=1, max_size=6).filter(
    lambda text: text == text.strip()
)
UPGRADES = st.lists(st.builds(Upgrade, WORDS, st.integers(1, 3)), max_size=3).map(tuple)
UNITS = st.builds(Listed, WORDS, st.just(1), st.just({}), UPGRADES)
CARDS = st.builds(Listed, WORDS, st.integers(1, 999), st.just({"capacity": "4"}))


@pytest.mark.slow
@given(st.lists(UNITS, max_size=4), st.lists(CARDS, max_size=3), st.integers(0, 900) | st.none())
def test_what_is_written_is_read_again(
    units: list[Listed], cards: list[Listed], total: int | None
) -> None:
    """Both forms hold the same, whatever the names are."""
    sections = {"units": tuple(units), "command": tuple(cards)}
    held = PlayList("Ann", total, {"command": 7}, {"playmat": "own"}, sections)
    assert read_part(as_text(held).encode()) == held
    assert read_part(msgspec.json.encode(held)) == held


SWAPPED = OUTPOST.replace(
    "1 Commander Vey Tarsk\n- Field Scope\n1 Coalition", "1 Commander Vey Tarsk\n1 Coalition"
).replace("1 Hull Cutter\n", "1 Hull Cutter\n- Field Scope\n")
LOOSE = (
    OUTPOST.replace("- Field Scope\n", "")
    .replace("- MK-9 Beam Trooper\n", "")
    .replace("Command (7)", "Upgrades\n4 MK-9 Trooper\n2 Scope\n\nCommand (7)")
)


@pytest.mark.parametrize(
    ("old", "new", "significant"),
    [
        (OUTPOST, SWAPPED, True),
        (OUTPOST, OUTPOST.replace("- Field Scope", "    1x Field Scope"), False),
        (OUTPOST.replace("Field Scope", "Scope"), OUTPOST, False),
        (OUTPOST, OUTPOST.replace("Field Scope", "Scope"), True),
        (OUTPOST, OUTPOST.replace("- Field Scope\n", "", 1), True),
        (OUTPOST, OUTPOST.replace("- MK-9", "- Field Scope\n- MK-9", 1), True),
        (LOOSE, OUTPOST, False),
        (LOOSE, SWAPPED, False),
        (OUTPOST, LOOSE, True),
        (LOOSE, OUTPOST.replace("MK-9 Beam", "MK-9 Shock", 1), False),
        (LOOSE, OUTPOST.replace("- MK-9 Beam Trooper\n", "", 1), True),
        (MARCH, MARCH.replace("capacity: 4", "capacity: 6"), True),
        (MARCH, MARCH.replace("Custom terrain\n1 Ruined", "Custom terrain\n1 Old Ruined"), False),
    ],
)
def test_ffg_list_a_change_of_units_is_significant(
    old: str, new: str, *, significant: bool
) -> None:
    """FFG-LIST, FFG-LIST-FIXED: upgrades exchanged between units are other things."""
    assert is_significant(old, new) is significant


def test_units_of_one_name_are_told_apart() -> None:
    """Two units of one name whose upgrades are exchanged one by one are another army."""
    apart = "Units\n1 Guards\n- Scope\n- Mines\n1 Guards\n"
    mixed = "Units\n1 Guards\n- Scope\n1 Guards\n- Mines\n"
    turned = "Units\n1 Guards\n1 Guards\n- Mines\n- Scope\n"
    assert is_significant(apart, mixed)
    assert not is_significant(apart, turned)


def brute_force(old: list[set[str]], new: list[set[str]]) -> bool:
    """Try every way of pairing the cards of two lists."""
    return len(old) == len(new) and any(
        all(a <= b for a, b in zip(old, order, strict=True)) for order in permutations(new)
    )


def test_the_comparison_against_all_pairings() -> None:
    """The same answer as trying every way, over small lists of few words."""
    chance, significant = random.Random(13), 0
    for _ in range(2_000):
        old, new = (
            [chance.sample("abc", chance.randint(1, 3)) for _ in range(chance.randint(1, 5))]
            for _ in range(2)
        )
        texts = [
            "Deck\n" + "".join(f"1 {' '.join(each)}\n" for each in each_list)
            for each_list in (old, new)
        ]
        wanted = not brute_force([set(each) for each in old], [set(each) for each in new])
        assert is_significant(texts[0], texts[1]) is wanted
        significant += wanted
    assert 100 < significant < 1_990


def test_ffg_list_content_an_upgrade_without_its_unit() -> None:
    """FFG-LIST-CONTENT: upgrades listed apart are a finding, and counted all the same."""
    told = breaking(found(LOOSE.replace("MK-9 T", "MK-9 Beam T"), "legion"))
    assert told == [
        (
            "FFG-LIST-CONTENT",
            (
                "MK-9 Beam Trooper, Field Scope in upgrades: which unit bears it is not said; "
                "an upgrade goes below its unit, as `- Name`"
            ),
        )
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"- MK-9 Beam Trooper\n1 Ridge": "- MK-9 Beam Trooper\n- Field Scope\n1 Ridge"},
            [],
        ),
        (
            {"1 Ridge Runners\n- Field Scope": "1 Ridge Runners\n- 2 Field Scope"},
            ["Ridge Runners bears 2 of slot gear: it has room for 1"],
        ),
        (
            {"1 Hull Cutter\n": "1 Hull Cutter\n- Field Scope\n"},
            ["Hull Cutter bears 1 of slot gear: it has room for 0"],
        ),
        (
            {"- MK-9 Beam Trooper\n1 Ridge": "- 2 MK-9 Beam Trooper\n1 Ridge"},
            [
                (
                    "Coalition Regulars (unit 4 of that name) bears 2 of slot heavy weapon: "
                    "it has room for 1"
                )
            ],
        ),
        (
            {"1 Hull Cutter\n": "1 Hull Cutter\n- MK-9 Beam Trooper\n"},
            [
                "Hull Cutter bears 1 of slot heavy weapon: it has room for 0",
                "Hull Cutter bears MK-9 Beam Trooper: Coalition Regulars may",
            ],
        ),
    ],
)
def test_ffg_rulebook_what_a_unit_may_bear(change: dict[str, str], told: list[str]) -> None:
    """FFG-RULEBOOK: the slots and the bearers that the card file gives, for each unit."""
    result = breaking(found(replaced(OUTPOST, change), "legion"))
    assert [text for _, text in result if "bears" in text] == told


def test_ffg_rulebook_what_the_card_file_does_not_say_is_not_checked() -> None:
    """FFG-RULEBOOK: without the columns nobody is passed."""
    cards = cards_of(
        "legion",
        "name,type,faction,points\nGuards,unit,Coalition,9\nScope,upgrade,neutral,1\n",
    )
    told = unchecked(found("Units\n1 Guards\n- Scope\n", "legion", cards))
    assert {
        ("FFG-RULEBOOK", "slot not known for Scope"),
        ("FFG-RULEBOOK", "slots not known for Guards"),
        ("FFG-RULEBOOK", "bearers not known for Scope"),
    } <= set(told)
