"""Lists as players export them, at the desk: they go in, and what is no part of them is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.days.list_desk import CARDS, GOOD, opened
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

EXPORT = """Wells and blades

Phoenixborn: Ysolde Marr

Dice:
6x Ember
4x Tide

Cards (30 / 30):

Allies (15):
3x Ash Sparrow
3x Bell Ward
3x Dusk Runner
3x Glass Knight
3x Hearth Guard

Ready Spells (15):
3x Marr Family Blade (Ysolde Marr)
3x Cinder Wall
3x Echo Step
3x Fog Veil
3x Ink Serpent

Created with https://ashes.live
"""
ARMY = ROOT / "sample_logs" / "cards" / "legion.json"


def test_an_export_is_handed_in_in_the_lists_own_form(desk: Desk) -> None:
    """AOP-DECKCHECK: counts and the lines that are no part of it are said; it is checked as any."""
    opened(desk)
    (desk.folder / "export.txt").write_bytes(EXPORT.replace("\n", "\r\n").encode("utf-8-sig"))
    said = desk.done("lists", "submit", "ann", "export.txt").err
    assert "export.txt: phoenixborn 1, dice 10, deck 30\n" in said
    assert "export.txt: line 1: 'Wells and blades' is the title\n" in said
    assert "'Created with https://ashes.live' is a link, a date or a footer\n" in said
    assert "deck (30)\n3x Ash Sparrow\n" in desk.done("lists", "show", "ann").out
    desk.done("lists", "check", "ann", "--cards", CARDS)


def test_a_list_in_its_own_form_is_handed_in_as_it_is(desk: Desk) -> None:
    """FFG-LIST: comments too."""
    opened(desk)
    desk.done("lists", "submit", "ann", "good.txt")
    assert desk.done("lists", "show", "ann").out == GOOD


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("3x Bell Ward\n", "Bell Ward\n"), "line 13: 'Bell Ward' has no number of copies"),
        (
            ("3x Bell Ward", "3x Bell Ward x3"),
            "'3x Bell Ward x3' states the number of copies twice",
        ),
        (("3x Bell Ward", "3x Bell Ward, 2 Ink"), "has two cards on one line"),
        (("Allies (15):", "Cards:"), "line 11: 'Cards:' opens the section deck a second time"),
    ],
)
def test_a_line_that_is_not_understood_is_refused(
    desk: Desk, changed: tuple[str, str], said: str
) -> None:
    """FFG-LIST: with its number, and nothing goes in."""
    opened(desk)
    (desk.folder / "export.txt").write_text(EXPORT.replace(*changed))
    assert said in desk.refused("lists", "submit", "ann", "export.txt").err


def test_a_sum_that_is_not_that_of_its_lines_is_a_finding(desk: Desk) -> None:
    """AOP-DECKCHECK: fifteen allies are announced, and twelve stand below."""
    (desk.folder / "export.txt").write_text(EXPORT.replace("3x Bell Ward\n", ""))
    answer = desk.type("format", "check", "ashes", "export.txt", "--cards", CARDS, "--json")
    texts = [each["text"] for each in answer.json["findings"]]
    assert "line 11: 'allies' states 15, but 12 are listed below it" in texts
    assert answer.code == 1
    passed = [each["line"] for each in answer.json["passed_over"]]
    assert passed == [1, 11, 24]


def test_ids_need_the_card_file(desk: Desk) -> None:
    """FFG-LIST: the JSON of a deck names cards by ID alone."""
    cards = str(ROOT / "sample_logs" / "cards" / "l5r.csv")
    deck = {"record": {"head": {"name": "x", "cards": {"heron-keep": 1, "amber-ferryman": 3}}}}
    (desk.folder / "deck.json").write_text(json.dumps(deck))
    desk.done("new", "Cup", "--ruleset", "l5r", "--format", "l5r")
    desk.done("register", "Ann")
    refused = desk.refused("lists", "submit", "ann", "deck.json").err
    assert "card IDs without sections: give the card file" in refused
    said = desk.done("lists", "submit", "ann", "deck.json", "--cards", cards).err
    assert "deck.json: stronghold 1, dynasty 3\n" in said
    deck["record"]["head"]["cards"] = {"heron-keeep": 1}
    (desk.folder / "deck.json").write_text(json.dumps(deck))
    refused = desk.refused("lists", "submit", "ann", "deck.json", "--cards", cards).err
    assert "line 1: 'heron-keeep' is not the ID of a card in the card file" in refused


def test_an_army_for_a_table_top_simulator(desk: Desk) -> None:
    """FFG-LIST-CONTENT: units with upgrades, and what is not known of the file is a finding."""
    army = {
        "points": 800,
        "numActivations": 2,
        "units": [{"name": "Commander Vey Tarsk", "uprgades": ["Field Scope"]}],
        "commandCards": ["Standing Orders"],
    }
    (desk.folder / "army.json").write_text(json.dumps(army))
    answer = desk.type("format", "check", "legion", "army.json", "--cards", str(ARMY))
    told = " ".join(answer.out.split())
    assert "'uprgades' is an unknown member of unit 1 and was not read" in told
    assert "the file states 2 units, but lists 1" in told
    assert "army.json: 800 points, units 1, command 1\n" in answer.err
