"""Compute the person of each pseudonym and of each guest from the acts of a league.

Everything here is pure: acts and entries in, aliases out. An act that was undone counts for
nothing, and so does an undoing that was undone. A guest is named `tournament/player`; a guest whose
entry has a pseudonym of a public id is that person.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

ActKind = Literal["merge", "split", "forget", "apart", "undo"]

_GUEST = re.compile(r"[0-9a-f]{32}/[1-9][0-9]*")


class LeaguePerson(NamedTuple):
    """Person behind a pseudonym; the membership number may be unknown."""

    league_id: str
    member: str | None
    name: str


class LeagueAct(NamedTuple):
    """Decision of the league on a pseudonym or a guest.

    A merge makes `league_id` the same person as `person`. A split makes it `person` again, in one
    `tournament` or, if that is empty, in all tournaments. `apart` notes that the two are two
    persons: it moves nothing. An undo takes the act of the number `undoes` back. `number` counts
    from 1; 0: not recorded yet.
    """

    made_at: str
    made_by: str
    kind: ActKind
    league_id: str
    person: str
    tournament: str
    reason: str
    undoes: int = 0
    number: int = 0


class Alias(NamedTuple):
    """Person of a pseudonym or guest, in one tournament or (empty) in all."""

    tournament: str
    league_id: str
    person: str


class VaultEntry(NamedTuple):
    """An entrant of a log that the vault has read; every text may be empty.

    `league_id` is the league's pseudonym in the log, `pseudonym` is that of a public id, `plain` is
    the normalised name, `game` the key of the ruleset, `day` is YYYY-MM-DD.
    """

    tournament: str
    player: int
    league_id: str
    pseudonym: str
    name: str
    plain: str
    game: str
    region: str
    day: str
    forgotten: int

    @property
    def guest(self) -> str:
        """The entrant as a guest of the tournament, as acts and seasons name one."""
        return f"{self.tournament}/{self.player}"

    @property
    def base(self) -> str:
        """The id of the entrant before any act."""
        return self.league_id or self.pseudonym or self.guest


def is_guest(person: str) -> bool:
    """Return whether a person is a guest of one tournament, `tournament/player`."""
    return _GUEST.fullmatch(person) is not None


def in_force(acts: Sequence[LeagueAct], *, undoings: bool = False) -> list[LeagueAct]:
    """Return the acts that count, without those that were undone, and perhaps undoings."""
    undone: set[int] = set()
    acts_in_force: list[LeagueAct] = []
    for act in reversed(acts):
        if act.number and act.number in undone:
            continue
        if act.kind == "undo":
            undone.add(act.undoes)
        if undoings or act.kind != "undo":
            acts_in_force.append(act)
    return acts_in_force[::-1]


class _Standing:
    """Person of each id while acts are applied one by one."""

    def __init__(self, guests: Mapping[str, str]) -> None:
        self._guests = guests
        self.persons: dict[tuple[str, str], str] = {}
        self._keys: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)

    def of(self, id_: str) -> str:
        base = self._guests.get(id_, id_)
        return self.persons.get(("", base), base)

    def take(self, act: LeagueAct) -> None:
        if act.kind == "merge":
            merged, into = self.of(act.league_id), self.of(act.person)
            if merged != into:
                for key in self._keys.pop(merged, set()):
                    self._put(key, into)
                self._put(("", merged), into)
        elif act.kind == "split":
            base = self._guests.get(act.league_id, act.league_id)
            person = self._guests.get(act.person, act.person)
            self._keys[self.persons.get((act.tournament, base), base)].discard(
                (act.tournament, base)
            )
            self._put((act.tournament, base), person)

    def _put(self, key: tuple[str, str], person: str) -> None:
        self.persons[key] = person
        self._keys[person].add(key)


def aliases_of(acts: Sequence[LeagueAct], entries: Iterable[VaultEntry] = ()) -> list[Alias]:
    """Return the person of each pseudonym and guest after all acts in order.

    An id that is its own person has no alias, except a guest with whom others were merged: this
    alias marks the guest as a person of the league.
    """
    read = list(entries)
    guests = {entry.guest: entry.base for entry in read if entry.base != entry.guest}
    standing = _Standing(guests)
    for act in in_force(acts):
        standing.take(act)
    aliases = {
        key: person
        for key, person in standing.persons.items()
        if key != ("", person)  # the id is its own person
    }
    for entry in read:
        if entry.pseudonym and not entry.league_id:
            decided = standing.persons.get((entry.tournament, entry.pseudonym))
            aliases["", entry.guest] = decided or standing.of(entry.pseudonym)
    for person in {person for person in aliases.values() if is_guest(person)}:
        aliases.setdefault(("", person), person)
    return [Alias(*key, person) for key, person in sorted(aliases.items())]


def everywhere(aliases: Sequence[Alias]) -> dict[str, str]:
    """Return the person of each pseudonym, without decisions on single tournaments."""
    return {alias.league_id: alias.person for alias in aliases if not alias.tournament}


def persons_of(
    entries: Iterable[VaultEntry], aliases: Sequence[Alias]
) -> dict[tuple[str, int], str]:
    """Return who each entrant is, by tournament and number, as a season tells them."""
    stands_for = {(alias.tournament, alias.league_id): alias.person for alias in aliases}

    def person_of(entry: VaultEntry) -> str:
        base = entry.league_id or entry.guest
        decided = stands_for.get((entry.tournament, base))
        return decided or stands_for.get(("", base), base)

    return {(entry.tournament, entry.player): person_of(entry) for entry in entries}
