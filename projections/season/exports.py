"""A season as files: finished tournaments as an archive, and flat tables for other tools.

The archive has a Parquet file for each finished tournament: a season is a folder or a glob of them.
A file has one row, and in it each table of the season as a list of rows; its metadata have the
version of the tables, and the reason why lines without a head were taken, if there are any. Its
name identifies the log: `<tournament>-<size>-<root>.parquet`; when the log has grown, another file
replaces it.

Flat files have the season's tables, and its games from either side. Every value is a number, a
text, a day or a moment; a map or a list of the season is JSON text. Persons are pseudonyms, as
everywhere in a season. A SQLite file has the meanings of all columns as a table `meanings`. The
signed head of the season comes along, with the lines that it covers and the logs that were taken
unsigned, and why: `season-head.json` in a folder, three tables in a SQLite file.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog, NotFound, Refused, StoreUnavailable
from ledger.files.access import make_folder, replacing, write_whole
from ledger.files.kinds import PARQUET
from ledger.problems import marked, phrase
from projections.season.data_package import (
    PACKAGE_FILE,
    DataField,
    Resource,
    data_package,
    field_type,
)
from projections.season.loading.adding import covered_sizes, drop_ids, remove, replaces_signed_rows
from projections.season.tables.copying import wrong_day
from projections.season.tables.database import FORMAT, transaction
from projections.season.tables.definitions import (
    GAMES,
    GAMES_COLUMNS,
    GAMES_TYPES,
    SeasonTable,
    sql,
    tables,
)
from projections.season.tables.season_head import seal
from projections.season.tables.signed_heads import SignedLines, SignWith

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

HEAD_FILE = "season-head.json"
"""The signed head of the season, next to the files of its tables."""

REASON_MAX = 400
"""Maximum characters of the reason for which a log was taken unsigned."""

AT_ONCE = 20_000
"""Number of rows copied at once."""

_NESTED = ("MAP", "STRUCT", "[]")
_OF_SQLITE = {"BOOLEAN": "INTEGER", "INTEGER": "INTEGER", "BIGINT": "INTEGER", "DOUBLE": "REAL"}
_FORMS = {"parquet": "FORMAT parquet, COMPRESSION zstd", "csv": "FORMAT csv, HEADER"}

Tell = Callable[[int, int], None]


def export_folder(
    connection: DuckDBPyConnection,
    folder: Path,
    form: str,
    tell: Tell,
    signed: SignedLines | None = None,
) -> list[str]:
    """Write each table as a file of that form, `parquet` or `csv`; return the files' names.

    Raises:
        Refused: the folder, or a file in it, cannot be written or is of another kind.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    names = _names()
    try:
        make_folder(folder)
        for done, table in enumerate(names, start=1):
            kind = PARQUET if form == "parquet" else ""
            with replacing(folder / f"{table}.{form}", kind) as part:
                quoted = str(part).replace("'", "''")
                rows = _rows(connection, table)
                connection.execute(f"COPY ({rows}) TO '{quoted}' ({_FORMS[form]})")
            tell(done, len(names))
        write_whole(folder / HEAD_FILE, [_head_as_json(signed, _reasons(connection))])
        described = data_package("season", "A season of tournaments", _resources(form))
        write_whole(folder / PACKAGE_FILE, [described])
    except OSError as error:
        raise _unwritable(folder, error) from None
    except duckdb.IOException:
        raise Refused(phrase("{folder} cannot be written to", folder=str(folder))) from None
    return [f"{table}.{form}" for table in names]


def _unwritable(folder: Path, error: OSError) -> Refused:
    text = marked("{folder} cannot be written to: {reason}")
    return Refused(phrase(text, folder=str(folder), reason=str(error.strerror)))


def export_sqlite(
    connection: DuckDBPyConnection, path: Path, tell: Tell, signed: SignedLines | None = None
) -> list[str]:
    """Write every table into one new SQLite file; return the tables' names.

    Raises:
        Refused: something is there already, or it cannot be written.
        StoreUnavailable: there is no room.
    """
    names = _names()
    if path.exists():
        raise Refused(
            phrase("{path} already exists: name another file, or remove it first", path=str(path))
        )
    if not path.parent.is_dir():
        raise Refused(phrase("{path} cannot be written: does its folder exist?", path=str(path)))
    try:
        with replacing(path) as part, closing(sqlite3.connect(part)) as file:
            file.execute("PRAGMA journal_mode = OFF")
            for done, table in enumerate(names, start=1):
                _copy(connection, file, table)
                tell(done, len(names))
            file.execute("CREATE TABLE meanings (table_name TEXT, column_name TEXT, meaning TEXT)")
            file.executemany("INSERT INTO meanings VALUES (?, ?, ?)", _meanings())
            _copy_head(signed, file)
            file.execute("CREATE TABLE unsigned_logs (tournament TEXT, reason TEXT)")
            file.executemany(
                "INSERT INTO unsigned_logs VALUES (?, ?)", _reasons(connection).items()
            )
            file.commit()
    except sqlite3.Error as error:
        raise StoreUnavailable(
            phrase("{path} cannot be written: {error}", path=str(path), error=str(error))
        ) from None
    return [*names, "meanings"]


def _resources(form: str) -> list[Resource]:
    """Describe the files of a folder: each table with the type and meaning of its columns."""
    described = [
        Resource(table.name, f"{table.name}.{form}", table.about, _fields(table))
        for table in tables()
    ]
    games = [DataField(name, GAMES_TYPES[name], text) for name, text in GAMES_COLUMNS.items()]
    return [*described, Resource("games", f"games.{form}", GAMES, games)]


def _fields(table: SeasonTable) -> list[DataField]:
    return [
        DataField(column.name, field_type(column.type.removesuffix(" NOT NULL")), column.meaning)
        for column in table.columns
    ]


def _copy(connection: DuckDBPyConnection, file: sqlite3.Connection, table: str) -> None:
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    declared = ", ".join(f'"{name}" {_OF_SQLITE.get(kind, "TEXT")}' for name, kind, *_ in columns)
    file.execute(f'CREATE TABLE "{table}" ({declared})')
    texts = ", ".join(
        f'CAST("{name}" AS VARCHAR) AS "{name}"' if kind in {"DATE", "TIMESTAMP"} else f'"{name}"'
        for name, kind, *_ in columns
    )
    rows = _rows(connection, table)
    cursor = connection.execute(f"SELECT {texts} FROM ({rows})")  # noqa: S608 - our own names
    places = ", ".join("?" * len(columns))
    while some := cursor.fetchmany(AT_ONCE):
        file.executemany(f'INSERT INTO "{table}" VALUES ({places})', some)  # noqa: S608 - our own
    file.execute(f'CREATE INDEX "{table}_of" ON "{table}" (tournament)')


def _copy_head(signed: SignedLines | None, file: sqlite3.Connection) -> None:
    """Copy the head of a season and the lines that it covers; two empty tables without a head."""
    file.execute("CREATE TABLE season_head (note TEXT, key TEXT)")
    file.execute("CREATE TABLE season_head_lines (number INTEGER, line TEXT)")
    if signed is not None:
        file.execute("INSERT INTO season_head VALUES (?, ?)", [signed.head.note, signed.head.key])
        numbered = enumerate(signed.lines, start=1)
        file.executemany("INSERT INTO season_head_lines VALUES (?, ?)", numbered)


def _reasons(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return why logs were taken unsigned, by tournament."""
    return dict(connection.execute("FROM unsigned_logs ORDER BY ALL").fetchall())


def _head_as_json(signed: SignedLines | None, reasons: dict[str, str]) -> bytes:
    """Write the head of a season as JSON, with the lines that it covers and the unsigned logs."""
    content: dict[str, object] = {
        "note": signed.head.note if signed is not None else None,
        "key": signed.head.key if signed is not None else None,
        "lines": signed.lines if signed is not None else [],
    }
    content |= {"unsigned": reasons} if reasons else {}
    return msgspec.json.format(msgspec.json.encode(content)) + b"\n"


def _names() -> list[str]:
    return [*(table.name for table in tables()), "games"]


def _rows(connection: DuckDBPyConnection, table: str) -> str:
    """Return what gives a table's rows in order, what is nested as JSON."""
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    flat = ", ".join(
        f'CAST(to_json("{name}") AS VARCHAR) AS "{name}"' if _is_nested(kind) else f'"{name}"'
        for name, kind, *_ in columns
    )
    return f"SELECT {flat} FROM {table} ORDER BY ALL"  # noqa: S608 - our own names


def _is_nested(kind: str) -> bool:
    return any(word in kind for word in _NESTED)


def _meanings() -> Iterator[tuple[str, str, str]]:
    for table in tables():
        yield table.name, "", table.about
        for column in table.columns:
            yield table.name, column.name, column.meaning
    yield "games", "", GAMES
    for name, meaning in GAMES_COLUMNS.items():
        yield "games", name, meaning


_NAME = re.compile(r"([0-9a-f]{32})-([1-9][0-9]*)-([0-9a-f]{64})\.parquet")


class Archived(Struct, frozen=True):
    """Result of writing an archive: files written, of which replaced, and files left unchanged."""

    written: int
    replaced: int
    kept: int


def archive(
    connection: DuckDBPyConnection, folder: Path, tell: Callable[[int, int], None]
) -> Archived:
    """Write each finished tournament that a folder does not have as it is; Refused if it cannot."""
    finished = connection.execute(
        "SELECT tournament, size, root FROM tournaments WHERE finished ORDER BY tournament"
    ).fetchall()
    files = {stream: f"{stream}-{size}-{root}.parquet" for stream, size, root in finished}
    for name in files.values():
        if not _NAME.fullmatch(name):  # it becomes part of a path, and of SQL
            raise InvalidLog(
                phrase(
                    "the season contains a tournament whose id or root is wrong: {name}", name=name
                )
            )
    try:
        make_folder(folder)
        present = {path.name for path in folder.glob("*.parquet") if _NAME.fullmatch(path.name)}
        missing = [stream for stream, name in files.items() if name not in present]
        for number, stream in enumerate(missing, start=1):
            _write(connection, stream, folder / files[stream])
            tell(number, len(missing))
        stale = [folder / name for name in present if files.get(name[:32], name) != name]
        for path in stale:
            path.unlink()
    except OSError as error:
        raise _unwritable(folder, error) from None
    return Archived(len(missing), len(stale), len(files) - len(missing))


def _write(connection: DuckDBPyConnection, stream: str, path: Path) -> None:
    columns = ", ".join(
        f"(SELECT list(row ORDER BY row) FROM {table.name} AS row "  # noqa: S608 - our own name
        f"WHERE tournament = '{stream}') AS {table.name}"
        for table in tables()
    )
    metadata = f"season_format: '{FORMAT}'"
    if reason := _reasons(connection).get(stream):
        metadata += ", unsigned: '{}'".format(reason.replace("'", "''"))
    with replacing(path, PARQUET) as part:
        quoted = str(part).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {columns}) TO '{quoted}' "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
        )


def archives_of(places: Iterable[Path]) -> list[Path]:
    """List an archive's files, named or in named folders; NotFound or InvalidLog of others."""
    files: list[Path] = []
    for place in places:
        matching = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
        if not matching or not all(file.is_file() for file in matching):
            raise NotFound(phrase("there is no Parquet file {place}", place=str(place)))
        files += matching
    for file in files:
        if not _NAME.fullmatch(file.name):
            raise InvalidLog(
                phrase(
                    "{file} is not a file of an archive: such files are "
                    "TOURNAMENT-SIZE-ROOT.parquet",
                    file=str(file),
                )
            )
    return files


def take_back(
    connection: DuckDBPyConnection, files: Iterable[Path], sign_with: SignWith | None = None
) -> list[str]:
    """Read tournaments from an archive into the season; returns those that are new or grown.

    What is derived is taken as it is: a Parquet file holds no lines that could be checked, so the
    head of the season does not cover these rows.

    Raises:
        InvalidLog: a file cannot be read, or is not what its name says.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    sizes = dict(connection.execute("SELECT tournament, size FROM tournaments").fetchall())
    covered = covered_sizes(connection)
    newest: dict[str, tuple[int, Path]] = {}
    for file in files:
        name = _NAME.fullmatch(file.name)
        assert name is not None  # noqa: S101 - `archives_of` lets no other name pass
        size = int(name[2])
        if size > covered.get(name[1], size):
            raise replaces_signed_rows(str(file))
        if size > max(sizes.get(name[1], 0), newest.get(name[1], (0, file))[0]):
            newest[name[1]] = (size, file)
    try:
        with transaction(connection):
            remove(connection, newest)
            for _, file in newest.values():
                _read_back(connection, file)
            drop_ids(connection, newest)
            connection.execute(sql("tables/retell"))
            if wrong := wrong_day(connection):
                raise InvalidLog(
                    phrase("the archive cannot be read: {wrong}; nothing was changed", wrong=wrong)
                )
            seal(connection, (), sign_with)
    except duckdb.Error as error:
        text = " ".join(str(error).split())[:200]
        raise InvalidLog(
            phrase("the archive cannot be read: {text}; nothing was changed", text=text)
        ) from None
    return list(newest)


def _read_back(connection: DuckDBPyConnection, file: Path) -> None:
    _refuse_other_version(connection, file)
    for table in tables():
        connection.execute(
            f"INSERT INTO {table.name} BY NAME SELECT row.* FROM "  # noqa: S608 - our own name
            f"(SELECT unnest({table.name}) AS row FROM read_parquet($file)) "
            "WHERE row.tournament = $stream",
            {"file": str(file), "stream": file.name[:32]},
        )
    name = "tournament || '-' || size || '-' || root || '.parquet'"
    query = f"SELECT {name} FROM tournaments WHERE tournament = ?"  # noqa: S608 - our own name
    recorded = connection.execute(query, [file.name[:32]]).fetchall()
    if recorded != [(file.name,)]:
        raise InvalidLog(
            phrase(
                "the content of {file} does not match its name; nothing was changed", file=str(file)
            )
        )
    connection.execute(  # there are no lines here that a head could be held to
        "UPDATE tournaments SET signed_size = 0, signed_by = NULL, by_policy = FALSE "
        "WHERE tournament = $stream",
        {"stream": file.name[:32]},
    )
    for (reason,) in _metadata(connection, file, "unsigned"):
        row = [file.name[:32], reason[:REASON_MAX]]
        connection.execute("INSERT INTO unsigned_logs VALUES (?, ?)", row)


def _metadata(connection: DuckDBPyConnection, file: Path, key: str) -> list[tuple[str]]:
    query = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = ? LIMIT 2"
    values: list[tuple[str]] = connection.execute(query, [str(file), key]).fetchall()
    return values


def _refuse_other_version(connection: DuckDBPyConnection, file: Path) -> None:
    versions = _metadata(connection, file, "season_format")
    if versions != [(str(FORMAT),)]:
        reason = (
            f"{file} was archived by another release: add the logs themselves, and archive them"
        )
        raise InvalidLog(phrase("{why} into another folder; nothing was changed", why=reason))
