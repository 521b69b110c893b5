"""The clock: extra time, extensions of a table, time called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.commands import AnnounceExtraTime, CallTime, ExtendTable
from ledger.errors import Refused
from ledger.events.clock import ExtraTimeAnnounced, TableExtended, TimeCalled
from ledger.tournament.progress import round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.commands import Command
    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Tournament


def _announce(
    command: AnnounceExtraTime, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if tournament.floor.extra_minutes != command.minutes:
        yield ExtraTimeAnnounced(command.minutes)


def _extend(command: ExtendTable, _: Tournament, _context: Context, _by: str) -> Iterator[Event]:
    yield TableExtended(command.match, command.minutes, command.reason)


def _call(command: CallTime, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    played = round_in_play(tournament)
    if played is None:
        raise Refused("no round is in play: use `pair`")
    called = [call.left for call in tournament.floor.calls.get(played.number, ())]
    if called[-1:] != [command.left]:
        yield TimeCalled(played.number, command.left)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    AnnounceExtraTime: _announce,
    ExtendTable: _extend,
    CallTime: _call,
}
