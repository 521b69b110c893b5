"""Card files of others: as their site gives them out, and through a mapping."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger import formats
from ledger.errors import InvalidRuleset
from tests.support.files.format_lists import SAMPLES

if TYPE_CHECKING:
    from ledger.formats.cards import CardFile

MADE = formats.load("l5r").format
NOTHING: dict[str, Any] = {"text": "Action: bow.", "cost": None, "deck_limit": 3, "unicity": False}
FIVERINGSDB: list[dict[str, Any]] = [
    {"id": "keep", "name": "Quiet Keep", "type": "stronghold", "side": "province", "clan": "crane"}
    | {"influence_pool": 10, "fate": 7},
    {"id": "duelist", "name": "Keen Duelist", "name_extra": "(2)", "type": "character"}
    | {"side": "conflict", "clan": "crane", "influence_cost": 2, "allowed_clans": ["lion", "crab"]}
    | {"pack_cards": [{"pack": {"id": "core"}}, {"pack": {"id": "tears"}}]},
    {"id": "shore", "name": "Grey Shore", "type": "province", "side": "province", "clan": "neutral"}
    | {"element": "water"},
    {"id": "pact", "name": "The Pact", "type": "treaty", "side": "treaty", "clan": "neutral"},
]
HOUSE_CSV = "Card;Kind;House;Art\nAmber Ferryman;Person;Crane;ferry.png\n"
HOUSE = """rename = { card = "name", kind = "type", house = "clan" }
values = { type = { Person = "character" } }
ignore = ["art"]
"""


def read(data: str, mapping: str = "", *, pass_over: bool = False) -> CardFile:
    """The cards of a file, with the mapping beside it."""
    return formats.read_cards(data.encode(), MADE, "c", mapping.encode(), pass_over=pass_over)


def refused(data: str, mapping: str = "") -> str:
    """Why a file is refused."""
    with pytest.raises(InvalidRuleset) as error:
        read(data, mapping)
    return str(error.value)


@pytest.mark.parametrize("form", ["records", "emeralddb"])
def test_the_cards_of_a_site_are_read_as_they_are(form: str) -> None:
    """L5R-DECK: sides, influence, rings and products, whatever else the file holds."""
    cards = [NOTHING | each for each in FIVERINGSDB]
    if form == "emeralddb":
        cards = [{("faction" if k == "clan" else k): v for k, v in each.items()} for each in cards]
        cards[1]["versions"] = [{"pack_id": "core"}, {"pack_id": "tears"}]
        cards[2]["elements"] = ["water"]
        told = read(json.dumps(cards))
    else:
        told = read(json.dumps({"records": cards, "size": 4, "success": True}))
    keep, duelist, shore = told.cards
    assert (keep.whole("allowance"), keep.text("deck")) == (10, "")
    assert (duelist.name, duelist.whole("influence")) == ("Keen Duelist (2)", 2)
    assert duelist.words("set") == ("core", "tears")
    assert duelist.text("deck") == "conflict"
    assert (shore.words("ring"), shore.text("clan")) == (("water",), "neutral")
    assert {"text", "unicity", "cost"} <= set(told.passed_over)


def test_any_csv_goes_in_with_a_mapping() -> None:
    """L5R-DECK: columns renamed, values put into the format's words, others passed over."""
    told = read(HOUSE_CSV, HOUSE)
    (card,) = told.cards
    assert (card.name, card.text("type"), card.text("clan")) == (
        "Amber Ferryman",
        "character",
        "Crane",
    )
    assert told.passed_over == ("art",)
    assert told.sha256 != read(HOUSE_CSV, HOUSE + "# later").sha256


def test_unknown_columns_are_named_and_passed_over_on_request() -> None:
    """LEG-ORACLE: what is left out is said."""
    text = "name,type,clan,art,artist\nAmber Ferryman,character,Crane,a,b\n"
    assert "unknown column 'art'" in refused(text)
    assert "unknown column 'artist'" in refused(text)
    assert read(text, pass_over=True).passed_over == ("art", "artist")


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        ('rename = { crad = "name" }', "names a missing column 'crad'; did you mean card?"),
        ('rename = { card = "nmae" }', "leads to an unknown column 'nmae'; did you mean name?"),
        ('ignore = ["arts"]', "names a missing column 'arts'; did you mean art?"),
        (
            'values = { kin = { a = "b" } }',
            "names values of an unknown column 'kin'; did you mean kind?",
        ),
        ('rename = "card"', "is not a mapping"),
        ("key = 1", "is not a mapping"),
        ("= =", "is not a mapping"),
        ("#" * 100_001, "more than 100,000 bytes"),
    ],
)
def test_a_mapping_to_what_is_not_there_is_refused(mapping: str, told: str) -> None:
    """Every problem at once, in one line each."""
    assert told in refused(HOUSE_CSV, mapping)


@pytest.mark.parametrize(
    "text",
    ["[", "[]", "[1]", '{"records": 3}', "[" * 100_000, '[{"id": 1}]', '{"records": [{"id": []}]}'],
)
def test_other_json_is_no_card_file(text: str) -> None:
    """No traceback, whatever stands in it."""
    assert "c: " in refused(text)


def test_the_shipped_card_files_need_no_mapping() -> None:
    """Nothing is passed over of what is the format's already."""
    for path in sorted((SAMPLES / "cards").iterdir()):
        made = formats.load(path.stem).format
        assert formats.read_cards(path.read_bytes(), made, path.name).passed_over == ()
