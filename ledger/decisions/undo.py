"""Taking own acts back: for each of their events the one that answers it.

Nothing is erased. The answering event is checked like any other, so an act that something depends
on is refused by the rule that it would break.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ledger.decisions.command import Command, Context
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.people import PersonRecorded
from ledger.events.rounds import RoundUnpaired
from ledger.events.undo import ActWithdrawn
from ledger.lines.recorded import AnyRecorded, Recorded
from ledger.problems import Act, Problem, Remedy, problem
from ledger.tournament.state import Tournament
from ledger.tournament.withdrawals import meaning

SIDE_EFFECTS = frozenset({PersonRecorded, RoundUnpaired})
"""What needs no answer where it came with a registration, or with a qualifier's departure."""


class Undo(Command, frozen=True):
    """Take the last own act back, or several, if nothing depends on them: all or none."""

    reason: str = "undone"
    events: tuple[AnyRecorded, ...] = ()
    """Events of the acts in the order of the log, unless it is the last act alone."""

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        act = list(self.events) or tournament.last_act(by)
        if not act or any(each.by.partition("/")[0] != by.partition("/")[0] for each in act):
            raise Refused(problem("undo.nothing", "there is no act of yours to undo"))
        alone = Counter(each.command_id for each in act)
        for recorded in reversed(act):
            event = recorded.event
            if event.recording.withdrawable:
                yield ActWithdrawn(recorded.seq, self.reason)
            elif answer := event.reversal(self.reason):
                yield answer
            elif type(event) not in SIDE_EFFECTS or alone[recorded.command_id] == 1:
                why = meaning(tournament, event).recording.stays
                together = [each for each in act if each.command_id == recorded.command_id]
                raise Refused(_stays(recorded, why, instead_of(tournament, together)))


def _stays(recorded: Recorded, why: str, instead: tuple[Remedy, ...]) -> Problem:
    act = Act(recorded.type)
    if not why:
        text = "your act, {act} (event {seq}), cannot be undone"
        return problem("undo.stays", text, remedy=instead, act=act, seq=recorded.seq)
    text = "your act, {act} (event {seq}), cannot be undone: {why}"
    return problem("undo.stays_because", text, remedy=instead, act=act, seq=recorded.seq, why=why)


def instead_of(tournament: Tournament, act: Iterable[Recorded]) -> tuple[Remedy, ...]:
    """Return what a person does where an act is not taken back."""
    ways = [meaning(tournament, each.event).recording.instead for each in act]
    return tuple(way for way in ways if way is not None)[:1]
