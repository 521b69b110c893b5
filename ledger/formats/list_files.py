"""Lists as players hand them in, read from their text form or from JSON.

README.md beside this file describes both forms. Every problem of a file is said at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.formats.list_text import as_text, read_text
from ledger.formats.play_lists import PlayList, Shape

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
        raise Refused("the list holds no card: a section, and lines such as `3 Name`, are needed")


def refuse_control(text: str) -> None:
    """Raise Refused if the text of a list holds a control character."""
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise Refused(f"line {line} of the list holds the control character {found[0]!r}")


def read_part(data: bytes, shape: Shape | None = None) -> PlayList:
    """Read a list or a part of one, which may hold no card. Raises Refused: every problem of it."""
    if len(data) > LIST_BYTES_MAX:
        raise Refused(f"the list has more than {LIST_BYTES_MAX:,} bytes")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Refused(f"the list is no UTF-8 text at byte {error.start + 1}") from None
    refuse_control(text)
    is_json = text.lstrip().startswith("{")
    listed = _from_json(text, shape) if is_json else read_text(text, shape)
    entries = [entry for held in listed.sections.values() for entry in held]
    if len(entries) + sum(len(entry.upgrades) for entry in entries) > ENTRIES_MAX:
        raise Refused(f"the list has more than {ENTRIES_MAX:,} lines of cards")
    return listed


def _from_json(text: str, shape: Shape | None) -> PlayList:
    try:
        listed = msgspec.json.decode(text, type=PlayList)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused(f"the list is not in its JSON form: {error}") from None
    tables = ("sections", "totals", "remarks")
    plain = {table: _plainly_named(getattr(listed, table)) for table in tables}
    if len(plain["sections"]) != len(listed.sections):
        raise Refused("the list has two sections of one name")
    listed = msgspec.structs.replace(listed, **plain)
    try:
        again = read_text(as_text(listed), shape)
    except Refused as refused:  # the lines are not those of the file
        raise Refused(*(each.partition(": ")[2] or each for each in refused.sentences)) from None
    if again != listed:
        raise Refused(
            "the JSON form holds what the text form cannot: a name with a line break, a bracket "
            "or spaces around it, or the total of a section that is not there"
        )
    return listed


def _plainly_named(table: Mapping[str, Any]) -> dict[str, Any]:
    return {" ".join(name.lower().split()): value for name, value in table.items()}
