"""Lists of the card game with two decks: each rule of deck building at both of its edges."""

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

LEGAL = sample_list("l5r")
RINGS = ("air", "earth", "fire", "void", "water")
CARDS = (SAMPLES / "cards" / "l5r.csv").read_text("utf-8")


def test_the_legal_list_breaks_nothing() -> None:
    assert not breaking(found(LEGAL, "l5r"))
    assert not breaking(found(LEGAL, "l5r", tier="premier"))


@pytest.mark.parametrize(("count", "broken"), [(39, True), (40, False), (45, False), (46, True)])
@pytest.mark.parametrize("deck", ["Dynasty", "Conflict"])
def test_l5r_deck_sizes(deck: str, count: int, *, broken: bool) -> None:
    """L5R-DECK: each deck has 40 to 45 cards."""
    cards = CARDS + "".join(
        f"Spare {n:02},event,{deck.lower()},neutral,First Light,2017-10-05,,,,,,\n"
        for n in range(6)
    )
    spare = "\n".join(f"1 Spare {n:02}" for n in range(count - 40))
    text = LEGAL
    if count < 40:
        first = "3 Amber Ferryman" if deck == "Dynasty" else "3 River Scout"
        text = text.replace(first, first.replace("3", "2"))
    text = text.replace(f"{deck} (40)", f"{deck}\n{spare}")
    result = breaking(found(text, "l5r", cards_of("l5r", cards)))
    wanted = f"{count} cards in the {deck.lower()} deck: 40 to 45 allowed"
    assert (("L5R-DECK", wanted) in result) is broken
    assert len(result) == broken


def test_l5r_deck_at_most_three_copies_over_both_decks() -> None:
    """L5R-DECK: by title, counted through both decks and several lines."""
    card = "Double Face,character,dynasty,neutral,First Light,2017-10-05,,,,,,\n"
    twin = "Double Face,event,conflict,neutral,First Light,2017-10-05,,,,,,\n"
    cards = cards_of("l5r", CARDS + card + twin)
    three = replaced(
        LEGAL,
        {"Dynasty (40)": "Dynasty\n2 Double Face", "Conflict (40)": "Conflict\n1 Double Face"},
    )
    assert not breaking(found(three, "l5r", cards))
    four = three.replace("1 Double Face", "2 Double Face")
    assert clauses(found(four, "l5r", cards)) == {"L5R-DECK"}


@pytest.mark.parametrize(("count", "broken"), [(10, False), (11, True)])
def test_l5r_deck_characters_in_conflict(count: int, *, broken: bool) -> None:
    """L5R-DECK: at most ten characters in the conflict deck."""
    people = "".join(
        f"Person {n:02},character,conflict,neutral,First Light,2017-10-05,,,,,,\n"
        for n in range(11)
    )
    held = "\n".join(f"1 Person {n:02}" for n in range(count - 3))
    text = replaced(
        LEGAL,
        {"Conflict (40)": f"Conflict\n{held}", "3 Misty Promise\n": "", "3 Northern Banner\n": ""},
    )
    result = breaking(found(text, "l5r", cards_of("l5r", CARDS + people)))
    assert (
        "11 characters in the conflict deck: at most 10 allowed" in dict(result).values()
    ) is broken


def test_l5r_deck_dynasty_and_provinces_in_clan_or_neutral() -> None:
    """L5R-DECK: with another clan's stronghold the same cards are from outside."""
    other = found(LEGAL.replace("1 Heron Keep", "1 Otter Landing"), "l5r")
    told = [text for clause, text in breaking(other) if clause == "L5R-DECK"]
    assert any("Charcoal Yard in provinces is neither Otter nor neutral" in text for text in told)
    assert any("in dynasty is neither Otter nor neutral" in text for text in told)


@pytest.mark.parametrize(("cost", "broken"), [(10, False), (11, True)])
def test_l5r_deck_influence(cost: int, *, broken: bool) -> None:
    """L5R-DECK: out-of-clan cards up to the stronghold's influence, and from one clan alone."""
    card = f"Costly Friend,event,conflict,Otter,First Light,2017-10-05,,{cost},,,,\n"
    text = replaced(
        LEGAL, {"3 River Scout": "1 Costly Friend", "Conflict (40)": "Conflict\n2 Harbor Watch"}
    )
    result = found(text, "l5r", cards_of("l5r", CARDS + card))
    assert (clauses(result) == {"L5R-DECK"}) is broken
    assert (not clauses(result)) is not broken


def test_l5r_deck_a_card_without_influence_stays_in_its_clan() -> None:
    """L5R-DECK: no influence, written -, is not the influence 0."""
    for cost, broken in (("-", True), ("0", False)):
        card = f"Loyal Friend,event,conflict,Otter,First Light,2017-10-05,,{cost},,,,\n"
        text = LEGAL.replace("Conflict (40)", "Conflict\n1 Loyal Friend")
        result = breaking(found(text, "l5r", cards_of("l5r", CARDS + card)))
        told = [said for clause, said in result if clause == "L5R-DECK"]
        assert any("Loyal Friend has no influence" in said for said in told) is broken
    own = "Loyal Friend,event,conflict,Heron,First Light,2017-10-05,,-,,,,\n"
    text = LEGAL.replace("Conflict (40)", "Conflict\n1 Loyal Friend")
    told = [said for _, said in breaking(found(text, "l5r", cards_of("l5r", CARDS + own)))]
    assert not any("has no influence" in said for said in told)


def test_l5r_deck_one_clan_from_outside() -> None:
    """L5R-DECK: two clans are one too many, whatever they cost."""
    card = "Fox Gift,event,conflict,Fox,First Light,2017-10-05,,0,,,,\n"
    text = LEGAL.replace("Conflict (40)", "Conflict\n1 Fox Gift")
    result = breaking(found(text, "l5r", cards_of("l5r", CARDS + card)))
    assert [clause for clause, _ in result] == ["L5R-DECK"]
    assert "Fox, Otter: at most 1 clan" in result[0][1]


def test_l5r_deck_one_stronghold_and_five_provinces_of_five_rings() -> None:
    """L5R-DECK: without the role there is one province for each ring, no more and no fewer."""
    without_role = replaced(LEGAL, {"Role\n1 Warden of the Tides\n": ""})
    assert breaking(found(without_role, "l5r")) == [
        ("L5R-DECK", "2 of ring water: at most 1 allowed")
    ]
    one_each = CARDS + "Deep Cave,province,-,neutral,First Light,2017-10-05,,,,void,,\n"
    text = without_role.replace("1 Flooded Orchard", "1 Deep Cave")
    cards = cards_of("l5r", one_each)
    assert not breaking(found(text, "l5r", cards))
    four = text.replace("1 Deep Cave\n", "")
    assert breaking(found(four, "l5r", cards)) == [("L5R-DECK", "4 provinces: exactly 5 allowed")]
    two = text.replace("1 Heron Keep", "1 Heron Keep\n1 Otter Landing")
    assert ("L5R-DECK", "2 strongholds: exactly 1 allowed") in breaking(found(two, "l5r", cards))


@pytest.mark.parametrize("ring", ["air", "earth", "fire", "void", "water"])
def test_l5r_deck_one_province_a_ring(ring: str) -> None:
    """L5R-DECK: of each ring one, and a second one of any is too many."""
    rows = [
        f"{word} {r},province,-,neutral,X,2017-10-05,,,,{r},,\n"
        for word in ("One", "Two")
        for r in RINGS
    ]
    cards = cards_of("l5r", CARDS + "".join(rows))
    start, end = LEGAL.index("Role\n"), LEGAL.index("Dynasty (40)")
    one_each = [f"1 One {each}" for each in RINGS]
    text = LEGAL[:start] + "Provinces\n" + "\n".join(one_each) + "\n" + LEGAL[end:]
    assert not breaking(found(text, "l5r", cards))
    other = next(each for each in RINGS if each != ring)
    twice = text.replace(f"1 One {other}", f"1 Two {ring}")
    assert breaking(found(twice, "l5r", cards)) == [
        ("L5R-DECK", f"2 of ring {ring}: at most 1 allowed")
    ]


def test_l5r_role_one_legal_for_the_clan_and_its_changes() -> None:
    """L5R-ROLE: its changes are applied, so three influence more are allowed."""
    costly = "Costly Friend,event,conflict,Otter,First Light,2017-10-05,,13,,,,\n"
    cards = cards_of(
        "l5r", CARDS + costly + "Deep Cave,province,-,neutral,X,2017-10-05,,,,void,,\n"
    )
    text = replaced(
        LEGAL,
        {
            "1 Warden of the Tides": "1 Keeper of the Hearth",
            "1 Flooded Orchard": "1 Deep Cave",
            "3 River Scout": "1 Costly Friend",
            "Conflict (40)": "Conflict\n2 Harbor Watch",
        },
    )
    assert not breaking(found(text, "l5r", cards))
    dearer = cards_of(
        "l5r",
        (CARDS + costly).replace(",13,", ",14,")
        + "Deep Cave,province,-,neutral,X,2017-10-05,,,,void,,\n",
    )
    assert clauses(found(text, "l5r", dearer)) == {"L5R-DECK"}
    two = text.replace("1 Keeper of the Hearth", "1 Keeper of the Hearth\n1 Warden of the Tides")
    assert ("L5R-ROLE", "2 role cards: at most 1 allowed") in breaking(found(two, "l5r", cards))


def test_l5r_role_of_another_clan() -> None:
    """L5R-ROLE: the role names the clans it is legal for."""
    cards = cards_of("l5r", CARDS.replace("Heron; Otter", "Otter"))
    assert breaking(found(LEGAL, "l5r", cards)) == [
        ("L5R-ROLE", "Warden of the Tides is not legal for Heron")
    ]


def test_l5r_sleeves_by_tier() -> None:
    """L5R-SLEEVES: needed in Formal and Premier, different between the decks."""
    same = LEGAL.replace("matte black", "Matte  green")
    assert clauses(found(same, "l5r")) == {"L5R-SLEEVES"}
    bare = replaced(LEGAL, {"matte black": "none", "matte green": "none"})
    assert clauses(found(bare, "l5r", tier="premier")) == {"L5R-SLEEVES"}
    assert not clauses(found(bare, "l5r", tier="relaxed"))
    silent = LEGAL.replace("Sleeves dynasty: matte green\n", "")
    assert ("L5R-SLEEVES", "`Sleeves dynasty:` is not stated") in unchecked(found(silent, "l5r"))


@pytest.mark.parametrize(
    ("date", "tier", "broken"),
    [
        ("2018-10-31", "relaxed", True),
        ("2018-11-01", "relaxed", False),
        ("2018-11-01", "formal", False),
        ("2018-11-11", "premier", True),
        ("2018-11-12", "premier", False),
    ],
)
def test_ffg_legal_date(date: str, tier: str, *, broken: bool) -> None:
    """FFG-LEGAL-DATE: from the release, in Premier eleven days later."""
    text = replaced(LEGAL, {"Conflict (40)": "Conflict\n1 Harbor Watch"})
    assert tier in {"relaxed", "formal", "premier"}
    result = found(text, "l5r", date=date, tier=tier)  # type: ignore[arg-type] # one of the three
    assert (clauses(result) == {"FFG-LEGAL-DATE"}) is broken


def test_ffg_legal_date_of_the_organizer_and_unknown_ones() -> None:
    """FFG-LEGAL-DATE: elsewhere the organizer says; without a date nothing passes."""
    text = replaced(LEGAL, {"Conflict (40)": "Conflict\n1 Harbor Watch"})
    row = "Harbor Watch,character,conflict,Heron,Late Frost,2018-11-01,"
    assert row in CARDS
    own = cards_of("l5r", CARDS.replace(row, row + "2018-11-05"))
    assert clauses(found(text, "l5r", own, date="2018-11-04")) == {"FFG-LEGAL-DATE"}
    assert not clauses(found(text, "l5r", own, date="2018-11-05", tier="premier"))
    none = cards_of("l5r", CARDS.replace(row, row.replace("2018-11-01", "")))
    told = unchecked(found(text, "l5r", none))
    assert ("FFG-LEGAL-DATE", "release not known for Harbor Watch") in told
    told = unchecked(found(text, "l5r", date=""))
    assert ("FFG-LEGAL-DATE", "the day of the tournament is not given") in told


def test_ffg_list_names_must_tell_the_card() -> None:
    """FFG-LIST: `River` could be two conflict cards; the whole name could not."""
    text = LEGAL.replace("3 River Scout", "3 River")
    told = breaking(found(text, "l5r"))
    assert (
        "FFG-LIST",
        "conflict: 'River' could be several cards: River Scout, River Ambush",
    ) in told
    unknown = LEGAL.replace("3 River Scout", "3 River Scuot")
    told = breaking(found(unknown, "l5r"))
    unknown = "conflict: no card 'River Scuot' in Court cards, made up"
    assert told[0] == ("FFG-LIST", f"{unknown}; did you mean River Scout or River Ambush?")


def test_ffg_list_a_part_that_tells_the_card_is_enough() -> None:
    """FFG-LIST: only cards that could be in the same section make a name ambiguous."""
    assert not breaking(found(LEGAL.replace("3 River Scout", "3 Scout"), "l5r"))
    assert not breaking(found(LEGAL.replace("3 Amber Ferryman", "3 amber ferryman"), "l5r"))


def test_ffg_list_the_product_in_parentheses() -> None:
    """FFG-LIST: two cards of one name are told apart by the product."""
    twin = "River Scout,character,conflict,Heron,Late Frost,2017-10-05,,1,,,,\n"
    cards = cards_of("l5r", CARDS + twin)
    assert clauses(found(LEGAL, "l5r", cards)) == {"FFG-LIST"}
    text = LEGAL.replace("3 River Scout", "3 River Scout (late frost)")
    assert not breaking(found(text, "l5r", cards))


def test_ffg_list_content() -> None:
    """FFG-LIST-CONTENT: name, both decks, and declared numbers that are right."""
    assert breaking(found(LEGAL.replace("Player: Ann Lee\n", ""), "l5r")) == [
        ("FFG-LIST-CONTENT", "the player's name is missing: `Player: NAME`")
    ]
    wrong = LEGAL.replace("Dynasty (40)", "Dynasty (41)")
    assert breaking(found(wrong, "l5r")) == [
        ("FFG-LIST-CONTENT", "dynasty is declared with 41 cards and has 40")
    ]
    bare = LEGAL[: LEGAL.index("Conflict (40)")]
    assert "FFG-LIST-CONTENT" in clauses(found(bare, "l5r"))


def test_what_lacks_facts_is_not_checked() -> None:
    """A missing influence, ring or clan of the stronghold leaves its rule open."""
    text = LEGAL
    row = "River Scout,character,conflict,Otter,First Light,2017-10-05,,2"
    assert row in CARDS
    cards = cards_of("l5r", CARDS.replace(row, row[:-1]))
    assert ("L5R-DECK", "influence not known for River Scout") in unchecked(
        found(text, "l5r", cards)
    )
    lines = [",".join(line.split(",")[:11]) for line in CARDS.splitlines()]
    bare = cards_of("l5r", "\n".join(lines))
    told = unchecked(found(text, "l5r", bare))
    assert {clause for clause, note in told if "no column changes" in note} == {"L5R-DECK"}
