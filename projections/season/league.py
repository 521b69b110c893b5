"""The league's own vault: who is behind each pseudonym, and every decision on persons.

A file of its own (SQLite, readable by its owner alone, what is deleted is overwritten): names,
membership numbers, the secret key and what was read from logs are in this file and nowhere else.
Pseudonyms and acts outlive them, so forgetting a person keeps every number.

For other modules (`vault/persons.py` has the types, and what acts add up to):

* `League(path)` opens a vault, and brings one of an earlier release over. `League(path,
  create=True)` makes it.
* `entries()` returns every entrant that was read (`VaultEntry`: tournament, player, league_id,
  pseudonym, name, plain, game, region, day, forgotten). `entry.base` is what stands for the entrant
  before any act, `entry.guest` is `tournament/player`. An entry with an empty name is withdrawn,
  sealed or forgotten: propose nothing of it.
* `ids()` returns their public ids as digests (`KnownId`: digest, kind, tournament, player). Equal
  digests of one kind are one id. The pseudonym of an entry is the beginning of its first digest.
* `acts()` returns every act with its number; `in_force(acts)` leaves out what was undone.
* `aliases()` returns who each pseudonym and guest stands for; `persons_of(entries, aliases)` who
  each entrant is.
* `record(act)` and `record_all([(act, confidence, evidence), ...])` append acts: `merge`, `split`,
  `apart` (the two are two persons: propose them no more), `undo`, `forget`. Both names of an act
  may be pseudonyms or guests. `evidence()` returns what acts were decided on, by number.
* `digest(kind, id)` and `pseudonym(kind, id)` compute what an id is here; `key_digest()` tells
  vaults apart without giving the key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files.access import refuse_strange, refuse_to_replace, sync_folder
from ledger.files.kinds import ANSWERS_TABLE, STORE
from ledger.files.system import guard_secret, replace_file
from ledger.problems import marked, phrase, problem, remedy
from ledger.proof.databases import confine
from projections.season.tables.database import put_aliases, transaction
from projections.season.tables.definitions import sql
from projections.season.tables.season_head import seal
from projections.season.tables.signed_heads import SignWith
from projections.season.vault.forgetting import (
    ERASED,
    FORMAT,
    PSEUDONYM_DIGITS,
    Erasing,
    KnownId,
    VaultContents,
    statements,
    tables_of,
)
from projections.season.vault.persons import (
    ActKind,
    Alias,
    LeagueAct,
    LeaguePerson,
    VaultEntry,
    aliases_of,
    everywhere,
    in_force,
    is_guest,
    persons_of,
)
from projections.season.vault.public_ids import LogEntry, plain_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = [
    "ActKind",
    "Alias",
    "KnownId",
    "LeagueAct",
    "LeaguePerson",
    "VaultEntry",
    "aliases_of",
    "everywhere",
    "in_force",
    "is_guest",
    "persons_of",
]  # fmt: skip

MARK = 0x6C656167
"""What says that a SQLite file is a league's vault."""

ROWS_MAX = 1_000_000
"""Maximum number of persons, of acts, of entries and of ids that a vault is read with."""

KEY_BYTES = 32

_NUMBERS = frozenset({"number", "undoes", "player", "size", "forgotten", "act"})
"""Columns of whole numbers; every other one is a text."""


class LogRead(NamedTuple):
    """A log that the vault has read, up to how many events, and the root over their lines."""

    tournament: str
    size: int
    root: str


class ActEvidence(NamedTuple):
    """Confidence and evidence of a proposal that became an act."""

    act: int
    confidence: str
    evidence: str


class Removal(NamedTuple):
    """A tournament that was taken out of the season, or taken back: when, by whom and why."""

    made_at: str
    made_by: str
    kind: Literal["remove", "take back"]
    tournament: str
    reason: str


class Forgotten(NamedTuple):
    """Result of forgetting a person.

    `pseudonyms` has the fresh pseudonym for each pseudonym of a public id; `entries` and `ids`
    count the rows that were erased.
    """

    act: int
    person: str
    pseudonyms: Mapping[str, str]
    entries: int
    ids: int


class _LookedAtError(Exception):
    """Signal that ends a trial: the transaction is rolled back."""


class League:
    """An open vault; every method raises `StoreUnavailable` where the file gives no answer."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the vault at a path; make it if it is missing and may be made.

        A vault of an earlier release is brought over in its place, in one transaction.

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
            self._prepare(create=create)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(
                phrase("{path} cannot be opened: {error}", path=str(path), error=str(error))
            ) from None

    def _prepare(self, *, create: bool) -> None:
        """Confine the file, make or bring over its tables, and refuse every other file."""
        try:
            confine(self._file)
            self._file.execute("PRAGMA secure_delete = ON")
            self._file.execute("PRAGMA synchronous = EXTRA")
            if create and self._is_unmade():
                self._make()
            self._refuse_other_files()
        except BaseException:
            self._file.close()
            raise

    def _is_unmade(self) -> bool:
        """Tell an empty file, also of a vault whose making was cut short, from everything else."""
        (tables,) = self._file.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return not self._pragma("application_id") and not tables

    def _pragma(self, name: str) -> object:
        return self._file.execute(f"PRAGMA {name}").fetchone()[0]

    def _make(self) -> None:
        with self._transaction() as file:
            if not self._is_unmade():
                return  # another program was quicker
            for statement in statements(tables_of(FORMAT)):
                file.execute(statement)
            self._draw_key()
            file.execute(f"PRAGMA application_id = {MARK}")
            file.execute(f"PRAGMA user_version = {FORMAT}")

    def _draw_key(self) -> None:
        self._file.execute("INSERT INTO vault_key VALUES (?)", [os.urandom(KEY_BYTES)])

    def _refuse_other_files(self) -> None:
        if self._pragma("application_id") != MARK:
            raise StoreUnavailable(
                phrase("{path} is not a league vault: name another file", path=str(self.path))
            )
        if (version := self._pragma("user_version")) not in {1, FORMAT}:
            raise StoreUnavailable(
                phrase(
                    "{path} was made by another release (version {version})",
                    path=str(self.path),
                    version=str(version),
                )
            )
        if version == 1:
            refuse_strange(self._file, str(self.path), tables_of(1), ANSWERS_TABLE)
            self._bring_over()
        refuse_strange(self._file, str(self.path), tables_of(FORMAT), ANSWERS_TABLE)

    def _bring_over(self) -> None:
        """Upgrade a vault of the first version: its acts are unchanged, and it gets a key."""
        with self._transaction() as file:
            if self._pragma("user_version") != 1:
                return  # another program was quicker
            columns = "number, made_at, made_by, kind, league_id, person, tournament, reason"
            acts = file.execute(f"SELECT {columns}, 0 FROM acts ORDER BY number").fetchall()  # noqa: S608 - our own
            file.execute("DROP TABLE acts")
            for statement in statements(tables_of(FORMAT)):
                if "CREATE TABLE persons" not in statement:
                    file.execute(statement)
            file.executemany("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", acts)
            self._draw_key()
            file.execute(f"PRAGMA user_version = {FORMAT}")

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

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Do all of it or, where anything goes wrong, nothing; within another one, a part of it."""
        if self._file.in_transaction:
            yield self._file
            return
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield self._file
            self._file.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.OperationalError):  # some errors have rolled it back
                self._file.execute("ROLLBACK")
            raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Make several changes together, or none of them."""
        with self._answering(), self._transaction() as file:
            yield file

    def persons(self) -> list[LeaguePerson]:
        """Everybody with a name, by name."""
        return [
            LeaguePerson(*row) for row in self._rows(LeaguePerson._fields, "persons", "name, 1")
        ]

    def acts(self) -> list[LeagueAct]:
        """Every act, in order."""
        return [LeagueAct(*row) for row in self._rows(LeagueAct._fields, "acts", "number")]

    def entries(self) -> list[VaultEntry]:
        """Every entrant that was read from a log, by tournament and number."""
        return [VaultEntry(*row) for row in self._rows(VaultEntry._fields, "entries", "1, 2")]

    def ids(self) -> list[KnownId]:
        """Every public id that was read, as its digest."""
        return [KnownId(*row) for row in self._rows(KnownId._fields, "ids", "1, 2, 3, 4")]

    def evidence(self) -> dict[int, ActEvidence]:
        """Return the evidence of acts, by their numbers."""
        rows = self._rows(ActEvidence._fields, "evidence", "act")
        return {row[0]: ActEvidence(*row) for row in rows}

    def logs_read(self) -> dict[str, LogRead]:
        """The logs that were read, by tournament."""
        rows = self._rows(LogRead._fields, "logs_read", "1")
        return {row[0]: LogRead(*row) for row in rows}

    def removals(self) -> list[Removal]:
        """Every removal of a tournament, and every one that was taken back, in order."""
        return [Removal(*row) for row in self._rows(Removal._fields, "removals", "number")]

    def removed(self) -> dict[str, Removal]:
        """The tournaments that are out of the season now, each with its last removal."""
        last = {removal.tournament: removal for removal in self.removals()}
        return {stream: each for stream, each in last.items() if each.kind == "remove"}

    def record_removals(self, removals: Iterable[Removal]) -> None:
        """Put removals on record, all or none."""
        with self.writing() as file:
            columns = ", ".join(Removal._fields)
            file.executemany(f"INSERT INTO removals ({columns}) VALUES (?, ?, ?, ?, ?)", removals)  # noqa: S608 - our own

    def aliases(self, tournaments: Iterable[str] | None = None) -> list[Alias]:
        """Return the person of each pseudonym, and of the guests of these tournaments or all."""
        entries = self.entries()
        if tournaments is not None:
            wanted = set(tournaments)
            entries = [entry for entry in entries if entry.tournament in wanted]
        return aliases_of(self.acts(), entries)

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
        for place, column in enumerate(columns):
            kind = int if column in _NUMBERS else str
            for row in rows:
                if not isinstance(row[place], kind) and (column, row[place]) != ("member", None):
                    raise StoreUnavailable(
                        phrase(
                            "{path} is damaged: {column} of {table} is not a text",
                            path=str(self.path),
                            column=column,
                            table=table,
                        )
                    )
        return rows

    @cached_property
    def _key(self) -> bytes:
        with self._answering() as file:
            found = file.execute("SELECT secret FROM vault_key LIMIT 2").fetchall()
        keys = [key for (key,) in found if isinstance(key, bytes) and len(key) == KEY_BYTES]
        if len(keys) != 1 or len(found) != 1:
            raise StoreUnavailable(
                phrase(
                    "{path} has no key of {count} bytes: use a backup of the vault",
                    path=str(self.path),
                    count=KEY_BYTES,
                )
            )
        return keys[0]

    def _hmac(self, *texts: str) -> str:
        return hmac.new(self._key, "\0".join(texts).encode(), hashlib.sha256).hexdigest()

    def key_digest(self) -> str:
        """Return what tells this vault's key from any other, and does not tell the key."""
        return self._hmac("season")[:PSEUDONYM_DIGITS]

    def digest(self, kind: str, id_: str) -> str:
        """Return the HMAC of a public id in hex; `id_` is as `public_ids.read_id` returns it."""
        return self._hmac("id", kind, id_)

    def pseudonym(self, kind: str, id_: str) -> str:
        """Return the pseudonym of a public id; that of a forgotten id may be a fresh one."""
        return self.pseudonym_of(self.digest(kind, id_))

    def pseudonym_of(self, digest: str) -> str:
        """Return the pseudonym of an id's digest, before any act."""
        return self._fresh_here.get(self._mark(digest)) or digest[:PSEUDONYM_DIGITS]

    def _mark(self, digest: str) -> str:
        """Return the mark by which a forgotten id is recognized.

        The mark is computed from the whole digest. A pseudonym is one half of the digest, so the
        previous pseudonym and the mark cannot be computed from each other.
        """
        return self._hmac("fresh", digest)

    def _fresh(self) -> dict[str, str]:
        return dict(self._rows(("mark", "person"), "fresh", "1"))

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

    def record(self, act: LeagueAct) -> int:
        """Put an act on record, and return its number; forgetting also erases data."""
        if act.kind == "forget":
            return self.forget(act).act
        return self.record_all([(act, "", "")])[0]

    def record_all(self, acts: Iterable[tuple[LeagueAct, str, str]]) -> list[int]:
        """Put acts on record, all or none; each with its confidence and evidence, or two ""."""
        with self.writing():
            return [self._append(*given) for given in acts]

    def _append(self, act: LeagueAct, confidence: str = "", evidence: str = "") -> int:
        columns, values = ", ".join(act._fields[:-1]), ", ".join("?" * (len(act) - 1))
        done = self._file.execute(
            f"INSERT INTO acts ({columns}) VALUES ({values})",  # noqa: S608 - our own
            act[:-1],
        )
        number = int(done.lastrowid or 0)
        if confidence or evidence:
            row = [number, confidence, evidence]
            self._file.execute("INSERT INTO evidence VALUES (?, ?, ?)", row)
        return number

    def put_logs(self, logs: Iterable[tuple[LogRead, Iterable[LogEntry]]]) -> None:
        """Replace the entries of logs by the entrants that were read now.

        The names and ids of forgotten persons are not read again.
        """
        with self.writing():
            silent = self._silent()
            for log, entries in logs:
                self._put_log(log, entries, silent)

    def _put_log(self, log: LogRead, entries: Iterable[LogEntry], silent: frozenset[str]) -> None:
        with self.writing() as file:
            asked = f"SELECT {', '.join(VaultEntry._fields)} FROM entries WHERE tournament = ?"  # noqa: S608 - our own
            before = {row[1]: VaultEntry(*row) for row in file.execute(asked, [log.tournament])}
            for table in ("entries", "ids", "logs_read"):
                file.execute(f"DELETE FROM {table} WHERE tournament = ?", [log.tournament])  # noqa: S608 - our own
            file.execute("INSERT INTO logs_read VALUES (?, ?, ?)", log)
            for given in entries:
                entry, ids = self._entry_of(log.tournament, given, before.get(given.player), silent)
                values = ", ".join("?" * len(entry))
                file.execute(f"INSERT INTO entries VALUES ({values})", entry)  # noqa: S608 - our own
                file.executemany("INSERT INTO ids VALUES (?, ?, ?, ?)", ids)

    def aliases_with(
        self, logs: Iterable[tuple[LogRead, Iterable[LogEntry]]], tournaments: Iterable[str]
    ) -> list[Alias]:
        """Return the aliases as they would be with these logs; nothing is written."""
        aliases: list[Alias] = []
        with suppress(_LookedAtError), self.writing():
            self.put_logs(logs)
            aliases = self.aliases(tournaments)
            raise _LookedAtError
        return aliases

    def _silent(self) -> frozenset[str]:
        """The pseudonyms whose persons were forgotten and not named again."""
        if not any(act.kind == "forget" for act in self.acts()):
            return frozenset()
        stands_for = everywhere(aliases_of(self.acts()))
        gone = {act.league_id for act in self.acts() if act.kind == "forget"}
        gone |= {id_ for id_, person in stands_for.items() if person in gone}
        return frozenset(gone - {person.league_id for person in self.persons()})

    def _entry_of(
        self, tournament: str, given: LogEntry, before: VaultEntry | None, silent: frozenset[str]
    ) -> tuple[VaultEntry, list[KnownId]]:
        """Return what is kept of an entrant, and the ids."""
        forgotten = before.forgotten if before is not None else 0
        digests = [] if forgotten else [(kind, self.digest(kind, id_)) for kind, id_ in given.ids]
        pseudonym = before.pseudonym if before is not None and forgotten else ""
        if digests:
            fresh = self._fresh_here
            known = next(filter(None, (fresh.get(self._mark(x)) for _, x in digests)), "")
            if known:
                forgotten, digests = ERASED, []
            pseudonym = known or (digests[0][1][:PSEUDONYM_DIGITS] if given.joins else "")
        if given.league_id in silent:
            forgotten, digests = ERASED, []
        name, region = ("", "") if forgotten == ERASED else (given.name, given.region)
        entry = VaultEntry(
            tournament, given.player, given.league_id, pseudonym, name, plain_name(name),
            given.game, region, given.day, forgotten,
        )  # fmt: skip
        return entry, [KnownId(digest, kind, tournament, given.player) for kind, digest in digests]

    @property
    def _fresh_here(self) -> Mapping[str, str]:
        if self._marks is None:
            self._marks = self._fresh()
        return self._marks

    _marks: Mapping[str, str] | None = None

    def note_id(self, digest: str, kind: str) -> None:
        """Keep the digest of a public id from a list of members, so that forgetting finds it."""
        if self._mark(digest) not in self._fresh_here:
            with self._answering() as file:
                file.execute("INSERT OR IGNORE INTO ids VALUES (?, ?, '', 0)", [digest, kind])

    def forget(self, act: LeagueAct, *, keeps_ids: bool = False) -> Forgotten:
        """Erase the data of the person behind a pseudonym or guest; every number stays.

        Names, membership numbers, digests of public ids, evidence and reasons of every pseudonym
        of the person go. A pseudonym of a public id is replaced by a random one,
        everywhere in the vault. With `keeps_ids` the ids lead to that one from now on.
        """
        self._marks = None
        with self.writing():
            gone = self.erasing(act.league_id)
            if keeps_ids:
                self._lead_ids(gone)
            gone.erase(self._file)
            who = gone.renamed.get(gone.person, gone.person)
            number = self._append(act._replace(league_id=who, person=who))
            self._forget_answers(gone)
        return Forgotten(number, who, gone.renamed, len(gone.entries), len(gone.ids))

    def erasing(self, league_id: str) -> Erasing:
        """Return what is kept of the person behind a pseudonym or guest."""
        kept = VaultContents(self.acts(), self.entries(), self.ids(), self.persons())
        return Erasing(kept, league_id, lambda: os.urandom(PSEUDONYM_DIGITS // 2).hex())

    def _lead_ids(self, gone: Erasing) -> None:
        """Have the ids of a person lead to their fresh pseudonym, by marks."""
        for digest in gone.digests_alone():
            person = gone.renamed.get(digest[:PSEUDONYM_DIGITS]) or gone.target
            if person and not is_guest(person):
                row = [self._mark(digest), person]
                self._file.execute("INSERT OR REPLACE INTO fresh VALUES (?, ?)", row)

    def _forget_answers(self, gone: Erasing) -> None:
        """Take out what the command line keeps of its answers about somebody."""
        kept = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'"
        if self._file.execute(kept).fetchone():
            for text in sorted(gone.texts()):
                self._file.execute("DELETE FROM answers WHERE instr(answer, ?)", [text])

    def backup(self, path: Path) -> None:
        """Write a copy of the vault, consistent also while other programs write to it.

        Raises:
            Refused: the file there is not a backup of this vault.
            StoreUnavailable: the copy cannot be written.
        """
        if path.exists():
            self._refuse_another(path)
        refuse_to_replace(path, STORE)
        draft = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            draft.unlink(missing_ok=True)
            draft.touch(mode=0o600, exist_ok=False)
            with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
                confine(copy)
                self._file.backup(copy)
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            replace_file(draft, path)
            guard_secret(path)
            sync_folder(path.parent)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StoreUnavailable(
                phrase("{path} cannot be written: {reason}", path=str(path), reason=reason)
            ) from None
        finally:
            with suppress(OSError):
                draft.unlink()

    def _refuse_another(self, path: Path) -> None:
        with suppress(StoreUnavailable), League(path) as there:
            if there.key_digest() == self.key_digest() and not path.samefile(self.path):
                return
        text = marked("{path} exists and is not a backup of this vault: name another file")
        raise Refused(phrase(text, path=str(path)))

    def close(self) -> None:
        """Give the file up."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def apply_aliases(
    connection: DuckDBPyConnection,
    aliases: Sequence[Alias],
    sign_with: SignWith | None = None,
    vault: str = "",
) -> bool:
    """Make a season tell persons apart as the league does; whether anything changed.

    `vault` is the digest of the key that made the pseudonyms of ids; empty: it stays as it was.
    """
    columns = "tournament, league_id, person"
    kept = connection.execute(f"SELECT {columns} FROM aliases ORDER BY ALL").fetchall()  # noqa: S608 - our own
    made_with = vault_of(connection)
    if kept == [tuple(each) for each in aliases] and vault in {"", made_with}:
        return False
    with transaction(connection):
        connection.execute("DELETE FROM aliases")
        put_aliases(connection, aliases)
        if vault:
            connection.execute("DELETE FROM league_vault")
            connection.execute("INSERT INTO league_vault VALUES (?)", [vault])
        connection.execute(sql("tables/retell"))
        seal(connection, (), sign_with)
    return True


def vault_of(connection: DuckDBPyConnection) -> str:
    """Return the digest of the vault key that a season was made with; empty if it knows none."""
    found = connection.execute("SELECT digest FROM league_vault").fetchall()
    return str(found[0][0]) if found else ""
