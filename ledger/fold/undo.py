"""What taking an act of the floor back does to the tournament."""

from __future__ import annotations

from ledger.events.undo import ActWithdrawn
from ledger.events.vocabulary import functions
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament

UNDO = functions("ledger.fold", "undo_")
"""What each act of the floor that can be taken back leaves behind: nothing."""


def act_withdrawn(tournament: Tournament, event: ActWithdrawn, _: Recorded) -> None:
    recorded = tournament.floor.acts.pop(event.withdraws, None)
    if recorded is not None:  # a fork may have left it out
        tournament.floor.taken_back[event.withdraws] = recorded
        UNDO[type(recorded.event)](tournament, recorded.event, recorded)
