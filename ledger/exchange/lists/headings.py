"""Headings: which section a line opens, by the names that a format's file knows for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger.formats.play_lists import plain

if TYPE_CHECKING:
    from ledger.formats.format import Format

Kind = Literal["section", "part", "sorting", "apart"]

HEADING_MAX = 120

_WRAP = re.compile(
    r"(?P<wrap>\*\*|__|={2,}|-{2,}|~{2,}|\[b\])\s*(?P<text>.*?)\s*(?:(?P=wrap)|\[/b\]):?"
)
_HASHES = re.compile(r"#{1,6} +(?P<text>[^#].*?)(?: #{1,6})?")
_CARDS = r"(?: cards?| points?| pts\.?)?"
_COUNT = re.compile(
    rf"(?P<name>.*?[^\W\d_]) ?(?:"
    rf"[(\[] ?(?P<within>[0-9]{{1,7}})(?: ?/ ?[0-9]{{1,4}})?{_CARDS} ?[)\]]"
    rf"|(?:: ?| ?[-\u2013\u2014,] )(?P<behind>[0-9]{{1,7}}){_CARDS}"
    r"| (?P<bare>[0-9]{1,7}) cards?)"
)
_VALUE = re.compile(r"(?P<name>[^:]{1,64}?) ?: ?(?P<value>\S.*)")


class Heading(NamedTuple):
    """A line that opens a section, or a part of one, or only sorts what is below it."""

    kind: Kind
    section: str
    name: str
    copies: int | None = None
    value: str = ""
    """What stands on the same line behind a colon."""


class Headings:
    """The headings of a format."""

    def __init__(self, made: Format) -> None:
        self.known: dict[str, tuple[Kind, str]] = {}
        self.numbered = {section.name for section in made.sections if section.numbered}
        self.known |= dict.fromkeys(made.sorting, ("sorting", ""))
        self.known |= dict.fromkeys(made.apart, ("apart", ""))
        for section in made.sections:
            self.known |= dict.fromkeys(section.parts, ("part", section.name))
            self.known |= dict.fromkeys((section.name, *section.also), ("section", section.name))

    def heading(self, text: str) -> Heading | None:
        """Return the heading that a line is; None for any other line."""
        bare = unwrapped(text) if len(text) <= HEADING_MAX else text
        bare = bare.removesuffix(":").rstrip()
        if found := self._named(bare):
            return found
        if len(bare) <= HEADING_MAX and (counted := _COUNT.fullmatch(bare)):
            named = self._named(counted["name"])
            count = counted["within"] or counted["behind"] or counted["bare"]
            return named._replace(copies=int(count)) if named else None
        if valued := _VALUE.fullmatch(bare):
            named = self._named(valued["name"])
            return named._replace(value=valued["value"]) if named else None
        return None

    def _named(self, written: str) -> Heading | None:
        name = " ".join(written.lower().split())
        kind, section = self.known.get(name, ("section", ""))
        if not section and plain(name) in self.numbered:
            return Heading("section", name, name)
        return Heading(kind, section, name) if name in self.known else None


def unwrapped(text: str) -> str:
    """Return a heading's text without the signs that set it apart."""
    for pattern in (_HASHES, _WRAP):
        if found := pattern.fullmatch(text):
            text = found["text"]
    return text
