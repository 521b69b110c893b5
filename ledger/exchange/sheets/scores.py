"""A score in one cell: 2-1, 2:1, 1-1-1, 1-0, ½-½, 0.5-0.5; and what a spreadsheet made of one.

`½` may be typed as 1/2, 0.5 or 0,5. `+--` and `1-0F` are a match that was not played: who came
has it, as chess programs write it.
"""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = r"([0-9]{0,15}(?:½|[.,]5|[.,]0{1,9})|[0-9]{1,15})"
_BETWEEN = r" ?[-:\u2013\u2014] ?"
_SCORE = re.compile(rf"{_NUMBER}{_BETWEEN}{_NUMBER}(?:{_BETWEEN}{_NUMBER})?")
_MONTH = r"[a-zäéû]{3,9}\.?"
_DAY = re.compile(
    rf"(?:[0-9]{{1,2}}[. -]+{_MONTH}|{_MONTH}[. -]+[0-9]{{1,2}})(?:[. ,-]+[0-9]{{2,4}})?"
    r"|[0-9]{1,2}([-./])[0-9]{1,2}\1(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}([-./])[0-9]{1,2}\2[0-9]{1,2}"
    r"|[0-9]{1,2}([./])[0-9]{1,2}\3(?:[0-9]{2})?|[0-9]{1,2}/[0-9]{1,2}",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"[ t]+[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?$", re.IGNORECASE)

FORFEITS = {
    "+--": "no-show2", "+:-": "no-show2", "1-0f": "no-show2", "1-0ff": "no-show2",
    "--+": "no-show1", "-:+": "no-show1", "0-1f": "no-show1", "0-1ff": "no-show1",
    "---": "no-show", "-:-": "no-show", "0-0f": "no-show", "0-0ff": "no-show",
}  # fmt: skip
"""What chess programs write of a match that was not played, and the word for it here."""


def score_of(text: str) -> tuple[Fraction, ...]:
    """Return the two or three numbers of a score; nothing where it is no score."""
    found = _SCORE.fullmatch(_plain(text))
    return tuple(map(_number, filter(None, found.groups()))) if found and not is_date(text) else ()


def whole_score(text: str) -> tuple[int, ...]:
    """Return the numbers of a score that has no half; nothing where it has one, or is no score."""
    numbers = score_of(text)
    is_whole = all(number.denominator == 1 for number in numbers)
    return tuple(map(int, numbers)) if is_whole else ()


def is_date(text: str) -> bool:
    """Whether a cell is a day: what a spreadsheet makes of 2-1 or 1-1-1."""
    return bool(_DAY.fullmatch(_CLOCK.sub("", text.strip())))


def forfeit_of(text: str) -> str:
    """Return the word for a match that was not played, or nothing."""
    return FORFEITS.get("".join(text.lower().split()), "")


def _plain(text: str) -> str:
    return text.strip().replace("\u2044", "/").replace("\u2212", "-").replace("1/2", "½")


def _number(text: str) -> Fraction:
    if text.endswith("½"):
        return Fraction(int(text[:-1] or 0)) + Fraction(1, 2)
    return Fraction(text.replace(",", ".") if text[0].isdigit() else f"0{text.replace(',', '.')}")
