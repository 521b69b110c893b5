"""Stronghold, provinces, role, names and dates of the game with two decks."""

from __future__ import annotations

from itertools import permutations

from tests.ledger.formats.boundaries.l5r_decks import (
    CLANS,
    FIVE,
    PLAYER,
    RINGS,
    case,
    deck,
)
from tests.ledger.formats.boundaries.table import Rows, lines, threes


def provinces() -> Rows:
    for gone, twice in permutations(RINGS, 2):
        held = [f"First {ring} of neutral" for ring in RINGS if ring != gone]
        text = deck(provinces=lines(*held, f"Second {twice} of neutral"))
        yield case("182", f"two of {twice} and none of {gone}", "breaks", text)
    for ring in RINGS:
        held = [each for each in FIVE if ring not in each]
        yield case("182", f"four provinces, none of {ring}", "breaks", deck(provinces=lines(*held)))
        six = lines(*FIVE, f"Second {ring} of neutral")
        yield case("182", f"six provinces, two of {ring}", "breaks", deck(provinces=six))
        copies = lines(*held) + f"2 First {ring} of neutral\n"
        yield case("182", f"two copies of the province of {ring}", "breaks", deck(provinces=copies))
        for clan in CLANS:
            text = deck(provinces=lines(*held, f"First {ring} of {clan}"))
            yield case("183", f"{ring} of {clan}", clan in {"neutral", "Heron"}, text)
    yield case("182", "no provinces", "breaks", deck(provinces=""))
    for n in (1, 2, 3):
        yield case("182", f"{n} provinces", "breaks", deck(provinces=lines(*FIVE[:n])))
    for clan in CLANS[1:]:
        text = deck(provinces=lines(*(f"First {ring} of {clan}" for ring in RINGS)))
        yield case("183", f"all five of {clan}", clan == "Heron", text)


def strongholds() -> Rows:
    for says, held in (
        ("no stronghold", ""),
        ("two strongholds of the clan", lines("Hall of Heron 10", "Hall of Heron 12")),
        ("two strongholds of two clans", lines("Hall of Heron 10", "Hall of Otter 10")),
        ("two copies of the stronghold", "2 Hall of Heron 10\n"),
    ):
        yield case("165", says, "breaks", deck(stronghold=held))


def roles() -> Rows:
    for role, legal in (("Heron", True), ("Otter", False), ("both", True)):
        text = deck(role=lines(f"Warden of {role}"))
        yield case("165", f"a role for {role} under Heron", legal, text, clause="L5R-ROLE")
        text = deck(role=lines(f"Warden of {role}"), stronghold=lines("Hall of Otter 12"))
        says = f"a role for {role} under Otter"
        yield case("165", says, role != "Heron", text, clause="L5R-ROLE")
    unknown = deck(role=lines("Warden unknown"))
    says = "a role whose clans nobody supplied"
    yield case("188", says, "not checked", unknown, clause="L5R-ROLE")
    for says, held in (
        ("two roles", lines("Warden of Heron", "Warden of both")),
        ("two copies of the role", "2 Warden of Heron\n"),
    ):
        yield case("186", says, "breaks", deck(role=held), clause="L5R-ROLE")
    for spent in (10, 11, 12, 13, 14, 15):
        gifts = f"{spent // 5} Letter 5 of Otter\n"
        gifts += f"1 Letter {spent % 5} of Otter\n" if spent % 5 else ""
        cards = gifts + threes("Plain letter", 40 - spent // 5 - bool(spent % 5))
        changed = deck(role=lines("Keeper of gifts"), conflict=cards)
        says = f"influence {spent} with a role that adds three to ten"
        yield case("187", says, spent <= 13, changed)
        says = f"influence {spent} with a role that adds none to ten"
        yield case("187", says, spent <= 10, deck(role=lines("Warden of Heron"), conflict=cards))


def content() -> Rows:
    nameless = deck(head=PLAYER.partition("\n")[2])
    yield case("203", "no name on the list", "breaks", nameless, clause="FFG-LIST-CONTENT")
    for n in (1, 39, 40, 41):
        for part in ("Dynasty", "Conflict"):
            text = deck().replace(f"\n{part}\n", f"\n{part} ({n})\n")
            says = f"{part.lower()} of 40 declared as {n}"
            yield case("203", says, n == 40, text, clause="FFG-LIST-CONTENT", also=("L5R-DECK",))
    for part in ("dynasty", "conflict"):
        text = deck(**{part: ""})
        says = f"no {part} deck on the list"
        yield case("171-173", says, "breaks", text, also=("FFG-LIST-CONTENT",))


def names() -> Rows:
    filler = threes("Plain letter", 39)
    for says, written, legal in (
        ("the full name", "Bridge of morning", True),
        ("the full name in capitals", "BRIDGE OF MORNING", True),
        ("a word that two cards have", "Bridge", False),
        ("two words that two cards have", "Bridge of", False),
        ("a word that one card has", "Kestrel", True),
        ("a title of two products without one", "Old Song", True),
        ("a title with its product", "Old Song (Early Frost)", True),
        ("a title with a product it is not in", "Old Song (First Light)", False),
        ("a name that no card has", "Bridge of midnight", False),
        ("words that two cards have, with the product", "Bridge (Early Frost)", True),
        ("words that two cards have, with the other product", "Bridge (Late Frost)", True),
        ("words that two cards have, with a third product", "Bridge (First Light)", False),
    ):
        text = deck(conflict=f"1 {written}\n{filler}")
        facts: dict[str, object] = {"clause": "FFG-LIST", "also": ("L5R-DECK", "FFG-LIST-CONTENT")}
        yield case("206-213", says, legal, text, **facts)
    other = deck(conflict=f"1 Rider of Heron\n{filler}")
    yield case("172-173", "a dynasty card in the conflict deck", "breaks", other)
    other = deck(dynasty="1 Letter 0 of Heron\n" + threes("Plain rider", 39))
    yield case("172-173", "a conflict card in the dynasty deck", "breaks", other)


def sleeves() -> Rows:
    for tier in ("relaxed", "formal", "premier"):
        for dynasty, conflict in (("red", "red"), ("red", "black")):
            head = f"Player: Ann Lee\nSleeves dynasty: {dynasty}\nSleeves conflict: {conflict}\n"
            says = f"sleeves {dynasty} and {conflict} in {tier}"
            if dynasty != conflict or tier != "relaxed":
                facts = {"clause": "L5R-SLEEVES", "tier": tier}
                yield case("229-231", says, dynasty != conflict, deck(head=head), **facts)


def rows() -> Rows:
    for each in (provinces, strongholds, roles, content, names, sleeves):
        yield from each()
