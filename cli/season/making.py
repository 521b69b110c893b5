"""A season made next to its place, and put there whole; and what a place holds for a season."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from ledger.errors import StoreUnavailable
from ledger.files.durable import sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.loading.intake import LogOutcome

ARCHIVE = ".parquet"


def make_season(
    file: Path, fill: Callable[[DuckDBPyConnection], list[LogOutcome]], *, is_first: bool
) -> list[LogOutcome]:
    """Make a season next to its place, and put it there if any log is in it.

    Raises:
        StoreUnavailable: it cannot be written, or another program made the first one meanwhile.
    """
    from projections.season.tables.database import open_season, written

    draft = file.with_name(f".{file.name}.{os.getpid()}")
    log = draft.with_name(f"{draft.name}.wal")
    try:
        with written(file):
            with open_season(draft, create=True, called=file) as connection:
                taken = fill(connection)
            if log.exists():  # DuckDB had no room to put it into its file, and reports nothing
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if is_first and file.exists():
                raise StoreUnavailable(f"{file} was made by another program meanwhile: repeat")
            if any(each.fate != "skipped" for each in taken):
                draft.replace(file)
                sync_folder(file.parent)
                file.with_name(f"{file.name}.wal").unlink(missing_ok=True)
    finally:
        for each in (draft, log):
            if each.exists():
                each.unlink()
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
