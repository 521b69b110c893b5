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

    def take(self, other: Group) -> None:
        """Take everything of another group."""
        self.entries += other.entries
        self.names |= other.names
        self.regions |= other.regions
        self.games |= other.games
        self.days = sorted(self.days + other.days)
        self.events |= other.events
        self.persons |= other.persons
        for kind, digests in other.ids.items():
            self.ids[kind] = self.ids.get(kind, set()) | digests

    def shares_event(self, other: Group) -> bool:
        """Return whether both groups played in one event, which two persons do."""
        return not self.events.isdisjoint(other.events)

    def has_other_ids(self, other: Group) -> bool:
        """Return whether both have ids of one kind, and not one of them is equal."""
        return any(
            kind in other.ids and digests.isdisjoint(other.ids[kind])
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

    def join(self, one: int, other: int) -> int:
        """Join two groups, which have joined no other, and return the number that stays."""
        if len(self.groups[one].entries) < len(self.groups[other].entries):
            one, other = other, one
        self.parent[other] = one
        self.groups[one].take(self.groups[other])
        self.members.setdefault(one, [one]).extend(self.members.pop(other, [other]))
        return one


def follow(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether one list of days ends before the other begins."""
    return one[-1] < other[0] or other[-1] < one[0]


def days_between(one: Sequence[int], other: Sequence[int]) -> int | None:
    """Return the days between the nearest of two ordered lists of days, or None without days."""
    if not one or not other:
        return None
    if len(one) > len(other):
        one, other = other, one
    least = abs(one[0] - other[0])
    for day in one:
        at = bisect_left(other, day)
        for near in other[max(0, at - 1) : at + 1]:
            least = min(least, abs(near - day))
    return least
