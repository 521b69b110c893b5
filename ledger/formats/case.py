"""The case of a check, and the base of all checks.

A case is one list with its cards, the day and the tier of the event. A check has a clause, the
variants of the format that it is for, and its findings on a case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from ledger.facts.base import Tier  # noqa: TC001 - msgspec resolves it
from ledger.formats.cards import Card, CardFile, folded
from ledger.formats.play_lists import PlayList, plain
from ledger.problems import One, Phrase, phrase
from ledger.rulesets.floor import Scenario  # noqa: TC001 - msgspec resolves it
from ledger.rulesets.toml_files import Clause, Name, Part

Where = Mapping[str, tuple[str, ...]]
"""Facts and the values allowed for each; flags are yes and no."""

NAMED_MAX = 5
"""How many cards a finding names."""


class Finding(Struct, frozen=True):
    """What is wrong with a list, or not checked for want of a fact, and the clause for it."""

    clause: str
    text: Phrase
    state: Literal["breaks", "not checked"]

    def as_json(self) -> dict[str, str]:
        """Return it for scripts."""
        return {"clause": self.clause, "text": str(self.text), "state": self.state}


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


def named(entries: Iterable[Entry]) -> One:
    """Name the cards of entries, each once, in the order of the list."""
    return some(list(dict.fromkeys(entry.shown for entry in entries)))


def some(names: Sequence[One]) -> One:
    """Name the first few, and how many more there are."""
    first, more = tuple(names[:NAMED_MAX]), len(names) - NAMED_MAX
    if more > 0:
        return phrase("{names} and {more} more", names=first, more=more)
    return phrase("{names}", names=first)


def known_facts(entries: Iterable[Entry], fact: str) -> Iterator[tuple[Entry, tuple[str, ...]]]:
    """Yield the entries whose fact is known, with its values."""
    for entry in entries:
        if (values := entry.values(fact)) is not None:
            yield entry, values


def without_fact(entries: Iterable[Entry], fact: str) -> list[Entry]:
    """The entries whose fact is not known."""
    return [entry for entry in entries if entry.values(fact) is None]


FactName = Annotated[str, Meta(pattern=r"\A[a-z]+(_[a-z]+)*\Z", max_length=32)]
"""A column of a card file."""

SectionName = Annotated[Name, "a section of the format"]

LimitName = Annotated[Name, "a limit that cards may move"]

Bound = Annotated[int, Meta(ge=0, le=1_000_000)]

NO_LIMIT = 1_000_000


def _tag(name: str) -> str:
    """`TopTwo` is `top-two` in a file."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


class Check(Part, frozen=True, kw_only=True, tag_field="procedure", tag=_tag):
    """A named procedure with the numbers and lists it works with.

    Empty `variants`: in force in all of them.
    """

    clause: Clause
    variants: tuple[Name, ...] = ()

    def findings(self, case: Case) -> Iterator[Finding]:
        """Yield everything that breaks the clause or could not be checked."""
        del case
        raise NotImplementedError

    def clauses(self) -> tuple[str, ...]:
        """The clauses that its findings can be of."""
        return tuple(_named(Clause, type(self), self))

    def limits(self) -> tuple[str, ...]:
        """The names of the limits that a card may change."""
        return tuple(_named(LimitName, type(self), self))

    def facts(self) -> tuple[str, ...]:
        """The columns of the card file that the check reads."""
        return tuple(_named(FactName, type(self), self))

    def places(self) -> tuple[str, ...]:
        """The sections that the check reads."""
        return tuple(_named(SectionName, type(self), self))

    def problems(self) -> Iterator[Phrase]:
        """Yield what is wrong with the check's own data."""
        yield from ()

    def card_problems(self, cards: CardFile) -> Iterator[Phrase]:
        """Yield what is impossible in a card file, whatever a list holds."""
        del cards
        yield from ()

    def derived(self, case: Case) -> Iterator[Phrase]:
        """Yield what the check worked out for a judge to see."""
        del case
        yield from ()

    def breaks(self, text: Phrase, clause: str = "") -> Finding:
        """Say that the list breaks the clause."""
        return Finding(clause or self.clause, text, "breaks")

    def unchecked(self, text: Phrase, clause: str = "") -> Finding:
        """Say that the clause could not be checked."""
        return Finding(clause or self.clause, text, "not checked")

    def lacking(self, fact: str, entries: Iterable[Entry]) -> Iterator[Finding]:
        """Say whose fact is missing, if anyone's is."""
        if missing := without_fact(entries, fact):
            yield self.unchecked(
                phrase("{facts} not known for {cards}", facts=in_words(fact), cards=named(missing))
            )


class OfSections(Check, frozen=True, kw_only=True):
    """The base of checks that read the cards of some sections."""

    sections: tuple[SectionName, ...]


class Bounded(OfSections, frozen=True, kw_only=True):
    """The base of checks that hold sections to bounds; a card may move them by the limit's name."""

    limit: LimitName = ""


def in_words(fact: str) -> str:
    """A column's name as words."""
    return fact.replace("_", " ")


@cache
def _fields_of(part: type[Part]) -> tuple[FieldInfo, ...]:
    """The fields of a type, whose annotations take long to read."""
    return fields(part)


def _named(kind: Any, declared: Any, value: object) -> Iterator[str]:  # noqa: ANN401 - types
    """Yield the names of a kind in a value, by the type that it is declared with."""
    if declared == kind and isinstance(value, str):
        yield from filter(None, (value,))
    elif isinstance(value, Part):
        for field in _fields_of(type(value)):
            yield from _named(kind, field.type, getattr(value, field.name))
    elif isinstance(value, (tuple, Mapping)):
        for each in value:
            yield from _named(kind, get_args(declared)[0], each)
