"""Lists of the floor's records that an event is put on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament

Function = Callable[[Tournament, Any, Recorded], None]


def listed(field: str) -> tuple[Function, Function]:
    """Return what puts an event on this list of the floor's records, and what takes it off."""

    def add(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).append(recorded)

    def remove(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).remove(recorded)

    return add, remove
