"""What every check has: the clause it follows, the variants it is for, and its two answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args

from msgspec import Meta
from msgspec.structs import FieldInfo, fields

from ledger.formats.case import Case, Entry, Finding, named, without_fact
from ledger.rulesets.words import Clause, Name, Part

if TYPE_CHECKING:
    from ledger.formats.cards import CardFile

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

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the check's own data."""
        yield from ()

    def card_problems(self, cards: CardFile) -> Iterator[str]:
        """Yield what is impossible in a card file, whatever a list holds."""
        del cards
        yield from ()

    def derived(self, case: Case) -> Iterator[str]:
        """Yield what the check worked out for a judge to see."""
        del case
        yield from ()

    def breaks(self, text: str, clause: str = "") -> Finding:
        """Say that the list breaks the clause."""
        return Finding(clause or self.clause, text, "breaks")

    def unchecked(self, text: str, clause: str = "") -> Finding:
        """Say that the clause could not be checked."""
        return Finding(clause or self.clause, text, "not checked")

    def lacking(self, fact: str, entries: Iterable[Entry]) -> Iterator[Finding]:
        """Say whose fact is missing, if anyone's is."""
        if missing := without_fact(entries, fact):
            yield self.unchecked(f"{in_words(fact)} not known for {named(missing)}")


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
