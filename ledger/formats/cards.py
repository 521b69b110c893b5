"""Cards: what a card file says about each, and how a name in a list finds its card."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

Value = str | int | bool | tuple[str, ...]

VERSION = "experience"
"""The fact that belongs to a card's full name, where a game has it."""


class Card(Struct, frozen=True):
    """One card with the facts that are known; an empty text is known to be none."""

    name: str
    facts: Mapping[str, Value]
    place: str = ""

    @property
    def full_name(self) -> str:
        """The name with the version, as `Aki Experienced 2`."""
        return f"{self.name} {self.text(VERSION)}".rstrip()

    def text(self, fact: str) -> str:
        """A fact as text; empty where it is not known or none."""
        value = self.facts.get(fact, "")
        return value if isinstance(value, str) else ""

    def words(self, fact: str) -> tuple[str, ...]:
        """A fact that is a list of words; none where it is not known."""
        value = self.facts.get(fact, ())
        return value if isinstance(value, tuple) else ()

    def whole(self, fact: str) -> int | None:
        """A fact as a number; none where it is not known."""
        value = self.facts.get(fact)
        return value if isinstance(value, int) else None

    def values(self, fact: str) -> tuple[str, ...] | None:
        """A fact as texts to compare with; none where it is not known."""
        value = self.facts.get(fact)
        return value if value is None or isinstance(value, tuple) else (as_text(value),)


class CardFile(Struct, frozen=True, dict=True):
    """The card file of an organizer; its version and date say which text the checks follow.

    `limits` are numbers that the game's rules give and the regulations do not: least and most.
    """

    name: str
    version: str
    date: str
    sha256: str
    facts: tuple[str, ...]
    cards: tuple[Card, ...]
    limits: Mapping[str, tuple[int, int]]
    passed_over: tuple[str, ...] = ()
    """Columns of the file that were left out."""

    @cached_property
    def by_name(self) -> dict[str, list[Card]]:
        """The cards by their whole names and by their titles, folded."""
        found: dict[str, list[Card]] = {}
        for card in self.cards:
            for name in {folded(card.full_name), folded(card.name)}:
                found.setdefault(name, []).append(card)
        return found

    @cached_property
    def by_word(self) -> dict[str, list[tuple[frozenset[str], Card]]]:
        """The cards and all their words by each word of their whole names, folded."""
        found: dict[str, list[tuple[frozenset[str], Card]]] = {}
        for card in self.cards:
            words = frozenset(folded(card.full_name).split())
            for word in words:
                found.setdefault(word, []).append((words, card))
        return found


NO_CARDS = CardFile("", "", "", "", (), (), {})
"""Where nobody has a card file: nothing is known of any card."""

_SAME_LETTER = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2013": "-", "\u2014": "-"})


def folded(name: str) -> str:
    """A name to compare by: without case, accents, kinds of quotes and doubled spaces."""
    apart = unicodedata.normalize("NFKD", name.translate(_SAME_LETTER))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(bare.replace(" - ", " ").casefold().split())


def as_text(value: Any) -> str:  # noqa: ANN401 - whatever a JSON file holds
    """A value of a JSON file as it would stand in a CSV cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(as_text(each) for each in value)
    return "" if value is None else str(value)
