r"""Text for people: made safe to show, shortened, and counted (one row, but 1,200 rows).

Names are kept exactly as typed. On output, control characters (C0, C1, DEL), formatting characters
(bidirectional marks, zero-width ones, tags), line separators, surrogates, private and unassigned
code points, and letters that are drawn as nothing appear as `\u{1b}`. So every escape sequence on a
terminal is one of the styles here, which are added after that.

While a page is written, `isolated` marks the beginning and the end of a name. The page has a `bdi`
around that name, so that the direction of its letters moves nothing next to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from unicodedata import category, combining, east_asian_width

from cli.languages.speaking import ENGLISH, form_for, in_figures, language, tr, tr_many

ELLIPSIS = "…"


class Style(Enum):
    """Style of a part of a line, on a terminal that has colours: the sequence that begins it."""

    BOLD = "\x1b[1m"
    GREY = "\x1b[2m"
    RED = "\x1b[1;31m"
    GREEN = "\x1b[1;32m"
    CYAN = "\x1b[36m"


PLAIN = "\x1b[0m"
"""Sequence that ends every style."""


def styled(text: str, style: Style) -> str:
    """Return a text that is visible already in a style; its cells are counted before."""
    return f"{style.value}{text}{PLAIN}"


TYPED_CELLS = 40
"""Cells of typed words that a message repeats."""

_KNOWN_MAX = 5_000
"""Code points that are remembered: all of a script, and not all of Unicode."""

_MARKS = frozenset({"Mn", "Me"})

# Default-ignorable and blank code points that Unicode counts among the letters, marks and symbols.
_DRAWN_AS_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)

NAME_BEGINS, NAME_ENDS = "\ufdd0", "\ufdd1"
"""Marks around a name while a page is written: code points that Unicode assigns to no letter."""

_MARKED = re.compile(f"[{NAME_BEGINS}{NAME_ENDS}]")
_marks_names: ContextVar[bool] = ContextVar("marks_names", default=False)


@contextmanager
def marking_names() -> Iterator[None]:
    """Let `isolated` mark names: `cli.render.elements` makes elements of the marks."""
    before = _marks_names.set(True)
    try:
        yield
    finally:
        _marks_names.reset(before)


def isolated(text: str) -> str:
    """Return a visible name or free text, with marks around it while a page is written."""
    if not (text and _marks_names.get()):
        return text
    return f"{NAME_BEGINS}{_MARKED.sub(_written_out, text)}{NAME_ENDS}"


def unmarked(text: str) -> str:
    """Return a text without the marks around names."""
    return _MARKED.sub("", text)


def short_id(tournament: str) -> str:
    """Return as much of a tournament's id as is shown; any beginning of an id may be typed."""
    return tournament[:8]


def visible(text: str) -> str:
    """Return the text with every invisible character written out as its code point."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SHOWN)


def visible_lines(text: str) -> str:
    """Return a text of several lines, each made visible: line ends remain."""
    return "\n".join(map(visible, text.splitlines()))


def visible_json(text: str) -> str:
    """Return JSON text with every invisible character as a JSON escape: the value stays equal."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SHOWN_IN_JSON)


def cells(text: str) -> int:
    """Count the columns that a visible text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


_JOINED = re.compile(r"\\u\{[0-9a-f]{1,6}\}|.", re.DOTALL)
"""A letter, or a code point that is written out."""

_VIRAMA = 9
"""Combining class of the sign that joins two letters of an Indian script."""

_HANGUL_LATER = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_FURTHER = re.compile("[\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff]")
"""Letters and symbols that change the letter before them."""


def clusters(text: str) -> Iterator[str]:
    """Yield the letters of a visible text as people see them, each with its marks.

    A syllable of an Indian script, a flag and a code point that is written out are one of them.
    """
    cluster = ""
    for letter in _JOINED.findall(text):
        if cluster and _belongs_to(cluster, letter):
            cluster += letter
            continue
        if cluster:
            yield cluster
        cluster = letter
    if cluster:
        yield cluster


def _belongs_to(cluster: str, letter: str) -> bool:
    if letter.isascii():
        return False
    last = cluster[-1]
    if category(letter).startswith("M") or _FURTHER.match(letter) or _HANGUL_LATER.match(letter):
        return True
    if _FLAG.match(letter):
        return len(cluster) == 1 and _FLAG.match(last) is not None
    return combining(last) == _VIRAMA and category(letter) == "Lo"


def shortened(text: str, width: int) -> str:
    """Cut a visible text to at most `width` cells, with an ellipsis where something is cut off.

    No letter loses a mark: see `clusters`.
    """
    if cells(text) <= width:
        return text
    kept: list[str] = []
    room = width - 1
    for cluster in clusters(text):
        room -= cells(cluster)
        if room < 0:
            break
        kept.append(cluster)
    return "".join(kept) + ELLIPSIS if width > 0 else ""


def in_quotes(words: str) -> str:
    """Return typed words for a message: in quotes, short and safe to show."""
    return f'"{shortened(visible(words), TYPED_CELLS)}"'


class _Table(dict[int, str]):
    """The visible form of each code point, looked up once for the first few thousand."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        super().__init__()
        self._escape = escape

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if letter in (NAME_BEGINS, NAME_ENDS):
            return letter if _marks_names.get() else self._escape(letter)
        shown = letter if _is_shown(letter) else self._escape(letter)
        if len(self) < _KNOWN_MAX:
            self[code] = shown
        return shown


def _is_shown(letter: str) -> bool:
    if not letter.isprintable():
        return category(letter) == "Zs"
    return letter.isascii() or not _DRAWN_AS_NOTHING.match(letter)


def _width(letter: str) -> int:
    if combining(letter) or category(letter) in _MARKS or letter in (NAME_BEGINS, NAME_ENDS):
        return 0
    return 2 if east_asian_width(letter) in {"W", "F"} else 1


def _json_escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2)
    )


def _code_point(letter: str) -> str:
    return f"\\u{{{ord(letter):x}}}"


def _written_out(mark: re.Match[str]) -> str:
    return _code_point(mark[0])


_SHOWN = _Table(_code_point)
_SHOWN_IN_JSON = _Table(_json_escape)


def capitalized(text: str) -> str:
    """Return a text with its first letter as a capital; the others stay as they are."""
    return text[:1].upper() + text[1:]


def how_many(count: int, thing: str, things: str = "") -> str:
    """Count a thing in words; `things` is its plural if that is not formed with an s.

    The texts for translators are `{count} THING` and `{count} THINGS`.
    """
    return tr_many(f"{{count}} {thing}", f"{{count}} {things or f'{thing}s'}", count)


def ordinal(number: int) -> str:
    """Return a place: 1st, 2nd, 3rd, 4th, 11th, 21st; other languages have one form."""
    if language() != ENGLISH:
        return tr("{number}th", number=in_figures(number))
    ending = "th" if number % 100 in range(11, 14) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number:,}{ending or 'th'}"


def amount_of(shown: str, thing: str) -> str:
    """Say an amount that may be a fraction: 1 point, but 2½ points.

    The texts for translators are `{amount} THING` and `{amount} THINGS`.
    """
    number = 1 if shown == "1" else int(shown) if shown.isdecimal() else 2
    return form_for(f"{{amount}} {thing}", f"{{amount}} {thing}s", number).format(amount=shown)


def first_of(shown: int, count: int, thing: str) -> str:
    """Count things in words, and state if only the first of them are shown."""
    counted = how_many(count, thing)
    if shown >= count:
        return counted
    return tr("the first {shown} of {counted}", shown=in_figures(shown), counted=counted)
