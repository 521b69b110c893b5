"""Make commands that enter the acts of another desk, and store the decisions of a merge.

The decisions are an item of the vault, `merged`, which contains no text that a person typed. So
the same backup merged again changes nothing, even if an act has become admissible since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

from ledger.errors import InvalidLog, Refused
from ledger.exchange.merging.remaking import shifted
from ledger.lines.line import decode, encode
from ledger.problems import Problem, marked, problem
from ledger.rules.command import Command, Context
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

MERGED: Final = "merged"
"""The item of the vault that contains the decisions of earlier merges."""

Fate: TypeAlias = Literal["landed", "draft", "same", "listed"]
"""The result of a merge for an event of the other desk.

    landed   the event is recorded again, at the end of this log
    draft    the event needs a signature that only the other log has: its signer must sign again
    same     this log already has the event
    listed   the event is on the sheet, with both sides: a judge or the desk decides
"""


class Decided(Struct, frozen=True, omit_defaults=True):
    """The fate of an event, its number in this log, and our events that it conflicts with."""

    fate: Fate
    here: int = 0
    ours: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()


class EnterAgain(Command, frozen=True):
    """Record events of another desk, whose lines are the evidence.

    `lines` are the events with their numbers in this log, from event `first` on. If the log has
    grown since, the references among them move by the number of new lines. An act that must be
    entered `exactly` is refused instead.
    """

    lines: tuple[str, ...]
    evidence: tuple[str, ...]
    first: int
    exactly: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        """Yield the events that the merge decided to enter."""
        moved = tournament.seq + 1 - self.first
        if moved and self.exactly:
            text = marked("another desk has written in the meantime: merge the backup again")
            raise Refused(problem("merge.meanwhile", text))
        for line in self.lines:
            event = decode(line.encode()).event
            yield shifted(event, self.first, moved) if moved else event


class NewAct(Struct, frozen=True):
    """An act of theirs that lands here or waits for a signature, and the type that is signed."""

    command_id: str
    by: str
    at: str
    command: EnterAgain
    kind: str = ""


def new_act(events: list[Recorded], lines: list[bytes], command_id: str, kind: str = "") -> NewAct:
    """Return the act of these events, which are numbered as they would land."""
    first = events[0]
    plain = tuple(encode(recorded).decode() for recorded in events)
    evidence = tuple(line.decode() for line in lines)
    command = EnterAgain(plain, evidence, first.seq, exactly=not kind)
    return NewAct(command_id, first.by, first.at, command, kind)


def numbered(events: list[Recorded], command_id: str) -> list[Recorded]:
    """Give the events of an act their ids, one after the other."""
    return [
        structs.replace(recorded, id=f"{command_id}.{number}" if number else command_id)
        for number, recorded in enumerate(events)
    ]


def written(decided: Mapping[str, Decided]) -> bytes:
    """Encode the decisions about the events of the other desk, by the id of the event there."""
    without = {event_id: _without_remedies(decision) for event_id, decision in decided.items()}
    return msgspec.json.encode(without)


def _without_remedies(decided: Decided) -> Decided:
    problems = tuple(structs.replace(reason, remedies=()) for reason in decided.problems)
    return structs.replace(decided, problems=problems)


def read(item: bytes | None) -> dict[str, Decided]:
    """Read the decisions of earlier merges.

    Raises:
        InvalidLog: the item is damaged.
    """
    if not item:
        return {}
    try:
        return msgspec.json.decode(item, type=dict[str, Decided])
    except msgspec.DecodeError:
        raise InvalidLog("what earlier merges decided cannot be read: restore a backup") from None
