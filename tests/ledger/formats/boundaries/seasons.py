"""What depends on the day and the tier: seasons, releases; custom terrain and mats beside them."""

from __future__ import annotations

from typing import Any

from tests.ledger.formats.boundaries import l5r_decks, legion, runewars
from tests.ledger.formats.boundaries.runewars import SEASON_ONE, SEASON_TWO, army, case, of
from tests.ledger.formats.boundaries.table import Boundary, Rows, state, threes

DAYS = ("2018-07-23", "2018-09-30", "2018-10-01", "2019-01-15")
TIERS = ("relaxed", "formal", "premier")


def scenarios() -> Rows:
    """Sources 306-319: what each season has; the first is in force to the end of September."""
    names = [("deployments", each) for each in dict.fromkeys((*SEASON_ONE[0], *SEASON_TWO[0]))]
    names += [("objectives", each) for each in dict.fromkeys((*SEASON_ONE[1], *SEASON_TWO[1]))]
    for kind, name in names:
        for day in DAYS:
            season = SEASON_ONE if day < "2018-10" else SEASON_TWO
            legal = name in season[kind == "objectives"]
            for tier in TIERS:
                held: dict[str, str] = {kind: f"1 {name}\n"}
                facts: dict[str, Any] = {"clause": "RW-SEASON", "date": day, "tier": tier}
                says = f"{name} on {day}, {tier}"
                text = army(of(150), 150, **held)
                yield case("306-319", says, legal or tier == "relaxed", text, **facts)


BANDS: tuple[tuple[str, int], ...] = (
    ("0.5", 0),
    ("2", 0),
    ("2.9", 0),
    ("3", 2),
    ("4", 2),
    ("4.9", 2),
    ("5", 4),
    ("6.9", 4),
)
BANDS += (("7", 6), ("8", 6), ("9", 6))


def custom_terrain() -> Rows:
    for across, right in BANDS:
        for told in (0, 2, 4, 6):
            text = army(of(150), 150, custom_terrain=piece(across, "round", told, "Cover"))
            says = f"{across} inches across with capacity {told}"
            yield case("287-294", says, told == right, text, clause="RW-TERRAIN")
    for across in ("9.01", "9.5", "12"):
        text = army(of(150), 150, custom_terrain=piece(across, "round", 6, "Cover"))
        yield case("294", f"{across} inches across", "breaks", text, clause="RW-TERRAIN")
    for shape, legal in (
        ("square", True),
        ("round", True),
        ("circular", True),
        ("roughly square", True),
        ("roughly circular", True),
        ("long", False),
        ("oval", False),
        ("rectangular", False),
        ("triangular", False),
    ):
        text = army(of(150), 150, custom_terrain=piece("4", shape, 2, "Cover"))
        yield case("257", f"a {shape} footprint", legal, text, clause="RW-TERRAIN")
    for words in ("Cover", "Cover, Deadly 1", "Cover, Deadly 1, Elevated 2", "A, B, C, D"):
        n = words.count(",") + 1
        text = army(of(150), 150, custom_terrain=piece("4", "round", 2, words))
        yield case("259", f"{n} keywords on a piece", n <= 2, text, clause="RW-TERRAIN")


def piece(across: str, shape: str, capacity: int, words: str) -> str:
    notes = f"diameter: {across}; footprint: {shape}; capacity: {capacity}; keywords: {words}"
    return f"1 Ruin [{notes}]\n"


def mats() -> Rows:
    for mat, legal in (("official", True), ("venue", True), ("printed at home", False)):
        text = army(of(150), 150, head=f"Player: Cara Osei\nPlaymat: {mat}\n")
        yield case("119-124", f"playmat: {mat}", legal, text, clause="RW-PLAYMAT")


RELEASE = "2018-10-20"
AFTER: tuple[tuple[str, int], ...] = (
    ("2018-10-19", -1),
    ("2018-10-20", 0),
    ("2018-10-21", 1),
    ("2018-10-30", 10),
)
AFTER += (("2018-10-31", 11), ("2018-11-01", 12))


def releases() -> Rows:
    """On its day in Relaxed and Formal, eleven days later in Premier."""
    l5r = l5r_decks.row("Fresh", "event", "conflict", "neutral", release=RELEASE)
    fresh = "1 Fresh\n" + threes("Plain letter", 39)
    games = (
        ("l5r", "299-303", l5r_decks.CARDS + l5r, l5r_decks.deck(conflict=fresh)),
        (
            "runewars",
            "299-301",
            runewars.CARDS + runewars.unit("Fresh", "March", 10, release=RELEASE),
            army(of(150) + "1 Fresh\n", 160),
        ),
        (
            "legion",
            "212",
            legion.CARDS
            + legion.row("Fresh", "upgrade", "neutral", "5", release=RELEASE, slot="gear"),
            legion.army(
                legion.UNITS.replace("1 Chief 0\n", "1 Chief 0\n- Fresh\n"), legion.BASE + 5
            ),
        ),
    )
    for game, line, cards, text in games:
        for tier in TIERS:
            for day, after in AFTER:
                legal = after >= (11 if tier == "premier" else 0)
                says = f"{game}: {after} days after its release in {tier}"
                source, found = f"{game}:{line}", state(legal=legal)
                yield Boundary(
                    source,
                    "FFG-LEGAL-DATE",
                    says,
                    found,
                    text,
                    cards,
                    game,
                    day,
                    tier,  # type: ignore[arg-type] # a known tier
                )


def elsewhere() -> Rows:
    """Sources 305 to 307: outside North America the organizer says which day it is."""
    fresh = l5r_decks.deck(conflict="1 Fresh\n" + threes("Plain letter", 39))
    for told, days in (
        ("2018-11-05", (("2018-11-04", False), ("2018-11-05", True), ("2018-11-06", True))),
        ("2018-10-10", (("2018-10-09", False), ("2018-10-10", True), ("2018-10-12", True))),
    ):
        held = {"release": RELEASE, "legal": told}
        cards = l5r_decks.CARDS + l5r_decks.row("Fresh", "event", "conflict", "neutral", **held)
        for day, legal in days:
            for tier in TIERS:
                says = f"first legal on {told} by the organizer, on {day} in {tier}"
                facts: dict[str, Any] = {"clause": "FFG-LEGAL-DATE", "cards": cards}
                facts |= {"date": day, "tier": tier}
                yield l5r_decks.case("305-307", says, legal, fresh, **facts)


def rows() -> Rows:
    for each in (scenarios, custom_terrain, mats, releases, elsewhere):
        yield from each()
