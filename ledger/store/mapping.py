"""A line as an event of the library: its topic is the event's type, its state the bytes stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from eventsourcing.persistence import Mapper, StoredEvent

from ledger.errors import StoreUnavailable
from ledger.proof.formats import HASH_BYTES, Tree
from ledger.store.base import RESTORE

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


def tree_at(size: int, frontier: object, where: str) -> Tree:
    """Read a tree from its size and its frontier, the hashes one after the other.

    Raises:
        StoreUnavailable: these bytes are no frontier of a tree of that size.
    """
    if not isinstance(frontier, bytes) or len(frontier) != HASH_BYTES * size.bit_count():
        raise StoreUnavailable(f"{where} is damaged; {RESTORE} (the tree of its lines is not one)")
    starts = range(0, len(frontier), HASH_BYTES)
    return Tree(size, tuple(frontier[start : start + HASH_BYTES] for start in starts))


def grown(tree: Tree, events: Sequence[StoredEvent]) -> bytes:
    """Put the lines of these events into a tree; returns its frontier as it is stored."""
    return frontier_of(tree.add_lines(event.state for event in events))


def frontier_of(tree: Tree) -> bytes:
    """Return the hashes of a tree's frontier as they are stored."""
    return b"".join(tree.frontier)


def by_stream(events: Sequence[StoredEvent]) -> dict[str, list[StoredEvent]]:
    """Sort events by their stream, each stream's in their order."""
    found: dict[str, list[StoredEvent]] = {}
    for event in events:
        found.setdefault(str(event.originator_id), []).append(event)
    return found
