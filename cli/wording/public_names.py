"""What pages for everybody show of names: the event's choice, which is on record.

Such a page is made of a copy of the state whose names are cut short already, so that no table on
it can show more.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import TYPE_CHECKING
from unicodedata import normalize

from cli.input.arguments import choice
from cli.input.find_people import is_nameless

if TYPE_CHECKING:
    from ledger.events.base import PublicNames
    from ledger.tournament.state import Tournament

SHOWN: tuple[PublicNames, ...] = ("full", "short", "number")


def shown_named(typed: str) -> PublicNames:
    """Return the choice that is typed; UsageError for another word."""
    return choice(typed, SHOWN, "public name")


def public_view(tournament: Tournament) -> Tournament:
    """Return the state with no more of names in it than everybody may see."""
    if tournament.public_names == "full":
        return tournament
    view = copy(tournament)
    view.names = _LATEST.of(tournament)
    return view


class _Latest:
    """The names as they were cut last: everybody who asks before the next event reads the same."""

    def __init__(self) -> None:
        self._of: tuple[dict[str, str], int] = ({}, 0)
        self._cut: dict[str, str] = {}

    def of(self, tournament: Tournament) -> dict[str, str]:
        """Return the names of a state, cut; never those of another state's."""
        names, seq = self._of
        if names is not tournament.names or seq != tournament.seq:
            by_number = tournament.public_names == "number"
            self._cut = _numbers(tournament) if by_number else _short(tournament)
            self._of = tournament.names, tournament.seq
        return self._cut


_LATEST = _Latest()


def _numbers(tournament: Tournament) -> dict[str, str]:
    return {
        of: name if of in tournament.forgotten else _numbered(of)
        for of, name in tournament.names.items()
    }


def _numbered(of: str) -> str:
    return f"{'player' if of.startswith('p') else 'official'} {of[1:]}"


def _short(tournament: Tournament) -> dict[str, str]:
    """Cut names short; where two then are the same, each has its number."""
    found = {
        of: name if is_nameless(tournament, of) else short(name)
        for of, name in tournament.names.items()
    }
    often = Counter(found.values())
    return {of: name if often[name] == 1 else f"{name} #{of[1:]}" for of, name in found.items()}


def short(name: str) -> str:
    """Return the first name and the first letter of the last one: `Ann L.`; `Player 7` stays."""
    last, comma, first = name.partition(",")
    words = normalize("NFC", f"{first} {last}" if comma and first.strip() else name).split()
    if len(words) > 1 and words[-1][0].isalpha():
        return f"{words[0]} {words[-1][0]}."
    return " ".join(words)
