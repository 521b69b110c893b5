"""The simulator's season: the same bytes every time, sound logs, something of everything."""

from __future__ import annotations

import os
import sys
from subprocess import run
from typing import TYPE_CHECKING

import pytest

from projections.season.asking import answer, prepare
from projections.season.points import championship, parse_scheme
from projections.season.tables.definitions import questions
from tests.support import sample_season
from tests.support.paths import ROOT
from tests.support.season import opened, take_in

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

ONE_OF_EACH_GAME = """
import sys
from tests.support.sample_season import GAMES, league, tournament
for number in range(len(GAMES)):
    for line in tournament(number, league()).lines:
        sys.stdout.buffer.write(line + b"\\n")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("season")
    sample_season.main(made)
    take_in(made / "season.duckdb", made)
    return made


def test_all_of_it_is_there(folder: Path) -> None:
    assert len(list(folder.glob("*.jsonl"))) == sample_season.TOURNAMENTS


@pytest.mark.parametrize("seed", ["1", "77"])
def test_the_same_bytes_every_time(folder: Path, seed: str) -> None:
    """Made again by another process, with another hash seed, are the first of each game."""
    again = run(
        [sys.executable, "-c", ONE_OF_EACH_GAME],
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    first = sorted(folder.glob("*.jsonl"))[: len(sample_season.GAMES)]
    assert again.stdout == b"".join(path.read_bytes() for path in first)


def test_there_is_something_of_everything(folder: Path) -> None:
    with opened(folder / "season.duckdb") as connection:
        games = connection.execute(
            "SELECT ruleset, count(*) FROM tournaments WHERE finished GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        filled = [
            connection.execute(f"SELECT count(*) > 0 FROM {table}").fetchone()
            for table in ("corrections", "cuts", "rulings", "penalties", "setups", "departures")
        ]
        prepare(connection)
        empty = [each.name for each in questions() if not answer(connection, each, limit=1).rows]
        (disputes,) = (each for each in questions() if each.name == "disputes")
        ended_by = {row[1] for row in answer(connection, disputes).rows}
    assert games == [(game, 8) for game in sorted(sample_season.GAMES)]
    assert filled == [(True,)] * len(filled)
    assert empty == []
    assert ended_by == {"ruling", "confirmation", "withdrawal"}


def test_its_scheme_counts_it(folder: Path) -> None:
    scheme = parse_scheme((folder / "points.toml").read_text("utf-8"))
    with opened(folder / "season.duckdb") as connection:
        table = championship(connection, scheme)
    assert len(table.rows) > 100
    assert table.unknown > 0
    assert sum(row.qualified for row in table.rows) == scheme.qualify
