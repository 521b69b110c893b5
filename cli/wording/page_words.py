"""What pages of the hall show of people: the holders of links, and as much of names as is public.

The organizer chooses how much of a name pages for everybody show, on record. Such a page is made
of a copy of the state whose names are shortened already, so that no table on it can show more.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import normalize

from cli.input.arguments import choice
from cli.input.find_people import is_nameless, labelled
from cli.terminal.visible import how_many
from cli.wording.phrases import Phrase, because, official_in_words, phrase
from ledger.facts import keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.facts.base import Event, PublicNames
    from ledger.tournament.state import Tournament


def link_holder(tournament: Tournament, of: str) -> str:
    """Name whom a link lets in: a player, an official, a screen, or who asks to be registered."""
    number = int(of[1:])
    if of.startswith("p"):
        return labelled(tournament, number)
    if of.startswith("e"):
        return "registration"
    return official_in_words(tournament, number) if of.startswith("o") else f"screen {number}"


def browsers_in_words(browsers: Iterable[tuple[str, str]]) -> str:
    """List browsers, each with the time since when it is let in, and what it calls itself."""
    return ", ".join(f"{agent} since {since}" for since, agent in browsers)


def _revoked(event: keys.LinkRevoked, tournament: Tournament) -> str:
    link = tournament.floor.links.get(event.link)
    whose = f" of {link_holder(tournament, link.of)}" if link else ""
    return f"revoked link {event.link}{whose}{because(event.reason)}"


def _plain_http(event: keys.PlainHttpChosen, _: Tournament) -> str:
    way = "over plain HTTP too" if event.allowed else "only over loopback or TLS"
    return f"officials act in the hall {way}{because(event.reason)}"


LINK_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        keys.LinkIssued: phrase(
            "issued link {link} to {of}",
            of=lambda event, tournament: link_holder(tournament, event.of),
        ),
        keys.LinkRevoked: _revoked,
        keys.PlainHttpChosen: _plain_http,
        keys.LinksGuessed: phrase(
            "unknown links were tried {times}{origin}",
            times=lambda event, _: how_many(event.tries, "time"),
            origin=lambda event, _: because(event.origin),
        ),
    }
)


SHOWN: tuple[PublicNames, ...] = ("full", "short", "number")
SHOWN_IN_WORDS: Mapping[PublicNames, str] = MappingProxyType(
    {"short": "Ann L.", "full": "Ann Lee", "number": "numbers only"}
)
"""Each choice as forms and pages name it, in the order in which forms offer them."""


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
        of: name if of in tournament.forgotten else numbered(of)
        for of, name in tournament.names.items()
    }


def numbered(of: str) -> str:
    """Return a person as a number: `player 7`, `official 1`."""
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
