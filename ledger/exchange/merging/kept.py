"""The acts of another desk that land or wait here, as commands; and what a merge decided, kept.

What was decided is an item of the vault, `merged`: it holds no text that a person typed. So the
same backup merged again changes nothing, also where an act has become admissible since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

from ledger.errors import InvalidLog, Refused
from ledger.exchange.merging.remaking import shifted
from ledger.lines.line import decode, encode
from ledger.problems import Act, Official, Phrase, Player, Problem, Table, problem
from ledger.rules.command import Command, Context
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

MERGED: Final = "merged"
"""The item of the vault with what earlier merges decided."""

Fate: TypeAlias = Literal["landed", "draft", "same", "listed"]
"""What becomes of an event of theirs.

    landed   it is made again, at the end of this log
    draft    it needs a signature that the other log has: its signer is asked for another one
    same     this log has it already
    listed   it is on the sheet, with both sides: a judge or the desk decides
"""


class Decided(Struct, frozen=True, omit_defaults=True):
    """What became of an event, its event in this log, and ours that it stands against."""

    fate: Fate
    here: int = 0
    ours: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()


class EnterAgain(Command, frozen=True):
    """Record events of another desk, whose lines are the evidence.

    `lines` are the events as they are here, from event `first` on. If something else has come
    before them by now, what they say of each other is moved on; `exactly`: then it is refused.
    """

    lines: tuple[str, ...]
    evidence: tuple[str, ...]
    first: int
    exactly: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        """Yield the events, each as it was decided about when the logs were merged."""
        moved = tournament.seq + 1 - self.first
        if moved and self.exactly:
            text = "another desk has written in the meantime: merge the backup again"
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


def new_act(made: list[Recorded], lines: list[bytes], command_id: str, kind: str = "") -> NewAct:
    """Return the act of these events, which are numbered as they would land."""
    first = made[0]
    plain = tuple(encode(each).decode() for each in made)
    evidence = tuple(line.decode() for line in lines)
    command = EnterAgain(plain, evidence, first.seq, exactly=not kind)
    return NewAct(command_id, first.by, first.at, command, kind)


def numbered(made: list[Recorded], command_id: str) -> list[Recorded]:
    """Give the events of an act their ids, one after the other."""
    return [
        structs.replace(each, id=f"{command_id}.{number}" if number else command_id)
        for number, each in enumerate(made)
    ]


def written(decided: Mapping[str, Decided]) -> bytes:
    """Write what was decided about each event of theirs, by its id there."""
    without = {event_id: _without_remedies(each) for event_id, each in decided.items()}
    return msgspec.json.encode(without)


def _without_remedies(decided: Decided) -> Decided:
    problems = tuple(structs.replace(each, remedies=()) for each in decided.problems)
    return structs.replace(decided, problems=problems)


def read(item: bytes | None) -> dict[str, Decided]:
    """Read what earlier merges decided; InvalidLog where the item is damaged."""
    if not item:
        return {}
    try:
        kept = msgspec.json.decode(item, type=dict[str, _Kept])
        return {event_id: _as_decided(each) for event_id, each in kept.items()}
    except (msgspec.DecodeError, KeyError, TypeError):
        raise InvalidLog("what earlier merges decided cannot be read: restore a backup") from None


class _Kept(Struct, frozen=True):
    """What was decided, as it is written: what a problem is about is of many kinds."""

    fate: Fate
    here: int = 0
    ours: tuple[int, ...] = ()
    problems: tuple[dict[str, Any], ...] = ()


def _as_decided(kept: _Kept) -> Decided:
    problems = tuple(
        Problem(
            each["code"],
            each["text"],
            {name: _value(value) for name, value in each.get("about", {}).items()},
            each.get("clause", ""),
            plural=each.get("plural", ""),
        )
        for each in kept.problems
    )
    return Decided(kept.fate, kept.here, kept.ours, problems)


def _value(written: Any) -> Any:  # noqa: ANN401 - any value that a problem is about
    if isinstance(written, list):
        return tuple(map(_value, written))
    if not isinstance(written, dict):
        return written
    kind = _KINDS[written["type"]]
    members = {name: value for name, value in written.items() if name != "type"}
    if kind is Phrase:
        members["about"] = {name: _value(each) for name, each in members["about"].items()}
    return kind(**members)


_KINDS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"player": Player, "official": Official, "table": Table, "act": Act, "phrase": Phrase}
)
"""What a problem can be about, beside texts and numbers, by how it is written."""
