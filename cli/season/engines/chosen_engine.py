"""Questions put to the engine that was asked for: DuckDB, or Spark over the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cli.season.engines.addresses import is_spark

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.asking.filters import Filters
    from projections.season.asking.querying import AnswerTable
    from projections.season.asking.questions import Question


class Engine(Protocol):
    """What answers questions to a season."""

    def answer(self, question: Question, person: str = "") -> AnswerTable:
        """Answer a question with all its rows."""

    def answer_in_part(
        self, question: Question, person: str, limit: int
    ) -> tuple[AnswerTable, int]:
        """Answer a question with its first rows, and with how many there are."""


class DuckDBEngine:
    """DuckDB, over a connection that sees what is looked at."""

    def __init__(self, connection: DuckDBPyConnection) -> None:
        from projections.season.asking.answering import answer, answer_in_part

        self.answer = partial(answer, connection)
        self.answer_in_part = partial(answer_in_part, connection)


@contextmanager
def engine_at(
    name: str,
    place: Path,
    connection: DuckDBPyConnection,
    filters: Filters,
    asked: Sequence[Question],
) -> Iterator[Engine]:
    """Have an engine for these questions, over the season at a place; raises as `spark_at`."""
    if not is_spark(name):
        yield DuckDBEngine(connection)
        return
    from cli.season.engines.spark_cluster import refuse_without_extra, spark_at

    refuse_without_extra()
    from projections.season.engines.season_files import files_of, size_of
    from projections.season.engines.spark_season import SparkSeason
    from projections.season.engines.spark_words import tables_read

    with spark_at(name, size_of(place)) as running:
        files = files_of(place, connection, tables_read(asked), running.scratch)
        yield SparkSeason(running.session, files, filters)
