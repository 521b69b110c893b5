"""Days as files write them: the year first, the day first, or with the month's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from ledger.errors import InvalidLog
from ledger.files.access import one_line
from ledger.problems import phrase

SHOWN_MAX = 40
_YEAR_FIRST = re.compile(r"([0-9]{4})[-/.] ?([0-9]{1,2})[-/.] ?([0-9]{1,2})(?![0-9])")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.]) ?([0-9]{1,2})[-/.] ?([0-9]{4})(?![0-9])")
_NAMED = re.compile(
    r"(?:([0-9]{1,2})(?:st|nd|rd|th|\.)?[ -]+([^\W\d_]{3,12})\.?"
    r"|([^\W\d_]{3,12})\.?[ -]+([0-9]{1,2})(?:st|nd|rd|th)?)"
    r",?[ -]+([0-9]{4})(?![0-9])"
)
_WEEKDAY = re.compile(r"[^\W\d_]{3,12}\.?,? +(?=[0-9]|[^\W\d_]{3,12}\.? [0-9])")
_MONTHS = (
    ("january", "januar", "jänner", "janvier", "enero", "gennaio"),
    ("february", "februar", "février", "febrero", "febbraio"),
    ("march", "märz", "mars", "marzo"),
    ("april", "avril", "abril", "aprile"),
    ("may", "mai", "mayo", "maggio"),
    ("june", "juni", "juin", "junio", "giugno"),
    ("july", "juli", "juillet", "julio", "luglio"),
    ("august", "août", "agosto"),
    ("september", "septembre", "septiembre", "settembre"),
    ("october", "oktober", "octobre", "octubre", "ottobre"),
    ("november", "novembre", "noviembre"),
    ("december", "dezember", "décembre", "diciembre", "dicembre"),
)


def day_in(text: str, others: Iterable[str] = (), *, day_first: bool = False) -> str:
    """Return the day that a text begins with, as YYYY-MM-DD.

    `others` are further dates of the same file: one of them may show whether the day or the month
    comes first. With `day_first` the file's format says so.

    Raises:
        InvalidLog: the text does not begin with a day, or with one that can be two days.
    """
    found = sorted(set(_days(text.strip())))
    if len(found) > 1 and day_first:
        found = [_in_order(text.strip(), day_first=True)]
    if len(found) > 1:
        orders = {order for other in others for order in _orders(other.strip())}
        if len(orders) == 1:
            found = [_in_order(text.strip(), day_first=orders == {True})]
    if len(found) == 1:
        return found[0]
    if found:
        shown = one_line(text.strip())[:SHOWN_MAX]
        raise InvalidLog(
            phrase(
                "its date {shown} can mean {first} or {second}: write YYYY-MM-DD",
                shown=f"{shown!r}",
                first=found[0],
                second=found[1],
            )
        )
    raise InvalidLog(phrase("its date must be YYYY-MM-DD: a log needs the day of the tournament"))


def _days(text: str) -> Iterator[str]:
    """Yield every day that a text can begin with."""
    if found := _YEAR_FIRST.match(text):
        yield from _valid(found[1], found[2], found[3])
    elif found := _YEAR_LAST.match(text):
        yield from _valid(found[4], found[3], found[1])
        if found[2] != ".":  # with points the day comes first
            yield from _valid(found[4], found[1], found[3])
    elif found := _NAMED.match(text) or _NAMED.match(_WEEKDAY.sub("", text, count=1)):
        day, month = (found[1], found[2]) if found[1] else (found[4], found[3])
        for number in _months(month):
            yield from _valid(found[5], str(number), day)


def _orders(text: str) -> Iterator[bool]:
    """Yield whether the day comes first in a date that shows it."""
    found = _YEAR_LAST.match(text)
    if found and len(set(_days(text))) == 1 and found[1] != found[3]:
        yield next(_days(text)) == _in_order(text, day_first=True)


def _in_order(text: str, *, day_first: bool) -> str:
    found = _YEAR_LAST.match(text)
    month, day = (3, 1) if day_first else (1, 3)
    return next(_valid(found[4], found[month], found[day]), "") if found else ""


def _months(name: str) -> list[int]:
    word = name.casefold()
    return [
        number
        for number, names in enumerate(_MONTHS, start=1)
        if any(each.startswith(word) for each in names)
    ]


def _valid(year: str, month: str, day: str) -> Iterator[str]:
    try:
        yield date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return
