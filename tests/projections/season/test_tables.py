"""The season's tables: every column is described, and the page says what the SQL does."""

from __future__ import annotations

import duckdb
import pytest

from projections.season.tables.definitions import SeasonTable, sql, tables
from tests.support.season_tables import PAGE, page

PERSONAL = {"name", "text", "note", "reason", "ruling", "infraction", "remedy"}
"""Columns that could hold free text of a log; the two that do not are named below."""

HARMLESS = {("tournaments", "name"), ("departures", "reason")}


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, str]]:
    """Every table as DuckDB has made it: its columns and their types."""
    with duckdb.connect() as connection:
        connection.execute(sql("tables/schema"))
        rows = connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal "
            "ORDER BY table_name, column_index"
        ).fetchall()
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in rows:
        columns.setdefault(table, {})[column] = kind
    return columns


def test_every_column_is_described(made: dict[str, dict[str, str]]) -> None:
    told = {table.name: [column.name for column in table.columns] for table in tables()}
    assert told == {name: list(columns) for name, columns in made.items()}


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)
def test_every_key_begins_with_the_tournament(table: SeasonTable) -> None:
    assert table.columns[0].name == "tournament"
    assert all(column.meaning for column in table.columns)


def test_no_column_holds_free_text(made: dict[str, dict[str, str]]) -> None:
    found = {(table, name) for table, columns in made.items() for name in columns}
    assert {pair for pair in found if pair[1] in PERSONAL} == HARMLESS


def test_the_page_is_made_from_the_schema() -> None:
    assert PAGE.read_text("utf-8") == page().rstrip("\n") + "\n"
