"""Links in words: whose they are, and what was done about them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.terminal.visible import how_many
from cli.wording.phrases import Phrase, because, official_in_words, phrase
from ledger.events import keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.events import Event
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
            "gave link {link} to {of}",
            of=lambda event, tournament: link_holder(tournament, event.of),
        ),
        keys.LinkRevoked: _revoked,
        keys.PlainHttpChosen: _plain_http,
        keys.LinksGuessed: phrase(
            "somebody guessed at links, {times}{origin}",
            times=lambda event, _: how_many(event.tries, "time"),
            origin=lambda event, _: because(event.origin),
        ),
    }
)
