"""The manifest of a derived season: its logs by chunk, and the files that hold their rows.

Nothing that reads a season looks into the folder for files: the season is what the manifest lists,
and DuckDB has tables over exactly these files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Annotated, Any
from weakref import finalize

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from ledger.errors import InvalidLog, NotFound, StoreUnavailable
from ledger.files.access import whole
from ledger.files.locks import lock_beside, share
from ledger.problems import Phrase, marked, problem, remedy
from projections.season.tables.definitions import tables
from projections.season.tables.signed_heads import SeasonHead, SignedPrefix

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MANIFEST = "season.json"
LEAVES = "leaves"

FORMAT = 1
"""The version of the manifest; of the tables it says which one they are."""

Tournament = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Vault = Annotated[str, Meta(pattern="^([0-9a-f]{32})?$")]
Count = Annotated[int, Meta(ge=0)]
Year = Annotated[int, Meta(ge=0, le=9999)]

_PART_FILE = re.compile(r"([a-z]+)/year=[0-9]{4}/part-[0-9a-f]{64}\.parquet")

_NAMED_BY = 6
"""The first members of a listed log, which its rows are made of."""

ENCODER = msgspec.json.Encoder()


class ListedLog(Struct, frozen=True, array_like=True):
    """A tournament's log: its events, the root over them, and what a signed head covers.

    `checked_by` is the release that held each of its lines to the rules; empty: none did.
    `unsigned` is the reason for which lines were taken that no head covers; empty: there are none.
    `is_own` says that its rows were derived by the signer of the manifest.
    """

    tournament: Tournament
    size: Count
    root: Digest
    signed_size: Count = 0
    signed_by: str = ""
    by_policy: bool = False
    checked_by: str = ""
    unsigned: str = ""
    is_own: bool = False

    @property
    def signed(self) -> SignedPrefix:
        """What a head covers of it."""
        return SignedPrefix(self.signed_size, self.signed_by, self.by_policy, self.unsigned)


class TablePart(Struct, frozen=True):
    """A file with the rows of one table for the logs of one chunk."""

    file: str
    sha256: Digest
    bytes: Count
    rows: Count


class ListedChunk(Struct, frozen=True):
    """Some logs of one year, and a part for each table."""

    name: Digest
    year: Year
    logs: tuple[ListedLog, ...]
    parts: dict[str, TablePart]


class ListedAlias(Struct, frozen=True, array_like=True):
    """The person that a pseudonym stands for, in one tournament or (empty) everywhere."""

    tournament: str
    league_id: str
    person: str


class Manifest(Struct, frozen=True):
    """A derived season, and the files of manifests before that somebody may still read."""

    tables: Count
    chunks: tuple[ListedChunk, ...] = ()
    aliases: tuple[ListedAlias, ...] = ()
    retired: tuple[str, ...] = ()
    head: SeasonHead | None = None
    vault: Vault = ""
    """What tells the vault apart whose key made the pseudonyms of public ids; empty: none did."""

    format: Count = msgspec.field(default=FORMAT, name="tourney-season")

    def files(self) -> Iterator[TablePart]:
        """Yield every part."""
        for chunk in self.chunks:
            yield from chunk.parts.values()

    def logs(self) -> Iterator[ListedLog]:
        """Yield every log."""
        for chunk in self.chunks:
            yield from chunk.logs


def table_names() -> list[str]:
    """List the tables that a chunk has a part of: the season's, and the hashes of lines."""
    return [*(table.name for table in tables()), LEAVES]


def chunk_name(version: int, logs: Iterable[ListedLog]) -> str:
    """Name a chunk by its logs, in order, and the version of the tables: SHA-256 over both.

    Who checked a log is no part of it: that changes no row.
    """
    rows = (" ".join(map(str, msgspec.to_builtins(log)[:_NAMED_BY])) for log in logs)
    return hashlib.sha256("\n".join([f"{FORMAT} {version}", *rows]).encode()).hexdigest()


def part_file(table: str, year: int, name: str) -> str:
    """Return where a part is in the season's folder."""
    return f"{table}/year={year:04}/part-{name}.parquet"


def is_part_file(name: str) -> bool:
    """Whether a file's name is that of a part, in a season's folder."""
    match = _PART_FILE.fullmatch(name)
    return match is not None and match[1] in table_names()


def encoded(manifest: Manifest) -> bytes:
    """Write a manifest as JSON, what says that it is one first."""
    members: dict[str, Any] = msgspec.to_builtins(manifest)
    mark = "tourney-season"
    return ENCODER.encode({mark: members.pop(mark), **members}) + b"\n"


def read_manifest(folder: Path, version: int) -> Manifest:
    """Read the manifest of a folder, whose tables have to be of that version.

    Raises:
        NotFound: the folder has none.
        StoreUnavailable: it is damaged, or of another release.
    """
    try:
        manifest = msgspec.json.decode(whole(folder / MANIFEST), type=Manifest)
    except NotFound:
        text, deriving = marked("{folder} is a folder without a season"), remedy("season.derive")
        raise NotFound(
            problem("season.folder_missing", text, folder=str(folder), remedy=deriving)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(folder, f"its {MANIFEST} is not a manifest, or is damaged: {error}") from None
    except InvalidLog as error:
        raise StoreUnavailable(str(error)) from None
    if reason := _of_another_release(manifest, version) or _wrong(manifest):
        raise damaged(folder, reason)
    return manifest


def damaged(folder: Path, why: Phrase | str) -> StoreUnavailable:
    """Say that a folder cannot be read, and that it can be made again from the logs."""
    text = marked("{folder} cannot be read: {why}; derive every log again, into another folder")
    return StoreUnavailable(problem("season.folder_damaged", text, folder=str(folder), why=why))


def _of_another_release(manifest: Manifest, version: int) -> str:
    if (manifest.format, manifest.tables) == (FORMAT, version):
        return ""
    return f"it was made by another release (version {manifest.format} of {manifest.tables})"


def _wrong(manifest: Manifest) -> str:
    """Return what contradicts itself in a manifest; empty if nothing does."""
    tournaments: set[str] = set()
    if not all(map(is_part_file, manifest.retired)):
        return f"its {MANIFEST} names files that are not parts"
    for chunk in manifest.chunks:
        if chunk.name != chunk_name(manifest.tables, chunk.logs):
            return f"its {MANIFEST} has a chunk whose name does not match its logs"
        if set(chunk.parts) != set(table_names()):
            return f"its {MANIFEST} has a chunk without a part for each table"
        files = {table: part_file(table, chunk.year, chunk.name) for table in chunk.parts}
        if any(part.file != files[table] for table, part in chunk.parts.items()):
            return f"its {MANIFEST} has a part in the wrong place"
        for log in chunk.logs:
            if log.tournament in tournaments:
                return f"its {MANIFEST} has the tournament {log.tournament} twice"
            tournaments.add(log.tournament)
    return ""


THREADS = 4
"""How many parts are hashed at once."""

PEOPLE = """
SELECT
    parts.tournament,
    parts.player,
    coalesce(here.person, everywhere.person, parts.person) AS person,
    parts.known OR here.person IS NOT NULL OR everywhere.person IS NOT NULL AS known
FROM {rows} AS parts
LEFT JOIN {aliases} AS here
    ON here.tournament = parts.tournament AND here.league_id = parts.person
LEFT JOIN {aliases} AS everywhere
    ON everywhere.tournament = '' AND everywhere.league_id = parts.person
"""
"""Everybody as the league tells persons apart; parts know of no league."""

READERS = "readers"
"""The lock of all who read the season, together; who has it alone may remove old parts."""


def read_held(folder: Path, connection: DuckDBPyConnection, version: int) -> Manifest:
    """Read a manifest whose parts stay, and are as listed, until the connection goes.

    Raises:
        NotFound: the folder has no season.
        StoreUnavailable: the manifest, or a part that it lists, is missing or damaged.
    """
    lock = share(lock_beside(folder, READERS))
    if lock is not None:
        finalize(connection, lock.close)
    manifest = read_manifest(folder, version)
    with ThreadPoolExecutor(THREADS) as pool:  # hashing lets other threads go on
        for _ in pool.map(hold_part, repeat(folder), manifest.files()):
            pass
    return manifest


def show_parts(connection: DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Put what is listed in the place of the empty tables of a connection's database, as views.

    A connection that is confined later reads these files, and no others.
    """
    (database,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    aliases, named = list(map(astuple, manifest.aliases)), f"{database}.main.aliases"
    put_in = "INSERT INTO aliases SELECT unnest(?), unnest(?), unnest(?)"
    if aliases:
        connection.execute(put_in, list(map(list, zip(*aliases, strict=True))))
    if manifest.vault:
        connection.execute("INSERT INTO league_vault VALUES (?)", [manifest.vault])
    connection.execute("UPDATE season_format SET version = ?", [manifest.tables])
    checked = [(log.tournament, log.checked_by) for log in manifest.logs() if log.checked_by]
    if checked:
        columns = list(map(list, zip(*checked, strict=True)))
        connection.execute("INSERT INTO checked_by SELECT unnest(?), unnest(?)", columns)
    reasons = [(log.tournament, log.unsigned) for log in manifest.logs() if log.unsigned]
    if reasons:
        connection.executemany("INSERT INTO unsigned_logs VALUES (?, ?)", reasons)
    own_logs = [log.tournament for log in manifest.logs() if log.is_own]
    connection.execute("INSERT INTO row_digests SELECT unnest(?), '', ''", [own_logs])
    if not manifest.chunks:
        return
    for table in table_names():
        files = ", ".join(_files(folder, manifest, table))
        rows = f"read_parquet([{files}], hive_partitioning = false)"
        query = PEOPLE if table == "people" and aliases else _our_columns(connection, table)
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE VIEW {table} AS {query.format(rows=rows, aliases=named)}")
    every = ", ".join(file for table in table_names() for file in _files(folder, manifest, table))
    connection.execute(f"SET allowed_paths = [{every}]")


def _our_columns(connection: DuckDBPyConnection, table: str) -> str:
    """Return a query for only the columns of our own table; a file may have more."""
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    return f"SELECT {', '.join(name for name, *_ in columns)} FROM {{rows}}"  # noqa: S608 - our own names


def _files(folder: Path, manifest: Manifest, table: str) -> Iterator[str]:
    """Yield where the parts of a table are, as SQL."""
    for chunk in manifest.chunks:
        path = str(folder.resolve() / chunk.parts[table].file)
        yield "'{}'".format(path.replace("'", "''"))


def hold_part(season: Path, part: TablePart) -> Path:
    """Hold a part to what the manifest says of it; StoreUnavailable if it is another, or gone."""
    path = season / part.file
    try:
        status = path.stat()
        is_in_folder = path.resolve().is_relative_to(season.resolve()) and S_ISREG(status.st_mode)
        is_of_size = is_in_folder and status.st_size == part.bytes
        is_as_listed = is_of_size and digest_of(path) == part.sha256
    except OSError as error:
        raise damaged(season, f"its part {part.file} cannot be read ({error.strerror})") from None
    if not is_as_listed:
        raise damaged(season, f"its part {part.file} does not match its manifest")
    return path


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def leaves_in(part: Path, tournament: str) -> bytes | None:
    """Read the hashes of a log's lines from a part that has them."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    with duckdb.connect() as connection:
        pieces = connection.execute(
            "SELECT hashes FROM read_parquet($file, hive_partitioning = false) "
            "WHERE tournament = $tournament ORDER BY piece",
            {"file": str(part), "tournament": tournament},
        ).fetchall()
    return b"".join(hashes for (hashes,) in pieces) or None
