"""The season's file: opened, made, and written in one transaction or not at all.

DuckDB is imported at the first use: no other command pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files.access import kind_at, refuse_to_replace
from ledger.files.kinds import SEASON
from ledger.problems import problem, remedy
from projections.processes import interrupted_by
from projections.season.derived.folder_views import read_held, show_parts
from projections.season.derived.manifest import damaged
from projections.season.tables.definitions import sql
from projections.season.tables.explaining import explain_in_file, show_games

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    Settings = dict[str, str | bool | int | float | list[str]]

FORMAT = 8
"""The version of the tables; a file with another one has to be rebuilt."""

READ_BY = "v1.4.0"
"""The oldest DuckDB that reads a season's file: shells and notebooks may have one."""

MEMORY = "700MB"
"""What DuckDB may take: with Python and the logs in hand, a load stays under 1 GiB."""

THREADS = 2

_SYSTEM = re.compile(
    "No space left on device|Disk quota exceeded|File too large|Input/output error|"
    "Read-only file system|Permission denied|Operation not permitted"
)
"""What the system says in an error of DuckDB's where there is no room, or no leave to write."""

REBUILD = remedy("season.rebuild")
"""What makes a season again from the logs."""


def no_season(path: Path) -> NotFound:
    """What is said where there is no file of a season."""
    text, adding = "there is no season {file}", remedy("season.add")
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
        why = f"{called or path} cannot be made: there is no folder {path.parent}"
        raise StoreUnavailable(f"{why}; make it, or name another file")
    if is_new:
        refuse_to_replace(path, SEASON)
    else:
        _refuse_other_files(path)
    try:
        connection = begin(path) if is_new else duckdb.connect(str(path), read_only=read_only)
        _settle(connection)
        _refuse_other_version(connection, path)
        if not read_only:
            connection.execute(sql("tables/checked_by"))
    except duckdb.Error as error:
        raise _unavailable(called or path, error) from None
    return connection


def _open_folder(folder: Path, *, read_only: bool) -> DuckDBPyConnection:
    """Open a derived season as tables in memory; Refused where it is to be written."""
    import duckdb  # noqa: PLC0415 - as above

    if not read_only:
        text, deriving = (
            "{folder} is a season in a folder, which another verb writes",
            remedy("season.derive"),
        )
        raise Refused(problem("season.folder", text, folder=str(folder), remedy=deriving))
    connection = duckdb.connect()
    _settle(connection)
    _make(connection)
    _show_folder(connection, folder)
    show_games(connection)
    return connection


def _show_folder(connection: DuckDBPyConnection, folder: Path) -> None:
    import duckdb  # noqa: PLC0415 - as above

    manifest = read_held(folder, connection, FORMAT)
    try:
        show_parts(connection, folder, manifest)
    except duckdb.Error as error:
        raise damaged(folder, " ".join(str(error).split())[:200]) from None


def open_scratch() -> DuckDBPyConnection:
    """Open empty tables in memory, for one thread, which keeps the order of rows."""
    import duckdb  # noqa: PLC0415 - as above

    connection = duckdb.connect()
    _settle(connection)
    connection.execute("SET threads = 1; SET preserve_insertion_order = true")
    _make(connection)
    return connection


def begin(path: Path) -> DuckDBPyConnection:
    """Make a season's file, empty, and explained in itself."""
    import duckdb  # noqa: PLC0415 - as above

    form: Settings = {"storage_compatibility_version": READ_BY}
    connection = duckdb.connect(str(path), config=form)
    _make(connection)
    with transaction(connection):  # 450 statements, each with a sync of its own otherwise
        explain_in_file(connection)
    return connection


def open_beside(path: Path) -> DuckDBPyConnection:
    """Open empty tables in memory, with the season as schema "season"; raises as `open_season`."""
    import duckdb  # noqa: PLC0415 - as above

    connection = duckdb.connect()
    _settle(connection)
    _make(connection)
    if path.is_dir():
        connection.execute("ATTACH ':memory:' AS season; USE season.main")
        _make(connection)
        _show_folder(connection, path)
        connection.execute("USE memory.main")
    else:
        open_season(path, read_only=True).close()
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS season (READ_ONLY)")
    connection.execute("INSERT INTO aliases SELECT * FROM season.aliases")
    return connection


def _settle(connection: DuckDBPyConnection) -> None:
    connection.execute(f"SET memory_limit = '{MEMORY}'; SET threads = {THREADS}")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET autoload_known_extensions = false")


def _make(connection: DuckDBPyConnection) -> None:
    with transaction(connection):
        connection.execute(sql("tables/schema"))
        connection.execute(sql("tables/keeping"))
        connection.execute(sql("tables/checked_by"))
        connection.execute("INSERT INTO season_format VALUES (?)", [FORMAT])


def _refuse_other_files(path: Path) -> None:
    """Refuse what is not DuckDB's: DuckDB itself opens others, too, by their names."""
    try:
        found = kind_at(path)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be opened: {error.strerror}") from None
    if found != SEASON:
        raise _damaged(path, "it is no season, or a damaged one")


def refuse_foreign(path: Path) -> None:
    """Refuse a DuckDB file that is no season or is in use; an unreadable one may have been one."""
    import duckdb  # noqa: PLC0415 - as above

    if kind_at(path) != SEASON:
        return
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            _refuse_no_season(connection, path)
    except duckdb.Error as error:
        if _is_in_use(error):
            raise _unavailable(path, error) from None


def _refuse_no_season(connection: DuckDBPyConnection, path: Path) -> None:
    kept = connection.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'season_format'"
    ).fetchone()
    if kept == (0,):
        raise StoreUnavailable(f"{path} is a DuckDB file, but no season: name another one")


def _refuse_other_version(connection: DuckDBPyConnection, path: Path) -> None:
    _refuse_no_season(connection, path)
    versions = connection.execute("SELECT version FROM season_format").fetchall()
    if versions != [(FORMAT,)]:
        found = versions[0][0] if versions else "none"
        made_by = "a newer" if isinstance(found, int) and found > FORMAT else "another"
        raise _damaged(path, f"it was made by {made_by} release (version {found})")


def _is_in_use(error: Exception) -> bool:
    return "set lock on" in str(error)  # of a damaged file it tells the block


def _unavailable(path: Path, error: Exception) -> StoreUnavailable:
    text = " ".join(str(error).split())
    if refusal := _SYSTEM.search(text):
        return _no_room(path, refusal[0])
    if _is_in_use(error):
        return StoreUnavailable(f"{path} is in use by another program: wait, and repeat")
    return _damaged(path, text[:200])


def _damaged(path: Path, why: str) -> StoreUnavailable:
    text, file = "{file} cannot be opened: {why}", str(path)
    return StoreUnavailable(problem("season.damaged", text, remedy=REBUILD, file=file, why=why))


def _no_room(path: Path, reason: str) -> StoreUnavailable:
    why = f"{path} cannot be written ({reason}), and nothing was changed"
    return StoreUnavailable(f"{why}: check the disk or name another file, and try again")


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
