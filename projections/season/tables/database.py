"""The season's file: opened, made, and written in one transaction or not at all.

DuckDB is imported at the first use: no other command pays for it.

Only the rows of a file's base tables are used. The maker of a file chooses everything else that it
holds: views, macros that have the names of built-in functions, generated columns, defaults,
triggers. None of these runs. The file is attached to a database in memory, read only; the names
that a statement uses resolve in that database, which has our own macros and our own views; and a
view of ours reads a table of the file only if the table is a base table that is made exactly as
`schema.sql` makes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files.access import kind_at, refuse_to_replace
from ledger.files.kinds import SEASON
from ledger.problems import Phrase, marked, phrase, problem, remedy
from projections.processes import interrupted_by
from projections.season.loading.manifest import damaged, read_held, show_parts
from projections.season.tables.definitions import explain_in_file, show_games, sql, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    Settings = dict[str, str | bool | int | float | list[str]]

STORED = "stored"
"""The name of the attached file within a connection."""

KEPT = ("season_format", "aliases", "leaves")
"""Tables that every season's file has next to those of `schema.sql`."""

LATER = ("checked_by", "unsigned_logs", "row_digests", "season_head", "league_vault")
"""Tables that a file of an earlier release may lack; without one, no row is read."""

MACROS = frozenset(
    {
        "as_many",
        "as_number",
        "faction_scores",
        "in_billionths",
        "person_high",
        "person_low",
        "share_high",
        "share_low",
        "side_scores",
        "student_95",
        "tiebreaker",
        "wilson_high",
        "wilson_low",
    }
)
"""The macros of a season's file. What writes a season calls none of them."""

_WOULD_RUN = (
    ("macro", "function_name", "duckdb_functions() WHERE NOT internal"),
    ("trigger", "trigger_name", "duckdb_triggers()"),
    ("index", "index_name", "duckdb_indexes()"),
    ("view", "view_name", "duckdb_views() WHERE NOT internal"),
)
"""What runs when a file is written: its kind, the column of its name, and what lists it."""


def names() -> list[str]:
    """List the tables of a season's file that are read."""
    return [*(table.name for table in tables()), *KEPT, *LATER]


def attach(connection: DuckDBPyConnection, path: Path) -> None:
    """Attach a file to a connection, read only.

    Raises:
        duckdb.Error: it is damaged, or in use.
    """
    quoted = str(path).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS {STORED} (READ_ONLY, TYPE duckdb)")


def made_as(connection: DuckDBPyConnection, database: str) -> dict[str, str]:
    """Return how each base table in a database's main schema is made, as SQL, by its name."""
    rows = connection.execute(
        "SELECT database_name, schema_name, table_name, sql FROM system.main.duckdb_tables()"
    ).fetchall()
    place = (database, "main")
    return {table: sql for base, schema, table, sql in rows if (base, schema) == place}


def wrong_table(expected: Mapping[str, str], stored: Mapping[str, str]) -> str:
    """Return the first table that a season's file lacks or makes otherwise; empty if none is."""
    for name in names():
        if stored.get(name) != expected[name] and (name in stored or name not in LATER):
            return name
    return ""


def show_stored(connection: DuckDBPyConnection) -> None:
    """Put the tables of the attached file in the place of a connection's own, as views."""
    stored = made_as(connection, STORED)
    for table in names():
        if table in stored:
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"CREATE VIEW {table} AS FROM {STORED}.main.{table}")


def would_run(connection: DuckDBPyConnection, database: str) -> list[str]:
    """List what a file holds that runs when it is written and is not a season's: "macro count".

    A macro stands for every function of its name, so all names here are qualified and no function
    is called that a macro could replace.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    names = []
    for kind, column, listing in _WOULD_RUN:
        query = f"SELECT database_name, {column} FROM system.main.{listing}"  # noqa: S608 - our own
        with suppress(duckdb.CatalogException):  # an earlier DuckDB has no triggers
            for base, name in connection.execute(query).fetchall():
                if base == database and not _is_idle(kind, name):
                    names.append(f"{kind} {name}")
    return sorted(names)


def _is_idle(kind: str, name: str) -> bool:
    """Return whether nothing that writes a season names this macro or view."""
    return (kind == "macro" and name in MACROS) or (kind == "view" and name not in names())


FORMAT = 8
"""The version of the tables; a file with another one has to be rebuilt."""

READ_BY = "v1.4.0"
"""The oldest DuckDB that reads a season's file: shells and notebooks may have one."""

MEMORY_LIMIT = "700MB"
"""What DuckDB may take: with Python and the logs in hand, a load stays under 1 GiB."""

THREADS = 2

MEMORY = "memory"
"""What DuckDB calls a database in memory."""

VERSION_TABLE = "season_format"

_OFFLINE = MappingProxyType(
    {"autoload_known_extensions": False, "autoinstall_known_extensions": False}
)
"""Set before a file is opened, whose types may name an extension."""

_SYSTEM = re.compile(
    "No space left on device|Disk quota exceeded|File too large|Input/output error|"
    "Read-only file system|Permission denied|Operation not permitted"
)
"""What the system says in an error of DuckDB's where there is no room, or no leave to write."""

_WRONG_ID = """
SELECT tournament FROM tournaments
WHERE NOT (
    regexp_full_match(tournament, '[0-9a-f]{32}')
    AND regexp_full_match(root, '[0-9a-f]{64}')
    AND size > 0
)
LIMIT 1
"""
"""An id becomes the name of a file, and a part of SQL: a season that has another one is refused."""

REBUILD = remedy("season.rebuild")
"""What makes a season again from the logs."""


def no_season(path: Path) -> NotFound:
    """What is said where there is no file of a season."""
    text, adding = marked("there is no season {file}"), remedy("season.add")
    return NotFound(problem("season.missing", text, file=str(path), remedy=adding))


def open_season(
    path: Path, *, create: bool = False, read_only: bool = False, called: Path | None = None
) -> DuckDBPyConnection:
    """Open a season's file; make it if it is missing and may be made.

    Where it will stand under another name, errors name what it is `called`.

    Raises:
        NotFound: it is missing.
        Refused: a store or another season reads what is there.
        StoreUnavailable: it is damaged, of another version, or in use.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    if path.is_dir():
        return _open_folder(path, read_only=read_only)
    is_new = not path.exists()
    if is_new and not create:
        raise no_season(path)
    if not path.parent.is_dir():
        raise StoreUnavailable(
            phrase(
                "{path} cannot be created: there is no folder {folder}; create it, or name "
                "another file",
                path=str(called or path),
                folder=str(path.parent),
            )
        )
    if is_new:
        refuse_to_replace(path, SEASON)
    else:
        refuse_other_files(path)
    try:
        if is_new:
            return begin(path)
        if not read_only:
            return _writing(path)
        connection = empty_tables()
        _show_file(connection, path, MEMORY)
        show_games(connection)
    except duckdb.Error as error:
        raise unavailable(called or path, error) from None
    return connection


def _show_file(connection: DuckDBPyConnection, path: Path, shown_in: str) -> None:
    """Show the tables of a file in the place of the empty ones of a database in memory."""
    attach(connection, path)
    refuse_other_tables(connection, path, STORED, made_as(connection, shown_in))
    show_stored(connection)
    if wrong := wrong_value(connection):
        raise damaged_season(path, wrong)


def _writing(path: Path) -> DuckDBPyConnection:
    """Open a file to write to it, if nothing but a season's tables could run."""
    import duckdb  # noqa: PLC0415 - as above

    with empty_tables() as memory:
        expected = made_as(memory, MEMORY)
    connection = duckdb.connect(str(path), config=dict(_OFFLINE))
    database = _database_of(connection)
    refuse_other_tables(connection, path, database, expected)
    if others := would_run(connection, database):
        connection.close()
        named = tuple(others[:3])
        reason = phrase("it contains more than a season has ({others})", others=named)
        raise damaged_season(path, reason)
    _settle(connection)
    connection.execute(sql("tables/later"))
    return connection


def _open_folder(folder: Path, *, read_only: bool) -> DuckDBPyConnection:
    """Open a derived season as tables in memory; Refused where it is to be written."""
    if not read_only:
        text, deriving = (
            marked("{folder} is a season in a folder, which another verb writes"),
            remedy("season.derive"),
        )
        raise Refused(problem("season.folder", text, folder=str(folder), remedy=deriving))
    connection = empty_tables()
    _show_folder(connection, folder)
    show_games(connection)
    return connection


def _show_folder(connection: DuckDBPyConnection, folder: Path) -> None:
    import duckdb  # noqa: PLC0415 - as above

    manifest = read_held(folder, connection, FORMAT)
    try:
        show_parts(connection, folder, manifest)
        wrong = wrong_value(connection)
    except duckdb.Error as error:
        raise damaged(folder, " ".join(str(error).split())[:200]) from None
    if wrong:
        raise damaged(folder, wrong)


def wrong_value(connection: DuckDBPyConnection) -> Phrase | None:
    """Return what is wrong with the id or root of a tournament; None if nothing is."""
    row = connection.execute(_WRONG_ID).fetchone()
    if not row:
        return None
    return phrase("{value} is not the id and root of a tournament", value=ascii(row[0][:40]))


def empty_tables() -> DuckDBPyConnection:
    """Open empty tables in memory."""
    connection = _in_memory()
    _make(connection)
    return connection


def _in_memory() -> DuckDBPyConnection:
    """Open an empty database in memory, which installs and loads no extension by itself."""
    import duckdb  # noqa: PLC0415 - as above

    connection = duckdb.connect(config=dict(_OFFLINE))
    _settle(connection)
    return connection


def _database_of(connection: DuckDBPyConnection) -> str:
    """Return the name of a connection's own file, without a function that it could replace."""
    query = "SELECT database_name FROM system.main.duckdb_databases() WHERE NOT internal"
    ((name,),) = connection.execute(query).fetchall()
    return str(name)


def open_scratch() -> DuckDBPyConnection:
    """Open empty tables in memory, for one thread, which keeps the order of rows."""
    connection = _in_memory()
    connection.execute("SET threads = 1; SET preserve_insertion_order = true")
    _make(connection)
    return connection


def begin(path: Path) -> DuckDBPyConnection:
    """Make a season's file, empty, and explained in itself."""
    connection = begin_plain(path)
    with transaction(connection):  # 450 statements, each with a sync of its own otherwise
        explain_in_file(connection)
    return connection


def begin_plain(path: Path) -> DuckDBPyConnection:
    """Make a season's file, empty, which only this program reads."""
    import duckdb  # noqa: PLC0415 - as above

    form: Settings = {"storage_compatibility_version": READ_BY, **_OFFLINE}
    connection = duckdb.connect(str(path), config=form)
    _make(connection)
    return connection


def open_beside(path: Path) -> DuckDBPyConnection:
    """Open empty tables in memory, with the season as schema "season"; raises as `open_season`."""
    import duckdb  # noqa: PLC0415 - as above

    open_season(path, read_only=True).close()
    connection = empty_tables()
    connection.execute("ATTACH ':memory:' AS season; USE season.main")
    _make(connection)
    try:
        if path.is_dir():
            _show_folder(connection, path)
        else:
            _show_file(connection, path, "season")
    except duckdb.Error as error:
        raise unavailable(path, error) from None
    connection.execute(f"USE {MEMORY}.main")
    connection.execute("INSERT INTO aliases SELECT * FROM season.aliases")
    return connection


def _settle(connection: DuckDBPyConnection) -> None:
    connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'; SET threads = {THREADS}")
    connection.execute("SET preserve_insertion_order = false")


def _make(connection: DuckDBPyConnection) -> None:
    with transaction(connection):
        connection.execute(sql("tables/schema"))
        connection.execute(sql("tables/keeping"))
        connection.execute(sql("tables/later"))
        connection.execute("INSERT INTO season_format VALUES (?)", [FORMAT])


def refuse_other_files(path: Path) -> None:
    """Refuse what is not DuckDB's: DuckDB itself opens others, too, by their names."""
    try:
        kind = kind_at(path)
    except OSError as error:
        raise StoreUnavailable(
            phrase("{path} cannot be opened: {reason}", path=str(path), reason=str(error.strerror))
        ) from None
    if kind != SEASON:
        raise damaged_season(path, phrase("it is not a season, or is damaged"))


def refuse_foreign(path: Path) -> None:
    """Refuse a DuckDB file that is no season or is in use; an unreadable one may have been one."""
    import duckdb  # noqa: PLC0415 - as above

    if kind_at(path) != SEASON:
        return
    try:
        with _in_memory() as connection:
            attach(connection, path)
            _refuse_no_season(made_as(connection, STORED), path)
    except duckdb.Error as error:
        if _is_in_use(error):
            raise unavailable(path, error) from None


def _refuse_no_season(stored: Mapping[str, str], path: Path) -> None:
    if VERSION_TABLE not in stored:
        raise StoreUnavailable(
            phrase("{path} is a DuckDB file, but not a season: name another file", path=str(path))
        )


def refuse_other_tables(
    connection: DuckDBPyConnection, path: Path, database: str, expected: Mapping[str, str]
) -> None:
    """Refuse a file of another version, and one whose tables are not made as this release does."""
    stored = made_as(connection, database)
    _refuse_no_season(stored, path)
    if stored[VERSION_TABLE] == expected[VERSION_TABLE]:
        name = '"{}"'.format(database.replace('"', '""'))
        query = f"SELECT version FROM {name}.main.{VERSION_TABLE}"  # noqa: S608 - quoted above
        versions = connection.execute(query).fetchmany(2)
        if versions != [(FORMAT,)]:
            version = versions[0][0] if versions else "none"
            is_newer = isinstance(version, int) and version > FORMAT
            newer = marked("it was made by a newer release (version {found})")
            older = marked("it was made by another release (version {found})")
            text = newer if is_newer else older
            raise damaged_season(path, Phrase(text, {"found": str(version)}))
    if table := wrong_table(expected, stored):
        raise damaged_season(
            path, phrase("its table {table} is missing, or is not that of a season", table=table)
        )


def _is_in_use(error: Exception) -> bool:
    return "set lock on" in str(error)  # of a damaged file it tells the block


def unavailable(path: Path, error: Exception) -> StoreUnavailable:
    """Say why DuckDB gives no answer about a file: no room, in use, or damaged."""
    text = " ".join(str(error).split())
    if refusal := _SYSTEM.search(text):
        return _no_room(path, refusal[0])
    if _is_in_use(error):
        return StoreUnavailable(
            phrase("{path} is in use by another program: wait, and try again", path=str(path))
        )
    return damaged_season(path, text[:200])


def damaged_season(path: Path, why: Phrase | str) -> StoreUnavailable:
    """Say that a season's file is damaged, and that it can be made again from the logs."""
    text, file = marked("{file} cannot be opened: {why}"), str(path)
    return StoreUnavailable(problem("season.damaged", text, remedy=REBUILD, file=file, why=why))


def _no_room(path: Path, reason: str) -> StoreUnavailable:
    return StoreUnavailable(
        phrase(
            "{path} cannot be written ({reason}), and nothing was changed: check the disk or name "
            "another file, and try again",
            path=str(path),
            reason=reason,
        )
    )


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Say in one line, by the file's name, that there is no room or leave to write a season."""
    import duckdb  # noqa: PLC0415 - as above

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _no_room(path, error.strerror or type(error).__name__) from None
    except duckdb.Error as error:
        refusal = _SYSTEM.search(str(error))
        if refusal is None:
            raise
        raise _no_room(path, refusal[0]) from None


def put_aliases(connection: DuckDBPyConnection, aliases: Iterable[tuple[str, str, str]]) -> None:
    """Put aliases into the table of a connection, in one statement."""
    if columns := list(map(list, zip(*aliases, strict=True))):
        connection.execute("INSERT INTO aliases SELECT unnest(?), unnest(?), unnest(?)", columns)


@contextmanager
def transaction(connection: DuckDBPyConnection) -> Iterator[None]:
    """Do all of it or, where anything goes wrong, nothing."""
    connection.execute("BEGIN")
    try:
        with interrupted_by(connection.interrupt):
            yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def database_of_rows(
    path: Path, table: str, types: Mapping[str, str], batches: Iterable[Sequence[tuple[Any, ...]]]
) -> Iterator[DuckDBPyConnection]:
    """Make a database with one table of these columns, and fill it in batches of rows."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    values = ", ".join(f"unnest(?::{kind}[])" for kind in types.values())
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(f"CREATE TABLE {table} ({columns})")
        for batch in batches:
            rows = [list(column) for column in zip(*batch, strict=True)]
            connection.execute(f"INSERT INTO {table} SELECT {values}", rows)
        yield connection
