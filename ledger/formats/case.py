"""What a check looks at: a list with its cards found, the day and the tier; and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from ledger.events.base import Tier  # noqa: TC001 - msgspec resolves it
from ledger.formats.cards import Card, CardFile, folded
from ledger.formats.play_lists import PlayList, plain
from ledger.rulesets.floor import Scenario  # noqa: TC001 - msgspec resolves it

Where = Mapping[str, tuple[str, ...]]
"""Facts and the values allowed for each; flags are yes and no."""

NAMED_MAX = 5
"""How many cards a finding names."""


class Finding(Struct, frozen=True):
    """What is wrong with a list, or not checked for want of a fact, and the clause for it."""

    clause: str
    text: str
    state: Literal["breaks", "not checked"]


class Entry(Struct, frozen=True):
    """A line of a list; without a card where the name was not found or could be several."""

    section: str
    count: int
    written: str
    notes: Mapping[str, str]
    card: Card | None = None
    is_card: bool = True
    """Whether the line stands for a card at all, and not for a piece of terrain."""

    unit: int = 0
    """Of a unit and of the upgrades it bears: which line of the list it is; 0 for other cards."""

    borne: bool = False
    """Whether it is an upgrade that is listed with its unit."""

    @property
    def shown(self) -> str:
        """The card's whole name, or what was written."""
        return self.card.full_name if self.card else self.written

    @property
    def title(self) -> str:
        """The title that copies are counted by, folded."""
        return folded(self.card.name if self.card else self.written)

    def values(self, fact: str) -> tuple[str, ...] | None:
        """The values of a fact of its card; none where they are not known."""
        return self.card.values(fact) if self.card else None


class Case(Struct, frozen=True):
    """One list at one event, with what the listed cards change in the named limits."""

    listed: PlayList
    cards: CardFile
    entries: tuple[Entry, ...]
    variant: str
    changes: Mapping[str, int]
    date: str = ""
    tier: Tier = "relaxed"
    scenario: Scenario | None = None
    given: tuple[str, ...] | None = None
    """What the player was given out at registration; None where no event says so."""

    def within(self, sections: Iterable[str]) -> list[Entry]:
        """The entries of these sections, in the order of the list."""
        wanted = set(sections)
        return [entry for entry in self.entries if plain(entry.section) in wanted]

    def sorted_out(self, sections: Iterable[str], where: Where) -> tuple[list[Entry], list[Entry]]:
        """The entries of these sections that match, and those whose facts are missing."""
        found: dict[bool | None, list[Entry]] = {True: [], False: [], None: []}
        for entry in self.within(sections):
            found[matches(entry.card, where)].append(entry)
        return found[True], found[None]

    def bounds(self, limit: str, least: int, most: int) -> tuple[int, int]:
        """Apply the listed cards' changes; an exact number moves whole, else its upper end."""
        change = self.changes.get(limit, 0)
        return (least + change, most + change) if least == most else (least, most + change)


def matches(card: Card | None, where: Where) -> bool | None:
    """Whether a card has one of the values of each fact; none where that is not known."""
    verdict: bool | None = True
    for fact, allowed in where.items():
        values = None if card is None else card.values(fact)
        if values is None:
            verdict = None
        elif not {value.casefold() for value in values} & {each.casefold() for each in allowed}:
            return False
    return verdict


def copies(entries: Iterable[Entry]) -> int:
    """How many cards these entries are."""
    return sum(entry.count for entry in entries)


def named(entries: Iterable[Entry]) -> str:
    """Name the cards of entries, each once, in the order of the list."""
    return some(list(dict.fromkeys(entry.shown for entry in entries)))


def some(names: list[str]) -> str:
    """Name the first few, and how many more there are."""
    more = len(names) - NAMED_MAX
    return ", ".join(names[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")


def known_facts(entries: Iterable[Entry], fact: str) -> Iterator[tuple[Entry, tuple[str, ...]]]:
    """Yield the entries whose fact is known, with its values."""
    for entry in entries:
        if (values := entry.values(fact)) is not None:
            yield entry, values


def without_fact(entries: Iterable[Entry], fact: str) -> list[Entry]:
    """The entries whose fact is not known."""
    return [entry for entry in entries if entry.values(fact) is None]
