"""Files that players submit, of whatever tool: text is read here, JSON in json_files.py."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.exchange.lists.armies import ROW_MARK, Army, unit_text
from ledger.exchange.lists.json_files import is_tool_made, loaded, read_json
from ledger.exchange.lists.lines import (
    SHOWN_MAX,
    LineNote,
    TextLine,
    WrittenList,
    amount,
    decoded,
    lines_of,
    marked,
    section_named,
)
from ledger.exchange.lists.sections import KEPT, Headings, ListSections, Statements, front_of
from ledger.formats.play_lists import (
    ENTRIES_MAX,
    LIST_BYTES_MAX,
    Listed,
    PlayList,
    as_text,
    read_list,
    read_text,
    refuse_empty,
)
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import first_few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.exchange.lists.sections import Heading
    from ledger.formats.cards import CardFile
    from ledger.formats.format import Format

_RULE = re.compile(r"[-=_*~\u2500-\u2503 ]{3,}")
_FOOTER = re.compile(
    r".*(?:https?://|www\.).*|(?:created|made|exported|generated|built) (?:with|by|from|on|in) .*",
    re.IGNORECASE,
)
_DATE = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[ T,][0-9: ]*)?")
_UNIT_TOTAL = re.compile(
    r"(?:total )?unit (?:cost|total|points) ?: ?(?P<stated>[0-9]{1,5})", re.IGNORECASE
)
_NONE = (TextLine(0, "", 0), TextLine(0, "", 0))


class TextReader:
    """Reads a list; its problems and notes fill as it goes."""

    def __init__(self, made: Format, cards: CardFile | None, lines: list[TextLine]) -> None:
        self.made, self.cards, self.lines = made, cards, lines
        self.headings = Headings(made)
        self.stated = Statements(made)
        self.sections = ListSections(made)
        self.problems: list[Phrase] = []
        self.notes: list[LineNote] = []
        self.apart = ""
        """The heading above lines that are no part of the list."""

        self.ended = False
        """Whether a footer was read."""

        self.bearing = next((each for each in made.sections if each.bears), None)
        self.army = Army(
            bare=bool(self.bearing and self.bearing.bare),
            dashed=any(marked(line.text)[0] for line in self._of_units()),
        )
        self.title = self._title()
        self.front = front_of(made, self.headings, lines)

    def read(self) -> PlayList:
        """Read every line; the list is only good where there are no problems."""
        for line in self.lines:
            if line.text and (problem := self._take(line)):
                self.problems.append(
                    phrase(
                        "line {number}: {text} {problem}",
                        number=line.number,
                        text=f"{line.text[:SHOWN_MAX]!r}",
                        problem=problem,
                    )
                )
        self.notes += self.sections.end_group(self._copies())
        held, total = self.sections.held, self.stated.total
        if self.bearing and self.army.units:
            held[self.bearing.name] = list(islice(self.army.listed(), ENTRIES_MAX + 1))
        self.notes += [*self.army.notes, *self.army.mismatches(total, self.stated.activations)]
        sections = {name: tuple(cards) for name, cards in held.items()}
        totals = self.sections.totals
        return PlayList(self.stated.player, total, totals, self.stated.remarks, sections)

    def _of_units(self) -> Iterator[TextLine]:
        """Yield the lines that stand below no heading of another section than the units'."""
        name, inside = self.bearing.name if self.bearing else "", True
        for line in self.lines:
            if heading := self.headings.heading(line.text):
                inside = heading.section == name if heading.section else inside
            elif inside:
                yield line

    def _title(self) -> int:
        """The line right above `Stronghold: NAME`, and first of all: a title, whatever it says."""
        written = [line for line in self.lines if line.text and not _RULE.fullmatch(line.text)]
        first, after = (self.headings.heading(line.text) for line in (*written, *_NONE)[:2])
        if not after or not after.value or after.kind != "section":
            return 0
        is_bare = first is not None and first.section and self.made.by_section[first.section].bare
        return 0 if is_bare or self.stated.says(written[0].text) else written[0].number

    def _take(self, line: TextLine) -> Phrase | str:
        if _RULE.fullmatch(line.text):
            return ""
        if line.number == self.title:
            return self._pass(line, phrase("is the title"))
        if heading := self.headings.heading(line.text):
            return self._open(heading, line)
        if why := self._aside(line):
            return self._pass(line, why)
        if line.number in self.front:
            return self._fronted(line)
        return self._card(line)

    def _pass(self, line: TextLine, why: Phrase | str) -> Phrase | str:
        if isinstance(why, Phrase):
            differs = why.text.startswith("states ") and ", but " in why.text
            self.notes.append(LineNote(line.number, why, line.text, differs))
        return ""

    def _aside(self, line: TextLine) -> Phrase | str:
        """Why a line is no card: a footer, a total, a statement; empty for any other."""
        if line.text.startswith(("#", "//")):
            return phrase("is a comment")
        mark, rest = marked(line.text)
        inner = self.headings.heading(rest) if mark else None
        if inner and inner.kind == "apart":
            return phrase("is not part of the list ({name})", name=inner.name)
        if _FOOTER.fullmatch(line.text) or _DATE.fullmatch(line.text):
            self.ended = True
            return phrase("is a link, a date or a footer")
        if found := _UNIT_TOTAL.fullmatch(line.text):
            self.army.compare_unit(line.number, int(found["stated"]))
            return KEPT
        above, copies = not self.sections.current, self.sections.copies
        why = self.stated.take(line.number, line.text, rest, above=above, held=copies)
        return why or (
            phrase("is not part of the list ({apart})", apart=self.apart) if self.apart else ""
        )

    def _open(self, heading: Heading, line: TextLine) -> Phrase | str:
        self.notes += self.sections.end_group(self._copies())
        if heading.kind == "apart":
            self.apart = "" if heading.value and self.sections.bears else heading.name
            return self._pass(line, phrase("is not part of the list ({name})", name=heading.name))
        if heading.kind == "sorting" and not self.sections.current:
            return phrase("groups cards, but there is no section above it")
        if heading.kind != "sorting" and (problem := self.sections.open(heading)):
            return problem
        if heading.kind != "sorting" and self.sections.bears:
            self.army.begin(stated=heading.name == self.sections.current)
        self.apart = ""
        self.sections.begin_group(heading, line.number, self._copies())
        return self._inline(heading) if heading.value else ""

    def _inline(self, heading: Heading) -> Phrase | str:
        if self.sections.bears:
            return phrase("has a unit on the line of a heading: give the unit its own line")
        return self.sections.row(heading.value)

    def _copies(self) -> int:
        return self.army.copies if self.sections.bears else self.sections.copies

    def _fronted(self, line: TextLine) -> Phrase | str:
        """Take a line above the first deck of a page."""
        place = self.front[line.number]
        if not place:
            return self._pass(line, phrase("is the title"))
        words, _, last = line.text.rpartition(" ")
        is_end = words and last.lower() in self.made.by_section[place].ends
        self.sections.held.setdefault(place, []).append(Listed(words if is_end else line.text))
        return ""

    def _card(self, line: TextLine) -> Phrase | str:
        mark, rest = marked(line.text)
        if row := self._row(line.text, mark):
            self.sections.begin(row)
            return self.sections.row(line.text)
        if not self.sections.current:
            return self._unplaced(line, mark, rest)
        if self.sections.bears:
            return self.army.take(line)
        if self.ended and amount(rest).copies is None and not mark:
            return self._pass(line, phrase("is below the footer"))
        problem = self.sections.put(rest, sure=bool(mark))
        if not problem and self.sections.is_again:
            self.notes.append(
                LineNote(
                    line.number,
                    phrase("is another line of a card that is already listed"),
                    line.text,
                )
            )
        return problem

    def _row(self, text: str, mark: str) -> str:
        """The section of a row of cards, in a file of units that names no sections."""
        if not self.army.units or mark == ROW_MARK or unit_text(text) is not None:
            return ""
        section = self.sections.row_of(text)
        is_named = self.sections.opened & {section, self.sections.current}
        return "" if is_named and section != self.sections.current else section

    def _unplaced(self, line: TextLine, mark: str, rest: str) -> Phrase | str:
        """Take a line that stands below no heading."""
        if self.bearing and (self.stated.pointed or _is_unit(rest)):
            self.sections.begin(self.bearing.name)
            return self.army.take(line)
        held = amount(rest)
        if named := section_named(held.name, self.made, self.cards):
            card = Listed(held.name, held.copies or 1)
            self.sections.held.setdefault(named, []).append(card)
            return held.problem
        if held.copies is not None or mark:
            return phrase(
                "is a card above the first section: name its section, or give the card file"
            )
        is_first = self.stated.first == line.number
        return self._pass(
            line, phrase("is the title") if is_first else phrase("is above the first section")
        )


def _is_unit(text: str) -> bool:
    found = unit_text(text)
    return found is not None and any((found.sum, found.trays, found.cost))


WRITTEN_BYTES_MAX = 64_000
"""The longest file: a tool's JSON has more in it than the list."""

LINES_MAX = 2_000


def read_written(data: bytes, made: Format, cards: CardFile | None = None) -> WrittenList:
    """Read a list as a tool or a person wrote it, with what is no part of it.

    Raises:
        Refused: every problem of it, each with its line.
    """
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    most = WRITTEN_BYTES_MAX if is_json else LIST_BYTES_MAX
    if len(data) > most:
        raise Refused(phrase("the list has more than {most} bytes", most=f"{most:,}"))
    text, notes = decoded(data)
    written = _from_json(text, made, cards) if is_json else _from_text(text, made, cards)
    refuse_empty(written.listed)
    # What is stored is the list's own form: it has to be read as the same list.
    if _again(written.listed, made) != written.listed:
        raise Refused(
            phrase(
                "the list cannot be stored: a name in it looks like a heading, a number of "
                "copies or a remark; correct that line"
            )
        )
    return WrittenList(written.listed, (*notes, *written.notes))


def _again(listed: PlayList, made: Format) -> PlayList | None:
    with suppress(Refused):
        return read_text(as_text(listed), made.shape)
    return None


def _from_json(text: str, made: Format, cards: CardFile | None) -> WrittenList:
    value = loaded(text)
    if is_tool_made(value):
        return read_json(value, made, cards, text)
    return WrittenList(read_list(text.encode(), made.shape))


def _from_text(text: str, made: Format, cards: CardFile | None) -> WrittenList:
    if text.count("\n") > LINES_MAX:
        raise Refused(
            phrase("the list has more than {lines_max} lines", lines_max=f"{LINES_MAX:,}")
        )
    reader = TextReader(made, cards, list(lines_of(text)))
    listed: PlayList = reader.read()
    problems = reader.problems
    if sum(map(len, listed.sections.values())) > ENTRIES_MAX:
        raise Refused(
            phrase(
                "the list has more than {entries_max} lines of cards",
                entries_max=f"{ENTRIES_MAX:,}",
            )
        )
    if problems and (other := _of_another_game(text, made)):
        return WrittenList(other)
    if problems:
        raise Refused(*first_few(problems))
    return WrittenList(listed, tuple(sorted(reader.notes, key=_place)))


def _of_another_game(text: str, made: Format) -> PlayList | None:
    """The list as its lines say it, where none of its sections is one of the format's."""
    with suppress(Refused):
        listed = read_list(text.encode())
        if not any(map(made.shape.has, listed.sections)):
            return listed
    return None


def _place(note: LineNote) -> int:
    return note.line
