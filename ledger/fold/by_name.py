"""Which function does what an event says: the one with the event's name, in any of the themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ledger.events import Event
from ledger.events.vocabulary import EVENTS, MEANINGS
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from types import ModuleType

Function = Callable[[Tournament, Any, Recorded], None]


def functions(*themes: ModuleType, prefix: str = "") -> dict[type[Event], Function]:
    """Return the function of each event that has one: `round_paired` is that of `RoundPaired`."""
    there = {name: function for theme in themes for name, function in vars(theme).items()}
    names = {
        kind: prefix + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
        for kind in (*EVENTS.values(), *MEANINGS.values())
    }
    return {kind: there[name] for kind, name in names.items() if name in there}


def listed(field: str) -> tuple[Function, Function]:
    """Return what puts an event on this list of the floor's records, and what takes it off."""

    def add(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).append(recorded)

    def remove(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).remove(recorded)

    return add, remove
