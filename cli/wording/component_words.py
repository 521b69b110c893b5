"""Events about components and prizes in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.input.people import labelled
from cli.wording.floor_words import table_in_words
from cli.wording.phrases import because, safe_text
from ledger.events import components

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _missing(event: components.ComponentMissing, tournament: Tournament) -> str:
    when = " during the game" if event.during else ""
    return f"{labelled(tournament, event.player)} misses {safe_text(event.component)}{when}"


def _damaged(event: components.ComponentDamaged, tournament: Tournament) -> str:
    more = ", replaced" if event.replaced else ", impedes play" if event.impedes else ""
    player = labelled(tournament, event.player)
    return f"{player}: damaged {event.kind} {safe_text(event.component)}{more}"


def _proxy(event: components.ProxyMade, tournament: Tournament) -> str:
    player, card = labelled(tournament, event.player), safe_text(event.card)
    return f"{player}: proxy for {card} on {event.date}, illegible: {safe_text(event.illegible)}"


def _decided(event: components.ComponentDecided, tournament: Tournament) -> str:
    whose = f" of {labelled(tournament, event.player)}" if event.player else ""
    verdict = "allowed" if event.allowed else "ineligible"
    what = f"{event.kind} {safe_text(event.component)}{whose}"
    return f"{what} is {verdict}{because(event.reason)}"


def _shared(event: components.ComponentsShared, tournament: Tournament) -> str:
    asked = f"{labelled(tournament, event.player)} asked" if event.player else "ordered"
    return f"{table_in_words(tournament, event.match)}: {event.what} shared, {asked}"


COMPONENT_WORDS: Mapping[type[Event], Callable[[Any, Tournament], str]] = MappingProxyType(
    {
        components.ComponentMissing: _missing,
        components.ComponentFound: lambda event, tournament: (
            f"{labelled(tournament, event.player)} has the component again"
        ),
        components.ComponentDamaged: _damaged,
        components.ProxyMade: _proxy,
        components.ComponentDecided: _decided,
        components.ComponentsShared: _shared,
        components.PrizeOffered: lambda event, _: (
            f"prize for ranks {event.first} to {event.last}: {safe_text(event.prize)}"
        ),
        components.PrizeAwarded: lambda event, tournament: (
            f"{labelled(tournament, event.player)} was given {safe_text(event.prize)} "
            f"({event.kind})"
        ),
    }
)
"""What says each event about components and prizes."""
