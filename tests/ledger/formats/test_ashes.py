"""Decks and dice pools, First Fives and draft pools."""

from __future__ import annotations

import pytest

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

DECK = sample_list("ashes")
POOL = sample_list("ashes-draft-pool")
CARDS = (SAMPLES / "cards" / "ashes.csv").read_text("utf-8")


@pytest.mark.parametrize("named", ["ashes", "ashes:built", "ashes:drafted", "ashes:scenario"])
def test_the_legal_deck_breaks_nothing(named: str) -> None:
    assert not breaking(found(DECK, named))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"(30)": "", "3 Glass Knight": "2 Glass Knight"},
            "29 cards in the deck: exactly 30 allowed",
        ),
        (
            {"(30)": "", "3 Hearth Guard": "3 Hearth Guard\n1 Kiln Golem"},
            "31 cards in the deck: exactly 30 allowed",
        ),
        (
            {"3 Glass Knight\n": "2 Glass Knight\n", "3 Hearth Guard": "4 Hearth Guard"},
            "4 copies of Hearth Guard: at most 3 allowed",
        ),
        (
            {"3 Marr Family Blade": "3 Well Song", "1 Marr Family Blade": "1 Well Song"},
            "Well Song needs Tobin of the Wells in phoenixborn",
        ),
        ({"(10)": "", "4 Tide die": "3 Tide die"}, "9 dice: exactly 10 allowed"),
        ({"(10)": "", "4 Tide die": "5 Tide die"}, "11 dice: exactly 10 allowed"),
        ({"(30)": "(29)"}, "deck is declared with 29 cards and has 30"),
    ],
)
def test_aop_deck(change: dict[str, str], told: str) -> None:
    """AOP-DECK: thirty cards, three of each, no unique card of another, ten dice."""
    assert breaking(found(replaced(DECK, change), "ashes")) == [("AOP-DECK", told)]


def test_aop_deck_without_a_phoenixborn_the_owner_is_missing() -> None:
    """AOP-DECK: a unique card belongs to nobody there."""
    bare = replaced(DECK, {"1 Ysolde Marr": ""})
    assert clauses(found(bare, "ashes")) == {"AOP-DECK", "AOP-CARDS"}


def test_aop_firstfive() -> None:
    """AOP-FIRSTFIVE: one copy of each, out of the deck, five in all."""
    twice = replaced(DECK, {"1 Dusk Runner": "1 Bell Ward"})
    assert breaking(found(twice, "ashes")) == [
        ("AOP-FIRSTFIVE", "2 copies of Bell Ward: at most 1 allowed")
    ]
    foreign = replaced(DECK, {"1 Dusk Runner": "1 Kiln Golem"})
    assert breaking(found(foreign, "ashes")) == [
        ("AOP-FIRSTFIVE", "Kiln Golem in first five is not in deck")
    ]
    six = replaced(DECK, {"1 Dusk Runner": "1 Dusk Runner\n1 Echo Step"})
    assert clauses(found(six, "ashes")) == {"AOP-FIRSTFIVE"}


def test_aop_exclusive() -> None:
    """AOP-EXCLUSIVE: used where it was given out; what is not said is not checked."""
    cards = cards_of(
        "ashes", CARDS.replace("Ysolde Marr,phoenixborn,,no", "Ysolde Marr,phoenixborn,,yes")
    )
    told = unchecked(found(DECK, "ashes", cards))
    assert [clause for clause, _ in told] == ["AOP-EXCLUSIVE"]
    own_word = DECK.replace("Player: Dov Stein", "Player: Dov Stein\nGiven out: ysolde marr")
    assert unchecked(found(own_word, "ashes", cards)) == told
    assert not found(DECK, "ashes", cards, given=("ysolde marr",))
    assert breaking(found(own_word, "ashes", cards, given=("Kiln Golem",))) == [
        ("AOP-EXCLUSIVE", "Ysolde Marr was not given out to the player at registration")
    ]


def test_aop_format_a_scenarios_rules_go_first() -> None:
    """AOP-FORMAT: built without another word; of a scenario's own rules nothing is known."""
    assert ("AOP-FORMAT" in dict(unchecked(found(DECK, "ashes:scenario")))) is True
    assert not found(DECK, "ashes")


def test_aop_draft_pool() -> None:
    """AOP-DRAFT-POOL: the same for every group, ten of an expansion's dice."""
    assert not found(POOL, "ashes:draft-pool")
    second = POOL.rindex("3 Bell Ward")
    fewer = POOL[:second] + POOL[second:].replace("3 Bell Ward", "2 Bell Ward")
    assert breaking(found(fewer, "ashes:draft-pool")) == [
        ("AOP-DRAFT-POOL", "Bell Ward: the groups differ (group 1 3, group 2 2)")
    ]
    without = POOL[:second] + POOL[second:].replace("10 Ink die\n", "").replace(
        "3 Ink Serpent\n", ""
    )
    told = [text for _, text in breaking(found(without, "ashes:draft-pool"))]
    assert len(told) == 2
    nine = POOL.replace("10 Ink die", "9 Ink die")
    told = [text for _, text in breaking(found(nine, "ashes:draft-pool"))]
    assert told == [
        f"group {n} has 9 of Ink die: 10 of an expansion's dice are needed" for n in (1, 2)
    ]
    assert not breaking(found(POOL.replace("10 Ember die", "9 Ember die"), "ashes:draft-pool"))
    none = POOL.replace("10 Ink die\n", "")  # the expansion's cards without its dice
    told = [text for _, text in breaking(found(none, "ashes:draft-pool"))]
    assert told == [
        f"group {n} has 0 of Ink die: 10 of an expansion's dice are needed" for n in (1, 2)
    ]
    neither = none.replace("3 Ink Serpent\n", "")
    assert not breaking(found(neither, "ashes:draft-pool"))
