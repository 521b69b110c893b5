"""The rows of a season's file copied into a new one, by a connection that reaches nothing else.

This is for a file that another machine may have made. The connection may open the file and the
copy; then everything outside is closed, the configuration is locked, and only the columns of
`schema.sql` are read from base tables. A day that no calendar has makes the whole file damaged.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.problems import Phrase, phrase
from projections.season.tables.database import (
    LATER,
    MEMORY,
    STORED,
    attach,
    begin,
    begin_plain,
    damaged_season,
    empty_tables,
    made_as,
    names,
    refuse_other_tables,
    unavailable,
    wrong_value,
)
from projections.season.tables.definitions import tables
from projections.season.tables.season_head import Verified, head_of, verified
from projections.season.tables.signed_heads import SeasonHead

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

ROWS_MAX = 200_000_000
"""Maximum rows of a table: a small file can hold any number of equal rows."""

COPY_MEMORY = "500MB"

_DAYS = ("DATE", "TIMESTAMP")


class Copied(Struct, frozen=True):
    """What is known of a copied file: its head, if it has one, and what that proves."""

    head: SeasonHead | None
    proves: Verified
    tournaments: int
    is_whole: bool
    """Whether every row of the file was copied."""


def copy_season(path: Path, to: Path, own_keys: tuple[str, ...], *, is_draft: bool) -> Copied:
    """Copy the rows of a season's file into a new file, and verify the head.

    The copy keeps the digests of the tournaments that the head covers, under any key; and what
    the file says was checked by this release, if the head is signed with one of `own_keys`, which
    are verifier keys. A draft, which will be written and signed again, keeps neither otherwise.

    Raises:
        StoreUnavailable: the file is damaged, of another version, or holds what no season does.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    try:
        (begin if is_draft else begin_plain)(to).close()
        with _confined(path, to) as connection:
            refuse_other_tables(connection, path, STORED, made_as(connection, MEMORY))
            is_whole = _copy_rows(connection, path)
            if wrong := wrong_value(connection) or wrong_day(connection):
                raise damaged_season(path, wrong)
            return _with_claims(connection, own_keys, is_draft=is_draft, is_whole=is_whole)
    except duckdb.Error as error:
        raise unavailable(path, error) from None


def _confined(path: Path, to: Path) -> DuckDBPyConnection:
    """Open a file and its copy in a connection that opens nothing else from then on."""
    connection = empty_tables()
    quoted = [str(each).replace("'", "''") for each in (path, to)]
    files = ", ".join(f"'{each}', '{each}.wal'" for each in quoted)
    connection.execute(f"ATTACH '{quoted[1]}' AS copy (TYPE duckdb); USE copy.main")
    for setting in (
        f"memory_limit = '{COPY_MEMORY}'",
        "temp_directory = ''",
        f"allowed_paths = [{files}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    attach(connection, path)
    return connection


def _copy_rows(connection: DuckDBPyConnection, path: Path) -> bool:
    """Copy every table; return whether all rows belong to a tournament of the season."""
    stored = made_as(connection, STORED)
    of_tournaments = {table.name for table in tables()} | {"leaves", *LATER}
    of_tournaments -= {"tournaments", "season_head", "league_vault"}
    is_whole = True
    for table in names():
        if table == "season_format" or table not in stored:
            continue
        rows = _count(connection, f"{STORED}.main.{table}")
        if rows > ROWS_MAX:
            reason = phrase(
                "its table {table} has {rows} rows, more than {most}",
                table=table,
                rows=f"{rows:,}",
                most=f"{ROWS_MAX:,}",
            )
            raise damaged_season(path, reason)
        of_one = f"SEMI JOIN {STORED}.main.tournaments USING (tournament)"
        only = of_one if table in of_tournaments else ""
        connection.execute(f"INSERT INTO {table} FROM {STORED}.main.{table} {only}")
        is_whole = is_whole and _count(connection, table) == rows
    return is_whole


def _count(connection: DuckDBPyConnection, table: str) -> int:
    (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)  # noqa: S608 - our own
    return int(rows)


def wrong_day(connection: DuckDBPyConnection) -> Phrase | None:
    """Return the first column with a day that no calendar has; None if every day is in it."""
    for table in tables():
        for column in table.columns:
            if column.type.removesuffix(" NOT NULL") not in _DAYS:
                continue
            asked = (
                f"SELECT 1 FROM {table.name} WHERE NOT isfinite({column.name}) "  # noqa: S608 - our own
                f"OR year({column.name}) NOT BETWEEN 1 AND 9999 LIMIT 1"
            )
            if connection.execute(asked).fetchone():
                return phrase(
                    "{table} has a day in {column} that does not exist in the calendar",
                    table=table.name,
                    column=column.name,
                )
    return None


def _with_claims(
    connection: DuckDBPyConnection, own_keys: tuple[str, ...], *, is_draft: bool, is_whole: bool
) -> Copied:
    """Keep of what the file claims only what its head proves."""
    head, proves = head_of(connection), verified(connection)
    is_own = proves.by in own_keys
    if is_draft and not is_own:
        proves = replace(proves, by="", tournaments=frozenset())
    _keep_rows(connection, "row_digests", proves.tournaments)
    _keep_rows(connection, "checked_by", proves.tournaments if is_own else ())
    if not proves.by or (proves.altered and not is_draft):  # the head does not fit what is left
        connection.execute("DELETE FROM season_head")
    return Copied(head, proves, _count(connection, "tournaments"), is_whole)


def _keep_rows(connection: DuckDBPyConnection, table: str, tournaments: Iterable[str]) -> None:
    connection.execute(
        f"DELETE FROM {table} WHERE NOT list_contains($kept, tournament)",  # noqa: S608 - our own
        {"kept": list(tournaments)},
    )
