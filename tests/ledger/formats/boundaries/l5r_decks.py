"""Two decks, a stronghold, five provinces and a role: each number of the source from both sides."""

from __future__ import annotations

from itertools import permutations

from tests.ledger.formats.boundaries.table import (
    Boundary,
    Rows,
    State,
    Verdict,
    lines,
    state,
    threes,
)

RINGS = ("air", "earth", "fire", "water", "void")
CLANS = ("neutral", "Heron", "Otter", "Fox")
HEAD = "name,type,deck,clan,set,release,legal,influence,allowance,ring,clans,changes\n"
PLAYER = "Player: Ann Lee\nSleeves dynasty: matte green\nSleeves conflict: matte black\n"


def row(name: str, kind: str, deck: str, clan: str, **facts: str) -> str:
    """A line of the card file."""
    held = {"set": "First Light", "release": "2017-10-05", "influence": "-"} | facts
    further = ("set", "release", "legal", "influence", "allowance", "ring", "clans", "changes")
    return ",".join([name, kind, deck, clan, *(held.get(each, "") for each in further)]) + "\n"


def _cards() -> str:
    text = HEAD + "".join(
        row(f"Hall of {clan} {allowance}", "stronghold", "-", clan, allowance=str(allowance))
        for clan in CLANS[1:]
        for allowance in (0, 1, 5, 10, 12)
    )
    for ring in RINGS:
        text += "".join(
            row(f"{place} {ring} of {clan}", "province", "-", clan, ring=ring)
            for clan in CLANS
            for place in ("First", "Second")
        )
    for n in range(21):
        text += row(f"Plain rider {n:02}", "character", "dynasty", "neutral")
        text += row(f"Plain letter {n:02}", "event", "conflict", "neutral")
    for clan in CLANS:
        text += row(f"Rider of {clan}", "character", "dynasty", clan)
        text += row(f"Farm of {clan}", "holding", "dynasty", clan)
        for cost in range(7):
            text += row(f"Letter {cost} of {clan}", "event", "conflict", clan, influence=str(cost))
        for n in range(5):
            text += row(f"Scout {n} of {clan}", "character", "conflict", clan, influence="0")
    text += row("Two Faces", "character", "dynasty", "neutral")
    text += row("Two Faces", "event", "conflict", "neutral")
    for product in ("Early Frost", "Late Frost"):
        text += row("Old Song", "event", "conflict", "neutral", set=product)
    text += row("Warden of Heron", "role", "-", "neutral", clans="Heron")
    text += row("Warden of Otter", "role", "-", "neutral", clans="Otter")
    text += row("Warden of both", "role", "-", "neutral", clans="Heron; Otter")
    text += row("Warden unknown", "role", "-", "neutral")
    text += row("Keeper of gifts", "role", "-", "neutral", clans="Heron", changes="influence+3")
    text += row("Kestrel over the bay", "event", "conflict", "neutral")
    text += row("Bridge of morning", "event", "conflict", "neutral", set="Early Frost")
    return text + row("Bridge of evening", "event", "conflict", "neutral", set="Late Frost")


CARDS = _cards()
FIVE = tuple(f"First {ring} of neutral" for ring in RINGS)


def deck(**parts: str) -> str:
    """A legal list but for the parts that are given; an empty part leaves its section out."""
    held = {
        "Stronghold": lines("Hall of Heron 10"),
        "Role": "",
        "Provinces": lines(*FIVE),
        "Dynasty": threes("Plain rider", 40),
        "Conflict": threes("Plain letter", 40),
    } | {name.capitalize(): text for name, text in parts.items() if name != "head"}
    sections = "".join(f"\n{name}\n{text}" for name, text in held.items() if text)
    return parts.get("head", PLAYER) + sections


def case(line: str, says: str, legal: Verdict, text: str, **facts: object) -> Boundary:
    """A row of L5R-DECK, unless another clause is given."""
    found: State = state(legal=legal) if isinstance(legal, bool) else legal
    held: dict[str, object] = {"clause": "L5R-DECK", "cards": CARDS} | facts
    return Boundary(f"l5r:{line}", says=says, state=found, text=text, named="l5r", **held)  # type: ignore[arg-type] # its fields


def sizes() -> Rows:
    for n in (1, 20, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 60):
        legal = 40 <= n <= 45
        yield case("171", f"dynasty {n}", legal, deck(dynasty=threes("Plain rider", n)))
        yield case("173", f"conflict {n}", legal, deck(conflict=threes("Plain letter", n)))
    for one, other in ((39, 39), (39, 40), (40, 46), (45, 45), (46, 39), (46, 45), (45, 40)):
        both = deck(dynasty=threes("Plain rider", one), conflict=threes("Plain letter", other))
        legal = one in range(40, 46) and other in range(40, 46)
        yield case("171-174", f"dynasty {one}, conflict {other}", legal, both)


def clans() -> Rows:
    for house in ("Heron", "Otter", "Fox"):
        hall = lines(f"Hall of {house} 10")
        for clan in CLANS:
            for copies in (1, 3):
                for kind in ("Rider", "Farm"):
                    card = f"{copies} {kind} of {clan}\n" + threes("Plain rider", 40 - copies)
                    says = f"dynasty of {house} with {copies} {kind} of {clan}"
                    text = deck(stronghold=hall, dynasty=card)
                    yield case("172", says, clan in {"neutral", house}, text)


def influence() -> Rows:
    for allowance in (0, 1, 5, 10, 12):
        hall = lines(f"Hall of Heron {allowance}")
        for spent in {max(0, allowance - 1), allowance, allowance + 1, allowance + 2}:
            gifts = bought("Otter", spent)
            text = deck(
                stronghold=hall, conflict=gifts + threes("Plain letter", 40 - copies(gifts))
            )
            yield case("175", f"influence {spent} of {allowance}", spent <= allowance, text)
    for own in ("Heron", "neutral"):
        text = deck(conflict="3 Letter 6 of " + own + "\n" + threes("Plain letter", 37))
        yield case("174", f"18 influence of {own} cards is not out of clan", "passes", text)
    for count, cost in ((3, 3), (3, 4), (2, 5), (2, 6)):
        text = deck(
            conflict=f"{count} Letter {cost} of Otter\n" + threes("Plain letter", 40 - count)
        )
        yield case("175", f"{count} copies of cost {cost}", count * cost <= 10, text)
    for pair in permutations(("Otter", "Fox")):
        two = "".join(f"1 Letter 1 of {clan}\n" for clan in pair) + threes("Plain letter", 38)
        yield case("175", f"out of clan from {pair[0]} and {pair[1]}", "breaks", deck(conflict=two))
    for clan in ("Otter", "Fox"):
        one = f"1 Letter 1 of {clan}\n1 Letter 2 of {clan}\n" + threes("Plain letter", 38)
        yield case("175", f"out of clan from {clan} alone", "passes", deck(conflict=one))


def bought(clan: str, spent: int) -> str:
    """Cards of a clan that cost so much together, at most one line of each cost."""
    text = ""
    for cost in (6, 5, 4, 3, 2, 1):
        if cost <= spent:
            text, spent = text + f"1 Letter {cost} of {clan}\n", spent - cost
    return text or f"1 Letter 0 of {clan}\n"


def copies(text: str) -> int:
    return sum(int(each.split()[0]) for each in text.splitlines())


def scouts(clan: str, n: int) -> str:
    """So many characters of the conflict deck, three copies of each."""
    held = "".join(f"3 Scout {each} of {clan}\n" for each in range(n // 3))
    return held + (f"{n % 3} Scout {n // 3} of {clan}\n" if n % 3 else "")


def characters() -> Rows:
    for clan in ("neutral", "Heron", "Otter"):
        for n in (1, 9, 10, 11, 12):
            text = deck(conflict=scouts(clan, n) + threes("Plain letter", 40 - n))
            yield case("177", f"{n} conflict characters of {clan}", n <= 10, text)
    for own, other in ((5, 5), (5, 6), (6, 5), (7, 3), (8, 3), (1, 10)):
        two = scouts("Heron", own) + scouts("neutral", other)
        text = deck(conflict=two + threes("Plain letter", 40 - own - other))
        says = f"{own} and {other} conflict characters of two kinds"
        yield case("177", says, own + other <= 10, text)


def titles() -> Rows:
    for one in range(6):
        for other in range(6):
            if 1 <= one + other <= 6:
                text = deck(
                    dynasty=(f"{one} Two Faces\n" if one else "") + threes("Plain rider", 40 - one),
                    conflict=(f"{other} Two Faces\n" if other else "")
                    + threes("Plain letter", 40 - other),
                )
                says = f"one title {one} times in dynasty, {other} in conflict"
                yield case("179", says, one + other <= 3, text)
    for one, other in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 3)):
        songs = f"{one} Old Song (Early Frost)\n{other} Old Song (Late Frost)\n"
        text = deck(conflict=songs + threes("Plain letter", 40 - one - other))
        yield case("179", f"one title of two products, {one} and {other}", one + other <= 3, text)
    for n in (2, 3, 4, 5):
        text = deck(conflict="1 Kestrel over the bay\n" * n + threes("Plain letter", 40 - n))
        yield case("179", f"one title on {n} lines", n <= 3, text)


def rows() -> Rows:
    for each in (sizes, clans, influence, characters, titles):
        yield from each()
