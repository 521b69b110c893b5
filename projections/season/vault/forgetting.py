"""The tables of a league's vault, and what goes from them when a person is forgotten."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from ledger.lines.texts import FORGOTTEN
from projections.season.tables.definitions import sql
from projections.season.vault.persons import aliases_of, everywhere, persons_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from projections.season.vault.persons import LeagueAct, LeaguePerson, VaultEntry

FORMAT = 2
"""The version of a vault's tables."""

PSEUDONYM_DIGITS = 32
"""Number of first hex digits of an id's digest that are its pseudonym."""

ERASED, FROZEN = 1, 2
"""Values of the last column of an entry: the name is erased; the pseudonym is fixed, whatever id
the log has."""

NAME_MIN = 3
"""Minimum letters of a name that is looked for in reasons and answers."""


class KnownId(NamedTuple):
    """A public id as its HMAC in hex; the tournament is empty if a list of members has it."""

    digest: str
    kind: str
    tournament: str
    player: int


def tables_of(version: int) -> str:
    """Return the script that makes the tables of a vault's version."""
    return sql("tables/league_1") if version == 1 else sql("tables/league")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one: none of them ends a transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


class VaultContents(NamedTuple):
    """Rows of a vault."""

    acts: list[LeagueAct]
    entries: list[VaultEntry]
    ids: list[KnownId]
    persons: list[LeaguePerson]


class Erasing:
    """Rows of one person in a vault, to be erased."""

    def __init__(self, kept: VaultContents, league_id: str, draw: Callable[[], str]) -> None:
        entries, self._acts = kept.entries, kept.acts
        aliases = aliases_of(self._acts, entries)
        stands_for = everywhere(aliases)
        persons = persons_of(entries, aliases)
        self.person = stands_for.get(league_id, league_id)
        self.entries = [x for x in entries if persons[x.tournament, x.player] == self.person]
        self.names_of = {id_ for id_, person in stands_for.items() if person == self.person}
        bases = {entry.base for entry in self.entries}
        self.names_of |= {base for base in bases if stands_for.get(base, base) == self.person}
        self.names_of |= {self.person, league_id, *(entry.guest for entry in self.entries)}
        places = {(entry.tournament, entry.player) for entry in self.entries}
        self._all_ids = kept.ids
        begins = {known_id.digest[:PSEUDONYM_DIGITS] for known_id in self._all_ids} & self.names_of
        self.renamed = {pseudonym: draw() for pseudonym in sorted(begins)}
        """Random pseudonyms, by the pseudonyms of public ids that they replace."""

        self.ids = [
            known_id
            for known_id in self._all_ids
            if known_id.digest[:PSEUDONYM_DIGITS] in begins
            or (known_id.tournament, known_id.player) in places
        ]
        self._named = [person for person in kept.persons if person.league_id in self.names_of]

    @property
    def is_known(self) -> bool:
        """Whether the vault keeps anything of the person that could be erased."""
        return bool(self._named or self.ids or any(entry.name for entry in self.entries))

    @property
    def target(self) -> str:
        """The pseudonym of the person from now on."""
        return self.renamed.get(self.person, self.person)

    def digests_alone(self) -> set[str]:
        """Return the digests of the ids that no entrant of another person has."""
        gone = set(self.ids)
        others = {known_id.digest for known_id in self._all_ids if known_id not in gone}
        return {known_id.digest for known_id in self.ids} - others

    def texts(self) -> set[str]:
        """Return what a text about the person has in it: their pseudonyms and names."""
        names = {entry.name for entry in self.entries} | {person.name for person in self._named}
        return {*(name for name in names if len(name) >= NAME_MIN), *self.names_of}

    def erase(self, file: sqlite3.Connection) -> None:
        """Take everything out, and put the fresh pseudonyms in."""
        gone = [(league_id,) for league_id in sorted(self.names_of)]
        file.executemany("DELETE FROM persons WHERE league_id = ?", gone)
        where = "digest = ? AND kind = ? AND tournament = ? AND player = ?"
        file.executemany(f"DELETE FROM ids WHERE {where}", self.ids)  # noqa: S608 - our own
        file.executemany(
            "UPDATE entries SET name = '', plain = '', region = '', forgotten = ? "
            "WHERE tournament = ? AND player = ?",
            [(ERASED, entry.tournament, entry.player) for entry in self.entries],
        )
        file.executemany(
            "UPDATE entries SET pseudonym = ?, forgotten = iif(forgotten = 0, ?, forgotten) "
            "WHERE pseudonym = ?",
            [(after, FROZEN, before) for before, after in self.renamed.items()],
        )
        self._erase_acts(file)

    def _erase_acts(self, file: sqlite3.Connection) -> None:
        """Erase the person from acts; no other function may change an act."""
        guards = [x for x in statements(tables_of(FORMAT)) if "CREATE TRIGGER" in x]
        for name in re.findall(r"CREATE TRIGGER (\w+)", "".join(guards)):
            file.execute(f"DROP TRIGGER {name}")
        texts = self.texts()
        for act in self._acts:
            is_theirs = bool({act.league_id, act.person} & self.names_of)
            if is_theirs or any(text in act.reason for text in texts):
                file.execute("DELETE FROM evidence WHERE act = ?", [act.number])
                file.execute(
                    "UPDATE acts SET league_id = ?, person = ?, reason = ? WHERE number = ?",
                    [
                        self.renamed.get(act.league_id, act.league_id),
                        self.renamed.get(act.person, act.person),
                        FORGOTTEN,
                        act.number,
                    ],
                )
        for text in sorted(texts):
            file.execute("DELETE FROM evidence WHERE instr(evidence, ?)", [text])
        for statement in guards:
            file.execute(statement)
