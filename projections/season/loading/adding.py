"""Logs into a season in one transaction: checked, compared with it, and filled into its tables.

A derived season is added row by row; each of its logs is compared as any other is. It has no lines
that a head could be checked against, so no log of it counts as signed; the heads that the file has
decide as always if two histories meet.

To show what a change of some logs would move, the changed logs are derived into tables next to the
season's, which stays unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import InvalidLog
from ledger.problems import marked, phrase, problem
from ledger.tournament.state import Tournament
from projections.season.grouping.archetypes import not_named
from projections.season.loading.checking import (
    Batch,
    CheckedLog,
    Logged,
    batches_of,
    check_all,
    checked_in,
    insertion,
)
from projections.season.loading.intake import DEFAULT_TERMS, Intake, KnownLog, LoadTerms, LogOutcome
from projections.season.loading.manifest import LEAVES, ListedChunk, ListedLog, read_held
from projections.season.loading.scratch import room_beside
from projections.season.loading.sources import FileLog, Source
from projections.season.loading.strange_parts import hold_rows
from projections.season.points import Scheme, SeasonRow, championship
from projections.season.tables.copying import wrong_day
from projections.season.tables.database import (
    FORMAT,
    open_beside,
    put_aliases,
    transaction,
    wrong_value,
)
from projections.season.tables.definitions import sql, tables
from projections.season.tables.season_head import claimed, seal
from projections.season.tables.signed_heads import SignedPrefix, SignWith
from projections.season.vault.public_ids import id_labels, public_league_ids

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OF_TOURNAMENTS = ("leaves", "checked_by", "unsigned_logs", "row_digests")
"""Tables next to those of `schema.sql` with rows of a tournament."""


def load(
    connection: DuckDBPyConnection,
    batches: Iterable[Batch],
    replaced: Iterable[str],
    tell: Callable[[int], None],
    newly_signed: Mapping[str, SignedPrefix] = MappingProxyType({}),
    sign_with: SignWith | None = None,
) -> None:
    """Take batches of logs into the tables, in the place of tournaments that are replaced.

    `tell` is called with the number of logs that are in, after each batch. Of those `newly_signed`
    the season has the lines already. With `sign_with` the season is signed.
    """
    loaded: list[str] = []
    with transaction(connection):
        remove(connection, replaced)
        for stream, signed in newly_signed.items():
            connection.execute(
                "UPDATE tournaments SET signed_size = ?, signed_by = ?, by_policy = ? "
                "WHERE tournament = ?",
                [*head_columns(signed), stream],
            )
        for stream in newly_signed:
            connection.execute("DELETE FROM unsigned_logs WHERE tournament = ?", [stream])
        _note_unsigned(connection, newly_signed)
        done = 0
        for batch in batches:
            _load_batch(connection, batch)
            loaded += [log.tournament for log in batch.logs]
            _note_unsigned(connection, {x.tournament: x.signed for x in batch.logs})
            done += len(batch.logs)
            tell(done)
        if connection.execute("FROM aliases LIMIT 1").fetchall():
            connection.execute(sql("tables/retell"))
        signed_before = claimed(connection).keys() & newly_signed.keys()
        seal(connection, [*loaded, *signed_before], sign_with)


def _note_unsigned(connection: DuckDBPyConnection, heads: Mapping[str, SignedPrefix]) -> None:
    """Keep the reason for which lines of a log were taken that no head covers."""
    for tournament, signed in heads.items():
        if signed.unsigned:
            row = [tournament, signed.unsigned]
            connection.execute("INSERT INTO unsigned_logs VALUES (?, ?)", row)


def head_columns(signed: SignedPrefix) -> tuple[int, str | None, bool]:
    """Return what the table of tournaments has of a head."""
    return signed.size, signed.by or None, signed.by_policy


def remove(connection: DuckDBPyConnection, tournaments: Iterable[str]) -> None:
    """Take every row of these tournaments out."""
    gone = list(tournaments)
    if gone:
        for name in (*(table.name for table in tables()), *OF_TOURNAMENTS):
            connection.execute(
                f"DELETE FROM {name} WHERE list_contains($gone, tournament)",  # noqa: S608 - our own name
                {"gone": gone},
            )


def _load_batch(connection: DuckDBPyConnection, batch: Batch) -> None:
    connection.execute(sql("tables/working"))
    _enter_logs(connection, batch.logs)
    insertions = {table.name: insertion(table) for table in tables()} | {
        "leaves": sql("tables/leaves")
    }
    for kind, insert in insertions.items():
        if files := batch.files(kind):
            connection.execute(insert, {"files": files})


def _enter_logs(connection: DuckDBPyConnection, logs: list[Logged]) -> None:
    rows = (
        (x.log, x.tournament, x.size, x.root, *head_columns(x.signed), x.is_checked) for x in logs
    )
    columns = list(map(list, zip(*rows, strict=True)))
    connection.execute(
        f"INSERT INTO logs SELECT {', '.join(['unnest(?)'] * len(columns))}", columns
    )
    connection.execute(
        "INSERT INTO checked_by SELECT tournament, ? FROM logs WHERE is_checked", [VERSION]
    )


Progress = Callable[[str, int, int], None]
"""Callback with the step, the number of logs done and the number of all logs."""

CHECKED, LOADED = "checked", "loaded"


def add(
    connection: DuckDBPyConnection,
    sources: Sequence[Source],
    folder: Path,
    progress: Progress,
    terms: LoadTerms = DEFAULT_TERMS,
    *,
    kept_in: str = "",
) -> list[LogOutcome]:
    """Take logs into the season: all of them, or with a wrong one among them none.

    The same log again changes nothing, but that a head may come with it; a longer one replaces what
    was derived from it, and what this release checked of it before is not checked again. `folder`
    has room for a copy of the logs. `kept_in` stands before the names of the tables that say what
    the season has already.

    Raises:
        LedgerError: what is wrong with a log; nothing has changed.
    """
    for source in sources:
        source.archetypes = terms.archetypes
    with room_beside(folder) as scratch:
        intake = intake_of(connection, kept_in, terms)
        sizes = {} if terms.signed_wins else intake.sizes  # a shorter one may win
        stated = checked_in(connection, kept_in) if terms.believes_season else {}
        before = terms.before.beside(stated)
        with closing(check_all(sources, sizes, scratch, terms.trust, before)) as all_checked:
            for source, checked in zip(sources, all_checked, strict=True):
                intake.take_or_skip(source, checked)
                progress(CHECKED, len(intake.taken), len(sources))
        total = len(intake.logs)
        load(
            connection,
            batches_of(intake.logs.values(), scratch),
            intake.replaced,
            lambda done: progress(LOADED, done, total),
            intake.newly_signed,
            terms.sign_with,
        )
    return intake.taken


def intake_of(connection: DuckDBPyConnection, kept_in: str, terms: LoadTerms) -> Intake:
    """Begin an intake from the tables of the season."""
    columns = "tournament, size, root, signed_size, coalesce(signed_by, ''), by_policy"
    tournaments = connection.table(f"{kept_in}tournaments").select(columns).fetchall()
    covered = claimed(connection).keys() if terms.sign_with is not None and not kept_in else None
    unnamed = not_named(connection, kept_in, terms.archetypes)
    reasons = dict(connection.table(f"{kept_in}unsigned_logs").fetchall())
    logs = {
        tournament: KnownLog(
            size,
            root,
            SignedPrefix(events, by, by_policy, reasons.get(tournament, "")),
            is_derived_again=tournament in unnamed
            or (covered is not None and tournament not in covered),
        )
        for tournament, size, root, events, by, by_policy in tournaments
    }
    leaves = connection.table(f"{kept_in}leaves")

    def leaves_of(stream: str) -> bytes | None:
        pieces = leaves.filter(f"tournament = '{stream}'").order("piece").select("hashes")
        return b"".join(hashes for (hashes,) in pieces.fetchall()) or None

    return Intake(logs, leaves_of, terms)


def covered_sizes(connection: DuckDBPyConnection) -> dict[str, int]:
    """Return the size of each log whose rows were derived from its lines, or that has a head."""
    logs = connection.execute("SELECT tournament, size, signed_size FROM tournaments").fetchall()
    derived = claimed(connection)
    return {stream: size for stream, size, signed in logs if signed or stream in derived}


def replaces_signed_rows(where: str) -> InvalidLog:
    """Return the refusal of rows without lines that would replace rows derived from lines."""
    text = marked(
        "{file} has more events of a tournament than the season, whose rows come from the log: "
        "rows without a log cannot replace rows from a log; add the log itself"
    )
    return InvalidLog(problem("season.rows_alone", text, file=where))


def drop_ids(connection: DuckDBPyConnection, tournaments: Iterable[str]) -> None:
    """Take the public ids out of rows that were not derived here."""
    these = {"these": list(tournaments)}
    labels = connection.execute(
        "SELECT DISTINCT unnest(map_keys(attributes)) FROM entrants "
        "WHERE list_contains($these, tournament)",
        these,
    ).fetchall()
    if gone := id_labels(label for (label,) in labels):
        connection.execute(
            "UPDATE entrants SET attributes = map_from_entries(list_filter("
            "map_entries(attributes), lambda entry: NOT list_contains($gone, entry.key))) "
            "WHERE list_contains($these, tournament)",
            {**these, "gone": gone},
        )
    files, rulesets, form = public_league_ids()
    parameters = {**these, "files": files, "rulesets": rulesets, "form": form}
    connection.execute(sql("tables/drop_ids"), parameters)


_TAKEN = frozenset({"new", "grown", "signed"})


class _ListedFile(FileLog):
    """A log of a folder that has only its rows and hashes."""

    def lines(self) -> list[bytes]:
        """Nothing: its lines are elsewhere."""
        return []

    def checked(self, _lines: object, _known: int = 0, _leaves: object = None) -> Tournament:
        """Nothing: it was checked when it was derived."""
        return Tournament()


def take_parts(
    connection: DuckDBPyConnection, folders: Iterable[Path], terms: LoadTerms
) -> list[LogOutcome]:
    """Take derived seasons into the tables of a file: all of them, or with a wrong log nothing.

    Raises:
        LedgerError: what is wrong with a folder, or with a log; nothing has changed.
    """
    with transaction(connection):
        logs = [log for folder in folders for log in _take(connection, folder, terms)]
        drop_ids(connection, (log.tournament for log in logs if log.fate in _TAKEN))
        connection.execute(sql("tables/retell"))
        if wrong := wrong_value(connection) or wrong_day(connection):
            raise InvalidLog(
                phrase("the rows cannot be added: {wrong}; nothing was changed", wrong=wrong)
            )
        seal(connection, (), terms.sign_with)
    return logs


def _take(connection: DuckDBPyConnection, folder: Path, terms: LoadTerms) -> list[LogOutcome]:
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    with duckdb.connect() as reading:
        manifest = read_held(folder, reading, FORMAT)
        hold_rows(folder, manifest)
        intake = intake_of(connection, "", terms)
        covered = covered_sizes(connection)
        for chunk in manifest.chunks:
            for listed, leaves in _with_leaves(reading, folder, chunk):
                where = f"{listed.tournament[:8]} of {folder}"
                checked = _as_checked(listed, leaves)
                if listed.size > covered.get(listed.tournament, listed.size):
                    checked = replace(checked, problem=replaces_signed_rows(where))
                intake.take_or_skip(_ListedFile(Path(where)), checked)
        remove(connection, intake.replaced)
        for chunk in manifest.chunks:
            tournaments = (log.tournament for log in chunk.logs)
            new_tournaments = [
                tournament for tournament in tournaments if tournament in intake.logs
            ]
            _insert(connection, folder, chunk, new_tournaments)
            heads = {
                log.tournament: log.signed for log in chunk.logs if log.tournament in intake.logs
            }
            _note_unsigned(connection, heads)
    return intake.taken


def _as_checked(listed: ListedLog, leaves: bytes) -> CheckedLog:
    logged = Logged(0, 0, listed.tournament, listed.size, listed.root)
    return CheckedLog(listed.tournament, listed.size, leaves, listed.root, logged=logged)


def _with_leaves(
    reading: DuckDBPyConnection, folder: Path, chunk: ListedChunk
) -> Iterator[tuple[ListedLog, bytes]]:
    cursor = reading.execute(
        "SELECT tournament, hashes FROM read_parquet($file, hive_partitioning = false) "
        "ORDER BY tournament, piece",
        {"file": str(folder / chunk.parts[LEAVES].file)},
    ).fetchall()
    pieces: dict[str, list[bytes]] = {}
    for tournament, hashes in cursor:
        pieces.setdefault(tournament, []).append(hashes)
    for listed in chunk.logs:
        yield listed, b"".join(pieces.get(listed.tournament, ()))


def _insert(
    connection: DuckDBPyConnection, folder: Path, chunk: ListedChunk, tournaments: list[str]
) -> None:
    for table, part in chunk.parts.items():
        connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet($file, "  # noqa: S608 - our own
            "hive_partitioning = false) WHERE list_contains($taken, tournament)",
            {"file": str(folder / part.file), "taken": tournaments},
        )
    connection.execute(
        "UPDATE tournaments SET signed_size = 0, signed_by = NULL, by_policy = FALSE "
        "WHERE list_contains($taken, tournament)",
        {"taken": tournaments},
    )


Sign = Literal["-", "+"]

_READ_BY_THE_CHAMPIONSHIP = ("tournaments", "entrants", "people")

KEY_COLUMNS = MappingProxyType({"tournaments": 1, "standings": 4, "cuts": 3, "schedules": 3})
"""How many of a table's first columns tell its rows apart, where it is not the first two."""


class Change(Struct, frozen=True):
    """A row that goes (`-`) or comes (`+`), by column."""

    table: str
    sign: Sign
    row: dict[str, Any]


def key_of(change: Change) -> tuple[tuple[str, Any], ...]:
    """Columns of the key of the row in its table, each with its value."""
    return tuple(change.row.items())[: KEY_COLUMNS.get(change.table, 2)]


class Restatement(Struct, frozen=True):
    """What became of the logs, every row that changes, and everybody whose season does.

    `moved` has the season's rows before and after; None where a person was or will not be in it.
    """

    taken: list[LogOutcome]
    changes: list[Change]
    moved: list[tuple[SeasonRow | None, SeasonRow | None]]


def restate(
    path: Path,
    sources: Sequence[Source],
    folder: Path,
    progress: Progress,
    scheme: Scheme | None = None,
    terms: LoadTerms = DEFAULT_TERMS,
) -> Restatement:
    """Compare a season with what it would be if it took these logs in; nothing is changed.

    `terms` name the policy that has to accept each head, if any, and tell who new entrants are.

    Raises:
        LedgerError: what is wrong with a log, or with the season's file.
    """
    with open_beside(path) as connection:
        outcomes = add(connection, sources, folder, progress, terms, kept_in="season.")
        if terms.aliases is not None:
            roots = dict(connection.execute("SELECT tournament, root FROM tournaments").fetchall())
            connection.execute("DELETE FROM aliases")
            put_aliases(connection, terms.aliases(sources, outcomes, roots))
            connection.execute(sql("tables/retell"))
        touched = [log.tournament for log in outcomes if log.fate in {"new", "grown"}]
        changes = changes_of(connection, touched)
        moved = moved_by(connection, scheme, touched) if scheme is not None else []
    return Restatement(outcomes, changes, moved)


def changes_of(connection: DuckDBPyConnection, touched: list[str]) -> list[Change]:
    """Return the rows of tournaments that only the season, or what is beside it, has."""
    return [change for table in tables() for change in _changes(connection, table.name, touched)]


def _changes(connection: DuckDBPyConnection, table: str, touched: list[str]) -> list[Change]:
    """The rows of a table that only one side has, by key; what goes before what comes."""
    before = f"SELECT * FROM season.main.{table} WHERE list_contains($touched, tournament)"  # noqa: S608 - our own name
    after = f"SELECT * FROM memory.main.{table}"  # noqa: S608 - as above
    changes: list[Change] = []
    signs: tuple[tuple[Sign, str, str], ...] = (("-", before, after), ("+", after, before))
    for sign, side, opposite in signs:
        query = f"({side}) EXCEPT ALL ({opposite}) ORDER BY ALL"
        cursor = connection.execute(query, {"touched": touched})
        names = [column[0] for column in cursor.description]
        rows = (dict(zip(names, row, strict=True)) for row in cursor.fetchall())
        changes += [Change(table, sign, row) for row in rows]
    return sorted(changes, key=lambda change: [value for _, value in key_of(change)])


def moved_by(
    connection: DuckDBPyConnection, scheme: Scheme, touched: list[str]
) -> list[tuple[SeasonRow | None, SeasonRow | None]]:
    """Return the places of all persons whose season these tournaments change."""
    connection.execute("USE season.main")
    before = {row.person: row for row in championship(connection, scheme).rows}
    connection.execute("USE memory.main")
    connection.execute("CREATE SCHEMA after")
    connection.execute("CREATE TEMP TABLE touched AS SELECT unnest($1) AS tournament", [touched])
    for table in _READ_BY_THE_CHAMPIONSHIP:
        connection.execute(
            f"CREATE VIEW after.{table} AS FROM season.main.{table} "
            f"ANTI JOIN touched USING (tournament) UNION ALL FROM memory.main.{table}"
        )
    connection.execute("USE memory.after")
    after = {row.person: row for row in championship(connection, scheme).rows}
    return [
        (before.get(person), after.get(person))
        for person in sorted(before.keys() | after.keys())
        if before.get(person) != after.get(person)
    ]
