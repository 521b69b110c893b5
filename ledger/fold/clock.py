"""What extra time, extensions and calls of the time do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.clock import ExtraTimeAnnounced, TableExtended, TimeCalled
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Call


def _announced(tournament: Tournament, event: ExtraTimeAnnounced, _: Recorded) -> None:
    tournament.floor.extra_minutes = event.minutes


def _extended(tournament: Tournament, event: TableExtended, _: Recorded) -> None:
    given = tournament.floor.extensions
    given[event.match] = given.get(event.match, 0) + event.minutes


def _called(tournament: Tournament, event: TimeCalled, recorded: Recorded) -> None:
    tournament.floor.calls.setdefault(event.round, []).append(
        Call(event.left, recorded.at, recorded.seq)
    )


def _shortened(tournament: Tournament, event: TableExtended, _: Recorded) -> None:
    given = tournament.floor.extensions
    given[event.match] -= event.minutes
    if not given[event.match]:
        del given[event.match]


def _uncalled(tournament: Tournament, event: TimeCalled, _: Recorded) -> None:
    calls = tournament.floor.calls
    calls[event.round].pop()
    if not calls[event.round]:
        del calls[event.round]


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ExtraTimeAnnounced: _announced,
    TableExtended: _extended,
    TimeCalled: _called,
}

UNDO: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    TableExtended: _shortened,
    TimeCalled: _uncalled,
}
