"""An event at its place: what a line says, in memory."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

import msgspec
from msgspec import Struct

from ledger.facts.base import Event
from ledger.facts.vocabulary import EVENTS, OLDER


class Recorded(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="type"):
    """An event at its place; made by `record` and by `decode`.

    `id` is the command's id, with `.1`, `.2`, … for its further events. `at` is the clock of the
    desk, in UTC: a claim, never an order. `by` is who entered it: `o1` an official, `p7` a player,
    `o1/p7` an official on a player's word. `sig` is the official's signature, if there is one.
    """

    seq: int
    id: str
    at: str
    by: str
    event: Event = msgspec.field(name="data")
    sig: str = ""

    @property
    def type(self) -> str:
        """What kind of event it is."""
        return type(self.event).__name__

    @property
    def name(self) -> str:
        """The event's name in the line: its type, and the version from the second on."""
        return NAMES[type(self.event)]

    @property
    def command_id(self) -> str:
        """The id that all events of one act share."""
        return self.id.partition(".")[0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process makes the same one: its class has no name in a module."""
        return _made_again, (self.seq, self.id, self.at, self.by, self.event, self.sig)


def _kind_of_line(name: str, kind: type[Event]) -> type[Recorded]:
    """What a line of one event type is decoded into, envelope and body in a single step."""
    body = ("event", kind, msgspec.field(name="data"))
    signature = ("sig", str, "")
    made = msgspec.defstruct(
        name, [body, signature], bases=(Recorded,), frozen=True, gc=False, tag=name
    )
    return cast("type[Recorded]", made)


_OLDER = {older.kind: older.now for older in OLDER.values()}
NAMES = {kind: name for name, kind in EVENTS.items()} | {
    older.kind: name for name, older in OLDER.items()
}
"""The name of each event type in a line."""

_KINDS = MappingProxyType({kind: _kind_of_line(name, kind) for kind, name in NAMES.items()})

if TYPE_CHECKING:
    from collections.abc import Sequence

    AnyRecorded: TypeAlias = Recorded
else:
    AnyRecorded = Union[tuple(_KINDS.values())]  # noqa: UP007 - the members are only known here
    """`Recorded` as msgspec can read it back: one of its kinds."""


def record(seq: int, event_id: str, at: str, by: str, event: Event) -> Recorded:
    """Put an event at its place."""
    return _KINDS[type(event)](seq, event_id, at, by, event)


def _made_again(seq: int, event_id: str, at: str, by: str, event: Event, sig: str) -> Recorded:
    return _KINDS[type(event)](seq, event_id, at, by, event, sig)


def signed(recorded: Recorded, sig: str) -> Recorded:
    """Put a signature to an event at its place; an empty one takes it away."""
    return msgspec.structs.replace(recorded, sig=sig)


def all_of_today(read: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return events as their types are today, each at its place."""
    return [of_today(each) for each in read] if _OLDER else read


def of_today(recorded: Recorded) -> Recorded:
    """Return an event of an earlier version as its type is today, at the same place."""
    now = _OLDER.get(type(recorded.event))
    if now is None:
        return recorded
    return signed(
        record(recorded.seq, recorded.id, recorded.at, recorded.by, now(recorded.event)),
        recorded.sig,
    )
