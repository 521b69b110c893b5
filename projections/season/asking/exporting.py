"""A season's tables, and its games from either side, as flat files for other tools.

Every value is a number, a text, a day or a moment; what is a map or a list in the season is JSON
text. Persons are pseudonyms, as everywhere in a season. A SQLite file has the meanings of all
columns as a table `meanings`. The signed head of the season comes along, with the lines that it
covers: `season-head.json` in a folder, two tables in a SQLite file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ledger.errors import Refused, StoreUnavailable
from ledger.files.access import make_folder, replacing, write_whole
from ledger.files.kinds import PARQUET
from projections.season.tables.definitions import tables
from projections.season.tables.explaining import GAMES, GAMES_COLUMNS
from projections.season.tables.head_notes import SignedLines

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

HEAD_FILE = "season-head.json"
"""The signed head of the season, next to the files of its tables."""

AT_ONCE = 20_000
"""How many rows are copied at once."""

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
        write_whole(folder / HEAD_FILE, [_head_as_json(signed)])
    except OSError as error:
        raise Refused(f"{folder} cannot be written to: {error.strerror}") from None
    except duckdb.IOException:
        raise Refused(f"{folder} cannot be written to") from None
    return [f"{table}.{form}" for table in names]


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
        raise Refused(f"{path} is there already: name another file, or remove it first")
    if not path.parent.is_dir():
        raise Refused(f"{path} cannot be written: is there such a folder?")
    try:
        with replacing(path) as part, closing(sqlite3.connect(part)) as file:
            file.execute("PRAGMA journal_mode = OFF")
            for done, table in enumerate(names, start=1):
                _copy(connection, file, table)
                tell(done, len(names))
            file.execute("CREATE TABLE meanings (table_name TEXT, column_name TEXT, meaning TEXT)")
            file.executemany("INSERT INTO meanings VALUES (?, ?, ?)", _meanings())
            _copy_head(signed, file)
            file.commit()
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path} cannot be written: {error}") from None
    return [*names, "meanings"]


def _copy(connection: DuckDBPyConnection, file: sqlite3.Connection, table: str) -> None:
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    declared = ", ".join(f'"{name}" {_OF_SQLITE.get(kind, "TEXT")}' for name, kind, *_ in columns)
    file.execute(f'CREATE TABLE "{table}" ({declared})')
    texts = ", ".join(
        f'CAST("{name}" AS VARCHAR) AS "{name}"' if kind in {"DATE", "TIMESTAMP"} else f'"{name}"'
        for name, kind, *_ in columns
    )
    rows = _rows(connection, table)
    found = connection.execute(f"SELECT {texts} FROM ({rows})")  # noqa: S608 - our own names
    places = ", ".join("?" * len(columns))
    while some := found.fetchmany(AT_ONCE):
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


def _head_as_json(signed: SignedLines | None) -> bytes:
    """Write the head of a season as JSON, with the lines that it covers."""
    content = {
        "note": signed.head.note if signed is not None else None,
        "key": signed.head.key if signed is not None else None,
        "lines": signed.lines if signed is not None else [],
    }
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
