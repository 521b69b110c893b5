"""The lines above the first deck on a deck's page: title, stronghold, role and provinces.

They have no headings and no numbers; what tells them is the word that such a page sets behind each
of the last ones, a province's element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.exchange.lists.amounts import amount

if TYPE_CHECKING:
    from ledger.exchange.lists.decoding import TextLine
    from ledger.exchange.lists.headings import Headings
    from ledger.formats.format import Format

NO_LIMIT = 1_000

_PAGE = re.compile(r"(?:edit|delete|permalink|publish|copy|clone|like|share| )+", re.IGNORECASE)
_STATED = re.compile(r"[A-Za-z ]{1,40}:.*|#.*|//.*|[-=_*~ ]{3,}")


def front_of(made: Format, headings: Headings, lines: Sequence[TextLine]) -> dict[int, str]:
    """The section of each line above the first heading; the title has none, and is ''."""
    ending = next((section for section in made.sections if section.ends), None)
    if ending is None:
        return {}
    above, is_page = _above(headings, lines)
    # The first line of all is the title, whatever its last word is.
    marked = [line for line in above[1:] if _ends(line.text, ending.ends)]
    if len(marked) > _most(made, ending.name) or (marked and _is_cut(marked[0].text)):
        del marked[0]  # a role, `Keeper of Water`
    if not marked:
        return {}
    before = [line for line in above if line.number < marked[0].number]
    names = [section.name for section in made.sections]
    places = names[: names.index(ending.name)]
    untitled = is_page and before and before[0].number > is_page
    titles = [] if untitled else before[:1]
    first = before[len(titles) :]
    if len(first) > len(places):
        return {}
    found = {line.number: "" for line in titles}
    found |= {line.number: place for line, place in zip(first, places, strict=False)}
    return found | {line.number: ending.name for line in above if line.number >= marked[0].number}


def _above(headings: Headings, lines: Sequence[TextLine]) -> tuple[list[TextLine], int]:
    """The names above the first heading, and which line has the page's links (0: none)."""
    found: list[TextLine] = []
    is_page = 0
    for line in lines:
        if line.text and _PAGE.fullmatch(line.text):
            is_page = line.number
        elif headings.heading(line.text):
            break
        elif line.text and not _STATED.fullmatch(line.text):
            found.append(line)
    return found, is_page


def _most(made: Format, section: str) -> int:
    """How many cards a section has at most."""
    own = (check for check in made.checks if getattr(check, "sections", ()) == (section,))
    return min((each for check in own if (each := getattr(check, "most", None))), default=NO_LIMIT)


def _is_cut(text: str) -> bool:
    """Whether what is left without the last word is no name."""
    return text.split()[-2].lower() in {"of", "the"}


def _ends(text: str, ends: Sequence[str]) -> bool:
    words = text.split()
    return len(words) > 1 and words[-1].lower() in ends and amount(text).copies is None
