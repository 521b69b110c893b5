"""Which card a name in a list stands for, or why that is not clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ledger.formats.cards import VERSION, Card, CardFile, folded
from ledger.formats.case import Where, matches, some
from ledger.formats.versions import level_of, split_level
from ledger.rulesets.words import nearest

TELLING = ("set", "type", "owner", "ring")
"""The facts that distinguish cards of one name in a list, in parentheses."""


_FORMATION = re.compile(
    r"(?P<name>\S.*) \((?:(?P<wide>[1-9][0-9]?)x(?P<deep>[1-9][0-9]?)|1 tray)\)"
)


class Room(NamedTuple):
    """What belongs into a section of a list, and into those it could be confused with."""

    where: Where
    beside: tuple[Where, ...] = ()
    read: frozenset[str] = frozenset()
    """What checks read of a card but for its day: cards that are equal in it are one."""


def find(cards: CardFile, room: Room, written: str, *, offer: bool) -> tuple[Card | None, str]:
    """Return the one card that a name stands for, or why it is not clear.

    Where cards of the name belong into the section, the others are not meant; but for words of a
    name, which are no name while a card of the sections beside has them too.
    """
    whole = called(cards, written) or _printed(cards, called, written)
    found = whole or _printed(cards, like, written) or like(cards, written)
    if not found and (name := _without_sign(written) or _in_trays(written)):
        return find(cards, room, name, offer=offer)
    candidates = _belonging(found, (room.where,))
    if candidates and not whole:
        candidates += [each for each in _belonging(found, room.beside) if each not in candidates]
    candidates = candidates or found
    if len({_read(card, room.read) for card in candidates}) == 1:
        return min(candidates, key=_first_day), ""
    if candidates:
        return None, f"{written!r} could be several cards: {some(_distinguished(candidates))}"
    close = nearest(written, (card.full_name for card in cards.cards)) if offer else ""
    hint = f"; {close}" if close.startswith("did") else ""
    return None, f"no card {written!r} in {cards.name}{hint}"


def called(cards: CardFile, written: str) -> list[Card]:
    """The cards of exactly that name; of several versions the one without any, alone."""
    name, (title, level) = folded(written), split_level(written)
    of_name, of_title = cards.by_name.get(name, []), cards.by_name.get(title, [])
    exact = [card for card in of_name if folded(card.full_name) == name]
    at_level = [card for card in of_title if level_of(card.text(VERSION)) == level]
    return exact or at_level or of_name


def like(cards: CardFile, written: str) -> list[Card]:
    """The cards whose names hold every word that was written, at the level that was written."""
    title, level = split_level(written)
    words, is_said = set(title.split()), title != folded(written)
    rarest = min((cards.by_word.get(word, []) for word in words), key=len, default=[])
    return [
        card
        for known, card in rarest
        if words <= known and (not is_said or level == level_of(card.text(VERSION)))
    ]


def _printed(
    cards: CardFile, by: Callable[[CardFile, str], list[Card]], written: str
) -> list[Card]:
    """The cards meant by `Name (Set)`, `Name (Type)` or `(Set)`: the parentheses tell them."""
    if not written.endswith(")"):
        return []
    name, _, printing = written[:-1].rpartition("(")
    wanted = folded(printing)
    return [
        card
        for card in (by(cards, name) if name.strip() else cards.cards)
        if wanted in {folded(each) for fact in TELLING for each in card.values(fact) or ()}
    ]


def _without_sign(written: str) -> str:
    """The name behind an X that stands by itself: in `3 X Guards` it is a sign."""
    sign, _, name = written.partition(" ")
    return name.strip() if sign in {"X", "x"} else ""


def _in_trays(written: str) -> str:
    """The name with its formation as a number of trays, and that of one tray without it."""
    found = _FORMATION.fullmatch(written)
    if found is None:
        return ""
    if found["wide"] is None:
        return found["name"]
    trays = int(found["wide"]) * int(found["deep"])
    return f"{found['name']} ({trays} tray{'s' if trays > 1 else ''})"


def _belonging(found: list[Card], rooms: Iterable[Where]) -> list[Card]:
    return [card for card in found if any(matches(card, where) for where in rooms)]


def _read(card: Card, facts: frozenset[str]) -> tuple[object, ...]:
    return folded(card.full_name), *(card.facts.get(fact) for fact in sorted(facts))


def _first_day(card: Card) -> str:
    """The day of a product, by which the first one is found; unknown ones are last."""
    return card.text("legal") or card.text("release") or "9999"


def _distinguished(candidates: list[Card]) -> list[str]:
    """Name cards; those of one name with the first fact that distinguishes them."""
    names = [card.full_name for card in candidates]
    for fact in TELLING:
        if len(set(names)) < len(names):
            names = [
                name if names.count(name) == 1 else _with_fact(card, fact)
                for name, card in zip(names, candidates, strict=True)
            ]
    return list(dict.fromkeys(names))


def _with_fact(card: Card, fact: str) -> str:
    values = ", ".join(card.values(fact) or ())
    return f"{card.full_name} ({values})" if values else card.full_name
