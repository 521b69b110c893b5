"""A season's tables as files that other tools read."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from projections.season.tables.definitions import tables
from tests.support.chance.random_seasons import day
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

NAMES = [*(table.name for table in tables()), "games"]


@pytest.fixture
def counts(desk: Desk) -> dict[str, int]:
    """A season in the desk's folder: how many rows each table has."""
    logs = [write_log(desk.folder / f"{number}.jsonl", day(number)) for number in range(5)]
    take_in(desk.folder / "season.duckdb", *logs)
    with duckdb.connect(str(desk.folder / "season.duckdb"), read_only=True) as connection:
        return {
            name: (connection.execute(f"SELECT count(*) FROM {name}").fetchone() or (0,))[0]
            for name in NAMES
        }


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_file_for_each_table(desk: Desk, counts: dict[str, int], form: str) -> None:
    words = ["--kind", "csv"] if form == "csv" else []
    desk.done("season", "export", "flat", *words)
    desk.done("season", "export", "flat", *words)  # again: the files are replaced
    found = {path.name for path in (desk.folder / "flat").iterdir()}
    assert found == {
        "season-head.json",
        "datapackage.json",
        *(f"{name}.{form}" for name in NAMES),
    }
    with duckdb.connect() as connection:
        for name, count in counts.items():
            rows = connection.execute(
                f"SELECT count(*) FROM read_{form}('{desk.folder}/flat/{name}.{form}')"
            ).fetchone()
            assert rows == (count,), name


def test_one_file_for_sqlite(desk: Desk, counts: dict[str, int]) -> None:
    desk.done("season", "export", "season.sqlite")
    with closing(sqlite3.connect(desk.folder / "season.sqlite")) as file:
        for name, count in counts.items():
            assert file.execute(f"SELECT count(*) FROM {name}").fetchone() == (count,)
        told = file.execute("SELECT meaning FROM meanings WHERE column_name = 'full_points'")
        assert told.fetchall() == [("match points that a full win is worth",)]
        days = file.execute("SELECT DISTINCT typeof(held_on) FROM tournaments").fetchall()
        assert days == [("text",)]
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    again = desk.type("season", "export", "season.sqlite")
    assert (again.code, "already exists" in again.err) == (1, True)


def test_what_is_nested_is_json(desk: Desk, counts: dict[str, int]) -> None:
    desk.done("season", "export", "flat", "--kind", "csv")
    with (desk.folder / "flat" / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == counts["results"]
    assert all(row["fields"].startswith("{") for row in rows)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("season.sqlite", "--kind", "csv"), 2, "--kind is only for a folder"),
        (("flat", "--kind", "xlsx"), 2, "parquet or csv"),
        (("flat", "--in", "none.duckdb"), 3, "there is no season"),
        (("0.jsonl",), 1, "cannot be written"),
        (("none/season.sqlite",), 1, "cannot be written"),
    ],
)
def test_what_cannot_be_written(
    desk: Desk, counts: dict[str, int], words: tuple[str, ...], code: int, said: str
) -> None:
    assert counts
    before = sorted(path.name for path in desk.folder.iterdir())
    refused = desk.type("season", "export", *words)
    assert (refused.code, said in refused.err) == (code, True), refused.err
    assert sorted(path.name for path in desk.folder.iterdir()) == before
