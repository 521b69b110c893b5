"""The Legacy format: versions of a card, Winds and Sensei, and what starts in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ledger.formats.boundaries.legacy import HALL, card, case
from tests.support.files.format_legacy import KEY, STRONGHOLD

if TYPE_CHECKING:
    from tests.ledger.formats.boundaries.table import Rows

LISTED = (
    (24, "A Moment of Truth", "Event", "Anvil of Despair", "Time of the Void"),
    (25, "Corrupted Dojo", "Holding", "Fire and Shadow", "Winds of Change"),
    (26, "Hida Kisada", "Personality", "Obsidian Edition", "Emperor Edition"),
    (29, "Isawa Tanaka", "Personality", "Path of Hope", "Imperial Gift 2"),
    (30, "Mirumoto Hojatsu", "Personality", "Dawn of the Empire", "The Dead of Winter"),
    (31, "Utaku Keyo", "Personality", "Dark Allies", "Lotus Edition"),
)
UNLISTED = (
    (20, "Doji Nobody", "Personality", "Dark Allies", "Lotus Edition"),
    (20, "Plain Dojo", "Holding", "Fire and Shadow", "Winds of Change"),
)


def distinct() -> Rows:
    for table, is_listed in ((LISTED, True), (UNLISTED, False)):
        for line, name, kind, first, second in table:
            rows = "".join(card(name, kind, set=each) for each in (first, second))
            for one, other in ((3, 3), (2, 2), (1, 2), (4, 1)):
                text = f"{HALL}Dynasty\n{one} {name} ({first})\n{other} {name} ({second})\n"
                legal = max(one, other) <= 3 if is_listed else one + other <= 3
                says = f"{one} and {other} {name} of two sets"
                yield case(str(line), says, legal, text, STRONGHOLD + rows, **limit(legal=legal))
            rows = "".join(card(name, kind, set=each, unique="yes") for each in (first, second))
            text = f"{HALL}Dynasty\n1 {name} ({first})\n1 {name} ({second})\n"
            says = f"{name} of two sets, both unique"
            facts = limit(legal=is_listed)
            yield case(str(line), says, is_listed, text, STRONGHOLD + rows, **facts)
    for first, second, deck in (
        ("Personality", "Strategy", "Fate"),
        ("Event", "Item", "Fate"),
        ("Holding", "Personality", "Dynasty"),
    ):
        rows = card("Two Kinds", first, set="One") + card("Two Kinds", second, set="Two")
        held = "3 Two Kinds (One)\n"
        text = (
            f"{HALL}Dynasty\n{held}"
            + ("" if deck == "Dynasty" else "Fate\n")
            + "3 Two Kinds (Two)\n"
        )
        says = f"three of a title as {first} and three as {second}"
        yield case("20", says, "passes", text, STRONGHOLD + rows, **limit(legal=True))
    yield from yakamo()


def limit(*, legal: bool) -> dict[str, object]:
    """What two cards are is LEG-DISTINCT; how many of one there may be is LEG-SAME (line 91)."""
    return {"clause": "LEG-DISTINCT" if legal else "LEG-SAME"}


def yakamo() -> Rows:
    name = "Hida Yakamo"
    for words, legal in (("Oni", True), ("Samurai", False)):
        rows = card(name, keywords="Samurai", unique="yes", set="A")
        rows += card(name, keywords=words, unique="yes", set="B")
        text = f"{HALL}Dynasty\n1 {name} (A)\n1 {name} (B)\n"
        says = f"{name} Samurai and {words}"
        yield case("33", says, legal, text, STRONGHOLD + rows, **limit(legal=legal))
    for level in ("Experienced 2", "Experienced 3", "Experienced 3KYD"):
        rows = card(name, keywords="Samurai", unique="yes", set="A")
        rows += card(name, level=level, keywords="Samurai", unique="yes", set="C")
        text = f"{HALL}Dynasty\n1 {name}\n1 {name} {level}\n"
        says = f"{name} and {level}"
        yield case("33", says, "passes", text, STRONGHOLD + rows, **limit(legal=True))


def levels() -> Rows:
    pairs = (
        ("Experienced 3", "Experienced 3KYD", True),
        ("Experienced", "Experienced KYD", True),
        ("Experienced 2", "Experienced 2CoM", True),
        ("Experienced", "Experienced CoM", True),
        ("Experienced KYD", "Experienced CoM", True),
        ("Experienced", "Experienced 2", True),
        ("Experienced 2", "Experienced 3", True),
        ("Experienced 3", "Experienced 3", False),
        ("Experienced 3KYD", "Experienced 3KYD", False),
        ("Experienced CoM", "Experienced CoM", False),
    )
    for one, other, legal in pairs:
        rows = "".join(card("Old Kaze", level=each, unique="yes") for each in {one, other})
        text = f"{HALL}Dynasty\n1 Old Kaze {one}\n1 Old Kaze {other}\n"
        facts: dict[str, object] = {"clause": "LEG-EXPERIENCED" if legal else "LEG-SAME"}
        yield case("280", f"{one} beside {other}", legal, text, STRONGHOLD + rows, **facts)
    yield from alternates()
    yield from spellings()


def alternates() -> Rows:
    """Lines 275 to 278: an alternate title with all its own, and from its level on."""
    facts: dict[str, object] = {"clause": "LEG-EXPERIENCED", "also": ("LEG-SAME",)}
    ginawa = card("Akodo Ginawa", level="Experienced 4", unique="yes", alternate="Ginawa")
    ginawa += card("Heigi", level="Experienced 5", unique="yes", alternate="Akodo Ginawa")
    shosuro = card("Shosuro", level="Experienced", unique="yes", alternate="Ninja Shapeshifter")
    shosuro += card("Shosuro", level="Experienced 7", unique="yes")
    for first, base, other, level, legal in (
        ("Heigi Experienced 5", ginawa, "Ginawa", "Experienced 5", False),
        ("Heigi Experienced 5", ginawa, "Akodo Ginawa", "Experienced 5", False),
        ("Heigi Experienced 5", ginawa, "Ginawa", "Experienced 3", True),
        ("Akodo Ginawa Experienced 4", ginawa, "Ginawa", "Experienced 4", False),
        ("Akodo Ginawa Experienced 4", ginawa, "Ginawa", "Experienced 5", True),
        ("Shosuro Experienced 7", shosuro, "Ninja Shapeshifter", "Experienced 7", False),
        ("Shosuro Experienced 7", shosuro, "Ninja Shapeshifter", "Experienced 6", True),
        ("Shosuro Experienced", shosuro, "Ninja Shapeshifter", "Experienced", False),
    ):
        rows = base + card(other, level=level, unique="yes")
        text = f"{HALL}Dynasty\n1 {first}\n1 {other} {level}\n"
        says = f"{first} beside {other} {level}"
        yield case("275-278", says, legal, text, STRONGHOLD + rows, **facts)


def spellings() -> Rows:
    """A level as the source itself writes it, in lines 94, 97, 104, 280 and 313."""
    facts: dict[str, object] = {"clause": "LEG-EXPERIENCED"}
    rows = card("Old Kaze") + card("Old Kaze", level="Experienced", unique="yes")
    rows += card("Old Kaze", level="Experienced 2", unique="yes")
    rows += card("Old Kaze", level="Experienced 2CoM", unique="yes")
    for line, written in (
        ("94", "Old Kaze (non-Exp)"),
        ("104", "Old Kaze non-Experienced"),
        ("313", "Old Kaze Exp"),
        ("97", "Old Kaze Experienced 2"),
        ("280", "Old Kaze Experienced 2 CoM"),
        ("33", "Old Kaze Experienced 2CoM"),
    ):
        text = f"{HALL}Dynasty\n1 {written}\n"
        yield case(line, f"written as {written}", "passes", text, STRONGHOLD + rows, **facts)


def winds() -> Rows:
    facts: dict[str, object] = {"clause": "LEG-WIND"}
    rows = "".join(card(f"Wind {n}", "Wind") + card(f"Sensei {n}", "Sensei") for n in (1, 2))
    for deck in ("Dynasty", "Fate"):
        for n in (1, 2, 3):
            text = f"{HALL}{deck}\n{n} Wind 1\n"
            yield case("119", f"{n} Wind in {deck}", "breaks", text, STRONGHOLD + rows, **facts)
    for changes, most in (("", (1, 1)), ("winds+1", (2, 1)), ("senseis+1", (1, 2))):
        hall = STRONGHOLD.rstrip("\n") + changes + "\n"
        for wind in (0, 1, 2):
            for sensei in (0, 1, 2):
                text = HALL + ("Sensei\n" if sensei else "")
                text += "".join(f"1 Sensei {n + 1}\n" for n in range(sensei))
                text += ("Wind\n" if wind else "") + "".join(
                    f"1 Wind {n + 1}\n" for n in range(wind)
                )
                legal = wind <= most[0] and sensei <= most[1]
                says = f"{wind} Wind and {sensei} Sensei, leave for {changes or 'no more'}"
                yield case("179", says, legal, text, hall + rows, **facts)


def starting() -> Rows:
    bamboo, keep = "Bamboo Harvesters", "Border Keep"
    levels_of = ("", "Inexperienced", "Experienced", "Experienced 2")
    rows = "".join(card(name, "Holding", each) for name in (bamboo, keep) for each in levels_of)
    rows += "".join(card(f"Old Mill {n}", "Holding", keywords="Legacy") for n in (1, 2))
    rows += card("Rice Field", "Holding")
    sets: list[tuple[tuple[str, ...], bool, bool]] = [
        ((f"{bamboo} {each}".strip(),), True, True) for each in levels_of
    ]
    sets += [((f"{keep} {each}".strip(),), False, True) for each in levels_of]
    sets += [
        (("Old Mill 1",), True, False),
        (("Old Mill 1", "Old Mill 2"), False, False),
        ((bamboo, "Old Mill 1"), False, False),
        ((bamboo, keep), False, True),
        ((bamboo, f"{bamboo} Experienced"), False, False),
        ((keep, f"{keep} Experienced"), False, False),
        (("Rice Field",), False, False),
        ((bamboo, "Rice Field"), False, False),
    ]
    for held, standard, bigdeck in sets:
        for variant, legal in (("standard", standard), ("bigdeck", bigdeck)):
            text = f"{HALL}Starting\n" + "".join(f"1 {name}\n" for name in held)
            says = f"{' and '.join(held)} start in {variant}"
            facts: dict[str, object] = {"clause": "LEG-STARTING", "named": f"{KEY}:{variant}"}
            yield case("309-319", says, legal, text, STRONGHOLD + rows, **facts)


def base() -> Rows:
    """The base rulebook is not in the source: deck sizes are never passed in silence."""
    text = f"{HALL}Dynasty\n1 Rice Field\n"
    rows = card("Rice Field", "Holding")
    yield case(
        "16", "a deck of one card", "not checked", text, STRONGHOLD + rows, clause="LEG-BASE"
    )


def rows() -> Rows:
    for each in (distinct, levels, winds, starting, base):
        yield from each()
