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
from projections.audit.finding import AuditFinding

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


def _revoked(
    tournament: Tournament, event: KeyRevoked, recorded: Recorded
) -> Iterator[AuditFinding]:
    holder = holder_of(tournament, event.public) or 0
    yield AuditFinding("key", (recorded.seq,), official=holder, reason=event.reason)


def _of_keys(
    tournament: Tournament, event: _Replaced | ForkAccepted, recorded: Recorded
) -> Iterator[AuditFinding]:
    round_ = len(tournament.rounds) if isinstance(event, _Replaced) else 0
    yield AuditFinding(_OF_KEYS[type(event)], (recorded.seq,), round_, reason=event.reason)


def _registered(
    tournament: Tournament, event: KeyRegistered, recorded: Recorded
) -> Iterator[AuditFinding]:
    kind = "further-key" if holders_of(tournament).is_keyed(event.holder) else "first-key"
    kind = "key-lost" if event.lost.strip() else kind
    yield AuditFinding(kind, (recorded.seq,), official=event.holder, reason=event.lost)


def _appointed(
    tournament: Tournament, event: OfficialAppointed, recorded: Recorded
) -> Iterator[AuditFinding]:
    """Who leads agrees to keys: another office of somebody with a key is about keys, too."""
    holders = holders_of(tournament)
    before = holders.roles.get(event.official, event.roles)
    if holders.is_keyed(event.official) and {*before} != {*event.roles}:
        yield AuditFinding("keyed-office", (recorded.seq,), official=event.official)


KEYS: Mapping[type[Event], Callable[[Tournament, Any, Recorded], Iterator[AuditFinding]]] = (
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
