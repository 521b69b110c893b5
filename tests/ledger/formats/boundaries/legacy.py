"""The Legacy format: bans, clans, what counts as one card and what is distinct."""

from __future__ import annotations

from tests.ledger.formats.boundaries.table import Boundary, Rows, State, Verdict, state
from tests.support.files.format_legacy import COLUMNS, HEAD, KEY, STRONGHOLD

BANNED = (
    ("Breach of Etiquette", "Strategy"),
    ("Minor Oni Servant", "Follower"),
    ("Rise from the Ashes", "Spell"),
    ("Shrine of the Spirits", "Stronghold"),
    ("Take the Initiative", "Strategy"),
    ("The High House of Light", "Stronghold"),
    ("The Master of Five", "Event"),
    ("Yodin Sensei", "Sensei"),
)
HALLS = (
    "Nanashi Mura",
    "The Shrine of Lady Sun",
    "The Governor's Estate",
    "Gates of the Second City",
)
IVORY = ("Crab", "Crane", "Dragon", "Lion", "Mantis", "Phoenix", "Scorpion", "Spider", "Unicorn")
SECTION = {"Stronghold": "Stronghold", "Sensei": "Sensei", "Wind": "Wind"}
FATE = {"Strategy", "Follower", "Spell", "Ring", "Item"}
HALL = "Stronghold\n1 Shiro X\n"


def card(name: str, kind: str = "Personality", level: str = "", **facts: str) -> str:
    """A row of the card file; not unique, of no clan, unless it is said."""
    held = {"name": name, "experience": level, "type": kind, "clan": "-", "keywords": "-"}
    held |= {"unique": "no", "set": "X"} | facts
    return ",".join(f'"{held.get(each, "")}"' for each in COLUMNS) + "\n"


def case(line: str, says: str, legal: Verdict, text: str, cards: str, **facts: object) -> Boundary:
    """A row; the clause is given."""
    found: State = state(legal=legal) if isinstance(legal, bool) else legal
    held: dict[str, object] = {"cards": HEAD + cards, "named": f"{KEY}:standard"} | facts
    return Boundary(f"legacy:{line}", says=says, state=found, text=text, **held)  # type: ignore[arg-type] # its fields


def holding(name: str, kind: str, count: int = 1, level: str = "") -> str:
    """A list with these copies of one card, where its type belongs."""
    entry = f"{count} {name} {level}".rstrip() + "\n"
    if kind == "Stronghold":
        return f"Stronghold\n{entry}"
    return f"{HALL}{SECTION.get(kind) or ('Fate' if kind in FATE else 'Dynasty')}\n{entry}"


def bans() -> Rows:
    for name, kind in BANNED:
        for variant in ("standard", "bigdeck"):
            row = card(name, kind, clan="Crab Clan" if kind == "Stronghold" else "-")
            says = f"{name} the {kind} in {variant}"
            facts: dict[str, object] = {"clause": "LEG-BANNED", "named": f"{KEY}:{variant}"}
            yield case("76-83", says, "breaks", holding(name, kind), STRONGHOLD + row, **facts)
            other = card(name, "Region")
            says = f"{name} of another type in {variant}"
            yield case("20", says, "passes", holding(name, "Region"), STRONGHOLD + other, **facts)
        near = card(f"{name} Again", kind, clan="Crab Clan" if kind == "Stronghold" else "-")
        says = f"a title that begins with {name}"
        text = holding(f"{name} Again", kind)
        yield case("76-83", says, "passes", text, STRONGHOLD + near, clause="LEG-BANNED")
    for name in HALLS:
        for variant in ("standard", "bigdeck", "booster-draft"):
            row = card(name, "Stronghold", clan="Crab Clan")
            facts = {"clause": "LEG-STRONGHOLD", "named": f"{KEY}:{variant}"}
            legal = variant == "booster-draft"
            yield case(
                "86-88", f"{name} in {variant}", legal, holding(name, "Stronghold"), row, **facts
            )


def clans() -> Rows:
    named = [(f"{clan} Clan", "Hall", "", True) for clan in IVORY]
    named += [("Toturi's Army", "Hall", "", True), ("Brotherhood of Shinsei", "Hall", "", True)]
    named += [("Shadowlands Horde", "Hall", "", True), ("Spirit", "Hall", "", False)]
    named += [(each, "Hall", "", False) for each in ("Naga", "Ratling", "Badger Clan", "Fox Clan")]
    named += [
        (each, "Hall", "", False) for each in ("Ninja", "Yoritomo's Alliance", "Sparrow Clan")
    ]
    named += [("Hare Clan", "Hall", "", False), ("Hare Clan", "Shiro Usagi", "", True)]
    named += [("Imperial", "Hall", "", False), ("Imperial", "Journey's End Keep", "", False)]
    named += [("Imperial", "Journey's End Keep", "Experienced", True)]
    for clan, name, level, legal in named:
        for variant in ("standard", "bigdeck"):
            row = card(name, "Stronghold", level, clan=clan)
            text = holding(name, "Stronghold", level=level)
            says = f"{name} {level} of {clan} in {variant}"
            facts: dict[str, object] = {"clause": "LEG-CLAN", "named": f"{KEY}:{variant}"}
            yield case("41-68", says, legal, text, row, **facts)


def unique_limits() -> Rows:
    for kind in ("Personality", "Holding", "Strategy", "Item", "Event"):
        for n in (1, 2, 3, 4, 5):
            row = card("Plain Thing", kind)
            says = f"{n} copies of a {kind} that is not unique"
            facts: dict[str, object] = {"clause": "LEG-SAME"}
            text = holding("Plain Thing", kind, n)
            yield case("91", says, n <= 3, text, STRONGHOLD + row, **facts)
            if n <= 3:
                row = card("One Thing", kind, unique="yes")
                text = holding("One Thing", kind, n)
                says = f"{n} copies of a unique {kind}"
                yield case("91", says, n == 1, text, STRONGHOLD + row, **facts)


def pair(one: int, other: int, first: str, second: str) -> str:
    """A deck with so many copies of either."""
    return f"{HALL}Dynasty\n{one} {first}\n{other} {second}\n"


SAME = (
    (95, "Kaiu Hisayuki", "Silence"),
    (96, "Daidoji Akagi", "Daidoji Karasu"),
    (98, "Doji Seo", "Doji Seishiro"),
    (99, "Doji Sesshu", "Doji Kurohito"),
    (100, "Akodo Seichii", "Ikoma Ken'o"),
    (101, "Tsuruchi Kansuke", "Tsuruchi Dokuo"),
    (102, "Isawa Oharu", "Isawa Sze"),
    (103, "Isawa Umeko", "Isawa Toiko"),
    (104, "Bayushi Hisato", "Bayushi Marumo"),
    (104, "Bayushi Hisato", "Bayushi Sunetra"),
    (104, "Bayushi Marumo", "Bayushi Sunetra"),
    (106, "Moto Suren", "Moto Wasaka"),
    (107, "Shinjo Kadonomaro", "Shinjo Suboto"),
    (108, "Utaku Genshi", "Utaku Uzuki"),
    (109, "Utaku Tama", "Otaku Tetsuko"),
)
LEVELLED = (
    (97, "Daidoji Nagiko", "Daidoji Rekai"),
    (105, "Bayushi Hisoka", "Bayushi Goshiu"),
)
COUNTS = ((1, 2), (2, 1), (2, 2), (3, 1))


def one_card() -> Rows:
    facts: dict[str, object] = {"clause": "LEG-SAME"}
    for line, first, second in SAME:
        cards = STRONGHOLD + card(first) + card(second)
        for one, other in COUNTS:
            says = f"{one} {first} and {other} {second}"
            text = pair(one, other, first, second)
            yield case(str(line), says, one + other <= 3, text, cards, **facts)
    for line, first, second in LEVELLED:
        cards = STRONGHOLD + card(first) + card(second)
        cards += card(second, level="Experienced 2", unique="yes")
        for one, other in ((3, 3), (3, 1)):
            says = f"{one} {first} and {other} {second}, not experienced"
            yield case(str(line), says, "passes", pair(one, other, first, second), cards, **facts)
        for one, other in ((2, 1), (3, 1)):
            says = f"{one} {first} and {other} {second} Experienced 2"
            text = pair(one, other, first, f"{second} Experienced 2")
            yield case(str(line), says, one + other <= 3, text, cards, **facts)
    yield from souls()


def souls() -> Rows:
    """Sources 93 and 94: what a card's own text says, and the closure over it."""
    facts: dict[str, object] = {"clause": "LEG-SAME"}
    names = ("Bayushi Irezu", "Bayushi Kwanchai", "Bayushi Tangen")
    cards = STRONGHOLD + card(names[0]) + card(names[1], souls=names[0])
    cards += card(names[2], souls=names[1])
    cards += card(names[1], level="Experienced", unique="yes")
    for three in ((1, 1, 1), (0, 1, 2), (2, 0, 1), (3, 0, 0), (2, 1, 1), (1, 2, 1), (2, 0, 2)):
        held = "".join(f"{n} {name}\n" for n, name in zip(three, names, strict=True) if n)
        says = f"a chain of souls, {three}"
        yield case("94", says, sum(three) <= 3, f"{HALL}Dynasty\n{held}", cards, **facts)
    text = pair(3, 1, names[2], f"{names[1]} Experienced")
    yield case("94", "a soul of another experience level", "passes", text, cards, **facts)
    for said, other in (("Bayushi Hisa", "Bayushi Kachiko"), ("Yasuki Hachi", "Doji Hachi")):
        cards = STRONGHOLD + card(other) + card(said, counts_as=other)
        for one, counted in COUNTS:
            text = pair(one, counted, said, other)
            says = f"{one} {said} that counts as another, {counted} of it"
            yield case("93", says, one + counted <= 3, text, cards, **facts)


def rows() -> Rows:
    for each in (bans, clans, unique_limits, one_card):
        yield from each()
