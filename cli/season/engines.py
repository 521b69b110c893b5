"""The engine that answers the season's questions: DuckDB in this program, or Spark elsewhere.

The address of Spark is what Spark calls its master.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from cli.input.arguments import UsageError, whole_or_none
from cli.languages.speaking import tr

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.asking import AnswerTable, Filters
    from projections.season.tables.definitions import Question

DUCKDB = "duckdb"

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}"
_MASTER = re.compile(
    rf"spark://{_HOST}(?:,{_HOST})*"
    r"|local(?:\[(?:\*|[1-9][0-9]{0,3})\])?"
    r"|local-cluster\[[1-9][0-9]{0,2},[1-9][0-9]{0,2},[1-9][0-9]{2,6}\]"
    rf"|yarn|k8s://(?:https?://)?{_HOST}"
)


def is_spark(engine: str) -> bool:
    """Whether an engine is Spark; UsageError of what is no engine."""
    if engine == DUCKDB:
        return False
    if not _MASTER.fullmatch(engine):
        raise UsageError(
            tr(
                "there is no engine {engine}: use duckdb, spark://HOST:PORT, local[2], "
                "local-cluster[2,1,1024], yarn or k8s://HOST:PORT",
                engine=repr(engine),
            )
        )
    return True


class Engine(Protocol):
    """What answers questions to a season."""

    def write_parquet(self, question: Question, path: Path, person: str = "") -> int:
        """Write all rows of an answer as Parquet, and return their number."""

    def answer(self, question: Question, person: str = "") -> AnswerTable:
        """Answer a question with all its rows."""

    def answer_in_part(
        self, question: Question, person: str, limit: int
    ) -> tuple[AnswerTable, int]:
        """Answer a question with its first rows, and with how many there are."""

    def answer_of_groups(self, question: Question, person: str = "") -> AnswerTable:
        """Ask a question of each group separately."""


class DuckDBEngine:
    """DuckDB, over a connection that sees what is looked at."""

    def __init__(
        self, connection: DuckDBPyConnection, by: str = "", folded: Sequence[tuple[str, str]] = ()
    ) -> None:
        from projections.season.asking import (
            answer,
            answer_in_part,
            answer_of_groups,
            write_parquet,
        )

        self.write_parquet = partial(write_parquet, connection, by=by)
        self.answer = partial(answer, connection)
        self.answer_in_part = partial(answer_in_part, connection)
        self.answer_of_groups = partial(answer_of_groups, connection, by=by, folded=bool(folded))


def answered(
    engine: Engine, question: Question, person: str, most: int, *, by_group: bool
) -> tuple[AnswerTable, int]:
    """Answer a question with its first rows, all of them by 0, and with how many there are.

    `by_group`: ask it of each group separately.
    """
    if by_group:
        table = engine.answer_of_groups(question, person=person)
        first = table.rows[:most] if most else table.rows
        return replace(table, rows=first), len(table.rows)
    if most:
        return engine.answer_in_part(question, person, most)
    table = engine.answer(question, person)
    return table, len(table.rows)


def workers_wait_of(engine: str, typed: str) -> int:
    """Read how many seconds Spark may wait for a worker; 0: its default.

    Raises:
        UsageError: the typed text is not a whole number, or the engine has no workers.
    """
    if typed and not is_spark(engine):
        raise UsageError(tr("--workers-wait is only for Spark: name it with --engine, or omit it"))
    return whole_or_none("--workers-wait", typed) or 0


@contextmanager
def engine_at(  # noqa: PLR0913 - an engine, and what it answers about
    name: str,
    place: Path,
    connection: DuckDBPyConnection,
    filters: Filters,
    asked: Sequence[Question],
    folded: Sequence[tuple[str, str]] = (),
    *,
    wait: int = 0,
) -> Iterator[Engine]:
    """Have an engine for these questions, over the season at a place; raises as `spark_at`.

    Groups that are `folded`, by game and label, are one.
    """
    if not is_spark(name):
        yield DuckDBEngine(connection, filters.by, folded)
        return
    from cli.season.spark_cluster import SECONDS_TO_WORKERS, refuse_without_extra, spark_at

    refuse_without_extra()
    from projections.season.spark import SparkSeason, files_of, size_of, tables_read

    with spark_at(name, size_of(place), wait or SECONDS_TO_WORKERS) as running:
        read = tables_read(asked, by_group=bool(filters.by))
        files = files_of(place, connection, read, running.scratch)
        yield SparkSeason(running.session, files, filters, folded)
