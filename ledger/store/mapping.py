"""Lines as events of the library: the topic is the event's type, the state the bytes stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eventsourcing.persistence import StoredEvent

if TYPE_CHECKING:
    from ledger.proof.formats import Tree
    from ledger.store.base import Entry

EVENTS_TABLE = "tourney_events"
"""The library calls it so for an application named tourney."""


def stored_events(stream: str, after: int, entries: Sequence[Entry]) -> list[StoredEvent]:
    """Turn entries into the library's events, past after; ValueError for a newline in a line."""
    return [
        StoredEvent(stream, seq, topic, line)
        for seq, (topic, line) in enumerate(checked_entries(entries), start=after + 1)
    ]


def checked_entries(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return entries as they are; ValueError for a newline in a line."""
    if any(b"\n" in line for _, line in entries):
        raise ValueError("a line holds a newline")
    return entries


def growth(stream: str, tree: Tree, events: Sequence[StoredEvent]) -> tuple[str, int, bytes, int]:
    """Put the lines of a stream's events into its tree; returns what `GROW` is given."""
    before = events[0].originator_version - 1
    frontier = frontier_of(tree.add_lines(event.state for event in events))
    return stream, before + len(events), frontier, before


def frontier_of(tree: Tree) -> bytes:
    """Return the hashes of a tree's frontier as they are stored."""
    return b"".join(tree.frontier)


def by_stream(events: Sequence[StoredEvent]) -> dict[str, list[StoredEvent]]:
    """Sort events by their stream, each stream's in their order."""
    found: dict[str, list[StoredEvent]] = {}
    for event in events:
        found.setdefault(str(event.originator_id), []).append(event)
    return found
