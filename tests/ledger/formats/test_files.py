"""List files, card files and format files: what is wrong with one, all of it, in words."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.errors import InvalidRuleset, NotFound, Refused
from ledger.formats.format import of_document, parse
from ledger.rulesets import RULESET_BYTES_MAX
from tests.support.files.format_lists import SAMPLES, cards_of, listed, sample_cards, sample_list

if TYPE_CHECKING:
    from pathlib import Path

KEYS = formats.names()


def refused(text: str) -> tuple[str, ...]:
    """The problems of a list."""
    with pytest.raises(Refused) as caught:
        listed(text)
    return caught.value.sentences


def test_a_list_as_text() -> None:
    text = (
        "# hi\n\nPlayer: Ann\nTotal: 12\nSleeves: red\nDeck (4):\n3x Aki (Set)\n1 47 Ronin [a: b]\n"
    )
    held = listed(text)
    assert (held.player, held.total, dict(held.totals)) == ("Ann", 12, {"deck": 4})
    assert dict(held.remarks) == {"sleeves": "red"}
    entries = held.sections["deck"]
    assert [(e.name, e.count, dict(e.notes)) for e in entries] == [
        ("Aki (Set)", 3, {}),
        ("47 Ronin", 1, {"a": "b"}),
    ]


@pytest.mark.parametrize("path", sorted((SAMPLES / "lists").glob("*.txt")), ids=lambda p: p.stem)
def test_both_forms_of_a_list_are_the_same_list(path: Path) -> None:
    """A list in its JSON form is the one that was read from text."""
    held = listed(path.read_text("utf-8"))
    assert formats.read_list(msgspec.json.encode(held)) == held


def test_every_problem_of_a_list_is_told_with_its_line() -> None:
    text = "1 Aki\nTotal: many\nDeck\n0 Ben\n1 Cem [x]\nDeck\nPlayer: Ann\n???\n"
    assert refused(text) == (
        "line 1: a card comes before the first section",
        "line 2: the total must be a whole number, not 'many'",
        "line 4: the number of copies must be from 1 to 999, not 0",
        "line 5: 'x' is not a `word: value`",
        "line 6: the section deck appears twice",
        "line 7: `player:` must be above the first section",
        "line 8: '???' is not a section, a `Word: value` or a `3 Name`",
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"x" * 10_000_000, "the list has more than 24,000 bytes"),
        (b"Deck\n1 J\xfcrgen", "the list is not UTF-8 text at byte 9"),
        (b"Deck\n1 A\x1b[2J", r"line 2 of the list contains the control character '\x1b'"),
        (b"", "the list contains no cards: it needs a section, and lines such as `3 Name`"),
        (b'{"sections": 3}', "not valid in its JSON form"),
        (b'{"cards": []}', "not valid in its JSON form"),
        (b"[" * 20_000, "is not a section"),
        (b"Deck\n" + b"1 A\n" * 1_001, "the list has more than 1,000 lines of cards"),
        (b"Deck\n1 " + b"A" * 201, "a name can have at most 200 characters"),
        (b"Deck\n9999999999 A", "is not a section"),
    ],
)
def test_a_list_that_can_not_be_read(data: bytes, told: str) -> None:
    """One line, whatever the file is."""
    with pytest.raises(Refused) as caught:
        formats.read_list(data)
    assert len(caught.value.sentences) == 1
    assert told in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.binary(max_size=400))
def test_any_bytes_are_a_list_or_are_refused(data: bytes) -> None:
    """Nothing else comes out of a list file."""
    with suppress(Refused):
        formats.read_list(data)


@pytest.mark.slow
@given(st.text(max_size=300), st.sampled_from(KEYS))
def test_any_text_is_a_card_file_or_is_refused(text: str, key: str) -> None:
    """Nothing else comes out of a card file."""
    with suppress(InvalidRuleset):
        cards_of(key, text.encode("utf-8", "replace").decode())


def test_every_problem_of_a_card_file_is_told_with_row_and_column() -> None:
    text = (
        "# version: 1\nname,type,clan,influence,release,changes,ring\n"
        "Aki,charakter,Heron,two,2018-2-1,ringfire+1,fire\n"
        ",character,Heron,1,,,sky\n"
        "Ben,character,Heron,,,,\nBen,character,Crane,,,,\nCem,character,Heron,,,more,,9\n"
    )
    with pytest.raises(InvalidRuleset) as caught:
        cards_of("l5r", text)
    assert caught.value.sentences == (
        "cards.csv: row 3, type: 'charakter'; did you mean character?",
        "cards.csv: row 3, influence: 'two' is not a whole number up to 1,000,000",
        "cards.csv: row 3, release: '2018-2-1' is not a day such as 2018-07-23",
        (
            "cards.csv: row 3, changes: there is no limit 'ringfire'; "
            "did you mean ring fire or ring air?"
        ),
        "cards.csv: row 4, name: a card needs a name",
        "cards.csv: row 4, ring: 'sky'; known: air, earth, fire, void, water",
        "cards.csv: row 6: 'Ben' is already in row 5",
        "cards.csv: row 7, changes: 'more' is not a change such as `limit+1`",
        "cards.csv: row 7: more cells than columns",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,clan\nAki,Heron\n", "the column type is missing"),
        ("name,type,klan\n", "the column clan is missing"),
        ("name,type,clan,clan\nA,event,X,X\n", "the column clan appears twice"),
        ("name,type,clan\n", "it contains no cards"),
        ("", "the line with the column names is missing"),
        ("# date: soon\nname,type,clan\nA,event,X\n", "date: 'soon' is not a day"),
        (
            "# limit x: 1-2\n# Limit X: 1-3\nname,type,clan\nA,event,X\n",
            "limit x: '1-2 and 1-3' is not a number",
        ),
        ("# limit x: 3-2\nname,type,clan\nA,event,X\n", "limit x: '3-2' is not a number"),
        ('name,type,clan\n"A,event,X\n', "not valid CSV"),
        ('{"cards": [{"name": "A"}]}', "the column type is missing"),
        ('{"cards": [3]}', "not a card file in JSON"),
        ("x" * 16_000_001, "more than 16,000,000 bytes"),
    ],
)
def test_a_card_file_that_can_not_be_used(text: str, told: str) -> None:
    """The file is named, and what is wrong with it."""
    with pytest.raises(InvalidRuleset) as caught:
        cards_of("l5r", text)
    assert any(told in problem for problem in caught.value.sentences)
    assert all(problem.startswith("cards.csv") for problem in caught.value.sentences)


def test_an_unknown_column_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidRuleset, match="unknown column 'infuence'; did you mean influence"):
        cards_of("l5r", "name,type,clan,infuence\nA,event,X,1\n")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_spreadsheets_card_file(delimiter: str) -> None:
    """Semicolons, tabs, quotes around remarks and a byte order mark are all common."""
    rows = [
        ["name", "Type", "clan", "ring"],
        ["Aki", "event", "Heron", '"air; fire"'],
        ["", "", "", ""],
    ]
    table = "\r\n".join(delimiter.join(row) for row in rows)
    cards = cards_of("l5r", f'\ufeff"# name: Mine"{delimiter}{delimiter}\r\n{table}')
    assert (cards.name, cards.cards[0].words("ring")) == ("Mine", ("air", "fire"))


def test_csv_and_json_give_the_same_cards() -> None:
    """Empty in one is missing or null in the other."""
    as_csv = cards_of(
        "l5r", "name,type,clan,influence,changes\nA,event,X,,\nB,event,X,2,copies+1\n"
    )
    rows = [
        {"name": "A", "type": "event", "clan": "X", "influence": None},
        {"name": "B", "type": "event", "clan": "X", "influence": 2, "changes": ["copies+1"]},
    ]
    as_json = cards_of("l5r", json.dumps({"cards": rows}))
    assert [(c.name, c.facts) for c in as_csv.cards] == [(c.name, c.facts) for c in as_json.cards]


def test_empty_is_not_known_and_a_hyphen_is_none() -> None:
    """What is not known leaves a rule open; none is a fact."""
    cards = cards_of("l5r", "name,type,clan,deck,changes\nA,event,X,-,\nB,event,X,,\n")
    first, second = cards.cards
    assert (first.values("deck"), second.values("deck")) == (("",), None)
    assert (first.values("changes"), first.values("ring")) == ((), None)


@pytest.mark.parametrize("key", KEYS)
def test_shipped_formats_can_be_used(key: str) -> None:
    """Each, with its first variant; its document is enough to read it again."""
    loaded = formats.load(key)
    assert loaded.format.key == key
    assert loaded.document.key.partition(":")[0] == key
    assert of_document(loaded.document) == loaded
    assert len(loaded.document.text.encode()) <= formats.FORMAT_BYTES_MAX
    assert sample_cards(key).cards
    assert listed(sample_list(key)).sections


def test_a_format_and_a_ruleset_fit_into_the_opening_line() -> None:
    """Their limits together leave room for the rest of a line."""
    assert RULESET_BYTES_MAX + formats.FORMAT_BYTES_MAX < 57_000


def test_a_variant_is_chosen_with_a_colon() -> None:
    """The first one is meant where none is named."""
    assert formats.load("ashes").document.key == "ashes:built"
    assert formats.load("ashes:drafted").variant == "drafted"
    with pytest.raises(NotFound, match=r"no variant 'draftet'; did you mean drafted"):
        formats.load("ashes:draftet")
    with pytest.raises(NotFound, match="no format 'asches'; did you mean ashes"):
        formats.load("asches")


def test_every_problem_of_a_format_file_is_told() -> None:
    text = formats.text_of("ashes")
    wrong = text.replace('procedure = "same-pools"', 'procedure = "same-pool"', 1)
    with pytest.raises(InvalidRuleset, match="checks 19: Invalid value 'same-pool'"):
        parse(wrong)
    wrong = text.replace("most = 3\n", "mots = 3\n").replace(
        'name = "dice", kind', 'name = "dies", kind'
    )
    with pytest.raises(InvalidRuleset, match="mots"):
        parse(wrong)
    wrong = text.replace('sections = ["deck"]\nmost = 3', 'sections = ["deks"]\nmost = 3')
    wrong = wrong.replace('variants = ["scenario"]', 'variants = ["szenario"]')
    with pytest.raises(InvalidRuleset) as caught:
        parse(wrong)
    assert caught.value.sentences == (
        "checks 1 (AOP-FORMAT): unknown variant 'szenario'; did you mean scenario?",
        "checks 8 (AOP-DECK): unknown section 'deks'; did you mean deck?",
    )


def test_a_house_format_changes_no_code(tmp_path: Path) -> None:
    """FFG-OUTLINE: an outline's own army rules are a file, with its points and its ranks."""
    text = (
        formats.text_of("legion")
        .replace("most = 800", "most = 500")
        .replace('key = "legion"', 'key = "skirmish"')
    )
    path = tmp_path / "skirmish.toml"
    path.write_text(text)
    house = formats.load_file(path)
    assert house.document.key == "skirmish"
    cards = formats.read_cards((SAMPLES / "cards" / "legion.json").read_bytes(), house.format, "c")
    told = formats.findings(listed(sample_list("legion")), house, cards)
    assert ("SWL-ARMY", "800 points: at most 500 allowed") in [
        (f.clause, str(f.text)) for f in told
    ]


def test_findings_do_not_depend_on_the_order_of_the_card_file() -> None:
    """The same list and the same facts give the same findings."""
    cards = sample_cards("l5r-legacy")
    turned = msgspec.structs.replace(cards, cards=cards.cards[::-1])
    held, made = listed(sample_list("l5r-legacy-findings")), formats.load("l5r-legacy")
    assert formats.findings(held, made, cards) == formats.findings(held, made, turned)
