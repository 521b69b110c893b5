"""Questions in another engine's SQL: nothing of DuckDB's own is left, and what they ask stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from projections.season.asking import answer, prepare
from projections.season.grouping import groups
from projections.season.spark import in_spark, macros, tables_in, without_macros
from projections.season.tables.definitions import questions, sql, tables
from tests.support.chance.random_seasons import day
from tests.support.season import opened, take_in, write_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from projections.season.tables.definitions import Question

EACH = pytest.mark.parametrize("question", questions(), ids=lambda each: each.name)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("season")
    logs = [write_log(folder / f"{number}.jsonl", day(number)) for number in (1, 4, 9, 16)]
    take_in(folder / "season.duckdb", *logs)
    with opened(folder / "season.duckdb") as connection:
        prepare(connection)
        connection.execute("SET VARIABLE person = NULL")
        yield connection


@EACH
def test_a_question_without_macros_is_the_same_question(
    season: DuckDBPyConnection, question: Question
) -> None:
    expanded = without_macros(question.sql).sql("duckdb")
    assert not any(f"{name}(" in expanded.lower() for name in macros())
    assert season.execute(expanded).fetchall() == answer(season, question).rows


@EACH
def test_each_question_has_words_in_spark(question: Question) -> None:
    said = in_spark(question.sql, {"person": "p1"})
    calls = [f"{name}(" for name in macros()]
    for only_here in ("MATERIALIZED", "getvariable", "OVER ()", *calls):
        assert only_here.upper() not in said.upper()


def test_a_person_is_a_text_and_no_sql() -> None:
    question = "SELECT getvariable('person') AS person"
    assert in_spark(question, {"person": "o'p1"}) == "SELECT CAST('o\\'p1' AS STRING) AS person"
    assert in_spark(question) == "SELECT CAST(NULL AS STRING) AS person"


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("min(day, 2)", "SLICE(ARRAY_SORT(COLLECT_LIST(day)), 1, 2)"),
        ("days[1]", "GET(days, 0)"),
        ("labels['clan']", "labels['clan']"),
        ("quantile_cont(seconds, 0.1)", "PERCENTILE(seconds, CAST('0.1' AS DOUBLE))"),
        ("min(days[1], 2)", "SLICE(ARRAY_SORT(COLLECT_LIST(GET(days, 0))), 1, 2)"),
        ("1e9 * 2", "CAST('1e9' AS DOUBLE) * 2"),
        ("row_number() OVER ()", "ROW_NUMBER() OVER (ORDER BY day NULLS LAST)"),
        ("row_number() OVER (ORDER BY x)", "ROW_NUMBER() OVER (ORDER BY x NULLS LAST)"),
        (
            "date_diff('second', a, b)",
            "DATEDIFF(SECOND, DATE_TRUNC('second', a), DATE_TRUNC('second', b))",
        ),
        ("date_diff('day', a, b)", "DATEDIFF(DAY, a, b)"),
    ],
)
def test_what_is_said_in_other_words(here: str, there: str) -> None:
    assert in_spark(f"SELECT day, {here} FROM t") == f"SELECT day, {there} FROM t"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("SELECT max(day, 2) FROM t", "'count' is not supported"),
        ("SELECT FROM (", "cannot be translated into Spark's SQL"),
        (
            "WITH one AS (SELECT 1) SELECT * FROM one, (WITH one AS (SELECT 2) FROM one)",
            "two of its parts are called one",
        ),
    ],
)
def test_what_cannot_be_said_is_refused_in_one_line(asked: str, told: str) -> None:
    with pytest.raises(Refused, match=told) as refused:
        in_spark(asked)
    assert "\n" not in str(refused.value)


def test_the_tables_that_a_question_reads() -> None:
    known = {table.name for table in tables()} | {"first_days"}
    assert all(tables_in(question.sql) <= known for question in questions())
    assert tables_in(sql("tables/first_days")) == {"people", "entrants", "tournaments"}


ODD = 'it\'s \\ "two\nlines" $group {}'


def test_groups_have_words_in_spark() -> None:
    """What narrows each table to a group, with names and labels as texts and nothing else."""
    text = "'it\\'s \\\\ \"two\\nlines\" $group {}'"
    parts = list(groups.parts_of_group("whole_{}"))
    said = {part.name: in_spark(part.asked, {"group": ODD}) for part in parts}
    assert f"CAST({text} AS STRING)" in said[groups.OF_GROUP]
    for table in tables():
        for folded in (False, True):
            asked = groups.shown(table.name, "whole_{}", ODD, chosen=True, folded=folded)
            assert (f"attributes[{text}]" in in_spark(asked)) == (table.name == "entrants")
        asked = in_spark(groups.shown(table.name, "whole_{}", of_group=True))
        read = {each.name for each in parts if each.name in asked}
        assert read
        needed = {each.name: each.reads for each in parts}
        for name in read:
            assert needed[name] <= groups.needs(table.name)
