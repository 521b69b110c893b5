"""Named questions put to a season: their answers as rows, and as a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import NotFound, Refused
from ledger.files.access import replacing
from ledger.files.kinds import PARQUET
from ledger.rulesets.toml_files import nearest
from projections.season.asking.querying import ROWS_MAX, AnswerTable
from projections.season.asking.questions import Question, questions
from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def question_named(name: str) -> Question:
    """Find a question by its name; NotFound names the nearest."""
    by_name = {each.name: each for each in questions()}
    if name not in by_name:
        raise NotFound(f"no question {name!r}; {nearest(name, by_name)}")
    return by_name[name]


def prepare(connection: DuckDBPyConnection) -> None:
    """Teach a connection the words that questions use, and to keep the order of rows.

    Who is new to the season is read from all of it, whatever the connection sees later.
    """
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    whole = '"{}".main.'.format(season.replace('"', '""'))
    connection.execute(sql("tables/first_days").replace("main.", whole))
    connection.execute(sql("tables/macros"))
    connection.execute("SET preserve_insertion_order = true")


def answer(
    connection: DuckDBPyConnection, question: Question, person: str = "", limit: int = ROWS_MAX
) -> AnswerTable:
    """Answer a question with its first rows, about one person or all; Refused if too many."""
    _set_person(connection, question, person)
    # Behind the ORDER BY itself: only so the rows that are not asked for need not be sorted.
    found = connection.execute(f"{question.sql} LIMIT {limit + 1}")
    rows = found.fetchmany(limit)
    if limit == ROWS_MAX and found.fetchone():
        raise Refused(f"the answer has more than {ROWS_MAX:,} rows: ask for fewer")
    return AnswerTable([each.name for each in question.columns], rows)


def answer_in_part(
    connection: DuckDBPyConnection, question: Question, person: str, limit: int
) -> tuple[AnswerTable, int]:
    """Answer a question with the first limit rows, and with how many the whole answer has.

    All rows are made, once, and only those asked for are sorted; raises as `answer`.
    """
    _set_person(connection, question, person)
    rows = connection.execute(
        f"WITH found AS MATERIALIZED ({question.select}) "  # noqa: S608 - our own question
        "SELECT *, (SELECT count(*) FROM found) FROM found "
        f"ORDER BY {question.order} LIMIT {limit}"
    ).fetchall()
    count = rows[0][-1] if rows else 0
    return AnswerTable([each.name for each in question.columns], [row[:-1] for row in rows]), count


def write_parquet(
    connection: DuckDBPyConnection, question: Question, path: Path, person: str = ""
) -> int:
    """Write the whole answer as Parquet, with pseudonyms alone, or Refused; return its rows."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    _set_person(connection, question, person)
    try:
        with replacing(path, PARQUET) as part:
            quoted = str(part).replace("'", "''")
            written = connection.execute(
                f"COPY ({question.sql}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
            ).fetchone()
    except duckdb.IOException:
        raise Refused(f"{path} cannot be written: is there such a folder?") from None
    return int(written[0]) if written else 0


def _set_person(connection: DuckDBPyConnection, question: Question, person: str) -> None:
    if person and not question.asks_of_person:
        raise Refused(f"{question.name} is not asked about one person")
    connection.execute("SET VARIABLE person = ?", [person or None])
