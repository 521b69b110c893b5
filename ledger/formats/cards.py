"""Cards, and the columns of a foreign card file that become their facts.

A name in a list finds its card by `CardFile`. A format's file names the foreign card files that it
can read (`[[card_sources]]`); a user's own card file has a mapping next to it, the same table in a
TOML file.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from ledger.errors import InvalidRuleset
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Line, Part, nearest

Value = str | int | bool | tuple[str, ...]
NO_NUMBER = ""
"""The value of a number that a card does not have."""

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
        """Return a fact as a number: 0 for a card without it; None if it is unknown."""
        value = self.facts.get(fact)
        if value == NO_NUMBER:
            return 0
        return value if isinstance(value, int) else None

    def has_no(self, fact: str) -> bool:
        """Whether the card is known to have no number there, which is not the number 0."""
        return self.facts.get(fact) == NO_NUMBER

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


MAPPING_BYTES_MAX = 100_000
COLUMNS_SHOWN = 20


class CardMapping(Part, frozen=True):
    """How the columns of a card file become those of a format.

    `rename`: the file's column, or a way into a member of a member as `pack.id`, and the format's;
    of several for one the first that holds anything counts. `join`: the columns that make a name
    together. `values`: what a value of a column stands for, empty: not known. `skip`: cards with
    such a value are no cards of the game. `ignore`: columns that are passed over; `*`: all others.
    """

    rename: Mapping[Line, Line] = {}
    join: Mapping[Line, tuple[Line, ...]] = {}
    values: Mapping[Line, Mapping[Line, str]] = {}
    skip: Mapping[Line, tuple[Line, ...]] = {}
    ignore: tuple[Line, ...] = ()


class ForeignCards(CardMapping, frozen=True, kw_only=True):
    """A card file that a tool or a site gives out, known by the columns that it has.

    `records`: the member that holds the cards; empty where they are all that there is.
    """

    name: Line
    marks: tuple[Line, ...]
    records: Line | None = None


class RawCards(Struct):
    """A file taken apart, whatever its form: each row is a place in the file and its cells."""

    head: dict[str, str]
    limits: dict[str, str]
    columns: list[str]
    rows: list[tuple[str, dict[str, str]]]
    passed_over: tuple[str, ...] = ()


def parse_mapping(data: bytes, name: str) -> CardMapping:
    """Read a mapping; InvalidRuleset says what is wrong with it."""
    if len(data) > MAPPING_BYTES_MAX:
        most = f"{MAPPING_BYTES_MAX:,}"
        raise InvalidRuleset(phrase("{file} has more than {most} bytes", file=name, most=most))
    try:
        return msgspec.toml.decode(data, type=CardMapping)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        text = phrase("{file} is not a mapping: {error}", file=name, error=str(error))
        raise InvalidRuleset(text) from None


def from_source(
    held: Any,  # noqa: ANN401 - whatever a JSON file holds
    sources: Iterable[ForeignCards],
) -> tuple[RawCards, ForeignCards] | None:
    """Take a JSON value apart that a known source gave out; None for any other."""
    for source in sources:
        records = held.get(source.records) if isinstance(held, dict) and source.records else held
        if not isinstance(records, list) or not records:
            continue
        cards = [each for each in records if isinstance(each, dict)]
        if len(cards) == len(records) and all(set(source.marks) <= set(each) for each in cards):
            return RawCards({"name": source.name}, {}, *_taken(cards, source)), source
    return None


def _taken(
    cards: list[dict[str, Any]], source: ForeignCards
) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
    columns = list(dict.fromkeys(name for card in cards for name in card))
    deep = [way for way in source.rename if "." in way]
    rows = [
        (
            f"card {number}",
            {name: _plain(card.get(name)) for name in columns}
            | {way: "; ".join(_reached(card, way.split("."))) for way in deep},
        )
        for number, card in enumerate(cards, start=1)
    ]
    return [*columns, *deep], rows


def _plain(value: Any) -> str:  # noqa: ANN401 - whatever a JSON file holds
    """A value as a cell; of what has members only those that a way leads to are read."""
    if isinstance(value, dict) or (isinstance(value, list) and any(map(_has_members, value))):
        return ""
    return as_text(value)


def _has_members(value: object) -> bool:
    return isinstance(value, dict | list)


def _reached(value: Any, way: list[str]) -> Iterator[str]:  # noqa: ANN401 - as above
    """Yield what stands at the end of a way through members and lists."""
    if isinstance(value, list):
        for each in value:
            yield from _reached(each, way)
    elif way and isinstance(value, dict):
        yield from _reached(value.get(way[0]), way[1:])
    elif not way and value is not None and not isinstance(value, dict):
        yield as_text(value)


def mapped(raw: RawCards, mapping: CardMapping, facts: Collection[str], *, known: bool) -> RawCards:
    """Return the file with the format's columns, the name and its facts.

    `known`: what the mapping names need not be there.

    Raises:
        InvalidRuleset: every column that the mapping names and that is not there.
    """
    problems = [] if known else list(_not_there(raw, mapping, facts))
    if problems:
        raise InvalidRuleset(*problems)
    taken = {*mapping.rename, *(each for parts in mapping.join.values() for each in parts)}
    own = {"name", *facts}
    others = [each for each in raw.columns if each not in taken and each not in own]
    passed = [each for each in others if each in mapping.ignore or "*" in mapping.ignore]
    rows = [
        (place, cells)
        for place, cells in ((place, _cells(row, mapping, passed)) for place, row in raw.rows)
        if not any(cells.get(column, "") in values for column, values in mapping.skip.items())
    ]
    columns = list(dict.fromkeys(name for _, cells in rows for name in cells))
    return RawCards(raw.head, raw.limits, columns, rows, (*raw.passed_over, *passed))


def _cells(row: dict[str, str], mapping: CardMapping, passed: list[str]) -> dict[str, str]:
    joined = {each for parts in mapping.join.values() for each in parts}
    gone = {*mapping.rename, *joined, *passed}
    cells = {name: text for name, text in row.items() if name not in gone}
    for source, column in mapping.rename.items():
        cells[column] = cells.get(column) or row.get(source, "")
    for column, parts in mapping.join.items():
        cells[column] = " ".join(filter(None, (row.get(each, "").strip() for each in parts)))
    for column, values in mapping.values.items():
        if column in cells:
            words = (values.get(each, each) for each in cells[column].split("; "))
            cells[column] = "; ".join(filter(None, words))
    return cells


def _not_there(raw: RawCards, mapping: CardMapping, facts: Collection[str]) -> Iterator[Phrase]:
    """Yield the columns that a mapping names and that neither side has."""
    sources = (*mapping.rename, *(each for parts in mapping.join.values() for each in parts))
    for name in dict.fromkeys((*sources, *mapping.ignore)):
        if name not in raw.columns and name != "*":
            hint = nearest(name, raw.columns)
            yield phrase(
                "the mapping names a missing column {column}; {known}",
                column=repr(name),
                known=hint,
            )
    own = ["name", *facts]
    for name in dict.fromkeys((*mapping.rename.values(), *mapping.join)):
        if name not in own:
            hint = nearest(name, own)
            yield phrase(
                "the mapping leads to an unknown column {column}; {known}",
                column=repr(name),
                known=hint,
            )
    targets = {*mapping.rename.values(), *mapping.join, *raw.columns}
    for name in dict.fromkeys((*mapping.values, *mapping.skip)):
        if name not in targets:
            hint = nearest(name, sorted(targets))
            yield phrase(
                "the mapping names values of an unknown column {column}; {known}",
                column=repr(name),
                known=hint,
            )
