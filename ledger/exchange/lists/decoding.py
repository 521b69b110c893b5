"""From the bytes of a file to its lines, whatever program wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ledger.errors import Refused
from ledger.exchange.lists.notes import LineNote
from ledger.formats.list_files import refuse_control

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
        raise Refused("the list is no UTF-8 text, but UTF-16: save it as UTF-8")
    notes: list[LineNote] = []
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = data.decode("cp1252", "replace")
        why = f"the file is no UTF-8 text at byte {error.start + 1}: read as Latin-1"
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
            raise Refused(f"line {number} of the list has more than {LINE_MAX:,} characters")
        spread = _UNSEEN.sub("", raw).expandtabs(_TAB)
        yield TextLine(number, " ".join(spread.split()), len(spread) - len(spread.lstrip()))
