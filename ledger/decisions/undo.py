"""Taking the last own act back: for each of its events the one that answers it.

Nothing is erased. The answering event is checked like any other, so an act that something depends
on is refused by the rule that it would break.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger.commands import Command
from ledger.commands import Undo
from ledger.errors import Refused
from ledger.events.elimination import CutMade
from ledger.events.elimination import CutWithdrawn
from ledger.events.people import DropWithdrawn
from ledger.events.people import PersonRecorded
from ledger.events.people import PlayerDropped
from ledger.events.people import PlayerRegistered
from ledger.events.people import RegistrationWithdrawn
from ledger.events.results import ResultReported
from ledger.events.results import ResultWithdrawn
from ledger.events.rounds import RoundClosed
from ledger.events.rounds import RoundPaired
from ledger.events.rounds import RoundReopened
from ledger.events.rounds import RoundUnpaired
from ledger.events.rounds import SeatsSwapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.lines import Recorded
    from ledger.state import Tournament


def _undo(command: Undo, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
    act = tournament.last_act(by)
    if not act:
        raise Refused("there is no act of yours to undo")
    for recorded in reversed(act):
        yield from _answer(recorded, act, command.reason)


def _answer(recorded: Recorded, act: list[Recorded], reason: str) -> Iterator[Event]:
    seq = recorded.seq
    match recorded.event:
        case ResultReported(match=match):
            yield ResultWithdrawn(match, seq, reason)
        case PlayerDropped(player=player):
            yield DropWithdrawn(player, seq, reason)
        case PlayerRegistered(player=player):
            yield RegistrationWithdrawn(player, reason)
        case PersonRecorded() if _came_with_registration(act):
            return
        case RoundPaired(round=number):
            yield RoundUnpaired(number, reason)
        case SeatsSwapped(round=number, players=players, waiver=waiver):
            yield SeatsSwapped(number, players, reason, waiver)
        case RoundClosed(round=number):
            yield RoundReopened(number, reason)
        case CutMade(stage=stage):
            yield CutWithdrawn(stage, seq, reason)
        case _:
            raise Refused(f"your last act, {recorded.type} (event {seq}), can not be undone")


def _came_with_registration(act: list[Recorded]) -> bool:
    return any(isinstance(recorded.event, PlayerRegistered) for recorded in act)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    Undo: _undo,
}
