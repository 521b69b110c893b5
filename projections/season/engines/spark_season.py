"""A season's tables in Spark, and questions put to them: the same words, the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ledger.errors import Refused
from projections.season.asking.filters import ENTRANTS, Filters, chosen_by
from projections.season.asking.querying import ROWS_MAX, AnswerTable
from projections.season.derived.folder_views import PEOPLE
from projections.season.engines.season_files import SeasonFiles
from projections.season.engines.spark_errors import in_one_line
from projections.season.engines.spark_words import columns_of, in_spark, in_steps
from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from projections.season.asking.questions import Question

ALIASES, PARTS, FOUND = "aliases", "parts", "found"
WHOLE = "whole_"
"""Before the name of a table that no filter has narrowed."""


class SparkSeason:
    """A season as Spark sees it, narrowed by a filter."""

    def __init__(self, session: SparkSession, files: SeasonFiles, filters: Filters) -> None:
        """Show the tables under their names; StoreUnavailable where they cannot be read."""
        self._session = session = session.newSession()  # with tables of its own
        with in_one_line("the season"):
            for table, paths in files.of_table.items():
                self._show_whole(table, paths, files.aliases)
            chosen = session.sql(in_spark(chosen_by(filters), filters.given()))
            for table in files.of_table:
                self._show(table, None if filters == Filters() else chosen, filters.by)
            session.sql(in_spark(sql("tables/first_days").replace("main.", WHOLE)))

    def answer(self, question: Question, person: str = "") -> AnswerTable:
        """Answer a question with all its rows; Refused if too many, or if Spark cannot answer."""
        rows = self._rows(question.name, f"{question.sql} LIMIT {ROWS_MAX + 1}", person)
        if len(rows) > ROWS_MAX:
            raise Refused(f"the answer has more than {ROWS_MAX:,} rows: ask for fewer")
        return AnswerTable([each.name for each in question.columns], rows)

    def answer_in_part(
        self, question: Question, person: str, limit: int
    ) -> tuple[AnswerTable, int]:
        """Answer a question with its first rows, and with their number; raises as above."""
        first = f"SELECT * FROM {FOUND} ORDER BY {question.order} LIMIT {limit}"  # noqa: S608 - our own
        with in_one_line(question.name), self._asked(question.select, person) as asked:
            found = asked.persist()
            found.createOrReplaceTempView(FOUND)
            count = found.count()
            rows = [tuple(row) for row in self._session.sql(in_spark(first)).collect()]
            found.unpersist()
        return AnswerTable([each.name for each in question.columns], rows), count

    def _rows(self, name: str, asked: str, person: str) -> list[tuple[Any, ...]]:
        with in_one_line(name), self._asked(asked, person) as found:
            return [tuple(row) for row in found.collect()]

    @contextmanager
    def _asked(self, asked: str, person: str) -> Iterator[DataFrame]:
        """Have what a question finds; what it works out once is kept as long as that is read."""
        steps = in_steps(asked, {"person": person} if person else {})
        kept = []
        try:
            for part in steps.parts:
                found = self._session.sql(part.asked)
                found.createOrReplaceTempView(part.name)
                if part.is_kept:
                    kept.append(found.persist())
            yield self._session.sql(steps.asked)
        finally:
            for each in kept:
                each.unpersist()

    def _show_whole(
        self, table: str, paths: Sequence[str], aliases: Sequence[tuple[str, str, str]]
    ) -> None:
        rows = self._session.read.schema(columns_of(table)).parquet(*paths)
        if table == "people" and aliases:
            rows.createOrReplaceTempView(PARTS)
            columns = "tournament string, league_id string, person string"
            given = self._session.createDataFrame(list(aliases), columns)
            given.createOrReplaceTempView(ALIASES)
            rows = self._session.sql(in_spark(PEOPLE.format(rows=PARTS, aliases=ALIASES)))
        rows.createOrReplaceTempView(f"{WHOLE}{table}")
        rows.createOrReplaceTempView(table)

    def _show(self, table: str, chosen: DataFrame | None, by: str) -> None:
        """Show of a table what is chosen, and the attribute that is taken for the faction."""
        rows = self._session.table(f"{WHOLE}{table}")
        if chosen is not None:
            rows = rows.join(chosen, "tournament", "left_semi")
        if table == ENTRANTS and by:
            from pyspark.sql import functions  # noqa: PLC0415 - as above

            said = functions.coalesce(rows["attributes"][by], functions.lit(""))
            rows = rows.withColumn("faction", said)
        rows.createOrReplaceTempView(table)
