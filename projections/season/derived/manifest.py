"""The manifest of a derived season: which logs it has, by chunk, and which files hold their rows.

Nobody who reads a season looks into the folder for files: what the manifest lists is the season.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from ledger.errors import InvalidLog, NotFound, StoreUnavailable
from ledger.files.access import whole
from ledger.problems import problem, remedy
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.tables.definitions import tables
from projections.season.tables.head_notes import SeasonHead

MANIFEST = "season.json"
LEAVES = "leaves"

FORMAT = 1
"""The version of the manifest; of the tables it says which one they are."""

Tournament = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
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

    @property
    def events(self) -> int:
        """How many events its logs have."""
        return sum(each.size for each in self.logs)


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
    rows = (" ".join(map(str, msgspec.to_builtins(each)[:_NAMED_BY])) for each in logs)
    return hashlib.sha256("\n".join([f"{FORMAT} {version}", *rows]).encode()).hexdigest()


def part_file(table: str, year: int, name: str) -> str:
    """Return where a part is in the season's folder."""
    return f"{table}/year={year:04}/part-{name}.parquet"


def is_part_file(name: str) -> bool:
    """Whether a file's name is that of a part, in a season's folder."""
    found = _PART_FILE.fullmatch(name)
    return found is not None and found[1] in table_names()


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
        text, deriving = "{folder} is a folder without a season", remedy("season.derive")
        raise NotFound(
            problem("season.folder_missing", text, folder=str(folder), remedy=deriving)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(folder, f"its {MANIFEST} is no manifest, or a damaged one: {error}") from None
    except InvalidLog as error:
        raise StoreUnavailable(str(error)) from None
    if why := _of_another_release(manifest, version) or _wrong(manifest):
        raise damaged(folder, why)
    return manifest


def damaged(folder: Path, why: str) -> StoreUnavailable:
    """Say that a folder cannot be read, and that it can be made again from the logs."""
    text = "{folder} cannot be read: {why}; derive every log again, into another folder"
    return StoreUnavailable(problem("season.folder_damaged", text, folder=str(folder), why=why))


def _of_another_release(manifest: Manifest, version: int) -> str:
    if (manifest.format, manifest.tables) == (FORMAT, version):
        return ""
    return f"it was made by another release (version {manifest.format} of {manifest.tables})"


def _wrong(manifest: Manifest) -> str:
    """Return what contradicts itself in a manifest; empty if nothing does."""
    seen: set[str] = set()
    if not all(map(is_part_file, manifest.retired)):
        return f"its {MANIFEST} names files that are no parts"
    for chunk in manifest.chunks:
        if chunk.name != chunk_name(manifest.tables, chunk.logs):
            return f"its {MANIFEST} has a chunk whose name is not that of its logs"
        if set(chunk.parts) != set(table_names()):
            return f"its {MANIFEST} has a chunk without a part for each table"
        files = {table: part_file(table, chunk.year, chunk.name) for table in chunk.parts}
        if any(part.file != files[table] for table, part in chunk.parts.items()):
            return f"its {MANIFEST} has a part that is not where it belongs"
        for each in chunk.logs:
            if each.tournament in seen:
                return f"its {MANIFEST} has the tournament {each.tournament} twice"
            seen.add(each.tournament)
    return ""
