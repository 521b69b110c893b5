"""From logs that were checked to the season's tables, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger import VERSION
from projections.season.loading.row_files import insertion
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.loading.spooling import Batch, Logged
from projections.season.tables.database import transaction
from projections.season.tables.definitions import sql, tables
from projections.season.tables.head_notes import SignWith
from projections.season.tables.season_head import claimed, seal

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
    made: list[str] = []
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
            made += [each.tournament for each in batch.logs]
            _note_unsigned(connection, {x.tournament: x.signed for x in batch.logs})
            done += len(batch.logs)
            tell(done)
        if connection.execute("FROM aliases LIMIT 1").fetchall():
            connection.execute(sql("tables/retell"))
        signed_before = claimed(connection).keys() & newly_signed.keys()
        seal(connection, [*made, *signed_before], sign_with)


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
    asked = {table.name: insertion(table) for table in tables()} | {"leaves": sql("tables/leaves")}
    for kind, insert in asked.items():
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
