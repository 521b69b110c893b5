"""Tournaments taken out of a season: its file, or its folder of Parquet files.

What is left is what a season has that never took the tournament in. The head is signed again over
the digests that are left, and a part of a folder is written again without the tournament's rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from projections.season.loading.adding import Restatement, changes_of, moved_by, remove
from projections.season.loading.deriving import Chunk, ChunkLog, derive_chunk
from projections.season.loading.manifest import ListedChunk, Manifest
from projections.season.loading.publishing import Sealing, publish, season_folder
from projections.season.loading.scratch import room_beside
from projections.season.tables.database import FORMAT, open_beside, transaction, written
from projections.season.tables.season_head import seal
from projections.season.tables.signed_heads import SignWith

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.points import Scheme


def restate_removal(path: Path, tournament: str, scheme: Scheme | None = None) -> Restatement:
    """Compare a season with the same season without a tournament; nothing is changed."""
    with open_beside(path) as connection:
        changes = changes_of(connection, [tournament])
        moved = moved_by(connection, scheme, [tournament]) if scheme is not None else []
    return Restatement([], changes, moved)


def remove_from_file(connection: DuckDBPyConnection, tournament: str, sign_with: SignWith) -> None:
    """Take a tournament out of the tables of a season, and sign what is left."""
    with transaction(connection):
        remove(connection, [tournament])
        seal(connection, (), sign_with)


def remove_from_folder(folder: Path, tournament: str, sealing: Sealing) -> None:
    """Take a tournament out of a season's folder: its part is written again without it.

    Raises:
        StoreUnavailable: the folder is damaged, or another program derives into it.
    """
    with written(folder), season_folder(folder) as manifest, room_beside(folder) as room:
        before = sealing.trusted(folder, manifest)
        chunks = tuple(
            chunk
            for chunk_before in before.chunks
            for chunk in _without(chunk_before, tournament, folder, room)
        )
        after = Manifest(FORMAT, chunks, before.aliases, head=before.head, vault=before.vault)
        publish(folder, before, sealing.sealed(after), room)


def _without(
    chunk: ListedChunk, tournament: str, folder: Path, room: Path
) -> Iterator[ListedChunk]:
    """Yield a chunk without a tournament, or no chunk if it had only that tournament."""
    listed = tuple(log for log in chunk.logs if log.tournament != tournament)
    if listed == chunk.logs:
        yield chunk
    elif listed:
        logs = tuple(map(ChunkLog, listed))
        derived = derive_chunk(Chunk(chunk.year, FORMAT, logs, chunk), folder, room)
        yield derived.chunk
