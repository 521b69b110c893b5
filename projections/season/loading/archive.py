"""Finished tournaments as Parquet files, one for each: a season is a folder or a glob of them.

A file has one row, and in it each table of the season as a list of rows; its metadata say which
version of the tables they are. Its name is what the log is known by,
`<tournament>-<size>-<root>.parquet`; when the log has grown, another file takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.errors import InvalidLog, NotFound, Refused
from ledger.files.access import make_folder, replacing
from ledger.files.kinds import PARQUET
from projections.season.loading.filling import remove
from projections.season.tables.copying import wrong_day
from projections.season.tables.database import FORMAT, transaction
from projections.season.tables.definitions import sql, tables
from projections.season.tables.head_notes import SignWith
from projections.season.tables.season_head import seal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NAME = re.compile(r"([0-9a-f]{32})-([1-9][0-9]*)-([0-9a-f]{64})\.parquet")


class Archived(Struct, frozen=True):
    """What writing an archive came to: files written, replaced among them, and kept as they are."""

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
    wanted = {stream: f"{stream}-{size}-{root}.parquet" for stream, size, root in finished}
    for name in wanted.values():
        if not _NAME.fullmatch(name):  # it becomes part of a path, and of SQL
            raise InvalidLog(f"the season holds a tournament whose id or root is wrong: {name}")
    try:
        make_folder(folder)
        present = {path.name for path in folder.glob("*.parquet") if _NAME.fullmatch(path.name)}
        missing = [stream for stream, name in wanted.items() if name not in present]
        for number, stream in enumerate(missing, start=1):
            _write(connection, stream, folder / wanted[stream])
            tell(number, len(missing))
        stale = [folder / name for name in present if wanted.get(name[:32], name) != name]
        for path in stale:
            path.unlink()
    except OSError as error:
        raise Refused(f"{folder} cannot be written to: {error.strerror}") from None
    return Archived(len(missing), len(stale), len(wanted) - len(missing))


def _write(connection: DuckDBPyConnection, stream: str, path: Path) -> None:
    columns = ", ".join(
        f"(SELECT list(row ORDER BY row) FROM {table.name} AS row "  # noqa: S608 - our own name
        f"WHERE tournament = '{stream}') AS {table.name}"
        for table in tables()
    )
    with replacing(path, PARQUET) as part:
        quoted = str(part).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {columns}) TO '{quoted}' "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{season_format: '{FORMAT}'}})"
        )


def archives_of(places: Iterable[Path]) -> list[Path]:
    """List an archive's files, named or in named folders; NotFound or InvalidLog of others."""
    files: list[Path] = []
    for place in places:
        found = sorted(place.glob("*.parquet")) if place.is_dir() else [place]
        if not found or not all(each.is_file() for each in found):
            raise NotFound(f"there is no Parquet file {place}")
        files += found
    for file in files:
        if not _NAME.fullmatch(file.name):
            raise InvalidLog(f"{file} is no file of an archive: TOURNAMENT-SIZE-ROOT.parquet is")
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

    kept = dict(connection.execute("SELECT tournament, size FROM tournaments").fetchall())
    newest: dict[str, tuple[int, Path]] = {}
    for file in files:
        name = _NAME.fullmatch(file.name)
        assert name is not None  # noqa: S101 - `archives_of` lets no other name pass
        size = int(name[2])
        if size > max(kept.get(name[1], 0), newest.get(name[1], (0, file))[0]):
            newest[name[1]] = (size, file)
    try:
        with transaction(connection):
            remove(connection, newest)
            for _, file in newest.values():
                _read_back(connection, file)
            connection.execute(sql("tables/retell"))
            if wrong := wrong_day(connection):
                raise InvalidLog(f"the archive cannot be read: {wrong}; nothing was changed")
            seal(connection, (), sign_with)
    except duckdb.Error as error:
        text = " ".join(str(error).split())[:200]
        raise InvalidLog(f"the archive cannot be read: {text}; nothing was changed") from None
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
    asked = f"SELECT {name} FROM tournaments WHERE tournament = ?"  # noqa: S608 - our own name
    recorded = connection.execute(asked, [file.name[:32]]).fetchall()
    if recorded != [(file.name,)]:
        raise InvalidLog(f"{file} is not what its name says; nothing was changed")
    connection.execute(  # there are no lines here that a head could be held to
        "UPDATE tournaments SET signed_size = 0, signed_by = NULL, by_policy = FALSE "
        "WHERE tournament = $stream",
        {"stream": file.name[:32]},
    )


def _refuse_other_version(connection: DuckDBPyConnection, file: Path) -> None:
    asked = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'season_format'"
    versions = connection.execute(asked, [str(file)]).fetchall()
    if versions != [(str(FORMAT),)]:
        why = f"{file} was archived by another release: add the logs themselves, and archive them"
        raise InvalidLog(f"{why} into another folder; nothing was changed")
