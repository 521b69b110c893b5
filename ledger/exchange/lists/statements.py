"""What a list says of itself: player, points, remarks; and the words that tools add."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.formats.play_lists import NUMBER_MAX

if TYPE_CHECKING:
    from ledger.formats.format import Format

_STATEMENT = re.compile(r"(?P<name>[A-Za-z]+(?: [A-Za-z]+){0,3}) ?: ?(?P<value>\S.*)")
_OF = re.compile(
    r"(?:(?P<title>.*\S) ?[-:\u2013\u2014]? )?(?P<points>[0-9]{1,7}) ?/ ?[0-9]{1,7}"
    r"(?: (?:points?|pts?\.?))?(?: ?\((?P<units>[0-9]{1,4}) activations?\))?",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:(?P<title>.*\S) [-\u2013\u2014] )?(?P<points>[0-9]{1,7})(?: (?:points?|pts?\.?))?",
    re.IGNORECASE,
)
_UNITS = re.compile(r"(?P<units>[0-9]{1,4}) (?:activations?|units)", re.IGNORECASE)
_TOTAL = re.compile(
    r"(?:total|sum)(?: points| cards)? ?(?:[:=]|[-\u2013\u2014]) ?"
    r"(?P<number>[0-9]{1,7})(?: ?/ ?[0-9]+)?(?: ?(?P<what>points?|pts?\.?|cards?))?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?:edit|delete|permalink|publish|copy|clone|like|share|print|export|comment| )+",
    re.IGNORECASE,
)

KEPT = "is in the list"

OF_TOOLS = re.compile(
    r"(?:.* )?(?:activations|archetype|army|author|battleforce|by|clan|comments|copyright|date|deck"
    r"|description|event|export|faction|format|influence|link|list|maximum|minimum|name|notes|points"
    r"|published|race|source|status|title|updated|url|username|version)"
)
"""What tools say of a list and is no part of it; also with other words before it."""


class Statements:
    """Reads the lines that say something of the list."""

    def __init__(self, made: Format) -> None:
        checks = made.checks
        named = {getattr(check, "remark", "") for check in checks}
        decks = (deck for check in checks for deck in getattr(check, "decks", ()))
        self.known = {*named, *decks} - {""}
        self.has_army = any(section.bears for section in made.sections)
        self.player, self.total, self.remarks = "", None, {}  # type: str, int | None, dict[str, str]
        self.activations: int | None = None
        self.pointed = False
        """Whether the file says how many points the army has: units follow."""

        self.first = 0
        """The first line that is neither a comment nor a heading."""

    def says(self, text: str) -> bool:
        """Whether a line says who plays, the points, or what a check asks for."""
        found = _STATEMENT.fullmatch(text)
        return text.startswith(("#", "//")) or (
            found is not None and found["name"].lower() in {"player", "total", *self.known}
        )

    def take(self, number: int, text: str, rest: str, *, above: bool, held: int) -> str:
        """Say why a line is no card; empty where it may be one."""
        is_first = not self.first
        self.first = self.first or number
        if _WORDS.fullmatch(text):
            return "has the links of a page"
        if found := _TOTAL.fullmatch(rest):
            return self._total(found, held, above=above)
        if self.has_army and (why := self._points(text, titled=is_first and text == rest)):
            return why
        found = _STATEMENT.fullmatch(text)
        return self._statement(found, above=above) if found else ""

    def _total(self, found: re.Match[str], held: int, *, above: bool) -> str:
        stated = int(found["number"])
        of_cards = (found["what"] or "").lower().startswith("card")
        if of_cards or not (above or self.has_army):
            if held and held != stated:
                return f"says {stated}, and {held} cards stand above it"
            return "is the sum of the cards above"
        return self._say(stated)

    def _points(self, text: str, *, titled: bool) -> str:
        if found := _OF.fullmatch(text):
            if found["units"]:
                self.activations = int(found["units"])
            return self._say(int(found["points"]))
        if found := _UNITS.fullmatch(text):
            self.activations = int(found["units"])
            return "is the number of units"
        found = _POINTS.fullmatch(text)
        if found and (not found["title"] or (titled and self.total is None)):
            return self._say(int(found["points"]))
        return ""

    def _say(self, total: int) -> str:
        self.pointed = True
        if self.total not in {None, total}:
            return f"says {total} points, and a line above {self.total}"
        self.total = min(total, NUMBER_MAX)
        return KEPT

    def _statement(self, found: re.Match[str], *, above: bool) -> str:
        name, value = found["name"].lower(), found["value"]
        if name == "player" and above:
            self.player = value
            return KEPT
        if name in self.known and above:
            self.remarks[name] = value
            return KEPT
        if OF_TOOLS.fullmatch(name):
            return "says what is no part of a list"
        if above and not self.pointed:
            self.remarks[name] = value
            return "is kept as a remark, which nothing reads"
        return ""
