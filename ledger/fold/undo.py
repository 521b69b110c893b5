"""What taking an act of the floor back does to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.undo import ActWithdrawn
from ledger.fold.clock import UNDO as CLOCK
from ledger.fold.components import UNDO as COMPONENTS
from ledger.fold.office import UNDO as OFFICE
from ledger.fold.rounds import UNDO as ROUNDS
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament

UNDO = ROUNDS | CLOCK | OFFICE | COMPONENTS
"""What each act of the floor that can be taken back leaves behind: nothing."""


def _withdrawn(tournament: Tournament, event: ActWithdrawn, _: Recorded) -> None:
    recorded = tournament.floor.acts.pop(event.withdraws, None)
    if recorded is not None:  # a fork may have left it out
        tournament.floor.taken_back[event.withdraws] = recorded
        UNDO[type(recorded.event)](tournament, recorded.event, recorded)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ActWithdrawn: _withdrawn,
}
