"""A line's one form, read: what a sceptic reads with part one.

Its members stand in their order, without white space between them, each in its one spelling.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ledger.proof.formats import Invalid

LINE_BYTES_MAX = 60_000
WHOLE_MAX = 2**53 - 1

LINE = re.compile(
    r'\{"seq":([1-9][0-9]{0,15}),"id":"([A-Za-z0-9_-]{1,64}(?:\.[1-9][0-9]{0,5})?)",'
    r'"type":"([A-Z][A-Za-z]*(?:@[1-9][0-9]*)?)","at":"[0-9TZ:.-]{24}",'
    r'"by":"((?:o[1-9][0-9]{0,3}/)?p[1-9][0-9]{0,3}|o[1-9][0-9]{0,3})",'
    r'"data":(\{.*\})(?:,"sig":"([A-Za-z0-9+/]{86}==)")?\}'
)
"""The form of a line: its members in their order, no white space between them."""


def _whole(text: str) -> int:
    is_short = len(text) <= len(str(-WHOLE_MAX)) and text.lstrip("-").isdigit()
    if not is_short or abs(int(text)) > WHOLE_MAX:
        raise Invalid(f"{text[:20]} is no whole number that a line can hold")
    return int(text)


READ = json.JSONDecoder(parse_int=_whole, parse_float=_whole, parse_constant=_whole).decode
WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Line(NamedTuple):
    """A line's members; data read."""

    seq: int
    id: str
    type: str
    by: str
    data: dict[str, Any]
    sig: str


def read_line(line: bytes) -> Line:
    """Read a line, without its newline; Invalid unless it has its one form."""
    if len(line) > LINE_BYTES_MAX:
        raise Invalid(f"it is longer than {LINE_BYTES_MAX:,} bytes")
    data: Any = None
    try:
        text = line.decode()
        found = LINE.fullmatch(text)
        data = READ(found[5] if found else text)
    except Invalid:
        raise
    except (ValueError, RecursionError):
        raise Invalid("it is no JSON in UTF-8") from None
    if not found or WRITE(data) != found[5]:
        raise Invalid("its members, their order or their spelling are not those of a line")
    assert isinstance(data, dict)  # noqa: S101 - it begins with a brace
    return Line(int(found[1]), found[2], found[3], found[4], data, found[6] or "")
