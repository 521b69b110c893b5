"""Events about keys in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.terminal.visible import visible
from cli.wording.floor_words import holder_in_words
from cli.wording.phrases import safe_text
from ledger.events import keys
from ledger.tournament.keyholders import holder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _registered(event: keys.KeyRegistered, tournament: Tournament) -> str:
    holder = holder_in_words(tournament, event.holder)
    return f"{holder} signs with key {visible(event.public)} from here on"


def _revoked(event: keys.KeyRevoked, tournament: Tournament) -> str:
    holder = holder_of(tournament, event.public)
    whose = "" if holder is None else f" of {holder_in_words(tournament, holder)}"
    return f"revoked key {visible(event.public)}{whose}: {safe_text(event.reason)}"


KEY_WORDS: Mapping[type[Event], Callable[[Any, Tournament], str]] = MappingProxyType(
    {
        keys.KeyRegistered: _registered,
        keys.KeyRevoked: _revoked,
        keys.ShuffleKeyReplaced: lambda event, _: (
            f"draws with another key from here on, SHA-256 {event.commitment}: "
            f"{safe_text(event.reason)}"
        ),
        keys.HiddenKeyReplaced: lambda event, _: (
            f"seals hidden cards with another key from here on, SHA-256 {event.commitment}: "
            f"{safe_text(event.reason)}"
        ),
        keys.ForkAccepted: lambda event, _: (
            f"went on without lines of the head of {event.size}, root {event.root}: "
            f"{safe_text(event.reason)}"
        ),
    }
)
"""What says each event about keys."""
