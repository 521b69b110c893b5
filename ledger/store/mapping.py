"""A line as an event of the library: its topic is the event's type, its state the bytes stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import cast

from eventsourcing.persistence import Mapper
from eventsourcing.persistence import StoredEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventsourcing.domain import DomainEventProtocol

    from ledger.store.base import Entry

EVENTS_TABLE = "tourney_events"
"""The library calls it so for an application named `tourney`."""


@dataclass(frozen=True)
class StoredLine:
    """One line at its place; what the library's applications and projections are given."""

    originator_id: str
    originator_version: int
    topic: str
    line: bytes


class LineMapper(Mapper[str]):
    """Hand lines through as they are: no class is looked up by a name found in the database."""

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """Wrap a `StoredLine` for a recorder."""
        event = cast("StoredLine", domain_event)
        return StoredEvent(event.originator_id, event.originator_version, event.topic, event.line)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[str]:
        """Unwrap what a recorder returned."""
        return StoredLine(
            str(stored_event.originator_id),
            stored_event.originator_version,
            stored_event.topic,
            stored_event.state,
        )


def stored_events(stream: str, after: int, entries: Sequence[Entry]) -> list[StoredEvent]:
    r"""Turn entries into events of the library, numbered from `after` + 1.

    Raises:
        ValueError: a line holds a newline, so that it could not be exported.
    """
    if any(b"\n" in line for _, line in entries):
        raise ValueError("a line holds a newline")
    return [
        StoredEvent(stream, seq, topic, line)
        for seq, (topic, line) in enumerate(entries, start=after + 1)
    ]


def growth(events: Sequence[StoredEvent]) -> dict[str, tuple[int, int]]:
    """By stream, the size before these events and the size after them."""
    sizes: dict[str, tuple[int, int]] = {}
    for event in events:
        stream = str(event.originator_id)
        before, after = sizes.get(stream, (event.originator_version - 1,) * 2)
        sizes[stream] = (before, after + 1)
    return sizes
