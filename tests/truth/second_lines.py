"""Lines of a log and base64, read for the second verifier by the page on the proof alone."""

from __future__ import annotations

import base64
import json
import re
from functools import lru_cache
from typing import Any


def plain(text: str) -> bytes | None:
    """Base64 that has one spelling."""
    if not re.fullmatch("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text):
        return None
    data = base64.b64decode(text)
    return data if base64.b64encode(data).decode() == text else None


FORMS = {
    "seq": "[1-9][0-9]{0,15}",
    "id": r"[A-Za-z0-9_-]{1,64}(\.[1-9][0-9]{0,5})?",
    "type": "[A-Z][A-Za-z]*(@[1-9][0-9]*)?",
    "at": "[0-9TZ:.-]{24}",
    "by": "(o[1-9][0-9]{0,3}/)?p[1-9][0-9]{0,3}|o[1-9][0-9]{0,3}",
    "sig": "[A-Za-z0-9+/]{86}==",
}
"""The form of each member of a line; `data` is an object of any."""


def json_of(text: bytes) -> Any:  # noqa: ANN401 - whatever it holds
    """JSON in its one spelling, its numbers integers up to 2^53 - 1; None for any other."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def never(_: str) -> None:
        raise ValueError

    def short(digits: str) -> int:
        if len(digits) > 17 or abs(int(digits)) > 2**53 - 1:
            raise ValueError
        return int(digits)

    try:
        value = json.loads(
            text.decode(),
            object_pairs_hook=once,
            parse_float=never,
            parse_constant=never,
            parse_int=short,
        )
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return None
    return value if written == text else None


@lru_cache(256)
def strict(line: bytes) -> dict[str, Any] | None:
    """A line with its newline, read; None where it has not the one form of a line."""
    value = json_of(line[:-1]) if line.endswith(b"\n") and len(line) <= 60_001 else None
    members = ["seq", "id", "type", "at", "by", "data", "sig"]
    if not isinstance(value, dict) or list(value) not in (members[:6], members):
        return None
    for name, form in FORMS.items():
        kind = int if name == "seq" else str
        if name in value and type(value[name]) is not kind:
            return None
        if name in value and not re.fullmatch(form, str(value[name]), re.ASCII):
            return None
    return value if isinstance(value["data"], dict) else None
