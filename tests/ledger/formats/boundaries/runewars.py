"""Armies of 200 points: points, factions, unique units, terrain, seasons."""

from __future__ import annotations

from itertools import combinations_with_replacement

from tests.ledger.formats.boundaries.table import Boundary, Rows, State, Verdict, lines, state

HEAD = "name,type,faction,points,unique,capacity,set,release,legal,changes,slots,slot,bearers\n"
SEASON_ONE = (
    ("Standoff", "Unprepared", "Meeting Engagement"),
    ("Demoralize Their Forces", "Confluence of Magic", "Volatile Runes"),
)
SEASON_TWO = (
    ("Unprepared", "Meeting Engagement", "Maelstrom"),
    ("Confluence of Magic", "Volatile Runes", "Seize the Artifacts"),
)
CAPACITIES = (0, 2, 4, 6)


def row(name: str, kind: str, faction: str, points: str = "", **facts: str) -> str:
    """A line of the card file."""
    held = {"set": "Marches", "release": "2017-04-20"} | facts
    further = HEAD.strip().split(",")[4:]
    return ",".join([name, kind, faction, points, *(held.get(each, "") for each in further)]) + "\n"


def unit(name: str, faction: str, points: int, unique: str = "no", **facts: str) -> str:
    slots = {"slots": "gear; banner"} | facts
    return row(name, "unit", faction, str(points), unique=unique, **slots)


def _cards() -> str:
    text = HEAD
    for faction in ("March", "Fen", "Moor", "neutral"):
        text += "".join(unit(f"{faction} of {n}", faction, n) for n in (1, 2, 10, 40, 50, 100))
        text += "".join(
            unit(f"{faction} hero {n}", faction, 10, "yes", slots="gear") for n in range(6)
        )
    text += unit("Envoy", "neutral", 10, changes="factions+1", slots="-")
    for points in (1, 5, 10):
        text += row(f"Gear of {points}", "upgrade", "neutral", str(points), slot="gear")
    text += row("Only gear", "upgrade", "neutral", "5", unique="yes", slot="gear")
    for capacity in CAPACITIES:
        for n in range(4):
            text += row(f"Terrain {capacity} {n}", "terrain", "neutral", capacity=str(capacity))
    for name in dict.fromkeys((*SEASON_ONE[0], *SEASON_TWO[0])):
        text += row(name, "deployment", "neutral")
    for name in dict.fromkeys((*SEASON_ONE[1], *SEASON_TWO[1])):
        text += row(name, "objective", "neutral")
    text += unit("Ardus Reed", "March", 10, set="Reeds") + unit(
        "Ardus Thorn", "March", 10, set="Thorns"
    )
    text += row("Unsaid", "unit", "March", "10", unique="no")
    return text + row("Ardus Blade", "upgrade", "neutral", "5", slot="gear")


CARDS = _cards()


def army(units: str, total: int | None, **parts: str) -> str:
    """A legal army but for what is given."""
    terrain = lines(*(f"Terrain 2 {n}" for n in range(4)))
    held = {"Units": units, "Terrain": terrain} | {
        name.replace("_", " ").capitalize(): text for name, text in parts.items() if name != "head"
    }
    head = parts.get("head", "Player: Cara Osei\n") + (
        f"Total: {total}\n" if total is not None else ""
    )
    return head + "".join(f"\n{name}\n{text}" for name, text in held.items() if text)


def case(line: str, says: str, legal: Verdict, text: str, **facts: object) -> Boundary:
    """A row of RW-ARMY, unless another clause is given."""
    found: State = state(legal=legal) if isinstance(legal, bool) else legal
    held = {"clause": "RW-ARMY", "cards": CARDS} | facts
    return Boundary(f"runewars:{line}", says=says, state=found, text=text, named="runewars", **held)  # type: ignore[arg-type] # its fields


def of(points: int, faction: str = "March") -> str:
    """Units of so many points together."""
    text = ""
    for size in (100, 50, 40, 10, 2, 1):
        if points >= size:
            text, points = text + f"{points // size} {faction} of {size}\n", points % size
    return text


def points() -> Rows:
    for n in (1, 10, 100, 150, 198, 199, 200, 201, 202, 210, 250, 300, 400):
        yield case("137", f"{n} points", n <= 200, army(of(n), n))
    for base, gear in ((195, 5), (199, 1), (190, 10), (195, 10), (200, 1), (199, 5), (200, 10)):
        units = of(base - 50) + f"1 March of 50\n- Gear of {gear}\n"
        says = f"units of {base} with an upgrade of {gear}"
        yield case("137", says, base + gear <= 200, army(units, base + gear))
    for real, told in ((200, 199), (200, 201), (100, 100), (150, 149), (150, 151), (150, 200)):
        text = army(of(real), told)
        says = f"{real} points declared as {told}"
        yield case("151", says, real == told, text, clause="FFG-LIST-CONTENT")
    missing = army(of(150), None)
    yield case("151", "no total", "breaks", missing, clause="FFG-LIST-CONTENT")
    nameless = army(of(150), 150, head="")
    yield case("150", "no name on the list", "breaks", nameless, clause="FFG-LIST-CONTENT")


def factions() -> Rows:
    for held in (("March",), ("Fen",), ("March", "Fen"), ("March", "Fen", "Moor"), ("Fen", "Moor")):
        for envoys in (0, 1):
            for neutral in (0, 10):
                units = "".join(of(10, each) for each in held)
                units += of(neutral, "neutral") if neutral else ""
                units += "1 Envoy\n" * envoys
                text = army(units, 10 * len(held) + neutral + 10 * envoys)
                says = f"{' and '.join(held)}, neutral {neutral}, leave for {envoys} more"
                yield case("138", says, len(held) <= 1 + envoys, text)


def uniques() -> Rows:
    for n in range(7):
        units = of(20) + "".join(f"1 March hero {each}\n" for each in range(min(n, 6)))
        says = f"{n} unique units"
        if n < 7:
            yield case("139", says, n <= 2, army(units, 20 + 10 * min(n, 6)))
    for n in (1, 2, 3):
        units = of(20) + "".join(f"1 neutral hero {each}\n" for each in range(n))
        yield case("139", f"{n} unique units of no faction", n <= 2, army(units, 20 + 10 * n))
    for mine, others in ((1, 1), (1, 2), (2, 1)):
        units = "".join(f"1 March hero {each}\n" for each in range(mine))
        units += "".join(f"1 neutral hero {each}\n" for each in range(others))
        says = f"{mine} unique units of the faction and {others} of none"
        yield case("139", says, mine + others <= 2, army(of(20) + units, 20 + 10 * (mine + others)))
    units = of(20) + "1 March hero 0\n- Only gear\n1 March hero 1\n"
    yield case("139", "two unique units and a unique upgrade", "passes", army(units, 45))


def terrain() -> Rows:
    for n in range(8):
        held = lines(*(f"Terrain 0 {each}" for each in range(min(n, 4))))
        held += lines(*(f"Terrain 2 {each}" for each in range(n - 4))) if n > 4 else ""
        text = army(of(150), 150, terrain=held)
        also = ("FFG-LIST-CONTENT",) if not n else ()
        yield case("143", f"{n} terrain cards", n == 4, text, also=also)
    for four in combinations_with_replacement(CAPACITIES, 4):
        held = lines(*(f"Terrain {each} {n}" for n, each in enumerate(four)))
        says = f"terrain of capacities {', '.join(map(str, four))}"
        yield case("144-145", says, sum(four[-2:]) <= 6, army(of(150), 150, terrain=held))


def units() -> Rows:
    """Sources 150, 151 and 153 to 158: which unit is meant, and which bears an upgrade."""
    content = {"clause": "FFG-LIST-CONTENT", "also": ("FFG-LIST",)}
    loose = army(of(150), 155, upgrades="1 Gear of 5\n")
    yield case("150-151", "an upgrade in a section of its own", "breaks", loose, **content)
    for says, text in (
        ("an upgrade above the first unit", "- Gear of 5\n" + of(150)),
        ("an upgrade below two units of one line", "2 March of 50\n- Gear of 5\n" + of(50)),
        ("two units on one line", "1 March of 50, 1 March of 10\n" + of(90)),
        ("no copies of a unit", "0 March of 50\n" + of(150)),
    ):
        yield case("150-151", says, "refused", army(text, 155), **content)
    for written, legal in (
        ("Ardus Reed", True),
        ("Ardus", False),
        ("Ardus (Reeds)", True),
        ("Ardus (Thorns)", True),
        ("Ardus Oak", False),
    ):
        facts = {"clause": "FFG-LIST", "also": ("FFG-LIST-CONTENT",)}
        text = army(of(150) + f"1 {written}\n", 160)
        yield case("153-158", f"a unit written as {written}", legal, text, **facts)
    unsaid = army(of(150) + "1 Unsaid\n- Gear of 5\n", 165)
    says = "an upgrade of a unit whose room for upgrades nobody supplied"
    yield case("136", says, "not checked", unsaid, clause="FFG-RULEBOOK")


def rows() -> Rows:
    for each in (points, factions, uniques, terrain, units):
        yield from each()
