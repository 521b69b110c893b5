"""Card files as organizers supply them: CSV or JSON, checked cell by cell.

README.md in this folder describes both forms. Every problem of a file is listed at once.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from ledger.errors import InvalidRuleset
from ledger.files.kinds import many_values
from ledger.formats.cards import (
    Card,
    CardFile,
    CardMapping,
    RawCards,
    Value,
    as_text,
    folded,
    from_source,
    mapped,
    parse_mapping,
)
from ledger.formats.checks.legality import day_problem
from ledger.formats.format import load, names
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import either, first_few, nearest

if TYPE_CHECKING:
    from ledger.formats.format import CardFact, Format

CELL_MAX = 2_000
LABEL_MAX = 60
WHOLE_MAX = 1_000_000

MORE_CELLS = "more cells than columns"
"""Value of the column without a name, in a row that has too many cells."""

NONE = "-"
"""A cell that says: none, and known to be so."""

NOTHING: dict[str, Value] = {"words": (), "changes": (), "flag": False}
"""Value of a cell with `NONE`, by kind; an empty text for the other kinds."""

FLAGS = {"yes": True, "no": False, "true": True, "false": False}

_CHANGE = re.compile(r"(?P<limit>[a-z][a-z -]*?) *(?P<by>[+-][0-9]{1,6})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def cell_problem(column: str, text: str) -> Phrase | None:
    """Describe the problem of a cell of any column; return None if the cell is valid."""
    if not column:
        if text == MORE_CELLS:
            return phrase("more cells than columns")
        return phrase("{text}", text=text) if text else None
    if len(text) > CELL_MAX:
        return phrase("more than {most} characters", most=f"{CELL_MAX:,}")
    if found := _CONTROL.search(text):
        return phrase("the control character {character}", character=repr(found[0]))
    if column == "name" and not text:
        return phrase("a card needs a name")
    return None


def value_of(
    fact: CardFact, text: str, limits: Collection[str]
) -> tuple[Value | None, Phrase | None]:
    """A cell's value, None if it is not known, and the problem of the cell."""
    if text == NONE or (not text and fact.empty == "none"):
        return NOTHING.get(fact.kind, ""), None
    if not text:
        return None, None
    shown, problem = text[:LABEL_MAX], None
    value: Value | None = text
    match fact.kind:
        case "whole":
            digits = text.isascii() and text.isdigit() and len(text) <= len(str(WHOLE_MAX))
            value = int(text) if digits and int(text) <= WHOLE_MAX else None
            if value is None:
                problem = phrase(
                    "{written} is not a whole number up to {most}",
                    written=repr(shown),
                    most=f"{WHOLE_MAX:,}",
                )
        case "flag":
            value = FLAGS.get(text.lower())
            if value is None:
                problem = phrase("{written} is neither yes nor no", written=repr(shown))
        case "day":
            problem = day_problem(shown)
        case "text":
            problem = _word_problem(text, fact.values)
        case _:
            value = tuple(" ".join(part.split()) for part in text.split(";") if part.strip())
            check = _change_problem if fact.kind == "changes" else _word_problem
            known = sorted(limits) if fact.kind == "changes" else fact.values
            problem = next(filter(None, (check(part, known) for part in value)), None)
    return (None, problem) if problem else (value, None)


def _word_problem(text: str, known: Collection[str]) -> Phrase | None:
    if not known or folded(text) in map(folded, known):
        return None
    hint = nearest(text[:LABEL_MAX], known)
    return phrase("{written}; {known}", written=repr(text[:LABEL_MAX]), known=hint)


def _change_problem(text: str, known: Collection[str]) -> Phrase | None:
    found = _CHANGE.fullmatch(text.lower())
    if found is None:
        return phrase("{written} is not a change such as `limit+1`", written=repr(text[:LABEL_MAX]))
    if found["limit"] not in known:
        named = found["limit"]
        hint = nearest(named, known)
        return phrase("there is no limit {named}; {known}", named=repr(named), known=hint)
    return None


def changes_of(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the limits that a card moves, and by how much."""
    for part in card.words("changes"):
        if found := _CHANGE.fullmatch(part.lower()):
            yield found["limit"], int(found["by"])


CARD_FILE_BYTES_MAX = 16_000_000
CARDS_MAX = 100_000
COLUMNS_MAX = 200

_BOUNDS = re.compile(r"(?P<least>[0-9]{1,6})(?: *- *(?P<most>[0-9]{1,6}))?")
_KEYS = ("name", "version", "date")
_PRINTING = ("experience", "set", "type")


class _Json(Struct, forbid_unknown_fields=True):
    """A card file in its JSON form."""

    cards: list[dict[str, Any]]
    name: str = ""
    version: str = ""
    date: str = ""
    limits: dict[str, str | int] = field(default_factory=dict)


def read_cards(
    data: bytes, made: Format, file_name: str, mapping: bytes = b"", *, pass_over: bool = False
) -> CardFile:
    """Read a card file for a format; `mapping` says which of its columns are the format's.

    Where `pass_over` is asked for, columns that the format does not know are left out.

    Raises:
        InvalidRuleset: every problem of it, each with its row and column.
    """
    if len(data) > CARD_FILE_BYTES_MAX:
        most = f"{CARD_FILE_BYTES_MAX:,}"
        raise InvalidRuleset(phrase("{file} has more than {most} bytes", file=file_name, most=most))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.start + 1
        raise InvalidRuleset(
            phrase("{file} is not UTF-8 text at byte {place}", file=file_name, place=place)
        ) from None
    try:
        raw = _of_the_format(text, made, mapping, pass_over=pass_over)
    except InvalidRuleset as error:
        raise InvalidRuleset(*(each.within(file_name) for each in error.problems)) from None
    reader = _Cards(made, raw)
    fitting = (key for key in names() if not _Cards(load(key).format, raw).problems)
    if reader.problems and (meant := list(fitting)):
        why = phrase(
            "{file}: this is a card file of {meant}, not of {format}",
            file=file_name,
            meant=either(meant),
            format=made.key,
        )
        raise InvalidRuleset(why)
    cards = CardFile(
        raw.head.get("name") or file_name,
        raw.head.get("version", ""),
        raw.head.get("date", ""),
        hashlib.sha256(data + mapping).hexdigest(),
        tuple(column for column in raw.columns if column in made.by_fact),
        tuple(reader.cards()),
        reader.limits(),
        raw.passed_over,
    )
    found = (problem for check in made.checks for problem in check.card_problems(cards))
    if problems := reader.problems or list(found):
        raise InvalidRuleset(
            *(
                phrase("{file}: {problem}", file=file_name, problem=each)
                for each in first_few(problems)
            )
        )
    return cards


def _of_the_format(text: str, made: Format, mapping: bytes, *, pass_over: bool) -> RawCards:
    """Take a file apart, with the columns of the format."""
    is_json = text.lstrip().startswith(("{", "["))
    foreign = from_source(_any_json(text), made.card_sources) if is_json and not mapping else None
    if foreign is not None:
        raw, source = foreign
        return mapped(raw, source, made.by_fact, known=True)
    raw = _json(text) if is_json else _csv(text)
    if mapping:
        raw = mapped(raw, parse_mapping(mapping, "the mapping file"), made.by_fact, known=False)
    return mapped(raw, CardMapping(ignore=("*",)), made.by_fact, known=True) if pass_over else raw


def _any_json(text: str) -> Any:  # noqa: ANN401 - whatever it holds
    if why := many_values(text.encode("utf-8", "replace")):
        raise InvalidRuleset(why)
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRuleset(phrase("not a card file in JSON: {error}", error=str(error))) from None


def _json(text: str) -> RawCards:
    try:
        held = msgspec.json.decode(text, type=_Json)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRuleset(phrase("not a card file in JSON: {error}", error=str(error))) from None
    columns = dict.fromkeys(name for card in held.cards for name in card)
    rows = [
        (f"card {number}", {name: as_text(card.get(name)) for name in columns})
        for number, card in enumerate(held.cards, start=1)
    ]
    head = {key: getattr(held, key) for key in _KEYS}
    return RawCards(head, {k: str(v) for k, v in held.limits.items()}, list(columns), rows)


def _csv(text: str) -> RawCards:
    head: dict[str, str] = {}
    limits: dict[str, str] = {}
    lines = text.splitlines(keepends=True)
    if len(lines) > CARDS_MAX:
        raise InvalidRuleset(phrase("it has more than {most} lines", most=f"{CARDS_MAX:,}"))
    first = 0
    for first, line in enumerate(lines):  # noqa: B007 - used below
        if line.strip(" ,;\t\r\n") and not line.lstrip('" ').startswith("#"):
            break
        _remark(line, head, limits)
    else:
        raise InvalidRuleset(phrase("the line with the column names is missing"))
    delimiter = max(",;\t", key=lines[first].count)
    reader = csv.reader(io.StringIO("".join(lines[first:])), delimiter=delimiter, strict=True)
    try:
        titles = next(reader)
        if len(titles) > COLUMNS_MAX:
            raise InvalidRuleset(phrase("it has more than {most} columns", most=COLUMNS_MAX))
        columns = [title.strip().lower() for title in titles]
        rows = [_row(first + reader.line_num, columns, cells) for cells in reader if any(cells)]
    except csv.Error as error:
        row = first + reader.line_num
        raise InvalidRuleset(
            phrase("row {row}: not valid CSV: {error}", row=row, error=str(error))
        ) from None
    return RawCards(head, limits, columns, rows)


def _remark(line: str, head: dict[str, str], limits: dict[str, str]) -> None:
    name, colon, value = line.strip().strip('",;\t# ').partition(":")
    key = " ".join(name.lower().split())
    if key in _KEYS and colon:
        head[key] = value.strip()
    elif key.startswith("limit ") and colon:
        limit, text = key.removeprefix("limit "), value.strip()
        before = limits.get(limit, text)
        limits[limit] = text if before == text else f"{before} and {text}"  # refused as no limit


def _row(number: int, columns: list[str], cells: list[str]) -> tuple[str, dict[str, str]]:
    named = dict(zip_longest(columns, cells[: len(columns)], fillvalue=""))
    more = {"": MORE_CELLS} if any(cells[len(columns) :]) else {}
    return f"row {number}", named | more


class _Cards:
    """Makes cards out of rows, and collects what is wrong with them."""

    def __init__(self, made: Format, raw: RawCards) -> None:
        self.made = made
        self.raw = raw
        self.limit_names = {name for check in made.checks for name in check.limits()}
        self.problems = list(self._column_problems())

    def _column_problems(self) -> Iterator[Phrase]:
        known = ["name", *self.made.by_fact]
        required = ["name", *(fact.name for fact in self.made.facts if fact.required)]
        for column in required:
            if column not in self.raw.columns:
                yield phrase("the column {column} is missing", column=column)
        for column in dict.fromkeys(self.raw.columns):
            if column not in known:
                yield phrase(
                    "unknown column {column}; {known}",
                    column=repr(column[:LABEL_MAX]),
                    known=nearest(column, known),
                )
            elif self.raw.columns.count(column) > 1:
                yield phrase("the column {column} appears twice", column=column)
        if self.raw.head.get("date") and (problem := day_problem(self.raw.head["date"])):
            yield phrase("date: {problem}", problem=problem)
        if not self.raw.rows:
            yield phrase("it contains no cards")
        if len(self.raw.rows) > CARDS_MAX:
            yield phrase("it contains more than {most} cards", most=f"{CARDS_MAX:,}")

    def cards(self) -> Iterator[Card]:
        """Yield the cards that can be read; the problems of the others are kept."""
        if self.problems:
            return
        places: dict[tuple[str, ...], str] = {}
        for place, cells in self.raw.rows:
            card = self._card(place, cells)
            printing = ("; ".join(card.values(fact) or ()) for fact in _PRINTING)
            first = places.setdefault((folded(card.name), *map(folded, printing)), place)
            if first != place:
                text = phrase(
                    "{place}: {card} is already in {first}",
                    place=place,
                    card=repr(card.full_name),
                    first=first,
                )
                self.problems.append(text)
            yield card

    def _card(self, place: str, cells: dict[str, str]) -> Card:
        facts: dict[str, Value] = {}
        for column, cell in cells.items():
            text = cell.strip()
            problem = cell_problem(column, text)
            fact = self.made.by_fact.get(column)
            if not problem and fact:
                value, problem = value_of(fact, text, self.limit_names)
                if value is not None:
                    facts[column] = value
            if problem:
                where = f"{place}, {column}" if column else place
                self.problems.append(phrase("{place}: {problem}", place=where, problem=problem))
        return Card(" ".join(cells.get("name", "").split()), facts, place)

    def limits(self) -> dict[str, tuple[int, int]]:
        """The limits that the file supplies, least and most."""
        found: dict[str, tuple[int, int]] = {}
        for name, text in self.raw.limits.items():
            bounds = _BOUNDS.fullmatch(text)
            least = int(bounds["least"]) if bounds else 1
            most = int(bounds["most"] or least) if bounds else 0
            if least > most:
                problem = phrase(
                    "limit {name}: {written} is not a number or a range such as `1-2`",
                    name=name,
                    written=repr(text[:LABEL_MAX]),
                )
                self.problems.append(problem)
            found[" ".join(name.casefold().split())] = (least, most)
        return found
