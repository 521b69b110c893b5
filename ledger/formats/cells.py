"""One cell of a card file: its text, and the value that it is for a format's column."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ledger.formats.cards import Card, Value, folded
from ledger.formats.checks.dates import day_problem
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from ledger.formats.format import CardFact

CELL_MAX = 2_000
LABEL_MAX = 60
WHOLE_MAX = 1_000_000

NONE = "-"
"""A cell that says: none, and known to be so."""

NOTHING: dict[str, Value] = {"words": (), "changes": (), "flag": False, "whole": 0}
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
            problem = f"{shown!r} is no whole number up to {WHOLE_MAX:,}" if value is None else ""
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
        return f"{text[:LABEL_MAX]!r} is no change such as `limit+1`"
    if found["limit"] not in known:
        return f"no limit {found['limit']!r}; {nearest(found['limit'], known)}"
    return ""


def changes_of(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the limits that a card moves, and by how much."""
    for part in card.words("changes"):
        if found := _CHANGE.fullmatch(part.lower()):
            yield found["limit"], int(found["by"])
