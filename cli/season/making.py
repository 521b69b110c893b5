"""A season made next to its place, and put there whole; and what a place holds for a season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.season.opening import drafted, put_in_place, signing
from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.loading.intake import LogOutcome
    from projections.season.tables.head_notes import SignWith

ARCHIVE = ".parquet"


def make_season(
    file: Path,
    fill: Callable[[DuckDBPyConnection, SignWith], list[LogOutcome]],
    *,
    is_first: bool,
    key: str = "",
) -> list[LogOutcome]:
    """Make a season next to its place, and put it there if any log is in it.

    It is signed with the key of this machine that `key` names, else with a new one.

    Raises:
        StoreUnavailable: it cannot be written, or another program made the first one meanwhile.
    """
    from projections.season.tables.database import open_season, written

    with written(file), drafted(file) as draft:
        with open_season(draft, create=True, called=file) as connection:
            taken = fill(connection, signing(connection, key))
        if is_first and file.exists():
            raise StoreUnavailable(f"{file} was made by another program meanwhile: repeat")
        if any(each.fate != "skipped" for each in taken):
            put_in_place(draft, file, None)
    return taken


def is_derived(place: Path) -> bool:
    """Return whether a place is a season that is a folder of parts."""
    from projections.season.derived.manifest import MANIFEST

    return (place / MANIFEST).is_file()


def is_archive(place: Path) -> bool:
    """Return whether a place is a Parquet file, or a folder of such."""
    if place.is_dir():
        return next(place.glob(f"*{ARCHIVE}"), None) is not None
    return place.suffix == ARCHIVE
