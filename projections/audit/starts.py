"""What was begun once more: the structure, a registration, a pairing."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.events.opening import StructureAnnounced
from ledger.events.people import RegistrationWithdrawn
from ledger.events.rounds import RoundUnpaired
from projections.audit.finding import AuditFinding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament


def _announced(
    tournament: Tournament, event: StructureAnnounced, recorded: Recorded
) -> Iterator[AuditFinding]:
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("structure", (recorded.seq,), reason=event.reason)
    elif tournament.started and not tournament.importing:
        yield AuditFinding(
            "started-again", (tournament.start_seq, recorded.seq), reason=event.reason
        )


def _unpaired(_: Tournament, event: RoundUnpaired, recorded: Recorded) -> Iterator[AuditFinding]:
    yield AuditFinding("unpaired", (recorded.seq,), event.round, reason=event.reason)


def _unregistered(
    tournament: Tournament, event: RegistrationWithdrawn, recorded: Recorded
) -> Iterator[AuditFinding]:
    registered = tournament.players[event.player].seq
    seqs = registered, recorded.seq
    yield AuditFinding("unregistered", seqs, players=(event.player,), reason=event.reason)


STARTS: Mapping[type[Event], Callable[[Tournament, Any, Recorded], Iterator[AuditFinding]]] = (
    MappingProxyType(
        {
            StructureAnnounced: _announced,
            RoundUnpaired: _unpaired,
            RegistrationWithdrawn: _unregistered,
        }
    )
)
"""What reads each of these events."""
