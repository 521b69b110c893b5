"""Lines of a list: decoded, with their copies and names, notes, and the section of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from ledger.errors import Refused
from ledger.formats.cards import Card, CardFile, folded
from ledger.formats.case import Finding, matches
from ledger.formats.checks.contents import Placed
from ledger.formats.naming import called
from ledger.formats.play_lists import COUNT_MAX, Listed, PlayList, refuse_control
from ledger.problems import Phrase, phrase

if TYPE_CHECKING:
    from ledger.formats.format import Format

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
    problem: Phrase | str = ""


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
        problem = phrase("states the number of copies twice")
    count = int(counts[0]) if counts else None
    if count is not None and not 1 <= count <= COUNT_MAX:
        problem = phrase(
            "must have 1 to {count_max} copies, not {count}", count_max=COUNT_MAX, count=count
        )
    return Amount(name, count, notes, problem or name_problem(name))


def name_problem(name: str) -> Phrase | str:
    """What keeps a text from being a card's name; empty where nothing does."""
    if len(name) > NAME_MAX:
        return phrase(
            "is too long: a name can have at most {name_max} characters", name_max=NAME_MAX
        )
    if not _LETTER.search(name) or "[" in name or "]" in name:
        return phrase("is not a name: it needs a letter, and cannot contain [ or ]")
    return ""


def _split(found: re.Match[str] | None, text: str) -> tuple[list[str], str]:
    if found is None:
        return [], text
    counts = [value for key, value in found.groupdict().items() if key != "name" and value]
    return counts, found["name"]


def _noted(text: str) -> tuple[str, dict[str, str], Phrase | str]:
    """Split off the notes in brackets, `[diameter: 5; capacity: 4]`."""
    found = _NOTES.fullmatch(text)
    if found is None:
        return text, {}, ""
    notes: dict[str, str] = {}
    for note in filter(str.strip, found["notes"].split(";")):
        word, colon, value = note.partition(":")
        if not colon or not word.strip():
            return (
                found["name"],
                {},
                phrase("contains [{note}]: write [word: value]", note=note.strip()),
            )
        notes[word.strip().lower()] = value.strip()
    return found["name"], notes, ""


SHOWN_MAX = 60
"""How much of a line a note or a refusal repeats."""


class LineNote(Struct, frozen=True):
    """A line that was passed over, or says something else than the lines it is about."""

    line: int
    """0: the file as a whole."""

    why: Phrase
    text: str = ""
    differs: bool = False
    """Whether it contradicts the list, and was not merely passed over."""

    def as_json(self) -> dict[str, object]:
        """Return it for scripts."""
        return asdict(self) | {"why": str(self.why)}

    def __str__(self) -> str:
        """Say it in one line."""
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """The same, so that it can be translated."""
        shown = repr(self.text[:SHOWN_MAX])
        if self.line and self.text:
            return phrase("line {line}: {text} {why}", line=self.line, text=shown, why=self.why)
        if self.line:
            return phrase("line {line}: {why}", line=self.line, why=self.why)
        if self.text:
            return phrase("{text} {why}", text=shown, why=self.why)
        return self.why


class WrittenList(Struct, frozen=True):
    """A list as it is meant, with everything of the file that is not in it."""

    listed: PlayList
    notes: tuple[LineNote, ...] = ()

    def findings(self, clause: str) -> Iterator[Finding]:
        """Yield what the file says of itself and is not so, by the clause of what a list says."""
        for note in self.notes:
            if note.differs:
                yield Finding(clause, note.words, "breaks")

    @property
    def counts(self) -> Phrase:
        """The declared points, and how many cards each section holds, with upgrades."""
        total = self.listed.total
        points = [] if total is None else [phrase("{total} points", total=total)]
        held = self.listed.sections.items()
        return phrase("{counts}", counts=(*points, *(_counted(*each) for each in held)))


def _counted(section: str, cards: Sequence[Listed]) -> Phrase:
    borne = sum(each.count * up.count for each in cards for up in each.upgrades)
    cards_held = sum(each.count for each in cards)
    if not borne:
        return phrase("{section} {cards}", section=section, cards=cards_held)
    return phrase(
        "{section} {cards} with {count} upgrade",
        plural="{section} {cards} with {count} upgrades",
        section=section,
        cards=cards_held,
        count=borne,
    )


LINE_MAX = 2_000
"""The longest line, in characters; a row of cards is one line in some tools."""

_UNSEEN = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_TAB = 8


class TextLine(NamedTuple):
    """A line without the spaces around it, with its number and how far in it stands."""

    number: int
    text: str
    depth: int


def decoded(data: bytes) -> tuple[str, list[LineNote]]:
    """Return a file's text, and a note where it is no UTF-8.

    Raises:
        Refused: it is UTF-16, or holds a control character.
    """
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise Refused(phrase("the list is UTF-16 text: save it as UTF-8"))
    notes: list[LineNote] = []
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = data.decode("cp1252", "replace")
        why = phrase(
            "the file is not UTF-8 text at byte {start}: read as Latin-1", start=error.start + 1
        )
        notes.append(LineNote(data.count(b"\n", 0, error.start) + 1, why))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    refuse_control(text)
    return text, notes


def lines_of(text: str) -> Iterator[TextLine]:
    """Yield every line, with one space for each run of spaces.

    Raises:
        Refused: a line is too long.
    """
    for number, raw in enumerate(text.split("\n"), start=1):
        if len(raw) > LINE_MAX:
            raise Refused(
                phrase(
                    "line {number} of the list has more than {line_max} characters",
                    number=number,
                    line_max=f"{LINE_MAX:,}",
                )
            )
        spread = _UNSEEN.sub("", raw).expandtabs(_TAB)
        yield TextLine(number, " ".join(spread.split()), len(spread) - len(spread.lstrip()))


_APART = re.compile(r"[^a-z0-9]+")


def section_of(card: Card, made: Format) -> str:
    """The one section that takes a card of this kind; empty where none or several do."""
    wanted: dict[str, list[bool | None]] = {}
    for check in made.checks:
        if isinstance(check, Placed):
            wanted.setdefault(check.section, []).append(matches(card, check.where))
    fitting = [section for section, verdicts in wanted.items() if all(verdicts)]
    return fitting[0] if len(fitting) == 1 else ""


def section_named(name: str, made: Format, cards: CardFile | None) -> str:
    """The section of the card of exactly that name; empty where it is not known."""
    found = called(cards, name) if cards else []
    sections = {section_of(card, made) for card in found}
    return sections.pop() if len(sections) == 1 else ""


def identifier(name: str) -> str:
    """A card's name as databases make an ID of it, with hyphens between its words."""
    return _APART.sub("-", folded(name)).strip("-")
