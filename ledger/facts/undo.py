"""Taking back what was said: one event for whatever it names."""

from __future__ import annotations

from ledger.facts.base import DESK, LEADERS, Event, Recording, Seq, Text
from ledger.problems import marked


class ActWithdrawn(Event, frozen=True):
    """What event `withdraws` said was a mistake, and is as if it had not been said.

    A registration, a result, a confirmation, a dispute, a ruling, an appeal, a drop, a
    disqualification, a cut; on the floor the start and the clock of a round, conduct and penalties,
    components and prizes. Who may enter it, and what it does, follows from the event that it names.
    """

    recording = Recording(
        marked("undoing an act"), DESK | LEADERS, after_finish=True, stays=marked("record it again")
    )

    withdraws: Seq
    reason: Text
