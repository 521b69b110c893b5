"""Questions: what is allowed, what is refused, and that everything ends."""

from __future__ import annotations

from _thread import interrupt_main
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from projections.season.asking import SECONDS_MAX, AnswerTable, asked, confine
from projections.season.tables.database import open_season
from tests.support.season import contents, take_in, write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection


def ask(connection: DuckDBPyConnection, question: str, seconds: float = SECONDS_MAX) -> AnswerTable:
    """All of an answer."""
    with asked(connection, question, seconds) as answer:
        return AnswerTable(answer.columns, list(answer.rows))


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    take_in(folder / "season.duckdb", write_log(folder / "1.jsonl", play(1, 8, rounds=3).lines))
    return folder / "season.duckdb"


@pytest.fixture
def connection(season: Path) -> Iterator[DuckDBPyConnection]:
    with open_season(season, read_only=True) as opened:
        confine(opened)
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "SELECT count(*) FROM results",
        "FROM results",
        "WITH a AS (SELECT 1 AS b) SELECT b FROM a;",
        "DESCRIBE matches",
        "SUMMARIZE results",
        "EXPLAIN SELECT 1",
        "explain analyze FROM results",
        "EXPLAIN (ANALYZE, FORMAT json) WITH a AS (SELECT 1) FROM a",
        "EXPLAIN (SELECT 1)",
        "VALUES (1)",
        "SHOW TABLES",
    ],
)
def test_what_reads_is_answered(connection: DuckDBPyConnection, question: str) -> None:
    assert ask(connection, question).rows


@pytest.mark.slow
def test_a_tiebreaker_is_read_by_its_whole_code(connection: DuckDBPyConnection) -> None:
    asked = (
        "SELECT tiebreaker(told, 'SOS'), tiebreaker(told, 'ESOS'), tiebreaker(told, 'MOV') "
        "FROM (VALUES ('ESOS 57/16 SOS 4'), ('')) AS rows(told) ORDER BY told DESC"
    )
    none = {"exact": None, "value": None}
    assert ask(connection, asked).rows == [
        ({"exact": "4", "value": 4.0}, {"exact": "57/16", "value": 3.5625}, none),
        (none, none, none),
    ]


WRITING = (
    "INSERT INTO results SELECT * FROM results",
    "UPDATE results SET points1 = 9",
    "DELETE FROM events",
    "DROP TABLE results",
    "CREATE TABLE x AS SELECT 1",
    "CREATE TEMP TABLE x AS SELECT 1",
    "ALTER TABLE results RENAME TO x",
    "ATTACH 'other.db'",
    "COPY results TO 'out.csv'",
    "EXPORT DATABASE 'out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '9GB'",
    "SET enable_external_access = true",
    "RESET enable_external_access",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CHECKPOINT",
    "EXPLAIN ANALYZE CREATE TEMP TABLE results AS SELECT 1",
    "EXPLAIN ANALYZE CREATE TEMP VIEW results AS SELECT 1",
    "EXPLAIN (ANALYZE) CREATE TEMP MACRO wilson_low(a, b) AS 1",
    "EXPLAIN /* a */ ANALYZE CREATE TEMP TABLE results AS SELECT 1",
    "/* a */ EXPLAIN ANALYZE CREATE TEMP TABLE results AS SELECT 1",
    "EXPLAIN ANALYZE COPY results TO 'out.csv'",
    "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
    "PREPARE a AS SELECT 1",
    "SET VARIABLE person = 'x'",
    "WITH x AS (DELETE FROM results RETURNING 1) FROM x",
    "VACUUM",
    "BEGIN",
    "SELECT 1; DROP TABLE results",
    "",
    ";",
    "-- nothing",
    "SELEC",
    "SELECT no_such_column FROM results",
    "SELECT " + "(" * 5_000,
    "SELECT 1" + " " * 100_000,
)


@pytest.mark.slow
@pytest.mark.parametrize("question", WRITING, ids=lambda text: text[:30])
def test_what_does_anything_else_is_refused_in_one_line(
    connection: DuckDBPyConnection, question: str
) -> None:
    with pytest.raises(Refused) as caught:
        ask(connection, question)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert "LINE 1" not in str(caught.value)


FILES = (
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_parquet('{file}')",
    "SELECT * FROM sniff_csv('{file}')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM glob('{file}')",
    "SELECT * FROM read_csv('https://example.org/a.csv')",
    "SELECT * FROM query('SELECT * FROM read_text(''{file}'')')",
    "SELECT getenv('HOME')",
    "SELECT read_text('{file}')",
    "FROM parquet_metadata('{file}')",
    "FROM read_ndjson_objects('{file}')",
    "FROM read_text('/proc/self/environ')",
    "FROM query_table('{file}')",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''{file}'')'))",
    "FROM 's3://a/b.parquet'",
    "FROM connection",
    "FROM secret",
)


@pytest.mark.slow
@pytest.mark.parametrize("question", FILES)
def test_no_file_and_no_network(
    connection: DuckDBPyConnection, tmp_path: Path, question: str
) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n", "utf-8")
    with pytest.raises(Refused):
        ask(connection, question.format(file=secret))


@pytest.mark.slow
def test_what_runs_for_ever_is_ended(connection: DuckDBPyConnection) -> None:
    for question in (
        "SELECT count(*) FROM range(100000000000) AS a, range(1000000) AS b",
        "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT max(a) FROM t",
    ):
        with pytest.raises(Refused, match=r"took longer than 0\.5 seconds"):
            ask(connection, question, 0.5)
    assert ask(connection, "SELECT 1").rows == [(1,)]


@pytest.mark.slow
@pytest.mark.usefixtures("heard_ctrl_c")
def test_ctrl_c_ends_a_question(connection: DuckDBPyConnection) -> None:
    """Within a long step too, in which the database itself hears no signal, and not at its end."""
    Timer(0.1, interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        ask(connection, "SELECT count(*) FROM range(100000000000) AS a, range(1000000) AS b", 600)
    assert ask(connection, "SELECT 1").rows == [(1,)]


@pytest.mark.slow
def test_what_takes_too_much_is_ended(connection: DuckDBPyConnection) -> None:
    with pytest.raises(Refused, match="more than 1,000,000 rows"):
        ask(connection, "SELECT i FROM range(1000001) AS t(i)")
    with pytest.raises(Refused, match="memory"):
        ask(connection, "SELECT i, j FROM range(50000) t(i), range(9000) u(j) ORDER BY hash(i + j)")


@pytest.mark.slow
def test_the_season_is_as_it_was(season: Path) -> None:
    before = contents(season)
    with open_season(season, read_only=True) as connection:
        confine(connection)
        for question in (*WRITING, *FILES):
            with pytest.raises(Refused):
                ask(connection, question)
    assert contents(season) == before
