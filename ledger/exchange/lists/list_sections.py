"""The sections of a list while it is read: which is open, and what each holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.exchange.lists.amounts import amount
from ledger.exchange.lists.notes import LineNote
from ledger.formats.play_lists import Listed, plain

if TYPE_CHECKING:
    from ledger.exchange.lists.headings import Heading
    from ledger.formats.format import Format, Section

_SECOND = re.compile(r"[,;+&/] ?[0-9]{1,3} ?[xX\u00d7]? \S")
_PIPS = re.compile(r"(?:^|, ?)[\u2022*]{1,4} ?")
_PIPS_BEHIND = re.compile(r" ?[\u2022*]{1,4}$")


class CountedGroup(Struct, frozen=True):
    """A heading that says how many cards stand below it, and how many stood above."""

    heading: Heading
    line: int
    before: int


class ListSections:
    """Fills the sections; what is wrong with a line is the text that a method returns."""

    def __init__(self, made: Format) -> None:
        self.made = made
        self.held: dict[str, list[Listed]] = {}
        self.totals: dict[str, int] = {}
        self.current = ""
        self.opened: set[str] = set()
        """The headings that stand in the file, each once."""

        self.group: CountedGroup | None = None
        self.rows = [section.name for section in made.sections if section.row]

    @property
    def declared(self) -> Section | None:
        """What the format says of the section that is open."""
        known = self.made.by_section
        return known.get(self.current) or known.get(plain(self.current))

    @property
    def bears(self) -> bool:
        """Whether the open section is one of units."""
        declared = self.declared
        return declared is not None and declared.bears is not None

    @property
    def copies(self) -> int:
        """How many cards the open section holds."""
        return sum(each.count for each in self.held.get(self.current, ()))

    def open(self, heading: Heading) -> str:
        """Open the section of a heading, or a part of it."""
        is_whole = heading.kind == "section"
        if heading.name in self.opened or (is_whole and heading.section in self.held):
            return f"opens the section {heading.section} twice"
        self.opened.add(heading.name)
        self.begin(heading.section)
        if is_whole and heading.copies is not None:
            self.totals[heading.section] = heading.copies
        return ""

    def begin(self, section: str) -> None:
        """Let the lines that follow be of a section."""
        self.current = section
        self.held.setdefault(section, [])

    def begin_group(self, heading: Heading, line: int, before: int) -> None:
        """Remember a number behind a heading that sorts cards or opens a part."""
        if heading.kind != "section" and heading.copies is not None:
            self.group = CountedGroup(heading, line, before)

    def end_group(self, now: int) -> list[LineNote]:
        """Compare the number behind the latest heading with what stood below it."""
        group, self.group = self.group, None
        if group is None or now - group.before == group.heading.copies:
            return []
        why = f"says {group.heading.copies}, and {now - group.before} stand below it"
        return [LineNote(group.line, why, group.heading.name, differs=True)]

    @property
    def is_again(self) -> bool:
        """Whether the latest card of the open section is in it already."""
        *before, last = self.held[self.current]
        return any(each.name == last.name for each in before)

    def put(self, text: str, *, sure: bool) -> str:
        """Add a card; where it is sure to be one, a name without a number is one copy."""
        declared = self.declared
        is_row = declared is not None and declared.row is not None
        held = amount(_PIPS_BEHIND.sub("", text) if is_row else text)
        if held.problem:
            return held.problem
        if _SECOND.search(held.name):
            return "has two cards on one line: each has its own line"
        if held.copies is None and not (sure or (declared and declared.bare)):
            return "says no number of copies: write `1 Name`"
        self.held[self.current].append(Listed(held.name, held.copies or 1, held.notes))
        return ""

    def row(self, text: str) -> str:
        """Read cards on one line: with pips before or behind each, or one alone."""
        declared = self.declared
        if _PIPS.match(text):
            parts = _PIPS.split(text)
        elif declared and declared.row:
            parts = [_PIPS_BEHIND.sub("", part.strip()) for part in text.split(",")]
        else:
            parts = [text]
        names = filter(None, (part.strip(" ,") for part in parts))
        return next(filter(None, [self.put(name, sure=True) for name in names]), "")

    def row_of(self, text: str) -> str:
        """The section of a row of cards without a heading: with pips the first that has rows."""
        if not self.rows or "," not in text or "(" in text or ":" in text:
            return ""
        if _PIPS.match(text) or _PIPS_BEHIND.search(text.split(",", 1)[0]):
            return self.rows[0]
        return self.rows[-1]
