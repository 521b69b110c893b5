"""Names of cards: the card that a name stands for, and the versions that count as one card.

A node is one card for deck construction: title, the line of versions it belongs to if one title
has several, type and experience level. `Identities` joins the nodes that count as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ledger.formats.cards import VERSION, Card, CardFile, folded
from ledger.formats.case import Where, matches, some
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Line, Part, nearest

_WORD = r"(?:in|non-? ?)?exp(?:erienced)?"
_LEVEL = re.compile(
    rf"(?P<title>.+?)(?: \(?(?P<level>{_WORD}(?: ?[0-9]{{0,3}}(?: ?(?:kyd|com))?))\)?)?"
)
_PARTS = re.compile(r"(?P<before>in|non-?)?exp(?:erienced)?(?P<number>[0-9]*)(?P<line>kyd|com)?")


class Version(Part, frozen=True):
    """One of several lines of versions under one title, and how to know its cards."""

    label: Line
    printings: tuple[Line, ...] = ()
    levels: tuple[Line, ...] = ()
    keywords: tuple[Line, ...] = ()
    titles: tuple[Line, ...] = ()
    rest: bool = False
    """Every card of the title that no other line claims."""


class Distinct(Part, frozen=True):
    """A title that different cards of one type share."""

    title: Line
    lines: tuple[Version, ...]


class Node(NamedTuple):
    """One card for deck construction; all four are folded."""

    title: str
    line: str
    type: str
    level: str


def split_level(text: str) -> tuple[str, str]:
    """Split a full name into title and level, both folded; without one it is not experienced."""
    found = _LEVEL.fullmatch(folded(text))
    if found is None:
        return "", ""
    return found["title"], level_of(found["level"] or "")


def level_of(text: str) -> str:
    """A level in one spelling, whichever the file or the list has; empty: not experienced."""
    level = folded(text).replace(" ", "")
    found = _PARTS.fullmatch(level)
    if found is None:
        return level
    if found["before"]:
        return "inexperienced" if found["before"] == "in" else ""
    number = found["number"].lstrip("0")
    return f"experienced{'' if number == '1' else number}{found['line'] or ''}"


def rank_of(level: str) -> int:
    """The place of a level in its line; the letters after a number do not move it."""
    if level == "inexperienced":
        return -1
    found = _PARTS.fullmatch(level)
    return int((found and found["number"]) or 1) if level else 0


class Lines:
    """Finds the line of versions that a card belongs to."""

    def __init__(self, distinct: Iterable[Distinct]) -> None:
        self.by_title: dict[str, Distinct] = {}
        for each in distinct:
            for title in (each.title, *(name for line in each.lines for name in line.titles)):
                self.by_title[folded(title)] = each

    def of(self, card: Card) -> tuple[str, str] | None:
        """Title and label of a card's line; none where the facts that tell it are missing."""
        title = folded(card.name)
        distinct = self.by_title.get(title)
        if distinct is None:
            return title, ""
        line = _line(card, title, distinct)
        return (folded(distinct.title), line.label) if line else None

    def named(self, text: str) -> list[tuple[str, str]]:
        """The lines meant by `Title` or `Title (label)`; several where the text does not tell."""
        plain, label = _labelled(text)
        distinct = self.by_title.get(folded(plain))
        if distinct is None:
            return [(folded(text), "")]
        lines = [one for one in distinct.lines if not label or folded(one.label) == folded(label)]
        own = [line for line in lines if folded(plain) in map(folded, line.titles)]
        return [(folded(distinct.title), line.label) for line in own or lines]


def _labelled(text: str) -> tuple[str, str]:
    """Split `Title (label)`; a level in parentheses is no label."""
    plain, _, label = text.removesuffix(")").partition(" (")
    is_label = text.endswith(")") and not _PARTS.fullmatch(folded(label).replace(" ", ""))
    return (plain, label) if is_label else (text, "")


def _line(card: Card, title: str, distinct: Distinct) -> Version | None:
    level = level_of(card.text(VERSION))
    for line in distinct.lines:
        if title in map(folded, line.titles) or level in map(level_of, line.levels):
            return line
    for fact, known_by in (("keywords", "keywords"), ("set", "printings")):
        values = {line: set(map(folded, getattr(line, known_by))) for line in distinct.lines}
        held = card.values(fact)
        if any(values.values()) and held is None:
            return None
        for line in distinct.lines:
            if values[line] & set(map(folded, held or ())):
                return line
    return next((line for line in distinct.lines if line.rest), None)


class Identities:
    """Joins nodes that count as one card, and tells whose nodes are joined."""

    def __init__(self, lines: Lines, cards: Iterable[Card]) -> None:
        self.lines = lines
        self.parent: dict[Node, Node] = {}
        self.granted: dict[tuple[str, str, str], list[tuple[int, tuple[str, ...]]]] = {}
        self.cards = tuple(cards)
        for card in self.cards:
            own = lines.of(card)
            if own is not None and card.words("alternate"):
                level = rank_of(level_of(card.text(VERSION)))
                place = (*own, folded(card.text("type")))
                self.granted.setdefault(place, []).append((level, card.words("alternate")))

    def titles(self, card: Card) -> list[tuple[str, str]]:
        """Every title that a card has: its own, its alternates and those of its line, below it."""
        own = self.lines.of(card)
        if own is None:
            return []
        level, kind = rank_of(level_of(card.text(VERSION))), folded(card.text("type"))
        found = [own]
        waiting = [line for title in card.words("alternate") for line in self.lines.named(title)]
        for place in found:
            waiting += [
                line
                for below, titles in self.granted.get((*place, kind), ())
                if below <= level
                for title in titles
                for line in self.lines.named(title)
            ]
            found += [each for each in dict.fromkeys(waiting) if each not in found]
        return found

    def nodes(self, card: Card) -> list[Node]:
        """The nodes of a card: one for each of its titles, at its level."""
        level, kind = level_of(card.text(VERSION)), folded(card.text("type"))
        return [Node(*title, kind, level) for title in self.titles(card)]

    def join(self, nodes: Iterable[Node]) -> None:
        """Let these count as one card."""
        roots = [self.root(node) for node in nodes]
        for root in roots[1:]:
            self.parent[self.root(root)] = self.root(roots[0])

    def root(self, node: Node) -> Node:
        """The node that stands for all that count as one with this one."""
        path = []
        while (above := self.parent.get(node, node)) != node:
            path.append(node)
            node = above
        for each in path:
            self.parent[each] = node
        return node


def referred(lines: Lines, text: str, kind: str, level: str | None = None) -> Iterator[Node]:
    """Yield the node that a full name stands for; nothing where it could be several.

    `level` is used instead of the text's own.
    """
    base, label = _labelled(text)
    title, own = split_level(base)
    if not title:
        return
    named = lines.named(f"{title} ({label})" if label else title)
    if len(named) == 1:
        yield Node(*named[0], folded(kind), own if level is None else level)


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


def find(
    cards: CardFile, room: Room, written: str, *, offer: bool
) -> tuple[Card | None, Phrase | None]:
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
        return min(candidates, key=_first_day), None
    if candidates:
        several = some(_distinguished(candidates))
        return None, phrase(
            "{written} could be several cards: {cards}", written=repr(written), cards=several
        )
    close = nearest(written, (card.full_name for card in cards.cards)) if offer else ""
    if str(close).startswith("did"):
        return None, phrase(
            "no card {written} in {file}; {known}",
            written=repr(written),
            file=cards.name,
            known=close,
        )
    return None, phrase("no card {written} in {file}", written=repr(written), file=cards.name)


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
