"""Lists as players submit them: their contents, their text form and their JSON form.

README.md in this folder describes both forms. Every problem of a file is listed at once. In the
text form a line below a unit that begins with a dash or a dot, or that is indented further than
the unit, is an upgrade of that unit. A list that `as_text` writes is read as the same list again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.problems import Phrase, Problem, phrase
from ledger.rulesets.stricter import binds
from ledger.rulesets.toml_files import first_few

NUMBER_MAX = 1_000_000
COUNT_MAX = 999

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Number = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Copies = Annotated[int, Meta(ge=1, le=COUNT_MAX)]
Sign = Literal["", "X"]
"""A capital X by itself behind the count: a sign, or the beginning of the card's name."""


class Upgrade(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An upgrade card that one unit bears, and how many copies of it."""

    name: Name
    count: Copies = 1
    sign: Sign = ""


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a list: a number of copies of a card, or one unit with its upgrades."""

    name: Name
    count: Copies = 1
    notes: Mapping[Name, str] = field(default_factory=dict)
    upgrades: tuple[Upgrade, ...] = ()
    sign: Sign = ""


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


class Shape(Struct, frozen=True):
    """What a format says of a list's form: its sections, and whose lines bear upgrades.

    `levels`: a level of experience is part of a name, and makes another card of it.
    """

    sections: frozenset[str]
    bearing: frozenset[str]
    levels: bool = False

    def by_rules(self, rules: int) -> Shape:
        """What it says in a log of these rules."""
        return self if binds(rules, "levels") else replace(self, levels=False)

    def bears(self, section: str) -> bool:
        """Whether the lines of a section are units that bear upgrades."""
        return section in self.bearing or plain(section) in self.bearing

    def has(self, section: str) -> bool:
        """Whether a section is one of the format's."""
        return section in self.sections or plain(section) in self.sections


def plain(section: str) -> str:
    """Return the name of a section without its number: group 2 is a group."""
    return section.rstrip("0123456789").rstrip()


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

    def _problems(self) -> Iterator[Phrase]:
        for number, line in enumerate(self.lines, start=1):
            text = line.strip()
            if text and not text.startswith("#"):
                spread = line.expandtabs()
                if problem := self._take(text, len(spread) - len(spread.lstrip())):
                    yield phrase("line {line}: {problem}", line=number, problem=problem)

    def _take(self, text: str, depth: int) -> Phrase | None:
        mark = _MARK.match(text) if self.section else None
        heading = _SECTION.fullmatch(text)
        is_below = self._is_below(heading, depth)
        if mark or (is_below and not (heading and (heading["total"] or heading["colon"]))):
            return self._upgrade(text[mark.end() :] if mark else text)
        if is_below:
            return phrase(
                "{written} is a heading or an upgrade: headings must not be indented",
                written=repr(text[:LABEL_MAX]),
            )
        if found := _ENTRY.fullmatch(text):
            return self._entry(found, depth)
        if heading:
            return self._open(heading)
        if found := _HEADER.fullmatch(text):
            return self._remark(found)
        return phrase(
            "{written} is not a section, a `Word: value` or a `3 Name`",
            written=repr(text[:LABEL_MAX]),
        )

    def _is_below(self, heading: re.Match[str] | None, depth: int) -> bool:
        """Whether a line stands farther in than the unit above it, and is no known heading."""
        if not self.section or not self._bears() or not self.sections[self.section]:
            return False
        is_known = heading and self.shape is not None and self.shape.has(_plain(heading))
        return depth > self.depth and not is_known

    def _bears(self) -> bool:
        return self.shape is None or self.shape.bears(self.section)

    def _entry(self, found: re.Match[str], depth: int) -> Phrase | None:
        if not self.section:
            return phrase("a card comes before the first section")
        self.depth = depth
        count = int(found["count"])
        if not 1 <= count <= COUNT_MAX:
            return _copies_problem(count)
        if self.shape is not None and self._bears() and _SECOND.search(found["name"]):
            return phrase(
                "two units on one line: {written}; each needs its own line",
                written=repr(found["name"][:LABEL_MAX]),
            )
        notes: dict[str, str] = {}
        for note in filter(str.strip, (found["notes"] or "").split(";")):
            name, colon, value = note.partition(":")
            if not colon or not name.strip():
                shown = repr(note.strip()[:LABEL_MAX])
                return phrase("{written} is not a `word: value`", written=shown)
            notes[name.strip().lower()] = value.strip()
        if len(found["name"]) > NAME_MAX:
            return phrase("a name can have at most {most} characters", most=NAME_MAX)
        card = Listed(found["name"], count, notes, sign=_sign_in(found))
        self.sections[self.section].append(card)
        return None

    def _upgrade(self, text: str) -> Phrase | None:
        """Give an upgrade to the unit above it."""
        entries, shown = self.sections[self.section], repr(text[:LABEL_MAX])
        if not self._bears():
            return phrase(
                "{written} is below a card, but {section} cannot have upgrades",
                written=shown,
                section=self.section,
            )
        if not entries:
            return phrase("the upgrade {written} has no unit above it", written=shown)
        found = _UPGRADE.fullmatch(text)
        if found is None or len(found["name"]) > NAME_MAX:
            return phrase(
                "{written} is not an upgrade: write a name without brackets, or `2 Name`",
                written=shown,
            )
        count = int(found["count"] or 1)
        if not 1 <= count <= COUNT_MAX:
            return _copies_problem(count)
        unit = entries[-1]
        if unit.count > 1:
            return phrase(
                "it is not clear which of {number} {unit} has {written}: each unit with upgrades "
                "needs its own line",
                number=unit.count,
                unit=unit.name[:LABEL_MAX],
                written=shown,
            )
        upgrades = (*unit.upgrades, Upgrade(found["name"], count, _sign_in(found)))
        entries[-1] = replace(unit, upgrades=upgrades)
        return None

    def _open(self, found: re.Match[str]) -> Phrase | None:
        name = _plain(found)
        if name in self.sections:
            return phrase("the section {section} appears twice", section=name)
        self.section, self.depth = name, 0
        self.sections[name] = []
        if found["total"]:
            self.totals[name] = int(found["total"])
        return None

    def _remark(self, found: re.Match[str]) -> Phrase | None:
        name, value = _plain(found), found["value"]
        if self.section:
            return phrase("`{name}:` must be above the first section", name=name)
        if name in self.known or name in self.remarks:
            return phrase("`{name}:` appears twice", name=name)
        if name == "player":
            self.known[name] = value
        elif name != "total":
            self.remarks[name] = value
        elif not value.isascii() or not value.isdigit() or int(value[:8]) > NUMBER_MAX:
            shown = repr(value[:LABEL_MAX])
            return phrase("the total must be a whole number, not {written}", written=shown)
        else:
            self.known[name] = int(value)
        return None


def _copies_problem(count: int) -> Phrase:
    return phrase(
        "the number of copies must be from 1 to {most}, not {number}",
        most=COUNT_MAX,
        number=count,
    )


def _sign_in(found: re.Match[str]) -> Sign:
    return "X" if found["sign"] else ""


def _plain(found: re.Match[str]) -> str:
    """The name of a section or a statement as it is compared."""
    return " ".join(found["name"].lower().split())


LIST_BYTES_MAX = 24_000
"""The longest list. Escaped in full it doubles, and still fits into one line of a log."""

ENTRIES_MAX = 1_000

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def read_list(data: bytes, shape: Shape | None = None) -> PlayList:
    """Read a list in either form; without a format's shape any line may bear upgrades.

    Raises:
        Refused: every problem of it.
    """
    listed = read_part(data, shape)
    refuse_empty(listed)
    return listed


def refuse_empty(listed: PlayList) -> None:
    """Raise Refused if a list holds no card."""
    if not any(listed.sections.values()):
        raise Refused(
            phrase("the list contains no cards: it needs a section, and lines such as `3 Name`")
        )


def refuse_control(text: str) -> None:
    """Raise Refused if the text of a list holds a control character."""
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        why = phrase(
            "line {line} of the list contains the control character {character}",
            line=line,
            character=repr(found[0]),
        )
        raise Refused(why)


def read_part(data: bytes, shape: Shape | None = None) -> PlayList:
    """Read a list or a part of one, which may hold no card. Raises Refused: every problem of it."""
    if len(data) > LIST_BYTES_MAX:
        raise Refused(phrase("the list has more than {most} bytes", most=f"{LIST_BYTES_MAX:,}"))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        why = phrase("the list is not UTF-8 text at byte {place}", place=error.start + 1)
        raise Refused(why) from None
    refuse_control(text)
    is_json = text.lstrip().startswith("{")
    listed = _from_json(text, shape) if is_json else read_text(text, shape)
    entries = [entry for held in listed.sections.values() for entry in held]
    if len(entries) + sum(len(entry.upgrades) for entry in entries) > ENTRIES_MAX:
        raise Refused(
            phrase("the list has more than {most} lines of cards", most=f"{ENTRIES_MAX:,}")
        )
    return listed


def _from_json(text: str, shape: Shape | None) -> PlayList:
    try:
        listed = msgspec.json.decode(text, type=PlayList)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused(
            phrase("the list is not valid in its JSON form: {error}", error=str(error))
        ) from None
    tables = ("sections", "totals", "remarks")
    plain = {table: _plainly_named(getattr(listed, table)) for table in tables}
    if len(plain["sections"]) != len(listed.sections):
        raise Refused(phrase("the list has two sections with the same name"))
    listed = msgspec.structs.replace(listed, **plain)
    try:
        again = read_text(as_text(listed), shape)
    except Refused as refused:  # the lines are not those of the file
        raise Refused(*map(_without_line, refused.problems)) from None
    if again != listed:
        raise Refused(
            phrase(
                "the JSON form has content that the text form cannot have: a name with a "
                "line break, a bracket or spaces around it, or the total of a missing section"
            )
        )
    return listed


def _without_line(refused: Problem) -> Problem | Phrase | str:
    """Return a problem of a line without the line's number."""
    problem = refused.about.get("problem")
    return problem if isinstance(problem, Phrase) else refused


def _plainly_named(table: Mapping[str, Any]) -> dict[str, Any]:
    return {" ".join(name.lower().split()): value for name, value in table.items()}
