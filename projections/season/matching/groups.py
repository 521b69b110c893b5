"""Groups of entries that are one person, and sets in which such groups join."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from projections.season.matching.names import Name


class NamedEntry(NamedTuple):
    """An entrant of one tournament; the day is an ordinal number, 0 if it is unknown."""

    tournament: str
    player: int
    name: str
    game: str = ""
    region: str = ""
    day: int = 0
    ids: tuple[tuple[str, str], ...] = ()
    person: str = ""


@dataclass(slots=True)
class Group:
    """Entries that are one person for certain, and what is known of them."""

    entries: list[int]
    names: dict[str, Name] = field(default_factory=dict)
    regions: set[str] = field(default_factory=set)
    games: set[str] = field(default_factory=set)
    days: list[int] = field(default_factory=list)
    events: set[str] = field(default_factory=set)
    ids: dict[str, set[str]] = field(default_factory=dict)
    persons: set[str] = field(default_factory=set)

    def copy(self) -> Group:
        """Return a group that can grow without this one."""
        return Group(
            list(self.entries),
            dict(self.names),
            set(self.regions),
            set(self.games),
            self.days,
            set(self.events),
            dict(self.ids),
            set(self.persons),
        )

    def take(self, group: Group) -> None:
        """Take everything of another group."""
        self.entries += group.entries
        self.names |= group.names
        self.regions |= group.regions
        self.games |= group.games
        self.days = sorted(self.days + group.days)
        self.events |= group.events
        self.persons |= group.persons
        for kind, digests in group.ids.items():
            self.ids[kind] = self.ids.get(kind, set()) | digests

    def shares_event(self, group: Group) -> bool:
        """Return whether both groups played in one event, which two persons do."""
        return not self.events.isdisjoint(group.events)

    def has_other_ids(self, group: Group) -> bool:
        """Return whether both have ids of one kind, and not one of them is equal."""
        return any(
            kind in group.ids and digests.isdisjoint(group.ids[kind])
            for kind, digests in self.ids.items()
        )


class Sets:
    """Groups that join, by their numbers, and which groups joined into one."""

    def __init__(self, groups: Sequence[Group]) -> None:
        """Start with separate groups; the groups grow."""
        self.groups = list(groups)
        self.parent = list(range(len(groups)))
        self.members: dict[int, list[int]] = {}

    def find(self, at: int) -> int:
        """Return the number of the group that a group has joined."""
        while self.parent[at] != at:
            self.parent[at] = self.parent[self.parent[at]]
            at = self.parent[at]
        return at

    def join(self, first: int, second: int) -> int:
        """Join two groups, which have joined no other, and return the number that stays."""
        if len(self.groups[first].entries) < len(self.groups[second].entries):
            first, second = second, first
        self.parent[second] = first
        self.groups[first].take(self.groups[second])
        self.members.setdefault(first, [first]).extend(self.members.pop(second, [second]))
        return first


def follow(first: Sequence[int], second: Sequence[int]) -> bool:
    """Return whether one list of days ends before the other begins."""
    return first[-1] < second[0] or second[-1] < first[0]


def days_between(first: Sequence[int], second: Sequence[int]) -> int | None:
    """Return the days between the nearest of two ordered lists of days, or None without days."""
    if not first or not second:
        return None
    if len(first) > len(second):
        first, second = second, first
    least = abs(first[0] - second[0])
    for day in first:
        at = bisect_left(second, day)
        for near in second[max(0, at - 1) : at + 1]:
            least = min(least, abs(near - day))
    return least
