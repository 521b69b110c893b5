"""A season's file in the hands of another tool: opened by DuckDB alone, with nothing of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest

from projections.season.asking import answer, prepare
from projections.season.tables.database import READ_BY
from projections.season.tables.definitions import questions, tables, view_of
from tests.support.chance.random_seasons import season_of_days
from tests.support.season import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return season_of_days(tmp_path_factory.mktemp("season"), 6)


@pytest.fixture
def plain(season: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The file as any program opens it."""
    with duckdb.connect(str(season), read_only=True) as connection:
        yield connection


@pytest.mark.slow
def test_every_question_is_a_view(season: Path, plain: duckdb.DuckDBPyConnection) -> None:
    for question in questions():
        rows = plain.execute(f"FROM {view_of(question)}").fetchall()
        with opened(season) as connection:
            prepare(connection)
            assert rows == answer(connection, question).rows, question.name


def test_every_table_and_column_says_what_it_means(plain: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
    told = {(table, column): said for table, column, said in plain.execute(asked).fetchall()}
    for table in tables():
        for column in table.columns:
            assert told[table.name, column.name] == column.meaning
    for question in questions():
        for answered in question.columns:
            assert answered.meaning in told[view_of(question), answered.name]
    games = [name for name, *_ in plain.execute("DESCRIBE games").fetchall()]
    assert all(told["games", name] for name in games)
    views = dict(plain.execute("SELECT view_name, comment FROM duckdb_views()").fetchall())
    assert views["stats_factions"].startswith("Who plays what")


def test_an_older_tool_reads_it(plain: duckdb.DuckDBPyConnection) -> None:
    """Shells and notebooks come with an earlier DuckDB than the library that wrote the file."""
    asked = "SELECT tags['storage_version'] FROM duckdb_databases() WHERE NOT internal"
    assert plain.execute(asked).fetchone() == (f"{READ_BY}+",)


def test_games_are_the_results_from_either_side(plain: duckdb.DuckDBPyConnection) -> None:
    counted = plain.execute(
        "SELECT count(*), sum(score), count(*) FILTER (person IS NULL OR faction IS NULL) "
        "FROM games"
    ).fetchone()
    asked = (
        "SELECT 2 * count(*), sum((record1 = 'W')::INT + (record2 = 'W')::INT "
        "+ ((record1 = 'D')::INT + (record2 = 'D')::INT) / 2), 0 FROM results WHERE met"
    )
    assert counted == plain.execute(asked).fetchone()
    turned = plain.execute(
        "SELECT count(*) FROM games AS a JOIN games AS b ON a.tournament = b.tournament "
        "AND a.match = b.match AND a.player = b.opponent AND a.person = b.opponent_person "
        "AND a.faction = b.opponent_faction AND a.points = b.opponent_points"
    ).fetchone()
    assert turned == (counted or ())[:1]
