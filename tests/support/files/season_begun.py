"""An empty season's file is made once for all tests of a process; each has a copy of its bytes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from projections.season.tables import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection


@pytest.fixture(scope="session", autouse=True)
def _seasons_begun_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    begin = database.begin

    @cache
    def begun() -> bytes:
        path = tmp_path_factory.mktemp("begun") / "season.duckdb"
        begin(path).close()
        return path.read_bytes()

    def copied(path: Path) -> DuckDBPyConnection:
        import duckdb  # noqa: PLC0415 - many tests never need it

        try:
            path.write_bytes(begun())
        except OSError:
            return begin(path)  # which says why not
        return duckdb.connect(str(path))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "begin", copied)
        yield
