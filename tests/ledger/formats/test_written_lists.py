"""What is said of a file that is no list in the program's own form, fact by fact."""

from __future__ import annotations

import pytest

from ledger import formats
from ledger.errors import Refused
from ledger.exchange.lists import WrittenList, read_written
from tests.support.files.format_lists import cards_of, sample_cards

ARMY = (
    "130/800 (2 activations)\nCorps:\n - Guard (40): Lamp (5) = 45\n - Scout (80): Rope (5) = 85\n"
)
BUILDER = "100\nPikes [60] 3x3\nShields [6]\nTotal Unit Cost: 66\nRiders [34] 2x1\n"
DECK = "Dynasty (6)\n3 Amber Ferryman\n3 Old Gardener\n"


def written(key: str, text: str) -> WrittenList:
    return read_written(text.encode(), formats.load(key).format)


def refused(key: str, data: bytes) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        read_written(data, formats.load(key).format)
    return caught.value.sentences


@pytest.mark.parametrize(("key", "text"), [("legion", ARMY), ("runewars", BUILDER), ("l5r", DECK)])
def test_sums_that_are_right_are_not_mentioned(key: str, text: str) -> None:
    assert written(key, text).notes == ()


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        (
            "legion",
            ARMY.replace("130/", "140/"),
            "the file states 140 points, but its units add up",
        ),
        ("legion", ARMY.replace("(2 ", "(3 "), "the file states 3 units, but lists 2"),
        ("legion", ARMY.replace("= 45", "= 50"), "line 3: 'Guard' adds up to 45, not 50"),
        (
            "legion",
            ARMY.replace("Corps:", "Corps (3):"),
            "'corps' states 3, but 2 are listed below it",
        ),
        ("legion", "90/800\n2x Guard 40 x 3 = 90\n", "line 2: states both 2 and 3 copies"),
        (
            "legion",
            "50/800\nGuard 40 + 9 = 49\n--Lamp (5)\n",
            "states 9 for upgrades, but the listed",
        ),
        ("runewars", BUILDER.replace(": 66", ": 67"), "states 67, but Pikes costs 66 with"),
        ("l5r", DECK + "Total: 7 cards\n", "states 7, but 6 are listed above it"),
    ],
)
def test_a_sum_that_is_wrong_differs(key: str, text: str, said: str) -> None:
    """FFG-LIST-CONTENT: what a file says of its own points and cards is held to its lines."""
    found = [str(note) for note in written(key, text).notes if note.differs]
    assert any(said in each for each in found), found


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("l5r", DECK + "3 Old Gardener\n", "line 4: '3 Old Gardener' is another line of a card"),
        ("l5r", "Hall: of Reeds\n" + DECK, "line 1: 'Hall: of Reeds'"),
        ("l5r", "// mine\n" + DECK, "line 1: '// mine' is a comment"),
        ("l5r", "Title\nClub: Otters\n" + DECK, "'Club: Otters' is kept as a remark"),
        (
            "legion",
            ARMY + "Contingencies: \u2022 Storm\n",
            "is not part of the list (contingencies)",
        ),
        ("legion", ARMY.replace("(5) = 45", "(5)/Horn (8) = 45"), "'Horn' is a loadout"),
        ("runewars", "Units\n1 Pikes (3x3)\nShields 6\n", "line 3: 'Shields 6' has no number"),
        ("runewars", "Pikes (3x3) 60\nRank 2\n", "line 2: 'Rank' is read as costing 2"),
    ],
)
def test_what_is_no_part_of_a_list_is_said(key: str, text: str, said: str) -> None:
    """FFG-LIST: nothing is passed over in silence."""
    try:
        found = [str(note) for note in written(key, text).notes]
    except Refused as error:
        found = list(error.sentences)
    assert any(said in each for each in found), found


@pytest.mark.parametrize(
    ("key", "data", "said"),
    [
        ("l5r", DECK.encode("utf-16"), "the list is UTF-16 text"),
        ("l5r", b"x" * 10_000_000, "more than 24,000 bytes"),
        ("l5r", b"{" + b"x" * 10_000_000, "more than 64,000 bytes"),
        ("l5r", b'{"cards": {"a": 1, "a": 3}}', "'a' appears twice in one object"),
        ("l5r", b'{"cards": ' + b"[" * 30_000, "not valid JSON"),
        ("l5r", b"Dynasty\n\n" + b"3 A\n" * 1_001, "more than 1,000 lines of cards"),
        ("l5r", b"Dynasty\n" + b"\n" * 2_001, "more than 2,000 lines"),
        ("l5r", b"Dynasty\n3 " + b"A" * 2_001, "line 2 of the list has more than 2,000"),
        ("l5r", b"Dynasty\n3 " + b"A" * 201, "a name can have at most 200 characters"),
        ("l5r", b"3 Amber Ferryman\n", "line 1: '3 Amber Ferryman' is a card above the first"),
        ("l5r", b"Dynasty\n1000 A\n", "must have 1 to 999 copies, not 1000"),
        ("l5r", b"Dynasty\n3 A\x1b[2J\n", "line 2 of the list contains the control character"),
        ("legion", b"Units\n- Lamp\n", "line 2: '- Lamp' is an upgrade without a unit above it"),
        ("legion", b"Units\n2 Guard\n- Lamp\n", "belongs to one of 2 Guard: give each unit"),
        ("legion", b"9/800\n--Lamp (5)\n", "is a row of upgrades without a unit above it"),
        ("legion", b"9/800\n8 points\n9 points\n", "contains no cards"),
        ("legion", b'{"units": []}', "the list contains no cards"),
        (
            "legion",
            b'{"units": [{"name": "A", "upgrades": 3}]}',
            "unit 1: 'upgrades' must be a list",
        ),
        ("legion", b'{"units": [{"name": "A"}], "points": "9"}', "'points' must be a whole number"),
    ],
)
def test_what_cannot_be_read_is_refused(key: str, data: bytes, said: str) -> None:
    """FFG-LIST: in lines that name the place."""
    found = refused(key, data)
    assert any(said in each for each in found), found
    assert all("\n" not in each and len(each) < 400 for each in found)


def test_the_costs_of_a_row_are_all_read_or_none_is() -> None:
    """FFG-LIST-CONTENT: a part of a row in another form is a name of its own."""
    made = written("legion", "90/800\nGuard (40): Lamp (5), Rope = 50\n").listed
    assert [each.name for each in made.sections["units"][0].upgrades] == ["Lamp", "Rope"]


def test_cards_are_placed_by_the_card_file() -> None:
    """L5R-DECK: a list without headings needs the facts of its cards."""
    made = formats.load("l5r").format
    text = "Heron Keep\nWarden of the Tides\n3 Amber Ferryman\n3 River Scout\n"
    listed = read_written(text.encode(), made, sample_cards("l5r")).listed
    held = {name: [each.name for each in cards] for name, cards in listed.sections.items()}
    assert held == {
        "stronghold": ["Heron Keep"],
        "role": ["Warden of the Tides"],
        "dynasty": ["Amber Ferryman"],
        "conflict": ["River Scout"],
    }


def test_a_formation_is_a_number_of_trays() -> None:
    """RW-ARMY: a unit of 3x3 is the card of nine trays, and one of 1x1 that of a single figure."""
    cards = cards_of(
        "runewars",
        "name,type,faction\nPikes (4 trays),unit,X\nPikes (9 trays),unit,X\nIlse,unit,X\n",
    )
    loaded = formats.load("runewars")
    listed = written("runewars", "Pikes (3x3) 60\nIlse (1x1) 30\n").listed
    texts = [str(each.text) for each in formats.findings(listed, loaded, cards)]
    assert not [text for text in texts if "no card" in text or "could be" in text]
