"""Names in a list: whole names, words of them, products, levels of experience, signs."""

from __future__ import annotations

import msgspec
import pytest

from ledger import formats
from ledger.formats.comparing import digest
from ledger.formats.naming import called
from ledger.formats.play_lists import as_text
from ledger.rules.lists import is_significant
from tests.support.files.format_legacy import HEAD, KEY, STRONGHOLD, dynasty, person
from tests.support.files.format_lists import breaking, cards_of, clauses, found

MARCH = (
    "name,type,faction,points,unique,capacity,set,slots,slot,bearers\n"
    "Ilse of the Ford,unit,Marches,35,yes,,Ford Set,gear; gear,,\n"
    "Ilse Blade,upgrade,Marches,5,no,,Blade Set,,gear,\n"
    "Ilse Shield,upgrade,Marches,4,no,,Ford Set,,gear,\n"
    "Reed Guards,unit,Marches,20,no,,Ford Set,-,,\n"
    "X Water,terrain,neutral,,,2,Ford Set,,,\n"
)


def units(*lines: str) -> list[tuple[str, str]]:
    """What is wrong with the names in units."""
    text = "Player: Ann\nTotal: 200\nUnits\n" + "\n".join(lines)
    result = breaking(found(text, "runewars", cards_of("runewars", MARCH)))
    return [(clause, told) for clause, told in result if clause == "FFG-LIST"]


@pytest.mark.parametrize(
    ("line", "could_be"),
    [
        ("1 Ilse of the Ford", ""),
        ("1 ilse OF the ford", ""),
        ("1 Ford", ""),
        ("1 Guards", ""),
        ("1 Ilse", "Ilse of the Ford, Ilse Blade, Ilse Shield"),
        ("1 Reed Guards\n- Ilse", "Ilse Blade, Ilse Shield, Ilse of the Ford"),
        ("1 Reed Guards\n- Blade", ""),
        ("1 Reed Guards\n- Ilse (Blade Set)", ""),
        ("1 Reed Guards\n- (Blade Set)", ""),
        ("1 Ilse (Ford Set)", "Ilse of the Ford, Ilse Shield"),
        ("1 Reed (Ford Set)", ""),
    ],
)
def test_ffg_list_a_word_of_the_title_is_no_name_of_a_unit(line: str, could_be: str) -> None:
    """FFG-LIST: what could be confused in the army is named whole, or by its product."""
    told = [text for _, text in units(line)]
    assert [text.partition("several cards: ")[2] for text in told] == (
        [could_be] if could_be else []
    )


def test_ffg_list_another_title_with_that_word_is_another_card() -> None:
    """FFG-RULEBOOK: the blade of a unique unit is no second one of it."""
    text = "Units\n1 Ilse of the Ford\n- Ilse Blade\n- Ilse Shield\n"
    assert "FFG-RULEBOOK" not in clauses(found(text, "runewars", cards_of("runewars", MARCH)))
    twice = "Units\n1 Ilse of the Ford\n1 Ilse of the Ford\n"
    assert "FFG-RULEBOOK" in clauses(found(twice, "runewars", cards_of("runewars", MARCH)))


@pytest.mark.parametrize(
    "line", ["3 X Water", "3x Water", "3X Water", "3 x Water", "3 \u00d7 Water"]
)
def test_an_x_of_the_name_is_kept(line: str) -> None:
    """FFG-LIST: a name that begins with X is found, and so is a name behind a sign."""
    told = found(f"Terrain\n{line}", "runewars", cards_of("runewars", MARCH))
    assert not [text for _, text in breaking(told) if "no card" in text]
    bare = cards_of("runewars", "name,type,faction\nWater,terrain,neutral\n")
    assert not [
        t for t in breaking(found(f"Terrain\n{line}", "runewars", bare)) if "no card" in t[1]
    ]


def test_a_hint_is_told_once() -> None:
    """FFG-LIST: several printings of one name are one word to offer."""
    cards = cards_of(
        "runewars",
        "name,type,faction,set,capacity\nPond,terrain,neutral,A,2\nPond,terrain,neutral,B,4\n",
    )
    told = breaking(found("Terrain\n1 Pund", "runewars", cards))
    assert any(text.endswith("did you mean Pond?") for _, text in told)
    told = breaking(found("Terrain\n1 Pond", "runewars", cards))
    assert any(text.endswith("could be several cards: Pond (A), Pond (B)") for _, text in told)


def test_cards_of_one_name_and_one_product_are_told_apart_by_their_type() -> None:
    """FFG-LIST: no choice between two names that are the same."""
    rows = person("Kharmic Twin") + "Kharmic Twin,,Follower,-,-,no,X,,,,\n"
    told = [text for _, text in breaking(dynasty(rows, "3 Kharmic Twin"))]
    twins = "Kharmic Twin (Personality), Kharmic Twin (Follower)"
    assert told == [f"dynasty: 'Kharmic Twin' could be several cards: {twins}"]


@pytest.mark.parametrize(
    ("in_file", "written"),
    [
        ("Experienced 2CoM", "Experienced 2 CoM"),
        ("Experienced 2 CoM", "Exp 2CoM"),
        ("Experienced CoM", "Exp CoM"),
        ("Experienced 3KYD", "Exp3KYD"),
        ("Experienced", "Exp"),
        ("Experienced", "Experienced 1"),
        ("Experienced", "(Exp)"),
        ("Experienced 2", "exp2"),
        ("Inexperienced", "Inexp"),
        ("", "non-Experienced"),
        ("", "(non-Exp)"),
        ("non-Experienced", ""),
    ],
)
def test_leg_experienced_levels_as_they_are_written(in_file: str, written: str) -> None:
    """LEG-EXPERIENCED: one level in the several spellings of the source, and no other."""
    levels = ["", "Experienced", "Experienced 2", "Experienced 2KYD", "Inexperienced"]
    others = [level for level in levels if level.lower() != in_file.lower()]
    if not written or in_file == "":
        others.remove("") if "" in others else None
    rows = "".join(person("Aki Ren", level) for level in (*others, in_file))
    cards = cards_of(KEY, HEAD + STRONGHOLD + rows)
    assert [card.text("experience") for card in called(cards, f"Aki Ren {written}")] == [in_file]
    assert not clauses(dynasty(rows, f"1 Aki Ren {written}"))


def test_leg_oracle_a_name_that_is_no_card() -> None:
    """LEG-ORACLE: Legacy is none of the publisher's texts, and cites its own."""
    assert clauses(dynasty(person("Aki"), "1 Bo")) == {"LEG-ORACLE"}
    for finding in dynasty(person("Aki"), "1 Bo", "4 Aki"):
        assert finding.clause.startswith("LEG-")


def test_ffg_list_one_card_of_two_products_is_named_by_its_title() -> None:
    """FFG-LIST: it cannot be confused with a different card; the first product says its day."""
    rows = "".join(
        f"Pond,terrain,neutral,{day},2,{name}\n"
        for day, name in (("2018-12-01", "A"), ("2018-01-01", "B"))
    )
    cards = cards_of("runewars", f"name,type,faction,release,capacity,set\n{rows}")
    result = found("Terrain\n4 Pond", "runewars", cards)
    assert not {"FFG-LIST", "FFG-LEGAL-DATE"} & clauses(result)
    late = found("Terrain\n4 Pond (A)", "runewars", cards)
    assert "FFG-LEGAL-DATE" in clauses(late)


def test_a_sign_that_may_be_a_name_is_written_as_it_was() -> None:
    """FFG-LIST: both forms of a list keep it, and a comparison does not see it."""
    signed, plain = (
        formats.read_list(f"Terrain\n{each} Water\n".encode()) for each in ("3 X", "3x")
    )
    assert as_text(signed) == "terrain\n3 X Water\n"
    assert formats.read_list(msgspec.json.encode(signed)) == signed
    assert digest(signed) == digest(plain)


@pytest.mark.parametrize(
    ("old", "new", "significant"),
    [
        ("3 Aki Ren", "3 Aki Ren Experienced", True),
        ("3 Aki Ren Exp 2", "3 Aki Ren", True),
        ("3 Aki Ren Experienced", "3 Aki Ren Experienced 2", True),
        ("3 Aki Ren Exp", "3 Aki Ren Experienced", False),
        ("3 Aki", "3 Aki Ren", False),
        ("3 Aki Ren", "3 Aki Ren (Some Set)", False),
        ("3 Aki Ren Exp", "3 Aki Ren Experienced (Some Set)", False),
        ("3 Aki Ren", "3 Aki Ren non-Experienced", False),
    ],
)
def test_leg_experienced_another_level_is_another_card(
    old: str, new: str, *, significant: bool
) -> None:
    """LEG-EXPERIENCED: after the start no clearer name; logs of earlier rules stay as they are."""
    shape = formats.load(KEY).format.shape
    texts = [f"Dynasty\n{line}\n" for line in (old, new)]
    assert is_significant(texts[0], texts[1], shape) is significant
    assert shape.by_rules(2) == shape
    earlier = shape.by_rules(1)
    assert is_significant("Dynasty\n3 Aki\n", "Dynasty\n3 Aki Experienced\n", earlier) is False
