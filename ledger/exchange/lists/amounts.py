"""Copies and names: the many ways to write that there are three of a card."""

from __future__ import annotations

import re
from typing import NamedTuple

from ledger.formats.play_lists import COUNT_MAX

NAME_MAX = 200

_MARK = re.compile(r"(?P<mark>--|[-\u2013\u2014\u2022\u00b7*+\u25aa\u25cf\u25e6>]{1,4}) *(?=\S)")
_BEFORE = re.compile(
    r"(?:\[(?P<boxed>[0-9]{1,7})\]|(?P<count>[0-9]{1,7})(?:[xX\u00d7]| [x\u00d7])?) (?P<name>\S.*)"
)
_JOINED = re.compile(r"(?P<count>[0-9]{1,7})[x\u00d7](?P<name>[A-Z].*)")
_BEHIND = re.compile(r"(?P<name>.*\S) [x\u00d7] ?(?P<count>[0-9]{1,7})")
_BOXED = re.compile(
    r"(?P<name>.*\S) \((?:[x\u00d7] ?(?P<count>[0-9]{1,7})|(?P<other>[0-9]{1,7}) ?[x\u00d7])\)"
)
_INFLUENCE = re.compile(r" /{1,12}$")
_NOTES = re.compile(r"(?P<name>[^\[\]]*[^\[\] ]) ?\[(?P<notes>[^\[\]]*:[^\[\]]*)\]")
_LETTER = re.compile(r"[^\W_]")


class Amount(NamedTuple):
    """A name with its number of copies; none where the line says no number."""

    name: str
    copies: int | None
    notes: dict[str, str]
    problem: str = ""


def marked(text: str) -> tuple[str, str]:
    """Split off the dash, dot or star that a line begins with."""
    found = _MARK.match(text)
    return (found["mark"], text[found.end() :]) if found else ("", text)


def amount(text: str) -> Amount:
    """Read a number and a name, in whatever order: its problem says what is wrong."""
    text, notes, problem = _noted(_INFLUENCE.sub("", text))
    before = _BEFORE.fullmatch(text) or _JOINED.fullmatch(text)
    counts, name = _split(before, text)
    behind = _BEHIND.fullmatch(name) or _BOXED.fullmatch(name)
    more, name = _split(behind, name)
    counts += more
    if len(counts) > 1:
        problem = "has two numbers of copies"
    count = int(counts[0]) if counts else None
    if count is not None and not 1 <= count <= COUNT_MAX:
        problem = f"{count} copies are outside 1 to {COUNT_MAX}"
    return Amount(name, count, notes, problem or name_problem(name))


def name_problem(name: str) -> str:
    """What keeps a text from being a card's name; empty where nothing does."""
    if len(name) > NAME_MAX:
        return f"a name has at most {NAME_MAX} characters"
    if not _LETTER.search(name) or "[" in name or "]" in name:
        return "is no card's name"
    return ""


def _split(found: re.Match[str] | None, text: str) -> tuple[list[str], str]:
    if found is None:
        return [], text
    counts = [value for key, value in found.groupdict().items() if key != "name" and value]
    return counts, found["name"]


def _noted(text: str) -> tuple[str, dict[str, str], str]:
    """Split off the notes in brackets, `[diameter: 5; capacity: 4]`."""
    found = _NOTES.fullmatch(text)
    if found is None:
        return text, {}, ""
    notes: dict[str, str] = {}
    for note in filter(str.strip, found["notes"].split(";")):
        word, colon, value = note.partition(":")
        if not colon or not word.strip():
            return found["name"], {}, f"{note.strip()!r} is no `word: value`"
        notes[word.strip().lower()] = value.strip()
    return found["name"], notes, ""
