"""The league's own vault: who is behind each pseudonym, and every merge and split on record.

A file of its own (SQLite, readable by its owner alone, what is deleted is overwritten): names and
membership numbers stand here and nowhere else. Pseudonyms and acts outlive them, so forgetting a
person keeps every number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files.access import refuse_strange, refuse_to_replace
from ledger.files.kinds import ANSWERS_TABLE, STORE
from ledger.files.system import guard_secret
from ledger.problems import marked, phrase, problem, remedy
from ledger.proof.databases import confine
from projections.season.tables.database import transaction
from projections.season.tables.definitions import sql
from projections.season.tables.season_head import seal
from projections.season.tables.signed_heads import SignWith

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ActKind = Literal["merge", "split", "forget"]

MARK = 0x6C656167
"""What says that a SQLite file is a league's vault."""

FORMAT = 1

ROWS_MAX = 1_000_000
"""Maximum number of persons, and of acts, that a vault is read with."""


class LeaguePerson(NamedTuple):
    """Who is behind a pseudonym; a membership number may not be known."""

    league_id: str
    member: str | None
    name: str


class LeagueAct(NamedTuple):
    """What the league decided on a pseudonym, when, by whom and why.

    A merge makes `league_id` the same person as `person`. A split makes it `person` again, in one
    `tournament` or, where that is empty, everywhere.
    """

    made_at: str
    made_by: str
    kind: ActKind
    league_id: str
    person: str
    tournament: str
    reason: str


class Alias(NamedTuple):
    """The person that a pseudonym stands for, in one tournament or (empty) everywhere."""

    tournament: str
    league_id: str
    person: str


class League:
    """An open vault; every method raises `StoreUnavailable` where the file gives no answer."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the vault at a path; make it if it is missing and may be made.

        Raises:
            NotFound: it is missing.
            Refused: a store or a season reads what is there.
            StoreUnavailable: it is no vault, or cannot be opened.
        """
        self.path = path
        try:
            if not path.exists():
                if not create:
                    text, making = (
                        marked("there is no league vault {file}"),
                        remedy("season.people.name"),
                    )
                    raise NotFound(problem("league.missing", text, file=str(path), remedy=making))
                refuse_to_replace(path, STORE)
                path.touch(mode=0o600, exist_ok=False)
            guard_secret(path)
            self._file = sqlite3.connect(path, isolation_level=None)
            confine(self._file)
            self._file.execute("PRAGMA secure_delete = ON")
            self._file.execute("PRAGMA synchronous = EXTRA")
            if create and self._is_unmade():
                self._file.executescript(
                    f"BEGIN;{sql('tables/league')}PRAGMA application_id = {MARK};"
                    f"PRAGMA user_version = {FORMAT};COMMIT"
                )
            self._refuse_other_files()
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(
                phrase("{path} cannot be opened: {error}", path=str(path), error=str(error))
            ) from None

    def _is_unmade(self) -> bool:
        """Tell an empty file, also of a vault whose making was cut short, from everything else."""
        (tables,) = self._file.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return not self._pragma("application_id") and not tables

    def _pragma(self, name: str) -> object:
        return self._file.execute(f"PRAGMA {name}").fetchone()[0]

    def _refuse_other_files(self) -> None:
        if self._pragma("application_id") != MARK:
            raise StoreUnavailable(
                phrase("{path} is not a league vault: name another file", path=str(self.path))
            )
        if (version := self._pragma("user_version")) != FORMAT:
            raise StoreUnavailable(
                phrase(
                    "{path} was made by another release (version {version})",
                    path=str(self.path),
                    version=str(version),
                )
            )
        refuse_strange(self._file, str(self.path), sql("tables/league"), ANSWERS_TABLE)

    @contextmanager
    def _answering(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._file
        except sqlite3.Error as error:
            raise StoreUnavailable(
                phrase(
                    "{path} does not answer: {error}; try again",
                    path=str(self.path),
                    error=str(error),
                )
            ) from None

    def persons(self) -> list[LeaguePerson]:
        """Everybody with a name, by name."""
        return [
            LeaguePerson(*row) for row in self._rows(LeaguePerson._fields, "persons", "name, 1")
        ]

    def acts(self) -> list[LeagueAct]:
        """Every act, in order."""
        return [LeagueAct(*row) for row in self._rows(LeagueAct._fields, "acts", "number")]

    def _rows(self, columns: Sequence[str], table: str, order: str) -> list[tuple[Any, ...]]:
        asked = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order} LIMIT {ROWS_MAX + 1}"  # noqa: S608 - our own
        with self._answering() as file:
            rows = file.execute(asked).fetchall()
        if len(rows) > ROWS_MAX:
            raise StoreUnavailable(
                phrase(
                    "{path} has more than {rows_max} {table}",
                    path=str(self.path),
                    rows_max=f"{ROWS_MAX:,}",
                    table=table,
                )
            )
        for column, value in ((name, row[i]) for row in rows for i, name in enumerate(columns)):
            if not isinstance(value, str) and (column, value) != ("member", None):
                raise StoreUnavailable(
                    phrase(
                        "{path} is damaged: {column} of {table} is not a text",
                        path=str(self.path),
                        column=column,
                        table=table,
                    )
                )
        return rows

    def name(self, league_id: str, name: str, member: str | None) -> LeaguePerson:
        """Put a name and perhaps a number behind a pseudonym; Refused where either is another's."""
        known = self._person(league_id)
        if known is not None and known.name != name:
            text = marked("{id} is {name}: another person needs a separate id")
            about = {"id": league_id, "name": known.name}
            renaming = remedy("season.people.rename", id=league_id)
            raise Refused(problem("league.named", text, remedy=renaming, **about))
        with self._answering() as file, suppress(sqlite3.IntegrityError):
            file.execute(
                "INSERT INTO persons VALUES (?, ?, ?) ON CONFLICT (league_id) DO UPDATE "
                "SET member = coalesce(excluded.member, member)",
                [league_id, member, name],
            )
            return LeaguePerson(league_id, member or (known.member if known else None), name)
        raise Refused(
            phrase("the membership number {member} belongs to another person", member=str(member))
        )

    def rename(self, league_id: str, name: str) -> LeaguePerson:
        """Put another name behind a pseudonym and return who had it; NotFound of an unnamed one."""
        before = self._person(league_id)
        if before is None:
            text, naming = (
                marked("{id} has no name yet"),
                remedy("season.people.name", id=league_id),
            )
            raise NotFound(problem("league.unnamed", text, id=league_id, remedy=naming))
        with self._answering() as file:
            file.execute("UPDATE persons SET name = ? WHERE league_id = ?", [name, league_id])
        return before

    def _person(self, league_id: str) -> LeaguePerson | None:
        return next((each for each in self.persons() if each.league_id == league_id), None)

    def record(self, act: LeagueAct) -> None:
        """Put an act on record; to forget somebody takes name and number out for good."""
        with self._answering() as file:
            file.execute("BEGIN IMMEDIATE")
            try:
                if act.kind == "forget":
                    file.execute("DELETE FROM persons WHERE league_id = ?", [act.league_id])
                    self._forget_answers(act.league_id)
                columns, values = ", ".join(act._fields), ", ".join("?" * len(act))
                file.execute(f"INSERT INTO acts ({columns}) VALUES ({values})", act)  # noqa: S608 - our own
                file.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.OperationalError):  # some errors have rolled it back
                    file.execute("ROLLBACK")
                raise

    def _forget_answers(self, league_id: str) -> None:
        """Take out what the command line keeps of its answers about somebody."""
        kept = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'"
        if self._file.execute(kept).fetchone():
            self._file.execute("DELETE FROM answers WHERE instr(answer, ?)", [league_id])

    def close(self) -> None:
        """Give the file up."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def aliases_of(acts: Sequence[LeagueAct]) -> list[Alias]:
    """What the acts add up to, one after another: who each pseudonym stands for."""
    persons: dict[tuple[str, str], str] = {}
    for act in acts:
        if act.kind == "merge":
            merged = person_of(persons, act.league_id)
            into = person_of(persons, act.person)
            persons = {at: into if each == merged else each for at, each in persons.items()}
            persons["", merged] = into
        elif act.kind == "split":
            persons[act.tournament, act.league_id] = act.person
    return [
        Alias(tournament, league_id, person)
        for (tournament, league_id), person in sorted(persons.items())
    ]


def person_of(persons: dict[tuple[str, str], str], league_id: str) -> str:
    """Who a pseudonym stands for everywhere: itself, unless an act said otherwise."""
    return persons.get(("", league_id), league_id)


def everywhere(aliases: Sequence[Alias]) -> dict[str, str]:
    """By pseudonym, the person that it stands for wherever nothing else was decided."""
    return {each.league_id: each.person for each in aliases if not each.tournament}


def apply_aliases(
    connection: DuckDBPyConnection, aliases: Sequence[Alias], sign_with: SignWith | None = None
) -> bool:
    """Make a season tell persons apart as the league does; whether anything changed."""
    columns = "tournament, league_id, person"
    kept = connection.execute(f"SELECT {columns} FROM aliases ORDER BY ALL").fetchall()  # noqa: S608 - our own
    if kept == [tuple(each) for each in aliases]:
        return False
    with transaction(connection):
        connection.execute("DELETE FROM aliases")
        if aliases:
            connection.executemany("INSERT INTO aliases VALUES (?, ?, ?)", list(aliases))
        connection.execute(sql("tables/retell"))
        seal(connection, (), sign_with)
    return True
