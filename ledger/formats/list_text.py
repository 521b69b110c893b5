"""The text form of a list: reading it line by line, and writing it.

A line below a unit that begins with a dash or a dot, or stands farther in than the unit, is an
upgrade of that unit. Whatever is written by `as_text` is read as the same list again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.formats.play_lists import COUNT_MAX, NUMBER_MAX, Listed, PlayList, Shape, Sign, Upgrade
from ledger.rulesets.words import first_few

LABEL_MAX = 60
NAME_MAX = 200

_WORDS = r"[A-Za-z]+(?: +[A-Za-z]+)*"
_NAME = r"(?P<name>[^\[\]\s]+(?:\s+[^\[\]\s]+)*)"
# Word by word, with one way to match: thousands of spaces would take minutes otherwise.
_COUNT = r"(?P<count>[0-9]{1,7})(?:\s*[x\u00d7]|X|\s+(?P<sign>X))?\s+"
_ENTRY = re.compile(rf"{_COUNT}{_NAME}\s*(\[(?P<notes>[^\[\]]*)\])?")
_UPGRADE = re.compile(rf"(?:{_COUNT})?{_NAME}")
_MARK = re.compile(r"[-\u2013\u2014\u2022\u00b7*+]\s*(?=\S)")
_SECTION = re.compile(
    rf"(?P<name>{_WORDS}(?: +[0-9]{{1,3}})?)(?:\s*\((?P<total>[0-9]{{1,7}})\))?\s*(?P<colon>:?)"
)
_HEADER = re.compile(rf"(?P<name>{_WORDS})\s*:\s*(?P<value>.+)")
_SECOND = re.compile(r"[,;+&/]\s*[0-9]{1,3}\s*[xX\u00d7]?\s+\S")
"""A second unit on one line: `Riders, 2 Pikes`."""


def read_text(text: str, shape: Shape | None) -> PlayList:
    """Read the text form. Raises Refused: every problem of it, each with its line."""
    return _Reader(text, shape).read()


def as_text(listed: PlayList) -> str:
    """Write a list, each unit's upgrades below it."""
    lines = [f"player: {listed.player}"] if listed.player else []
    lines += [] if listed.total is None else [f"total: {listed.total}"]
    lines += [f"{name}: {value}" for name, value in listed.remarks.items()]
    for name, entries in listed.sections.items():
        total = listed.totals.get(name)
        lines.append(name if total is None else f"{name} ({total})")
        lines += [line for entry in entries for line in _entry_lines(entry)]
    return "".join(f"{line}\n" for line in lines)


def _entry_lines(entry: Listed) -> Iterator[str]:
    notes = "; ".join(f"{name}: {value}" for name, value in entry.notes.items())
    yield f"{entry.count}{_sign(entry)} {entry.name}" + (f" [{notes}]" if entry.notes else "")
    for upgrade in entry.upgrades:
        yield f"- {upgrade.count}{_sign(upgrade)} {upgrade.name}"


def _sign(line: Listed | Upgrade) -> str:
    return f" {line.sign}" if line.sign else "x"


class _Reader:
    """Reads the text form, line by line."""

    def __init__(self, text: str, shape: Shape | None) -> None:
        self.lines, self.shape = text.split("\n"), shape
        self.known: dict[str, Any] = {}
        self.remarks: dict[str, str] = {}
        self.totals: dict[str, int] = {}
        self.sections: dict[str, list[Listed]] = {}
        self.section = ""
        self.depth = 0
        """How far in the last line of a unit stands."""

    def read(self) -> PlayList:
        if problems := list(self._problems()):
            raise Refused(*first_few(problems))
        sections = {name: tuple(entries) for name, entries in self.sections.items()}
        return PlayList(**self.known, totals=self.totals, remarks=self.remarks, sections=sections)

    def _problems(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, start=1):
            text = line.strip()
            if text and not text.startswith("#"):
                spread = line.expandtabs()
                if problem := self._take(text, len(spread) - len(spread.lstrip())):
                    yield f"line {number}: {problem}"

    def _take(self, text: str, depth: int) -> str:
        mark = _MARK.match(text) if self.section else None
        heading = _SECTION.fullmatch(text)
        is_below = self._is_below(heading, depth)
        if mark or (is_below and not (heading and (heading["total"] or heading["colon"]))):
            return self._upgrade(text[mark.end() :] if mark else text)
        if is_below:
            return f"{text[:LABEL_MAX]!r} is a heading or an upgrade: headings stand at the margin"
        if found := _ENTRY.fullmatch(text):
            return self._entry(found, depth)
        if heading:
            return self._open(heading)
        if found := _HEADER.fullmatch(text):
            return self._remark(found)
        return f"{text[:LABEL_MAX]!r} is no section, no `Word: value` and no `3 Name`"

    def _is_below(self, heading: re.Match[str] | None, depth: int) -> bool:
        """Whether a line stands farther in than the unit above it, and is no known heading."""
        if not self.section or not self._bears() or not self.sections[self.section]:
            return False
        is_known = heading and self.shape is not None and self.shape.has(_plain(heading))
        return depth > self.depth and not is_known

    def _bears(self) -> bool:
        return self.shape is None or self.shape.bears(self.section)

    def _entry(self, found: re.Match[str], depth: int) -> str:
        if not self.section:
            return "a card stands before the first section"
        self.depth = depth
        count = int(found["count"])
        if not 1 <= count <= COUNT_MAX:
            return f"{count} copies are outside 1 to {COUNT_MAX}"
        if self.shape is not None and self._bears() and _SECOND.search(found["name"]):
            return f"two units on one line: {found['name'][:LABEL_MAX]!r}; each has its own line"
        notes: dict[str, str] = {}
        for note in filter(str.strip, (found["notes"] or "").split(";")):
            name, colon, value = note.partition(":")
            if not colon or not name.strip():
                return f"{note.strip()[:LABEL_MAX]!r} is no `word: value`"
            notes[name.strip().lower()] = value.strip()
        if len(found["name"]) > NAME_MAX:
            return f"a name has at most {NAME_MAX} characters"
        card = Listed(found["name"], count, notes, sign=_sign_in(found))
        self.sections[self.section].append(card)
        return ""

    def _upgrade(self, text: str) -> str:
        """Give an upgrade to the unit above it."""
        entries, shown = self.sections[self.section], repr(text[:LABEL_MAX])
        if not self._bears():
            return f"{shown} stands below a card, and {self.section} bears no upgrades"
        if not entries:
            return f"the upgrade {shown} has no unit above it"
        found = _UPGRADE.fullmatch(text)
        if found is None or len(found["name"]) > NAME_MAX:
            return f"{shown} is no upgrade: a name without brackets, or `2 Name`"
        count = int(found["count"] or 1)
        if not 1 <= count <= COUNT_MAX:
            return f"{count} copies are outside 1 to {COUNT_MAX}"
        unit = entries[-1]
        if unit.count > 1:
            why = "each unit with upgrades has its own line"
            return f"which of {unit.count} {unit.name[:LABEL_MAX]} bears {shown} is not said: {why}"
        upgrades = (*unit.upgrades, Upgrade(found["name"], count, _sign_in(found)))
        entries[-1] = replace(unit, upgrades=upgrades)
        return ""

    def _open(self, found: re.Match[str]) -> str:
        name = _plain(found)
        if name in self.sections:
            return f"the section {name} stands twice"
        self.section, self.depth = name, 0
        self.sections[name] = []
        if found["total"]:
            self.totals[name] = int(found["total"])
        return ""

    def _remark(self, found: re.Match[str]) -> str:
        name, value = _plain(found), found["value"]
        if self.section:
            return f"`{name}:` stands above the first section"
        if name in self.known or name in self.remarks:
            return f"`{name}:` stands twice"
        if name == "player":
            self.known[name] = value
        elif name != "total":
            self.remarks[name] = value
        elif not value.isascii() or not value.isdigit() or int(value[:8]) > NUMBER_MAX:
            return f"the total is a whole number, not {value[:LABEL_MAX]!r}"
        else:
            self.known[name] = int(value)
        return ""


def _sign_in(found: re.Match[str]) -> Sign:
    return "X" if found["sign"] else ""


def _plain(found: re.Match[str]) -> str:
    """The name of a section or a statement as it is compared."""
    return " ".join(found["name"].lower().split())
