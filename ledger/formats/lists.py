"""Lists as players hand them in: what stands in one, in its text form and as JSON.

README.md beside this file describes both forms. Every problem of a file is told at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003 - msgspec resolves the annotations
from typing import TYPE_CHECKING
from typing import Annotated
from typing import Any

import msgspec
from msgspec import Meta
from msgspec import Struct
from msgspec import field

from ledger.errors import Refused
from ledger.formats.cards import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST_BYTES_MAX = 24_000
"""The longest list. Escaped in full it doubles, and still fits into one line of a log."""

PROBLEMS_MAX = 40
LABEL_MAX = 60
ENTRIES_MAX = 1_000
NUMBER_MAX = 1_000_000
COUNT_MAX = 999

_WORDS = r"[A-Za-z]+(?: +[A-Za-z]+)*"
# Word by word, with one way to match: thousands of spaces would take minutes otherwise.
_ENTRY = re.compile(
    r"(?P<count>[0-9]{1,7})(?:\s*[xX\u00d7])?\s+(?P<name>[^\[\]\s]+(?:\s+[^\[\]\s]+)*)"
    r"\s*(\[(?P<notes>[^\[\]]*)\])?"
)
_SECTION = re.compile(
    rf"(?P<name>{_WORDS}(?: +[0-9]{{1,3}})?)(?:\s*\((?P<total>[0-9]{{1,7}})\))?\s*:?"
)
_HEADER = re.compile(rf"(?P<name>{_WORDS})\s*:\s*(?P<value>.+)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Number = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a list: so many copies of what a name stands for."""

    name: Name
    count: Annotated[int, Meta(ge=1, le=COUNT_MAX)] = 1
    notes: Mapping[Name, str] = field(default_factory=dict)


class PlayList(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A list as written: who plays it, what it holds by section, and what it says of itself.

    `total` is the declared sum of points and `totals` the declared number of cards by section;
    `remarks` are its other statements, such as the sleeves used.
    """

    player: str = ""
    total: Number | None = None
    totals: Mapping[Name, Number] = field(default_factory=dict)
    remarks: Mapping[Name, str] = field(default_factory=dict)
    sections: Mapping[Name, tuple[Listed, ...]] = field(default_factory=dict)


def read_list(data: bytes) -> PlayList:
    """Read a list in either form.

    Raises:
        Refused: every problem of it.
    """
    if len(data) > LIST_BYTES_MAX:
        raise Refused(f"the list has more than {LIST_BYTES_MAX:,} bytes")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Refused(f"the list is no UTF-8 text at byte {error.start + 1}") from None
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise Refused(f"line {line} of the list holds the control character {found[0]!r}")
    listed = _from_json(text) if text.lstrip().startswith("{") else _Reader(text).read()
    if not any(listed.sections.values()):
        raise Refused("the list holds no card: a section, and lines such as `3 Name`, are needed")
    if sum(len(entries) for entries in listed.sections.values()) > ENTRIES_MAX:
        raise Refused(f"the list has more than {ENTRIES_MAX:,} lines of cards")
    return listed


def same_things(old: PlayList, new: PlayList) -> bool:
    """Whether two lists hold the same, the new one's names being clearer at most.

    A clearer name holds every word of the old one.
    """
    if set(old.sections) != set(new.sections):
        return False
    for section, entries in old.sections.items():
        later = _counted(new.sections[section])
        earlier = _counted(entries)
        for name in [name for name in earlier if later.get(name) == earlier[name]]:
            del earlier[name], later[name]
        for name, count in sorted(earlier.items(), key=lambda each: -len(each[0].split())):
            words = set(name.split())
            clearer = [n for n, c in later.items() if c == count and words <= set(n.split())]
            if not clearer:
                return False
            del later[clearer[0]]
        if later:
            return False
    return True


def _counted(entries: tuple[Listed, ...]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for entry in entries:
        name = folded(entry.name)
        counts[name] = counts.get(name, 0) + entry.count
    return counts


def _from_json(text: str) -> PlayList:
    try:
        listed = msgspec.json.decode(text, type=PlayList)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused(f"the list is not in its JSON form: {error}") from None
    sections = {" ".join(name.lower().split()): held for name, held in listed.sections.items()}
    if len(sections) != len(listed.sections):
        raise Refused("the list has two sections of one name")
    totals = {" ".join(name.lower().split()): total for name, total in listed.totals.items()}
    return msgspec.structs.replace(listed, sections=sections, totals=totals)


class _Reader:
    """Reads the text form, line by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.known: dict[str, Any] = {}
        self.remarks: dict[str, str] = {}
        self.totals: dict[str, int] = {}
        self.sections: dict[str, list[Listed]] = {}
        self.section = ""

    def read(self) -> PlayList:
        problems = list(self._problems())
        if problems:
            more = len(problems) - PROBLEMS_MAX
            raise Refused(*problems[:PROBLEMS_MAX], *([f"and {more:,} more"] if more > 0 else []))
        sections = {name: tuple(entries) for name, entries in self.sections.items()}
        return PlayList(**self.known, totals=self.totals, remarks=self.remarks, sections=sections)

    def _problems(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, start=1):
            text = line.strip()
            if text and not text.startswith("#"):
                problem = self._take(text)
                if problem:
                    yield f"line {number}: {problem}"

    def _take(self, text: str) -> str:
        if found := _ENTRY.fullmatch(text):
            return self._entry(found)
        if found := _SECTION.fullmatch(text):
            return self._open(found)
        if found := _HEADER.fullmatch(text):
            return self._remark(found)
        return f"{text[:LABEL_MAX]!r} is no section, no `Word: value` and no `3 Name`"

    def _entry(self, found: re.Match[str]) -> str:
        if not self.section:
            return "a card stands before the first section"
        count = int(found["count"])
        if not 1 <= count <= COUNT_MAX:
            return f"{count} copies are outside 1 to {COUNT_MAX}"
        notes: dict[str, str] = {}
        for note in filter(str.strip, (found["notes"] or "").split(";")):
            name, colon, value = note.partition(":")
            if not colon or not name.strip():
                return f"{note.strip()[:LABEL_MAX]!r} is no `word: value`"
            notes[name.strip().lower()] = value.strip()
        if len(found["name"]) > 200:  # noqa: PLR2004 - the bound of `Name`
            return "a name has at most 200 characters"
        self.sections[self.section].append(Listed(found["name"], count, notes))
        return ""

    def _open(self, found: re.Match[str]) -> str:
        name = " ".join(found["name"].lower().split())
        if name in self.sections:
            return f"the section {name} stands twice"
        self.section = name
        self.sections[name] = []
        if found["total"]:
            self.totals[name] = int(found["total"])
        return ""

    def _remark(self, found: re.Match[str]) -> str:
        name, value = " ".join(found["name"].lower().split()), found["value"]
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
