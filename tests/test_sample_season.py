"""The simulator's season: the same bytes every time, sound logs, something of everything."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from projections.season.championship import championship
from projections.season.points import parse_scheme
from tests import sample_season
from tests.season import opened
from tests.season import take_in

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = "cb0f55604edc1169e0426f1994fad565764a58b987f94e404b5ca4755b51db81"
"""SHA-256 of all its bytes, so that a change of the season is a change of this file."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("season")
    sample_season.main(made)
    take_in(made / "season.duckdb", made)
    return made


def test_the_same_bytes_every_time(folder: Path) -> None:
    logs = sorted(folder.glob("*.jsonl"))
    assert len(logs) == sample_season.TOURNAMENTS
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in logs)).hexdigest()
    assert digest == DIGEST


def test_there_is_something_of_everything(folder: Path) -> None:
    with opened(folder / "season.duckdb") as connection:
        games = connection.execute(
            "SELECT ruleset, count(*) FROM tournaments WHERE finished GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        filled = [
            connection.execute(f"SELECT count(*) > 0 FROM {table}").fetchone()
            for table in ("corrections", "cuts", "rulings", "penalties", "setups", "departures")
        ]
    assert games == [(game, 8) for game in sorted(sample_season.GAMES)]
    assert filled == [(True,)] * len(filled)


def test_its_scheme_counts_it(folder: Path) -> None:
    scheme = parse_scheme((folder / "points.toml").read_text("utf-8"))
    with opened(folder / "season.duckdb") as connection:
        table = championship(connection, scheme)
    assert len(table.rows) > 100
    assert table.unknown > 0
    assert sum(row.qualified for row in table.rows) == scheme.qualify
