"""Lines as events of the library: the topic is the event's type, the state the bytes stored."""

from __future__ import annotations

from collections.abc import Sequence

from eventsourcing.persistence import StoredEvent

from ledger.errors import StoreUnavailable
from ledger.proof.formats import HASH_BYTES, Tree
from ledger.store.base import RESTORE, Entry

EVENTS_TABLE = "tourney_events"
"""The library calls it so for an application named tourney."""


def stored_events(stream: str, after: int, entries: Sequence[Entry]) -> list[StoredEvent]:
    """Turn entries into the library's events, past `after`; ValueError for a newline in a line."""
    if any(b"\n" in line for _, line in entries):
        raise ValueError("a line holds a newline")
    return [
        StoredEvent(stream, seq, topic, line)
        for seq, (topic, line) in enumerate(entries, start=after + 1)
    ]


def tree_at(size: int, frontier: object, where: str) -> Tree:
    """Read a tree from its size and its frontier's hashes; StoreUnavailable if they do not fit."""
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
