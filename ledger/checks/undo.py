"""Whether an act of the floor can still be taken back: nothing may depend on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.events.clock import TableExtended, TimeCalled
from ledger.events.office import DisqualificationRecommended
from ledger.events.rounds import RoundStarted
from ledger.events.undo import ActWithdrawn
from ledger.tournament.progress import round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _withdrawn(tournament: Tournament, event: ActWithdrawn) -> Iterator[str]:
    recorded = tournament.floor.acts.get(event.withdraws)
    if recorded is None:
        yield f"event {event.withdraws} is nothing that can be taken back"
        return
    match recorded.event:
        case RoundStarted(round=number):
            yield from _start(tournament, number, recorded.seq)
        case TableExtended(match=number):
            match = tournament.matches[number]
            if not match.is_open:
                yield f"{match.round}/{match.table} has ended: its extension stands"
        case TimeCalled(round=number):
            yield from _call(tournament, number, recorded.seq)
        case DisqualificationRecommended(player=player):
            if tournament.players[player].status == "disqualified":
                yield f"player {player} is disqualified: the recommendation stands"
    if not event.reason.strip():
        yield "taking an act back needs a reason"


def _start(tournament: Tournament, number: int, seq: int) -> Iterator[str]:
    played = round_in_play(tournament)
    if played is None or played.number != number or played.paired_seq > seq:
        yield f"round {number} is not in play"
    elif any(match.result for match in played.matches) or tournament.floor.calls.get(number):
        yield f"round {number} has been played in: its start stands"


def _call(tournament: Tournament, number: int, seq: int) -> Iterator[str]:
    played = round_in_play(tournament)
    calls = tournament.floor.calls.get(number, [])
    if played is None or played.number != number or not calls or calls[-1].seq != seq:
        yield f"that call is not the last one of the round in play (event {seq})"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ActWithdrawn: _withdrawn,
}
