"""A question in SQL, read only, with nothing in reach but the season, and an end to everything."""

from __future__ import annotations

import re
from itertools import accumulate
from threading import Timer
from typing import TYPE_CHECKING
from typing import Any

from msgspec import Struct

from ledger.errors import Refused

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SECONDS_MAX = 30
"""How long a question may take."""

MEMORY = "700MB"
"""How much memory it may take; nothing is put aside on the disk."""

ROWS_MAX = 1_000_000
"""How many rows an answer may have."""

SQL_CHARACTERS_MAX = 20_000

NESTING_MAX = 100
"""How deep brackets may stand in brackets: reading takes time by the square of it, or worse."""

INTERRUPTED = "Query interrupted"
"""What the database says after a Ctrl-C, in place of `KeyboardInterrupt`."""

_SETTINGS = (
    f"SET memory_limit = '{MEMORY}'",
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


class Answer(Struct, frozen=True):
    """The columns of an answer and its rows, as Python values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def confine(connection: DuckDBPyConnection) -> None:
    """Take file, network and settings out of a connection's reach, for good."""
    for setting in _SETTINGS:
        connection.execute(setting)


def ask(connection: DuckDBPyConnection, question: str, seconds: float = SECONDS_MAX) -> Answer:
    """Put one question to a confined connection.

    Raises:
        Refused: it is no single question, would change something, asks for what is out of reach,
            or takes too long or too much; the text says which.
        KeyboardInterrupt: Ctrl-C ended it.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    if len(question) > SQL_CHARACTERS_MAX:
        raise Refused(f"a question has at most {SQL_CHARACTERS_MAX:,} characters")
    if _nesting(question) > NESTING_MAX:
        raise Refused(f"brackets stand at most {NESTING_MAX} deep in a question")
    try:
        statement = _only_statement(connection.extract_statements(question))
        if statement.type == duckdb.StatementType.EXPLAIN:
            _refuse_to_explain(connection, statement.query)
        return _answered(connection, statement, seconds)
    except duckdb.InterruptException:
        raise Refused(f"the question took longer than {seconds:g} seconds and was ended") from None
    except duckdb.OutOfMemoryException:
        raise Refused(f"the question needs more than {MEMORY} of memory and was ended") from None
    except (duckdb.Error, RuntimeError, ValueError) as error:
        if str(error) == INTERRUPTED:
            raise KeyboardInterrupt from None
        raise Refused(_in_one_line(str(error))) from None


def _nesting(question: str) -> int:
    """The most brackets that are open at once, those within texts among them."""
    return max(accumulate((letter in "([{") - (letter in ")]}") for letter in question), default=0)


def _only_statement(statements: list[Any]) -> Any:  # noqa: ANN401 - DuckDB's own type
    import duckdb  # noqa: PLC0415 - as above

    if len(statements) != 1:
        raise Refused(f"one question at a time, not {len(statements)}")
    allowed = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}
    if statements[0].type not in allowed:
        raise Refused(
            f"a question reads (SELECT, WITH, DESCRIBE), {statements[0].type.name} does not"
        )
    return statements[0]


def _refuse_to_explain(connection: DuckDBPyConnection, question: str) -> None:
    """Refuse to explain what does not read: with ANALYZE it would be carried out.

    Raises:
        Refused: it is not one SELECT that is to be explained.
    """
    import duckdb  # noqa: PLC0415 - as above

    found = _EXPLAIN.match(question)
    explained = connection.extract_statements(question[found.end() :]) if found else []
    if [each.type for each in explained] != [duckdb.StatementType.SELECT]:
        raise Refused("EXPLAIN stands before a question that reads, and before nothing else")


def _answered(connection: DuckDBPyConnection, statement: Any, seconds: float) -> Answer:  # noqa: ANN401
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        answer = connection.execute(statement)
        columns = [column[0] for column in answer.description or ()]
        rows = answer.fetchmany(ROWS_MAX + 1)
    finally:
        timer.cancel()
    if len(rows) > ROWS_MAX:
        raise Refused(f"the answer has more than {ROWS_MAX:,} rows: ask for less, with LIMIT")
    return Answer(columns, rows)


def _in_one_line(text: str) -> str:
    """DuckDB's own words, without the picture of the place that follows them."""
    return " ".join(text.partition("\n\nLINE ")[0].split())
