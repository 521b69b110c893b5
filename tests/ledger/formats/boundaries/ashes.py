"""Decks of thirty cards, dice, First Fives, exclusive Phoenixborn, draft pools."""

from __future__ import annotations

from tests.ledger.formats.boundaries.table import (
    Boundary,
    Rows,
    State,
    Verdict,
    lines,
    state,
    threes,
)

HEAD = "name,type,owner,exclusive,dice,expansion,set\n"
FIVE = tuple(f"Plain card {n:02}" for n in range(5))
KINDS = ("built", "drafted", "scenario")


def _cards() -> str:
    text = HEAD
    for born in ("Ash Lord", "Well Lady"):
        text += f"{born},phoenixborn,,no,,,\n"
        text += "".join(f"{word} of {born},card,{born},,,,\n" for word in ("Song", "Blade"))
    text += "Given Queen,phoenixborn,,yes,,,\n"
    text += "".join(f"Plain card {n:02},card,,,,,\n" for n in range(21))
    text += "".join(f"Kiln card {n},card,,,,Kiln,\n" for n in range(3))
    text += "".join(f"Bay card {n},card,,,,Bay,\n" for n in range(3))
    text += "".join(f"{word} die,die,,,yes,,\n" for word in ("Ember", "Tide", "Stone", "Air"))
    return text + "Kiln die,die,,,yes,Kiln,\nBay die,die,,,yes,Bay,\n"


CARDS = _cards()


def deck(**parts: str) -> str:
    """A legal deck but for what is given."""
    held = {
        "Phoenixborn": "1 Ash Lord\n",
        "Deck": threes("Plain card", 30),
        "Dice": "10 Ember die\n",
        "First five": lines(*FIVE),
    } | {
        name.replace("_", " ").capitalize(): text for name, text in parts.items() if name != "head"
    }
    sections = "".join(f"\n{name}\n{text}" for name, text in held.items() if text)
    return parts.get("head", "Player: Dov Stein\n") + sections


def case(line: str, says: str, legal: Verdict, text: str, **facts: object) -> Boundary:
    """A row of AOP-DECK, unless another clause is given."""
    found: State = state(legal=legal) if isinstance(legal, bool) else legal
    held: dict[str, object] = {"clause": "AOP-DECK", "cards": CARDS, "named": "ashes"} | facts
    return Boundary(f"ashes:{line}", says=says, state=found, text=text, **held)  # type: ignore[arg-type] # its fields


def sizes() -> Rows:
    """A First Five is out of the deck, so it is left out where the deck is small."""
    for kind in KINDS:
        for n in (1, 27, 28, 29, 30, 31, 32, 33, 60):
            text = deck(deck=threes("Plain card", n), first_five="")
            yield case("281", f"{n} cards, {kind}", n == 30, text, named=f"ashes:{kind}")
        for n in (1, 5, 8, 9, 10, 11, 12, 20):
            text = deck(dice=f"{n} Ember die\n")
            yield case("285", f"{n} dice, {kind}", n == 10, text, named=f"ashes:{kind}")
    for split in ((5, 5), (1, 9), (4, 5), (6, 5), (3, 3, 4), (2, 2, 2), (1, 2, 3, 4), (3, 3, 3, 3)):
        words = ("Ember", "Tide", "Stone", "Air")
        pairs = zip(split, words, strict=False)
        dice = "".join(f"{n} {word} die\n" for n, word in pairs)
        yield case("285", f"dice {split}", sum(split) == 10, deck(dice=dice))
    yield case("281", "no deck", "breaks", deck(deck="", first_five=""))
    yield case("285", "no dice", "breaks", deck(dice=""))


def copies() -> Rows:
    for n in (1, 2, 3, 4, 5, 6, 10):
        held = threes("Plain card", 30 - n) + f"{n} Plain card 15\n"
        yield case("282", f"{n} copies of a card", n <= 3, deck(deck=held))
        apart = threes("Plain card", 30 - n) + "1 Plain card 15\n" * n
        yield case("282", f"{n} copies of a card, a line each", n <= 3, deck(deck=apart))
    for n in (1, 2, 3, 4):
        for word in ("Song", "Blade"):
            for born in ("Ash Lord", "Well Lady"):
                held = threes("Plain card", 30 - n) + f"{n} {word} of {born}\n"
                legal = n <= 3 and born == "Ash Lord"
                says = f"{n} {word} of {born} under Ash Lord"
                yield case("283-284", says, legal, deck(deck=held))


def first_fives() -> Rows:
    for at in range(5):
        for n in (2, 3):
            five = [f"{n if each == at else 1} {name}" for each, name in enumerate(FIVE)]
            rest = [each for place, each in enumerate(five) if place in {at, *others(at, 5 - n)}]
            text = deck(first_five="\n".join(rest) + "\n")
            says = f"{n} copies of card {at + 1} in a First Five"
            yield case("290", says, "breaks", text, clause="AOP-FIRSTFIVE")
        outside = [
            "1 Plain card 20" if each == at else f"1 {name}" for each, name in enumerate(FIVE)
        ]
        text = deck(first_five="\n".join(outside) + "\n")
        says = f"card {at + 1} of a First Five is not in the deck"
        yield case("386-387", says, "breaks", text, clause="AOP-FIRSTFIVE")
    for start in range(6):
        text = deck(first_five=lines(*(f"Plain card {n:02}" for n in range(start, start + 5))))
        says = f"a First Five from card {start + 1} on"
        yield case("291-292", says, start < 6, text, clause="AOP-FIRSTFIVE")
    for n in (4, 6):
        text = deck(first_five=lines(*(f"Plain card {each:02}" for each in range(n))))
        yield case("290", f"a First Five of {n}", "breaks", text, clause="AOP-FIRSTFIVE")


def others(at: int, count: int) -> list[int]:
    """So many other places of the five."""
    return [each for each in range(5) if each != at][:count]


def exclusives() -> Rows:
    given = "Player: Dov Stein\nGiven out: Given Queen\n"
    queen = deck(head=given, phoenixborn="1 Given Queen\n")
    yield case(
        "265", "an exclusive Phoenixborn, given out", "passes", queen, clause="AOP-EXCLUSIVE"
    )
    bare = deck(phoenixborn="1 Given Queen\n")
    says = "an exclusive Phoenixborn of which nothing is said"
    yield case("265", says, "not checked", bare, clause="AOP-EXCLUSIVE")
    own = deck(head=given)
    yield case("267", "given out and not used", "passes", own, clause="AOP-EXCLUSIVE")


def rulebook() -> Rows:
    """Lines 225 to 226 leave to the rulebook what a card file may say (AOP-CARDS)."""
    facts = {"clause": "AOP-CARDS", "also": ("AOP-DECK",)}
    two = deck(phoenixborn="1 Ash Lord\n1 Well Lady\n")
    yield case("225", "two Phoenixborn", "breaks", two, **facts)
    yield case(
        "225", "two copies of a Phoenixborn", "breaks", deck(phoenixborn="2 Ash Lord\n"), **facts
    )
    yield case("225", "no Phoenixborn", "breaks", deck(phoenixborn=""), **facts)
    for born, legal in (("Ash Lord", True), ("Well Lady", False)):
        cards = CARDS + f"Flock of {born},conjuration,{born},,,,\n"
        text = deck(conjurations=f"1 Flock of {born}\n")
        says = f"a conjuration of {born} under Ash Lord"
        yield case("225", says, legal, text, cards=cards, **facts)


def pool(*groups: str) -> str:
    return "".join(f"\nGroup {n}\n{text}" for n, text in enumerate(groups, start=1))


BASE = "3 Plain card 00\n3 Plain card 01\n10 Ember die\n"


def pools() -> Rows:
    def row(line: str, says: str, *, legal: bool, text: str) -> Boundary:
        named = "ashes:draft-pool"
        return case(line, says, legal, text, clause="AOP-DRAFT-POOL", named=named)

    for groups in (2, 3, 4):
        same = pool(*[BASE] * groups)
        yield row("240", f"{groups} groups of the same", legal=True, text=same)
        for change in (
            ("3 Plain card 01", "2 Plain card 01"),
            ("3 Plain card 01", "3 Plain card 02"),
        ):
            text = pool(*[BASE] * (groups - 1), BASE.replace(*change))
            says = f"{groups} groups, one with {change[1]}"
            yield row("240", says, legal=False, text=text)
        for n in (9, 11):
            text = pool(BASE.replace("10", str(n)), *[BASE] * (groups - 1))
            yield row("240", f"{groups} groups, one with {n} dice", legal=False, text=text)
    for word in ("Kiln", "Bay"):
        for n in (0, 1, 8, 9, 10, 11):
            held = BASE + f"3 {word} card 0\n" + (f"{n} {word} die\n" if n else "")
            says = f"{word}'s cards and {n} of its dice in each group"
            yield row("242", says, legal=n >= 10, text=pool(held, held))
        one = BASE + f"3 {word} card 0\n10 {word} die\n"
        yield row("241", f"{word} in one group alone", legal=False, text=pool(one, BASE))


def rows() -> Rows:
    for each in (sizes, copies, first_fives, exclusives, rulebook, pools):
        yield from each()
