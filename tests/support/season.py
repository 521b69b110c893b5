"""Seasons for tests: logs of the simulator as files, taken in as the command line would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from projections.season.loading.adding import add
from projections.season.loading.intake import LoadTerms
from projections.season.loading.sources import sources_of
from projections.season.tables.database import open_season
from projections.season.tables.definitions import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from ledger.proof.policy import Trust
    from projections.season.loading.intake import LogOutcome

Rows = list[tuple[Any, ...]]


def silent(_what: str, _done: int, _total: int) -> None:
    """Nobody watches a test's progress."""


def write_log(path: Path, lines: Sequence[bytes]) -> Path:
    """Write lines as an export would."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def take_in(
    season: Path,
    *places: Path,
    keep_going: bool = False,
    signed_wins: bool = False,
    trust: Trust | None = None,
) -> list[LogOutcome]:
    """Add logs to the season at a path, which is made where there is none."""
    with open_season(season, create=True) as connection:
        return add(
            connection,
            list(sources_of(map(str, places))),
            season.parent,
            silent,
            LoadTerms(keep_going, signed_wins, trust),
        )


@contextmanager
def opened(season: Path) -> Iterator[DuckDBPyConnection]:
    """A season to be asked."""
    with open_season(season, read_only=True) as connection:
        yield connection


def rows_of(connection: DuckDBPyConnection, table: str) -> Rows:
    """All rows of a table, in one order for all."""
    return connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()


def contents(season: Path) -> dict[str, Rows]:
    """Everything in a season."""
    with opened(season) as connection:
        return {table.name: rows_of(connection, table.name) for table in tables()}


def words_of(picture: Path) -> list[str]:
    """The texts of a picture, which is sound XML."""
    return [text for each in ET.parse(picture).iter() if (text := each.text)]  # noqa: S314 - our own
