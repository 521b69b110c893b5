"""The format as data: sections, card facts, checks and rules; the shipped formats."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ledger.errors import NotFound, Refused
from ledger.facts.shared import Document
from ledger.formats.cards import VERSION, ForeignCards
from ledger.formats.case import FactName
from ledger.formats.checks import AnyCheck
from ledger.formats.play_lists import Shape, plain, read_part
from ledger.problems import Phrase, phrase
from ledger.rulesets.ruleset import Interpretation
from ledger.rulesets.toml_files import (
    Clause,
    Edition,
    Key,
    Line,
    Name,
    Part,
    TomlFiles,
    nearest,
    place,
    twice,
)


class CardFact(Part, frozen=True):
    """A column of the card file; an empty cell is a fact not known, or known to be none.

    Words are several texts, apart by semicolons; changes (limit+1, limit-1) likewise.
    """

    name: FactName
    kind: Literal["text", "words", "whole", "flag", "day", "changes"]
    meaning: Line
    required: bool = False
    empty: Literal["unknown", "none"] = "unknown"
    values: tuple[Line, ...] = ()


class Section(Part, frozen=True):
    """A part of a list; a numbered one may be there several times, as group 1 and group 2."""

    name: Name
    meaning: Line
    numbered: bool = False
    cards: bool = True
    """Whether its lines are names of cards in the card file."""

    changing: bool = False
    """Whether the changes of its cards move limits."""

    bears: Name | None = None
    """The section whose cards stand below the lines of this one, as upgrades of their unit."""

    hidden: Clause | None = None
    """The clause by which opponents may not see it while the event runs; none: it is open."""

    also: tuple[Name, ...] = ()
    """Other headings that players and their tools write for it."""

    parts: tuple[Name, ...] = ()
    """Headings of kinds of cards within it; several of them may follow one another."""

    ends: tuple[Name, ...] = ()
    """Words that a tool sets behind a name, and that are no part of it."""

    bare: bool = False
    """Whether a name without a number is one copy."""

    row: Literal["pips", "plain"] | None = None
    """Whether a tool writes its cards on one line, apart by commas: with pips, or without."""


class Variant(Part, frozen=True):
    """One way to play the format; the first one listed is meant where none is named."""

    name: Name
    meaning: Line


class Rule(Part, frozen=True):
    """A rule that is in force in some variants, by agreement in others."""

    name: Line
    clause: Clause
    meaning: Line
    variants: tuple[Name, ...] = ()
    by_agreement: bool = False


class LeftToPeople(Part, frozen=True):
    """What neither a list nor a card file can show: a person sees to it."""

    name: Line
    clause: Clause
    meaning: Line


class Format(Part, frozen=True, dict=True):
    """What a list may hold; `ledger.formats.parse` makes and checks one."""

    key: Key
    edition: Edition
    name: Line
    document: Line
    source: Line
    names_clause: Clause
    """The clause of names that do not tell which card is meant."""

    sections: tuple[Section, ...]
    checks: tuple[AnyCheck, ...]
    deck_check: Clause | None = None
    """The clause by which everything is checked before the first round, list or no list."""

    fixed: Clause | None = None
    """The clause by which what is played stays, so that a correction mends the sheet alone."""

    sorting: tuple[Name, ...] = ()
    """Headings that sort the cards of a section by kind, and open none."""

    apart: tuple[Name, ...] = ()
    """Headings of what tools write and is no part of a list."""

    facts: tuple[CardFact, ...] = ()
    variants: tuple[Variant, ...] = ()
    rules: tuple[Rule, ...] = ()
    left: tuple[LeftToPeople, ...] = ()
    card_sources: tuple[ForeignCards, ...] = ()
    """Card files of others that are read as they are."""

    readings: tuple[Interpretation, ...] = ()

    @cached_property
    def by_section(self) -> dict[str, Section]:
        """The sections by name."""
        return {section.name: section for section in self.sections}

    @cached_property
    def shape(self) -> Shape:
        """What it says of a list's form."""
        bearing = frozenset(section.name for section in self.sections if section.bears)
        return Shape(frozenset(self.by_section), bearing, levels=VERSION in self.by_fact)

    @cached_property
    def hides(self) -> Clause:
        """The clause by which a part of a list is hidden; empty where nothing is."""
        return next((section.hidden for section in self.sections if section.hidden), "")

    def is_open(self, section: str) -> bool:
        """Whether opponents may see a section of a list: one that is known, and not hidden."""
        known = self.by_section.get(section) or self.by_section.get(plain(section))
        return known is not None and known.hidden is None

    @cached_property
    def by_fact(self) -> dict[str, CardFact]:
        """The columns of the card file by name."""
        return {fact.name: fact for fact in self.facts}

    def variant(self, named: str) -> str:
        """Find a variant; the first where none is named, empty where there are none.

        Raises:
            NotFound: no variant has that name.
        """
        names = [variant.name for variant in self.variants]
        if named in names or (not named and not names):
            return named
        if not named:
            return names[0]
        known = nearest(named, names)
        text = phrase(
            "{format} has no variant {named}; {known}",
            format=self.key,
            named=repr(named),
            known=known,
        )
        raise NotFound(text)

    def in_force(self, variant: str) -> list[AnyCheck]:
        """The checks of a variant, in the file's order."""
        return [check for check in self.checks if not check.variants or variant in check.variants]

    def rules_of(self, variant: str) -> list[Rule]:
        """The rules in force in a variant; those by agreement are last."""
        found = [rule for rule in self.rules if not rule.variants or variant in rule.variants]
        return sorted(found, key=lambda rule: rule.by_agreement)

    def problems(self) -> Iterator[Phrase | str]:
        """Yield every contradiction between the parts, each with its place."""
        for table in ("sections", "facts", "variants"):
            for name in twice(one.name for one in getattr(self, table)):
                yield phrase("{table}: {name} is listed twice", table=table, name=name)
        bearing = tuple(section.bears for section in self.sections if section.bears)
        yield from _unknown("sections", "section", bearing, self.by_section)
        variants = {variant.name for variant in self.variants}
        for number, check in enumerate(self.checks, start=1):
            where = place("checks", number, check.clause)
            yield from (
                phrase("{place}: {problem}", place=where, problem=each) for each in check.problems()
            )
            yield from _unknown(where, "section", check.places(), self.by_section)
            yield from _unknown(where, "fact", check.facts(), self.by_fact)
            yield from _unknown(where, "variant", check.variants, variants)
        for number, rule in enumerate(self.rules, start=1):
            where = place("rules", number, rule.name)
            yield from _unknown(where, "variant", rule.variants, variants)


def _unknown(
    where: str, what: str, names: tuple[str, ...], known: Collection[str]
) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if name not in known:
            yield f"{where}: unknown {what} {name!r}; {nearest(name, sorted(known))}"


FORMAT_BYTES_MAX = 16_000
"""The longest format file: its text shares the opening event's line with the ruleset's."""

FORMATS = TomlFiles("format", Format, FORMAT_BYTES_MAX, Path(__file__).with_name("games"))

names, text_of, parse = FORMATS.names, FORMATS.text_of, FORMATS.parse

SEPARATOR = ":"
"""Between a format's key and a variant of it."""


class LoadedFormat(Struct, frozen=True):
    """A format, the variant in force, and the document that the opening event carries."""

    document: Document
    format: Format
    variant: str


def load(named: str) -> LoadedFormat:
    """Load a format, or a variant of it (KEY:VARIANT), as it ships with the program.

    Raises:
        NotFound: no format has that key, or it has no such variant.
    """
    key, _, variant = named.partition(SEPARATOR)
    return load_text(text_of(key), variant)


def belongs_elsewhere(data: bytes, made: Format) -> str:
    """Return the shipped format that names more of a list's sections; empty where none does."""
    known = _sections_named(data, made)
    for key in names():
        if key != made.key and _sections_named(data, load(key).format) > known:
            return key
    return ""


def _sections_named(data: bytes, made: Format) -> int:
    try:
        listed = read_part(data, made.shape)
    except Refused:
        return 0
    return sum(made.shape.has(name) for name, entries in listed.sections.items() if entries)


def load_text(text: str, variant: str = "") -> LoadedFormat:
    """Make a format and its document from the whole text of a file.

    Raises:
        InvalidRuleset: every problem found.
        NotFound: the format has no such variant.
    """
    parsed = parse(text)
    chosen = parsed.variant(variant)
    key = f"{parsed.key}{SEPARATOR}{chosen}" if chosen else parsed.key
    digest = sha256(text.encode()).hexdigest()
    return LoadedFormat(Document(key, parsed.edition, digest, text), parsed, chosen)


def of_document(document: Document) -> LoadedFormat:
    """Read the format that an opening event carries.

    Raises:
        InvalidRuleset: its text is no format.
        NotFound: it has no variant of that name.
    """
    return load_text(document.text, document.key.partition(SEPARATOR)[2])


def load_file(path: Path, variant: str = "") -> LoadedFormat:
    """Load the format in a user's own file, of at most `FORMAT_BYTES_MAX` bytes.

    Raises:
        NotFound: the file cannot be read, or has no such variant.
        InvalidRuleset: every problem found.
    """
    return load_text(FORMATS.text_in(path), variant)
