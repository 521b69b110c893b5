"""Sections of a list: the headings that open them, their cards, and lines that are no cards.

A deck's page begins with title, stronghold, role and provinces, without headings and numbers. Such
a page sets a word behind each of the last ones, a province's element, by which they are known. A
list also states its player, its points and remarks, and tools add words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from ledger.exchange.lists.lines import LineNote, amount
from ledger.formats.play_lists import NUMBER_MAX, Listed, plain
from ledger.problems import Phrase, phrase

if TYPE_CHECKING:
    from ledger.exchange.lists.lines import TextLine
    from ledger.formats.format import Format, Section

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

    def open(self, heading: Heading) -> Phrase | str:
        """Open the section of a heading, or a part of it."""
        is_whole = heading.kind == "section"
        if heading.name in self.opened or (is_whole and heading.section in self.held):
            return phrase("opens the section {section} a second time", section=heading.section)
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
        why = phrase(
            "states {copies}, but {now} are listed below it",
            copies=group.heading.copies or 0,
            now=now - group.before,
        )
        return [LineNote(group.line, why, group.heading.name, differs=True)]

    @property
    def is_again(self) -> bool:
        """Whether the latest card of the open section is in it already."""
        *before, last = self.held[self.current]
        return any(each.name == last.name for each in before)

    def put(self, text: str, *, sure: bool) -> Phrase | str:
        """Add a card; where it is sure to be one, a name without a number is one copy."""
        declared = self.declared
        is_row = declared is not None and declared.row is not None
        held = amount(_PIPS_BEHIND.sub("", text) if is_row else text)
        if held.problem:
            return held.problem
        if _SECOND.search(held.name):
            return phrase("has two cards on one line: give each card its own line")
        if held.copies is None and not (sure or (declared and declared.bare)):
            return phrase("has no number of copies: write `1 Name`")
        self.held[self.current].append(Listed(held.name, held.copies or 1, held.notes))
        return ""

    def row(self, text: str) -> Phrase | str:
        """Read cards on one line: with pips before or behind each, or one alone."""
        declared = self.declared
        if _PIPS.match(text):
            parts = _PIPS.split(text)
        elif declared and declared.row:
            parts = [_PIPS_BEHIND.sub("", part.strip()) for part in text.split(",")]
        else:
            parts = [text]
        names = filter(None, (part.strip(" ,") for part in parts))
        problems = [self.put(name, sure=True) for name in names]
        return next((each for each in problems if each), "")

    def row_of(self, text: str) -> str:
        """The section of a row of cards without a heading: with pips the first that has rows."""
        if not self.rows or "," not in text or "(" in text or ":" in text:
            return ""
        if _PIPS.match(text) or _PIPS_BEHIND.search(text.split(",", 1)[0]):
            return self.rows[0]
        return self.rows[-1]


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

    def take(self, number: int, text: str, rest: str, *, above: bool, held: int) -> Phrase | str:
        """Say why a line is no card; empty where it may be one."""
        is_first = not self.first
        self.first = self.first or number
        if _WORDS.fullmatch(text):
            return phrase("contains links of a web page")
        if found := _TOTAL.fullmatch(rest):
            return self._total(found, held, above=above)
        if self.has_army and (why := self._points(text, titled=is_first and text == rest)):
            return why
        found = _STATEMENT.fullmatch(text)
        return self._statement(found, above=above) if found else ""

    def _total(self, found: re.Match[str], held: int, *, above: bool) -> Phrase | str:
        stated = int(found["number"])
        of_cards = (found["what"] or "").lower().startswith("card")
        if of_cards or not (above or self.has_army):
            if held and held != stated:
                return phrase(
                    "states {stated}, but {held} are listed above it", stated=stated, held=held
                )
            return phrase("is the number of cards above")
        return self._say(stated)

    def _points(self, text: str, *, titled: bool) -> Phrase | str:
        if found := _OF.fullmatch(text):
            if found["units"]:
                self.activations = int(found["units"])
            return self._say(int(found["points"]))
        if found := _UNITS.fullmatch(text):
            self.activations = int(found["units"])
            return phrase("is the number of units")
        found = _POINTS.fullmatch(text)
        if found and (not found["title"] or (titled and self.total is None)):
            return self._say(int(found["points"]))
        return ""

    def _say(self, total: int) -> Phrase | str:
        self.pointed = True
        if self.total not in {None, total}:
            return phrase(
                "states {total} points, but a line above states {other}",
                total=total,
                other=self.total,
            )
        self.total = min(total, NUMBER_MAX)
        return KEPT

    def _statement(self, found: re.Match[str], *, above: bool) -> Phrase | str:
        name, value = found["name"].lower(), found["value"]
        if name == "player" and above:
            self.player = value
            return KEPT
        if name in self.known and above:
            self.remarks[name] = value
            return KEPT
        if OF_TOOLS.fullmatch(name):
            return phrase("is a detail that is not part of the list")
        if above and not self.pointed:
            self.remarks[name] = value
            return phrase("is kept as a remark that no check uses")
        return ""


NO_LIMIT = 1_000

_PAGE = re.compile(r"(?:edit|delete|permalink|publish|copy|clone|like|share| )+", re.IGNORECASE)
_STATED = re.compile(r"[A-Za-z ]{1,40}:.*|#.*|//.*|[-=_*~ ]{3,}")


def front_of(made: Format, headings: Headings, lines: Sequence[TextLine]) -> dict[int, str]:
    """The section of each line above the first heading; the title has none, and is ''."""
    ending = next((section for section in made.sections if section.ends), None)
    if ending is None:
        return {}
    above, is_page = _above(headings, lines)
    # The first line of all is the title, whatever its last word is.
    marked = [line for line in above[1:] if _ends(line.text, ending.ends)]
    if len(marked) > _most(made, ending.name) or (marked and _is_cut(marked[0].text)):
        del marked[0]  # a role, `Keeper of Water`
    if not marked:
        return {}
    before = [line for line in above if line.number < marked[0].number]
    names = [section.name for section in made.sections]
    places = names[: names.index(ending.name)]
    untitled = is_page and before and before[0].number > is_page
    titles = [] if untitled else before[:1]
    first = before[len(titles) :]
    if len(first) > len(places):
        return {}
    found = {line.number: "" for line in titles}
    found |= {line.number: place for line, place in zip(first, places, strict=False)}
    return found | {line.number: ending.name for line in above if line.number >= marked[0].number}


def _above(headings: Headings, lines: Sequence[TextLine]) -> tuple[list[TextLine], int]:
    """The names above the first heading, and which line has the page's links (0: none)."""
    found: list[TextLine] = []
    is_page = 0
    for line in lines:
        if line.text and _PAGE.fullmatch(line.text):
            is_page = line.number
        elif headings.heading(line.text):
            break
        elif line.text and not _STATED.fullmatch(line.text):
            found.append(line)
    return found, is_page


def _most(made: Format, section: str) -> int:
    """How many cards a section has at most."""
    own = (check for check in made.checks if getattr(check, "sections", ()) == (section,))
    return min((each for check in own if (each := getattr(check, "most", None))), default=NO_LIMIT)


def _is_cut(text: str) -> bool:
    """Whether what is left without the last word is no name."""
    return text.split()[-2].lower() in {"of", "the"}


def _ends(text: str, ends: Sequence[str]) -> bool:
    words = text.split()
    return len(words) > 1 and words[-1].lower() in ends and amount(text).copies is None
