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
from ledger.rulesets.toml_files import first_few, nearest

if TYPE_CHECKING:
    from ledger.formats.format import CardFact, Format

CELL_MAX = 2_000
LABEL_MAX = 60
WHOLE_MAX = 1_000_000

NONE = "-"
"""A cell that says: none, and known to be so."""

NOTHING: dict[str, Value] = {"words": (), "changes": (), "flag": False}
"""What none is, by kind; for the others it is an empty text."""

FLAGS = {"yes": True, "no": False, "true": True, "false": False}

_CHANGE = re.compile(r"(?P<limit>[a-z][a-z -]*?) *(?P<by>[+-][0-9]{1,6})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def cell_problem(column: str, text: str) -> str:
    """Say what is wrong with a cell of any column; empty where nothing is."""
    if not column:
        return text
    if len(text) > CELL_MAX:
        return f"more than {CELL_MAX:,} characters"
    if found := _CONTROL.search(text):
        return f"the control character {found[0]!r}"
    if column == "name" and not text:
        return "a card needs a name"
    return ""


def value_of(fact: CardFact, text: str, limits: Collection[str]) -> tuple[Value | None, str]:
    """A cell's value, none where it is not known, and what is wrong with it."""
    if text == NONE or (not text and fact.empty == "none"):
        return NOTHING.get(fact.kind, ""), ""
    if not text:
        return None, ""
    shown, problem = text[:LABEL_MAX], ""
    value: Value | None = text
    match fact.kind:
        case "whole":
            digits = text.isascii() and text.isdigit() and len(text) <= len(str(WHOLE_MAX))
            value = int(text) if digits and int(text) <= WHOLE_MAX else None
            problem = (
                f"{shown!r} is not a whole number up to {WHOLE_MAX:,}" if value is None else ""
            )
        case "flag":
            value = FLAGS.get(text.lower())
            problem = f"{shown!r} is neither yes nor no" if value is None else ""
        case "day":
            problem = day_problem(shown)
        case "text":
            problem = _word_problem(text, fact.values)
        case _:
            value = tuple(" ".join(part.split()) for part in text.split(";") if part.strip())
            check = _change_problem if fact.kind == "changes" else _word_problem
            known = sorted(limits) if fact.kind == "changes" else fact.values
            problem = next(filter(None, (check(part, known) for part in value)), "")
    return (None, problem) if problem else (value, "")


def _word_problem(text: str, known: Collection[str]) -> str:
    if not known or folded(text) in map(folded, known):
        return ""
    return f"{text[:LABEL_MAX]!r}; {nearest(text[:LABEL_MAX], known)}"


def _change_problem(text: str, known: Collection[str]) -> str:
    found = _CHANGE.fullmatch(text.lower())
    if found is None:
        return f"{text[:LABEL_MAX]!r} is not a change such as `limit+1`"
    if found["limit"] not in known:
        return f"there is no limit {found['limit']!r}; {nearest(found['limit'], known)}"
    return ""


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
        raise InvalidRuleset(f"{file_name} has more than {CARD_FILE_BYTES_MAX:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRuleset(f"{file_name} is not UTF-8 text at byte {error.start + 1}") from None
    try:
        raw = _of_the_format(text, made, mapping, pass_over=pass_over)
    except InvalidRuleset as error:
        raise InvalidRuleset(*(f"{file_name}: {each}" for each in error.problems)) from None
    reader = _Cards(made, raw)
    fitting = (key for key in names() if not _Cards(load(key).format, raw).problems)
    if reader.problems and (meant := " or ".join(fitting)):
        raise InvalidRuleset(f"{file_name}: this is a card file of {meant}, not of {made.key}")
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
        raise InvalidRuleset(*(f"{file_name}: {each}" for each in first_few(problems)))
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
        raise InvalidRuleset(f"it {why}")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRuleset(f"not a card file in JSON: {error}") from None


def _json(text: str) -> RawCards:
    try:
        held = msgspec.json.decode(text, type=_Json)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidRuleset(f"not a card file in JSON: {error}") from None
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
        raise InvalidRuleset(f"it has more than {CARDS_MAX:,} lines")
    first = 0
    for first, line in enumerate(lines):  # noqa: B007 - used below
        if line.strip(" ,;\t\r\n") and not line.lstrip('" ').startswith("#"):
            break
        _remark(line, head, limits)
    else:
        raise InvalidRuleset("the line with the column names is missing")
    delimiter = max(",;\t", key=lines[first].count)
    reader = csv.reader(io.StringIO("".join(lines[first:])), delimiter=delimiter, strict=True)
    try:
        titles = next(reader)
        if len(titles) > COLUMNS_MAX:
            raise InvalidRuleset(f"it has more than {COLUMNS_MAX} columns")
        columns = [title.strip().lower() for title in titles]
        rows = [_row(first + reader.line_num, columns, cells) for cells in reader if any(cells)]
    except csv.Error as error:
        raise InvalidRuleset(f"row {first + reader.line_num}: not valid CSV: {error}") from None
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
    more = {"": "more cells than columns"} if any(cells[len(columns) :]) else {}
    return f"row {number}", named | more


class _Cards:
    """Makes cards out of rows, and collects what is wrong with them."""

    def __init__(self, made: Format, raw: RawCards) -> None:
        self.made = made
        self.raw = raw
        self.limit_names = {name for check in made.checks for name in check.limits()}
        self.problems = list(self._column_problems())

    def _column_problems(self) -> Iterator[str]:
        known = ["name", *self.made.by_fact]
        required = ["name", *(fact.name for fact in self.made.facts if fact.required)]
        for column in required:
            if column not in self.raw.columns:
                yield f"the column {column} is missing"
        for column in dict.fromkeys(self.raw.columns):
            if column not in known:
                yield f"unknown column {column[:LABEL_MAX]!r}; {nearest(column, known)}"
            elif self.raw.columns.count(column) > 1:
                yield f"the column {column} appears twice"
        if self.raw.head.get("date") and (problem := day_problem(self.raw.head["date"])):
            yield f"date: {problem}"
        if not self.raw.rows:
            yield "it contains no cards"
        if len(self.raw.rows) > CARDS_MAX:
            yield f"it contains more than {CARDS_MAX:,} cards"

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
                self.problems.append(f"{place}: {card.full_name!r} is already in {first}")
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
                where = f", {column}" if column else ""
                self.problems.append(f"{place}{where}: {problem}")
        return Card(" ".join(cells.get("name", "").split()), facts, place)

    def limits(self) -> dict[str, tuple[int, int]]:
        """The limits that the file supplies, least and most."""
        found: dict[str, tuple[int, int]] = {}
        for name, text in self.raw.limits.items():
            bounds = _BOUNDS.fullmatch(text)
            least = int(bounds["least"]) if bounds else 1
            most = int(bounds["most"] or least) if bounds else 0
            if least > most:
                shown = repr(text[:LABEL_MAX])
                self.problems.append(
                    f"limit {name}: {shown} is not a number or a range such as `1-2`"
                )
            found[" ".join(name.casefold().split())] = (least, most)
        return found
