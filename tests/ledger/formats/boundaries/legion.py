"""Armies of 800 points: points, factions, ranks, command hand, battle cards."""

from __future__ import annotations

from itertools import product

from tests.ledger.formats.boundaries.table import Boundary, Rows, State, Verdict, lines, state

HEAD = "name,type,faction,points,rank,pips,character,set,release,changes,slots,slot,bearers\n"
RANKS = {"commander": (1, 2), "corps": (3, 6), "support": (0, 3), "heavy": (0, 2)}
LIMITS = "".join(f"# limit rank {rank}: {low}-{high}\n" for rank, (low, high) in RANKS.items())
KINDS = ("objective", "deployment", "condition")


def row(name: str, kind: str, faction: str, points: str = "", **facts: str) -> str:
    """A line of the card file."""
    held = {"set": "Outpost", "release": "2018-03-22"} | facts
    further = HEAD.strip().split(",")[4:]
    return ",".join([name, kind, faction, points, *(held.get(each, "") for each in further)]) + "\n"


def _cards() -> str:
    text = HEAD
    for rank, word in (("commander", "Chief"), ("corps", "Guard"), ("support", "Rider")):
        for n in range(3):
            text += row(f"{word} {n}", "unit", "March", "40", rank=rank, slots="gear")
    text += "".join(
        row(f"Hauler {n}", "unit", "March", "40", rank="heavy", slots="-") for n in range(3)
    )
    for size in (1, 10, 50, 100, 200):
        text += row(f"Rider of {size}", "unit", "March", str(size), rank="support", slots="gear")
    for faction in ("Fen", "Moor", "neutral"):
        text += row(f"Rider of {faction}", "unit", faction, "40", rank="support", slots="gear")
    text += row("Envoy", "unit", "neutral", "40", rank="support", slots="-", changes="factions+1")
    for size in (1, 5, 10):
        text += row(f"Gear of {size}", "upgrade", "neutral", str(size), slot="gear")
    text += row("Standing Orders", "command", "neutral", pips="4", character="-")
    for pips in (1, 2, 3):
        for n in range(8):
            text += row(f"Order {pips} {n}", "command", "neutral", pips=str(pips), character="-")
        for chief in ("Chief 0", "Chief 1"):
            text += row(
                f"Word {pips} of {chief}", "command", "neutral", pips=str(pips), character=chief
            )
    for kind in KINDS:
        text += "".join(row(f"{kind} {n}", kind, "neutral") for n in range(15))
    text += row("Unsaid", "unit", "March", "40", rank="support")
    text += row("MK-5 Ion Trooper", "upgrade", "neutral", "5", slot="gear", set="Ice")
    return text + row("MK-5 Beam Trooper", "upgrade", "neutral", "5", slot="gear")


CARDS = LIMITS + _cards()
UNITS = "1 Chief 0\n" + lines("Guard 0", "Guard 1", "Guard 2")
BASE = 160
HAND = lines("Standing Orders", *(f"Order {pips} {n}" for pips in (1, 2, 3) for n in (0, 1)))
BATTLE = lines(*(f"{kind} {n}" for kind in KINDS for n in range(4)))


def army(units: str = UNITS, total: int | None = BASE, **parts: str) -> str:
    """A legal army but for what is given."""
    held = {"Units": units, "Command": HAND, "Battle": BATTLE} | {
        name.capitalize(): text for name, text in parts.items() if name != "head"
    }
    head = parts.get("head", "Player: Eli Ngo\n") + (
        f"Total: {total}\n" if total is not None else ""
    )
    return head + "".join(f"\n{name}\n{text}" for name, text in held.items() if text)


def case(line: str, says: str, legal: Verdict, text: str, **facts: object) -> Boundary:
    """A row of SWL-ARMY, unless another clause is given."""
    found: State = state(legal=legal) if isinstance(legal, bool) else legal
    held = {"clause": "SWL-ARMY", "cards": CARDS} | facts
    return Boundary(f"legion:{line}", says=says, state=found, text=text, named="legion", **held)  # type: ignore[arg-type] # its fields


def riders(points: int) -> str:
    """At most three units of so many points beyond the base."""
    text = ""
    for size in (200, 100, 50, 10, 1):
        if points >= size:
            text, points = text + f"{points // size} Rider of {size}\n", points % size
    return text


def points() -> Rows:
    """With the ranks of no file, as many units as it takes."""
    for n in (160, 161, 400, 798, 799, 800, 801, 802, 810, 850, 1000):
        text = army(UNITS + riders(n - BASE), n)
        cards = CARDS.replace(LIMITS, LIMITS.replace("0-3", "0-99"))
        yield case("138", f"{n} points", n <= 800, text, cards=cards)
    for gear in (1, 5, 10):
        for n in (795, 799, 800, 790):
            units = UNITS.replace("1 Chief 0\n", f"1 Chief 0\n- Gear of {gear}\n") + riders(
                n - BASE
            )
            cards = CARDS.replace(LIMITS, LIMITS.replace("0-3", "0-99"))
            says = f"units of {n} with an upgrade of {gear}"
            yield case("138", says, n + gear <= 800, army(units, n + gear), cards=cards)
    for told in (159, 161, 160, 800, 0):
        text = army(total=told)
        says = f"160 points declared as {told}"
        yield case("150", says, told == BASE, text, clause="FFG-LIST-CONTENT")
    missing = army(total=None)
    yield case("150", "no total", "breaks", missing, clause="FFG-LIST-CONTENT")
    yield case("150", "no name on the list", "breaks", army(head=""), clause="FFG-LIST-CONTENT")


def factions() -> Rows:
    for held in ((), ("Fen",), ("Fen", "Moor")):
        for envoys, neutral in product((0, 1), (0, 1)):
            units = UNITS + "".join(f"1 Rider of {each}\n" for each in held)
            units += "1 Rider of neutral\n" * neutral + "1 Envoy\n" * envoys
            count = len(held) + neutral + envoys
            cards = CARDS.replace(LIMITS, LIMITS.replace("0-3", "0-9"))
            says = f"March {' '.join(held)}, neutral {neutral}, leave for {envoys} more"
            text = army(units, BASE + 40 * count)
            yield case("138", says, len(held) <= envoys, text, cards=cards)


def ranks() -> Rows:
    words = {"commander": "Chief", "corps": "Guard", "support": "Rider", "heavy": "Hauler"}
    for rank, (low, high) in RANKS.items():
        for n in range(high + 3):
            counts = {"commander": 1, "corps": 3, "support": 0, "heavy": 0} | {rank: n}
            units = "".join(f"{m} {words[each]} 0\n" for each, m in counts.items() if m)
            text = army(units, 40 * sum(counts.values()))
            yield case("138", f"{n} of {rank}, {low} to {high}", low <= n <= high, text)
            bare = CARDS.replace(LIMITS, "")
            if n == high + 1:
                says = f"{n} of {rank}, limits of nobody"
                yield case("138", says, "not checked", text, cards=bare)


def command() -> Rows:
    for one, two, three in product(range(5), repeat=3):
        total = one + two + three
        if total == 6 or (total in {5, 7} and 2 in {one, two, three} and max(one, two, three) < 4):
            held = [
                f"Order {pips} {n}"
                for pips, m in ((1, one), (2, two), (3, three))
                for n in range(m)
            ]
            says = f"command hand of {one}, {two} and {three} with Standing Orders"
            text = army(command=lines("Standing Orders", *held))
            yield case("142", says, (one, two, three) == (2, 2, 2), text, clause="SWL-COMMAND")
    for says, change, legal in (
        ("Standing Orders missing", ("1 Standing Orders\n", ""), False),
        ("a card of three pips for Standing Orders", ("Standing Orders", "Order 3 2"), False),
        ("Standing Orders twice", ("1 Standing Orders", "2 Standing Orders"), False),
        ("two copies of a one", ("1 Order 1 0\n1 Order 1 1", "2 Order 1 0"), False),
        ("two copies of a two", ("1 Order 2 0\n1 Order 2 1", "2 Order 2 0"), False),
        ("two copies of a three", ("1 Order 3 0\n1 Order 3 1", "2 Order 3 0"), False),
        ("a copy on a line of its own", ("1 Order 1 1", "1 Order 1 0"), False),
        *(
            (
                f"the word of {chief}, {pips} pips",
                (f"Order {pips} 0", f"Word {pips} of {chief}"),
                chief == "Chief 0",
            )
            for pips in (1, 2, 3)
            for chief in ("Chief 0", "Chief 1")
        ),
    ):
        text = army(command=HAND.replace(*change))
        yield case("142", says, legal, text, clause="SWL-COMMAND")
    both = army(UNITS + "1 Chief 1\n", 200, command=HAND.replace("Order 1 0", "Word 1 of Chief 1"))
    yield case(
        "142", "the word of the second chief, who is there", "passes", both, clause="SWL-COMMAND"
    )


def battle() -> Rows:
    for one, two, three in product(range(2, 7), repeat=3):
        total = one + two + three
        if total == 12 or (total in {11, 13} and sorted((one, two, three))[1] == 4):
            counts = zip(KINDS, (one, two, three), strict=True)
            held = [f"{kind} {n}" for kind, m in counts for n in range(m)]
            says = f"battle cards {one}, {two} and {three}"
            text = army(battle=lines(*held))
            yield case("136", says, (one, two, three) == (4, 4, 4), text, clause="SWL-BATTLE")
    for kind in KINDS:
        text = army(battle=BATTLE.replace(f"1 {kind} 0\n1 {kind} 1\n", f"2 {kind} 0\n"))
        yield case("136", f"two copies of one {kind}", "breaks", text, clause="SWL-BATTLE")
        text = army(battle=BATTLE.replace(f"1 {kind} 1\n", f"1 {kind} 0\n"))
        yield case("136", f"one {kind} on two lines", "breaks", text, clause="SWL-BATTLE")


def names() -> Rows:
    for written, legal in (
        ("MK-5 Ion Trooper", True),
        ("MK-5 Trooper", False),
        ("Trooper", False),
        ("Ion Trooper", True),
        ("MK-5", False),
        ("MK-6 Ion Trooper", False),
        ("MK-5 Trooper (Ice)", True),
        ("MK-5 Trooper (Sand)", False),
    ):
        text = army(UNITS.replace("1 Chief 0\n", f"1 Chief 0\n- {written}\n"), BASE + 5)
        facts = {"clause": "FFG-LIST", "also": ("FFG-LIST-CONTENT",)}
        yield case("152-154", f"an upgrade written as {written}", legal, text, **facts)


def units() -> Rows:
    content = {"clause": "FFG-LIST-CONTENT", "also": ("FFG-LIST",)}
    loose = army(total=BASE + 5, upgrades="1 Gear of 5\n")
    yield case("150", "an upgrade in a section of its own", "breaks", loose, **content)
    for says, text in (
        ("an upgrade above the first unit", "- Gear of 5\n" + UNITS),
        ("an upgrade below two units of one line", UNITS + "2 Guard 0\n- Gear of 5\n"),
        ("two units on one line", UNITS + "1 Guard 0, 1 Guard 1\n"),
        ("no copies of a unit", UNITS + "0 Guard 0\n"),
    ):
        yield case("150", says, "refused", army(text, BASE), **content)
    unsaid = army(UNITS + "1 Unsaid\n- Gear of 5\n", BASE + 45)
    says = "an upgrade of a unit whose room for upgrades nobody supplied"
    yield case("138", says, "not checked", unsaid, clause="FFG-RULEBOOK")
    bare = army(command="")
    facts = {"clause": "SWL-COMMAND", "also": ("FFG-LIST-CONTENT",)}
    yield case("142-150", "no command cards", "breaks", bare, **facts)
    bare = army(battle="")
    says = "no battle cards, which a list need not name"
    yield case("136-150", says, "not checked", bare, clause="SWL-BATTLE")


def rows() -> Rows:
    for each in (points, factions, ranks, command, battle, names, units):
        yield from each()
