"""What was done about keys, and to those who hold one."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.events.keys import (
    ForkAccepted,
    HiddenKeyReplaced,
    KeyRegistered,
    KeyRevoked,
    ShuffleKeyReplaced,
)
from ledger.events.opening import OfficialAppointed
from ledger.tournament.keyholders import holder_of, holders_of
from projections.audit.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament

_Replaced = ShuffleKeyReplaced | HiddenKeyReplaced
_OF_KEYS: Mapping[type[Event], str] = MappingProxyType(
    {
        ForkAccepted: "lost-end",
        ShuffleKeyReplaced: "draw-key",
        HiddenKeyReplaced: "hidden-key",
    }
)


def _revoked(tournament: Tournament, event: KeyRevoked, recorded: Recorded) -> Iterator[Finding]:
    holder = holder_of(tournament, event.public) or 0
    yield Finding("key", (recorded.seq,), official=holder, reason=event.reason)


def _of_keys(
    tournament: Tournament, event: _Replaced | ForkAccepted, recorded: Recorded
) -> Iterator[Finding]:
    round_ = len(tournament.rounds) if isinstance(event, _Replaced) else 0
    yield Finding(_OF_KEYS[type(event)], (recorded.seq,), round_, reason=event.reason)


def _registered(
    tournament: Tournament, event: KeyRegistered, recorded: Recorded
) -> Iterator[Finding]:
    kind = "further-key" if holders_of(tournament).is_keyed(event.holder) else "first-key"
    kind = "key-lost" if event.lost.strip() else kind
    yield Finding(kind, (recorded.seq,), official=event.holder, reason=event.lost)


def _appointed(
    tournament: Tournament, event: OfficialAppointed, recorded: Recorded
) -> Iterator[Finding]:
    """Who leads agrees to keys: another office of somebody with a key is about keys, too."""
    holders = holders_of(tournament)
    before = holders.roles.get(event.official, event.roles)
    if holders.is_keyed(event.official) and {*before} != {*event.roles}:
        yield Finding("keyed-office", (recorded.seq,), official=event.official)


KEYS: Mapping[type[Event], Callable[[Tournament, Any, Recorded], Iterator[Finding]]] = (
    MappingProxyType(
        {
            KeyRegistered: _registered,
            KeyRevoked: _revoked,
            OfficialAppointed: _appointed,
            **dict.fromkeys(_OF_KEYS, _of_keys),
        }
    )
)
"""What is found in each of these events."""
