"""What only a game's rulebook says: checked where the card file says it, else not checked."""

from __future__ import annotations

import json

import pytest

from ledger import formats
from ledger.errors import InvalidRuleset
from tests.support.files.format_legacy import HEAD, KEY, STRONGHOLD, dynasty, person
from tests.support.files.format_lists import (
    SAMPLES,
    breaking,
    cards_of,
    clauses,
    found,
    replaced,
    sample_list,
    unchecked,
)

DECK, OUTPOST, MARCH = (sample_list(name) for name in ("ashes", "legion", "runewars"))
ASHES = (SAMPLES / "cards" / "ashes.csv").read_text("utf-8")
LEGION = json.loads((SAMPLES / "cards" / "legion.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"1 Ysolde Marr\n": "1 Ysolde Marr\n1 Tobin of the Wells\n"}, "2 Phoenixborn: exactly 1"),
        ({"1 Ysolde Marr\n": "2 Ysolde Marr\n"}, "2 Phoenixborn: exactly 1"),
        ({"5 Sparrow Flock": "3 Marr Family Blade"}, "type conjuration belongs there"),
        ({"5 Sparrow Flock": "2 Sparrow Flock\n1 Well Spirit"}, "Well Spirit needs Tobin of the"),
        ({"5 Sparrow Flock": "5 Sparrow Flock\n1 Ink Blot"}, "Ink Blot needs Kiln Golem in"),
    ],
)
def test_aop_cards(change: dict[str, str], told: str) -> None:
    """AOP-CARDS: one Phoenixborn, and conjurations of one's own."""
    cards = cards_of(
        "ashes",
        ASHES
        + "Well Spirit,conjuration,Tobin of the Wells,,,,,Ash Sparrow\n"
        + "Ink Blot,conjuration,,,,,,Kiln Golem\n",
    )
    [(clause, text)] = breaking(found(replaced(DECK, change), "ashes", cards))
    assert clause == "AOP-CARDS"
    assert told in text


def test_aop_cards_conjurations_that_are_not_listed() -> None:
    """AOP-CARDS: not checked where the list leaves them out, or the card file."""
    bare = replaced(DECK, {"Conjurations\n5 Sparrow Flock\n": ""})
    told = "Sparrow Flock: not listed in conjurations, though a listed card brings it"
    assert found(bare, "ashes") != []
    assert unchecked(found(bare, "ashes")) == [("AOP-CARDS", told)]
    assert not breaking(found(bare, "ashes"))
    without = replaced(bare, {"3 Ash Sparrow": "3 Kiln Golem", "1 Ash Sparrow": "1 Kiln Golem"})
    assert not found(without, "ashes")
    silent = cards_of("ashes", ASHES.replace(",Ash Sparrow\n", ",\n"))
    for text in (DECK, bare):
        assert [clause for clause, _ in unchecked(found(text, "ashes", silent))] == ["AOP-CARDS"]


def test_ffg_rulebook_a_unique_card_stands_once_in_an_army() -> None:
    """FFG-RULEBOOK: as far as the card file says what is unique; two other units may be."""
    told = breaking(found(replaced(MARCH, {"1 Old Bartolo": "1 Captain Ilse Varga"}), "runewars"))
    assert ("FFG-RULEBOOK", "2 copies of Captain Ilse Varga, unique: at most 1 allowed") in told
    cards = [{**card} for card in LEGION["cards"]]
    for card in cards:
        card.pop("unique", None)
    silent = cards_of("legion", json.dumps({**LEGION, "cards": cards}))
    result = found(OUTPOST, "legion", silent)
    assert not breaking(result)
    assert ("FFG-RULEBOOK", "4 copies of Coalition Regulars: unique not known") in unchecked(result)
    assert not found(OUTPOST, "legion")


@pytest.mark.parametrize("missing", ["commander", "corps", "support", "heavy"])
def test_swl_army_a_rank_that_nobody_limits_is_not_checked(missing: str) -> None:
    """SWL-ARMY: also one that the list does not have, for it may have to have one."""
    limits = {name: span for name, span in LEGION["limits"].items() if missing not in name}
    cards = cards_of("legion", json.dumps({**LEGION, "limits": limits}))
    wanted = [("SWL-ARMY", f"no limits are supplied for rank {missing}")]
    assert unchecked(found(OUTPOST, "legion", cards)) == wanted
    without = OUTPOST.replace("1 Hull Cutter\n", "").replace("Total: 800", "Total: 630")
    assert unchecked(found(without, "legion", cards)) == wanted


@pytest.mark.parametrize(
    ("name", "clause", "total", "broken"),
    [
        ("runewars", "RW-ARMY", 200, False),
        ("runewars", "RW-ARMY", 201, True),
        ("legion", "SWL-ARMY", 800, False),
        ("legion", "SWL-ARMY", 801, True),
    ],
)
def test_a_total_that_is_declared_above_the_limit(
    name: str, clause: str, total: int, *, broken: bool
) -> None:
    """RW-ARMY, SWL-ARMY: whatever the card file knows of points."""
    text = f"Player: Ann\nTotal: {total}\nUnits\n1 Guards\n"
    cards = cards_of(name, "name,type,faction\nGuards,unit,X\n")
    told = f"{total} points declared: at most {total - 1} allowed"
    result = found(text, name, cards)
    assert ((clause, told) in breaking(result)) is broken
    assert (clause, "points not known for Guards") in unchecked(result)


def test_swl_battle_a_list_may_leave_the_battle_cards_out() -> None:
    """SWL-BATTLE, FFG-LIST-CONTENT: a list need not hold them; then they are not checked."""
    bare = OUTPOST.partition("Battle (12)")[0]
    result = found(bare, "legion")
    assert not breaking(result)
    assert unchecked(result) == [("SWL-BATTLE", "battle cards: none is listed")]


def test_leg_banned_a_title_of_the_list_with_another_type_is_told() -> None:
    """LEG-BANNED: whether it is the card that is meant, a person says."""
    row = "Rise from the Ashes,,Strategy,-,-,no,X,,,,\n"
    told = (
        "Rise from the Ashes may not be played if it is the Spell: the card file has it as Strategy"
    )
    assert ("LEG-BANNED", told) in unchecked(dynasty(row, "1 Rise from the Ashes"))
    assert "LEG-BANNED" not in clauses(dynasty(row, "1 Rise from the Ashes"))
    with pytest.raises(InvalidRuleset, match=r"type: 'Spel'; did you mean Spell\?"):
        dynasty(row.replace("Strategy", "Spel"), "1 Rise from the Ashes")


@pytest.mark.parametrize("footprint", ["round", "circular", "square", "roughly circular"])
def test_rw_terrain_footprints_as_the_source_has_them(footprint: str) -> None:
    """RW-TERRAIN: roughly, in any case."""
    text = MARCH.replace("footprint: square", f"footprint: {footprint}")
    assert not clauses(found(text, "runewars"))


@pytest.mark.parametrize(
    ("clan", "told"),
    [
        ("Crab", ""),
        ("crab clan", ""),
        ("Toturi", "Hall (Toturi): no clan of this format; did you mean Toturi's Army?"),
        ("Hare", "Hall (Hare Clan): a clan only under Shiro Usagi"),
        ("Badger", "Hall (Badger): no clan of this format"),
    ],
)
def test_leg_clan_by_its_short_name(clan: str, told: str) -> None:
    """LEG-CLAN: Crab is Crab Clan; what is near another name is offered it."""
    cards = cards_of(KEY, HEAD + f'Hall,,Stronghold,"{clan}",-,no,X,,,,\n')
    result = [text for _, text in breaking(found("Stronghold\n1 Hall", KEY, cards))]
    assert result == ([told] if told else [])


def test_leg_clan_of_a_personality_by_its_short_name() -> None:
    """LEG-CLAN: a short name in the column is the clan, and said to be taken for it."""
    cards = cards_of(KEY, HEAD + STRONGHOLD + person("Aki", clan="Lion"))
    held = formats.read_list(b"Stronghold\n1 Shiro X\nDynasty\n3 Aki\n")
    told = formats.derived(held, formats.load(KEY), cards)
    assert "Aki: Lion is taken for Lion Clan (LEG-CLAN)" in map(str, told)
    assert "personalities, Lion Clan: 3 (LEG-CLAN)" in map(str, told)


def test_leg_clan_without_a_stronghold_is_not_checked() -> None:
    """LEG-CLAN: whose clan a deck is of, its stronghold says."""
    cards = cards_of(KEY, HEAD + person("Aki"))
    assert ("LEG-CLAN", "no stronghold is listed") in unchecked(found("Dynasty\n1 Aki", KEY, cards))
    assert "LEG-CLAN" not in dict(unchecked(dynasty(person("Aki"), "1 Aki")))
