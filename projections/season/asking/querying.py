"""A question in SQL, read only, with nothing in reach but the season, and an end to everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from threading import Timer
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger.errors import Refused
from projections.processes import interrupted_by

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SECONDS_MAX = 30
"""How long a question may take."""

MEMORY_MB = 700
"""How much memory it may take, together with its answer; nothing goes to the disk."""

ANSWER_MB = 200
"""How much of it the answer may take, as it will be shown."""

DATABASE_MEMORY = "500MB"
"""How much of it the database may take on its own account, which leaves out texts in flight."""

ROWS_MAX = 1_000_000
"""How many rows an answer may have."""

SQL_CHARACTERS_MAX = 20_000

NESTING_MAX = 100
"""How deep brackets may stand in brackets: reading takes time by the square of it, or worse."""

_SETTINGS = (
    f"SET memory_limit = '{DATABASE_MEMORY}'",
    "SET temp_directory = ''",
    "SET max_temp_directory_size = '0B'",
    "SET enable_external_access = false",
    "SET autoload_known_extensions = false",
    "SET autoinstall_known_extensions = false",
    "SET preserve_insertion_order = true",
    "SET lock_configuration = true",
)
"""In this order: nothing after the last one can be set."""


_EXPLAIN = re.compile(
    r"\s*EXPLAIN\b\s*(ANALYZE\b\s*|\(\s*(ANALYZE|FORMAT)\b[^()]*\)\s*)?", re.IGNORECASE
)


class AnswerTable(Struct, frozen=True):
    """The columns of an answer and its rows, as Python values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


class AnswerStream(Struct, frozen=True):
    """The columns of an answer, and its rows one by one."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


def confine(connection: DuckDBPyConnection) -> None:
    """Take file, network and settings out of a connection's reach, for good."""
    for setting in _SETTINGS:
        connection.execute(setting)


@contextmanager
def asked(
    connection: DuckDBPyConnection, question: str, seconds: float = SECONDS_MAX
) -> Iterator[AnswerStream]:
    """Put one question to a confined connection, and read its answer meanwhile.

    Raises:
        Refused: it is no single question, would change something, asks for what is out of reach,
            or takes too long or too much; the text says which.
        KeyboardInterrupt: Ctrl-C ended it.
    """
    if len(question) > SQL_CHARACTERS_MAX:
        raise Refused(f"a question has at most {SQL_CHARACTERS_MAX:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise Refused("the question is no UTF-8 text")
    if _nesting(question) > NESTING_MAX:
        raise Refused(f"brackets stand at most {NESTING_MAX} deep in a question")
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        with interrupted_by(connection.interrupt):
            with _in_one_line_each(seconds):
                answer = connection.execute(_checked(connection, question))
            columns = [column[0] for column in answer.description or ()]
            yield AnswerStream(columns, _rows(answer, seconds))
    finally:
        timer.cancel()


def _rows(answer: DuckDBPyConnection, seconds: float) -> Iterator[tuple[Any, ...]]:
    count = 0
    with _in_one_line_each(seconds):
        while (row := answer.fetchone()) is not None:
            count += 1
            if count > ROWS_MAX:
                many = f"the answer has more than {ROWS_MAX:,} rows"
                raise Refused(f"{many}: ask for less, with LIMIT")
            yield row


@contextmanager
def _in_one_line_each(seconds: float) -> Iterator[None]:
    """Say what the database says of a question as a refusal."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    try:
        yield
    except duckdb.InterruptException:
        raise too_long(seconds) from None
    except (duckdb.OutOfMemoryException, MemoryError):
        raise too_much_memory() from None
    except (duckdb.Error, RuntimeError, ValueError) as error:
        raise Refused(_in_one_line(str(error))) from None


def too_long(seconds: float) -> Refused:
    """Say that a question takes longer than it may."""
    return Refused(f"the question took longer than {seconds:g} seconds and was ended")


def too_much_memory() -> Refused:
    """Say that a question needs more memory than it may take."""
    needs = f"the question needs more than {MEMORY_MB} MB of memory"
    return Refused(f"{needs} and was ended: ask for less")


def _checked(connection: DuckDBPyConnection, question: str) -> Any:  # noqa: ANN401 - DuckDB's own type
    import duckdb  # noqa: PLC0415 - as above

    kinds = duckdb.StatementType
    statements = connection.extract_statements(question)
    if len(statements) != 1:
        raise Refused(f"one question at a time, not {len(statements)}")
    (statement,) = statements
    if statement.type not in {kinds.SELECT, kinds.EXPLAIN}:
        raise Refused(f"a question reads (SELECT, WITH, DESCRIBE), {statement.type.name} does not")
    if statement.type == kinds.EXPLAIN:  # with ANALYZE it would be carried out
        found = _EXPLAIN.match(statement.query)
        rest = statement.query[found.end() :] if found else ""
        if [each.type for each in connection.extract_statements(rest)] != [kinds.SELECT]:
            raise Refused("EXPLAIN stands before a question that reads, and before nothing else")
    return statement


def _nesting(question: str) -> int:
    """The most brackets that are open at once, those within texts among them."""
    return max(accumulate((letter in "([{") - (letter in ")]}") for letter in question), default=0)


def _in_one_line(text: str) -> str:
    """DuckDB's own words, without the picture of the place that follows them."""
    if "'pytz'" in text:  # what it would take to make Python's value of one
        return "a time with a zone cannot be shown: ask for it ::timestamp or ::text"
    return " ".join(text.partition("\n\nLINE ")[0].split())
