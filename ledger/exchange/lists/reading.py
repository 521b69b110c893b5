"""Reading a file that a player hands in, whatever tool it is from."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.exchange.lists.decoding import decoded, lines_of
from ledger.exchange.lists.json_files import is_tool_made, loaded, read_json
from ledger.exchange.lists.notes import LineNote, WrittenList
from ledger.exchange.lists.text_lists import TextReader
from ledger.formats.list_files import ENTRIES_MAX, LIST_BYTES_MAX, read_list, refuse_empty
from ledger.formats.list_text import as_text, read_text
from ledger.rulesets.words import first_few

if TYPE_CHECKING:
    from ledger.formats.cards import CardFile
    from ledger.formats.format import Format
    from ledger.formats.play_lists import PlayList

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
        raise Refused(f"the list has more than {most:,} bytes")
    text, notes = decoded(data)
    written = _from_json(text, made, cards) if is_json else _from_text(text, made, cards)
    refuse_empty(written.listed)
    # What is stored is the list's own form: it has to be read as the same list.
    if _again(written.listed, made) != written.listed:
        raise Refused("the list cannot be written down as it was read: a name in it is no name")
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
        raise Refused(f"the list has more than {LINES_MAX:,} lines")
    reader = TextReader(made, cards, list(lines_of(text)))
    listed: PlayList = reader.read()
    problems = reader.problems
    if sum(map(len, listed.sections.values())) > ENTRIES_MAX:
        raise Refused(f"the list has more than {ENTRIES_MAX:,} lines of cards")
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
