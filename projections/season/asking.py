"""Questions to a season: in SQL or by name, about all tournaments or some of them.

A question in SQL is read only, reaches nothing but the season, and has bounds of time, memory and
rows. Answers of two engines to one question are the same if their rows are, to nine digits, in any
order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ledger.errors import NotFound, Refused
from ledger.files.access import replacing
from ledger.files.kinds import PARQUET
from ledger.problems import marked, phrase, problem, remedy
from ledger.rulesets.toml_files import nearest
from projections.processes import interrupted_by
from projections.season.grouping import groups
from projections.season.tables.definitions import AnswerColumn, Question, questions, sql, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SECONDS_MAX = 30
"""Maximum seconds of a question."""

MEMORY_MB = 700
"""Maximum memory of a question with its answer; nothing is written to disk."""

ANSWER_MB = 200
"""Maximum memory of the answer, in the form in which it is shown."""

DATABASE_MEMORY = "500MB"
"""Maximum memory of the database itself, which does not count texts in transit."""

ROWS_MAX = 1_000_000
"""Maximum rows of an answer."""

SQL_CHARACTERS_MAX = 20_000

NESTING_MAX = 100
"""Maximum depth of nested brackets: parsing time grows with its square, or faster."""

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
    """Bar a connection permanently from files, network and settings."""
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
        raise Refused(
            phrase(
                "a question can have at most {sql_characters_max} characters",
                sql_characters_max=f"{SQL_CHARACTERS_MAX:,}",
            )
        )
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise Refused(phrase("the question is not UTF-8 text"))
    if _nesting(question) > NESTING_MAX:
        raise Refused(
            phrase(
                "brackets in a question can be nested at most {nesting_max} deep",
                nesting_max=NESTING_MAX,
            )
        )
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
                many = f"{ROWS_MAX:,}"
                raise Refused(
                    phrase(
                        "the answer has more than {many} rows: ask for less, with LIMIT", many=many
                    )
                )
            yield row


@contextmanager
def _in_one_line_each(seconds: float) -> Iterator[None]:
    """Turn the database's error about a question into a refusal."""
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    try:
        yield
    except duckdb.InterruptException:
        raise too_long(seconds) from None
    except (duckdb.OutOfMemoryException, MemoryError):
        raise too_much_memory() from None
    except duckdb.ParserException as error:
        raise Refused(
            phrase(
                "{error}: a question is SQL, such as SELECT; the verb stats asks questions with a "
                "name",
                error=_in_one_line(str(error)),
            )
        ) from None
    except duckdb.CatalogException as error:
        unknown = _in_one_line(str(error)).partition(" Did you")[0]
        raise Refused(
            phrase("{error} The tables are listed by: query tables", error=unknown)
        ) from None
    except (duckdb.Error, RuntimeError, ValueError) as error:
        raise Refused(_in_one_line(str(error))) from None


def too_long(seconds: float) -> Refused:
    """Say that a question takes longer than it may."""
    return Refused(
        phrase(
            "the question took longer than {seconds} seconds and was stopped",
            seconds=f"{seconds:g}",
        )
    )


def too_much_memory() -> Refused:
    """Say that a question needs more memory than it may take."""
    needs = phrase("the question needs more than {most} MB of memory", most=MEMORY_MB)
    return Refused(phrase("{needs} and was stopped: ask for less", needs=needs))


def _checked(connection: DuckDBPyConnection, question: str) -> Any:  # noqa: ANN401 - DuckDB's own type
    import duckdb  # noqa: PLC0415 - as above

    kinds = duckdb.StatementType
    statements = connection.extract_statements(question)
    if len(statements) != 1:
        raise Refused(
            phrase("ask one question at a time, not {statements}", statements=len(statements))
        )
    (statement,) = statements
    if statement.type not in {kinds.SELECT, kinds.EXPLAIN}:
        raise Refused(
            phrase(
                "a question can only read (SELECT, WITH, DESCRIBE), not {statement}",
                statement=statement.type.name,
            )
        )
    if statement.type == kinds.EXPLAIN:  # with ANALYZE it would be carried out
        match = _EXPLAIN.match(statement.query)
        explained = statement.query[match.end() :] if match else ""
        if [inner.type for inner in connection.extract_statements(explained)] != [kinds.SELECT]:
            raise Refused(phrase("EXPLAIN can be used only before a question that reads"))
    return statement


def _nesting(question: str) -> int:
    """The most brackets that are open at once, those within texts among them."""
    return max(accumulate((letter in "([{") - (letter in ")]}") for letter in question), default=0)


def _in_one_line(text: str) -> str:
    """DuckDB's own words, without the picture of the place that follows them."""
    if "'pytz'" in text:  # what it would take to make Python's value of one
        return "a time with a zone cannot be shown: cast it to ::timestamp or ::text"
    return " ".join(text.partition("\n\nLINE ")[0].split())


_CONDITIONS = {
    "ruleset": "ruleset = $ruleset",
    "tier": "tier = $tier",
    "first": "held_on >= $first::DATE",
    "last": "held_on <= $last::DATE",
}


class Filters(Struct, frozen=True):
    """What a tournament must be to be looked at; days as YYYY-MM-DD, empty where any will do.

    `by`: what groups are made by: `faction`, or an attribute, which may have `attribute:` before
    its name; empty: the faction, and no question is asked of each group.
    """

    ruleset: str = ""
    tier: str = ""
    first: str = ""
    last: str = ""
    by: str = ""

    def in_words(self) -> str:
        """The filter in words; empty if there is no condition."""
        words = (
            ("of", self.ruleset),
            ("of", self.tier),
            ("from", self.first),
            ("to", self.last),
            ("by", groups.name_of(self.by)),
        )
        return " ".join(f"{before} {word}" for before, word in words if word)

    def given(self) -> dict[str, str]:
        """Conditions on a tournament, by the names in `chosen_by`."""
        words = msgspec.structs.asdict(self)
        return {name: words[name] for name in _CONDITIONS if words[name]}


def chosen_by(filters: Filters) -> str:
    """Return what chooses the tournaments that are looked at, as SQL."""
    conditions = " AND ".join(_CONDITIONS[name] for name in filters.given())
    return f"SELECT tournament FROM tournaments WHERE {conditions or 'TRUE'}"  # noqa: S608 - our own


class Extent(Struct, frozen=True):
    """Extent of the visible part of a season: tournaments, games played, first and last day."""

    tournaments: int
    games: int
    first: str
    last: str


def extent(connection: DuckDBPyConnection) -> Extent:
    """Count the visible tournaments and games; the days are empty if no tournament has a day."""
    row = connection.execute(
        "SELECT count(*), (SELECT count(*) FROM results WHERE met), "
        "coalesce(min(held_on)::VARCHAR, ''), coalesce(max(held_on)::VARCHAR, '') FROM tournaments"
    ).fetchone()
    return Extent(*row or (0, 0, "", ""))


def rulesets_of(connection: DuckDBPyConnection) -> list[str]:
    """List the games that a connection sees, by the keys of their rulesets."""
    return _distinct(connection, "ruleset")


def _distinct(connection: DuckDBPyConnection, column: str) -> list[str]:
    query = f"SELECT DISTINCT {column} FROM tournaments ORDER BY {column}"  # noqa: S608 - our own name
    return [value for (value,) in connection.execute(query).fetchall()]


def narrow(
    connection: DuckDBPyConnection, filters: Filters, folded: Sequence[tuple[str, str]] = ()
) -> None:
    """Let a connection see only these tournaments, in every table; the file stays as it is.

    Views of the tables' own names stand before them, so that no question knows of a filter. Labels
    that are `folded`, each after its game, are one group.

    Raises:
        NotFound: the season holds no tournament, or none that fits; the text says what it holds.
        Refused: two archetype files named the groups.
    """
    _refuse_unknown(connection, "ruleset", filters.ruleset)
    _refuse_unknown(connection, "tier", filters.tier)
    if filters == Filters() and not folded:
        see_all(connection)
        groups.refuse_unknown(connection, filters.by)
        return
    chosen = f"CREATE OR REPLACE TEMP TABLE {groups.CHOSEN} AS {chosen_by(filters)}"
    see_all(connection)
    groups.refuse_unknown(connection, filters.by)
    connection.execute(chosen, filters.given())
    if connection.execute(f"SELECT count(*) FROM {groups.CHOSEN}").fetchone() == (0,):  # noqa: S608 - our own names
        days = connection.execute("SELECT min(held_on), max(held_on) FROM tournaments").fetchone()
        none, (begins, ends) = filters.in_words(), days or (None, None)
        raise NotFound(
            phrase(
                "the season has no tournament {none}: it goes from {begins} to {ends}",
                none=none,
                begins=begins,
                ends=ends,
            )
        )
    if folded:
        pairs = list(map(list, zip(*folded, strict=True)))
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {groups.FOLDED} AS "
            "SELECT unnest(?) AS ruleset, unnest(?) AS label",
            pairs,
        )
    _show(connection, filters.by, folded=bool(folded))
    groups.rules_of(connection, filters.by)  # refuses two files for one game


def _show(connection: DuckDBPyConnection, by: str, *, folded: bool) -> None:
    """Show what is chosen of each table."""
    source = _whole(connection)
    for table in tables():
        selection = groups.shown(table.name, source, by, chosen=True, folded=folded)
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {table.name} AS {selection}")


def _whole(connection: DuckDBPyConnection) -> str:
    """Return the template of the name of a whole table, past any view of that name."""
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    return '"{}".main.{{}}'.format(season.replace('"', '""'))


def see_all(connection: DuckDBPyConnection) -> None:
    """Let a connection see the whole season again."""
    for table in tables():
        connection.execute(f"DROP VIEW IF EXISTS temp.main.{table.name}")


def labels_seen(connection: DuckDBPyConnection) -> list[str]:
    """List the labels of the groups that a connection sees; raises as `few_enough`."""
    rows = connection.execute(groups.LABELS).fetchall()
    return groups.few_enough([label for (label,) in rows])


@contextmanager
def seen_by_group(
    connection: DuckDBPyConnection, by: str, *, folded: bool = False
) -> Iterator[Callable[[str], None]]:
    """Have a callback that lets a narrowed connection see one of its groups, by the label."""
    source = _whole(connection)
    entrants = groups.shown(groups.ENTRANTS, source, by, chosen=True, folded=folded)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW {groups.GROUPED} AS {entrants}")

    def see(group: str) -> None:
        for part in groups.parts_of_group(source):
            parameters = {"group": group} if "$group" in part.asked else None
            connection.execute(
                f"CREATE OR REPLACE TEMP TABLE {part.name} AS {part.asked}", parameters
            )
        for table in tables():
            selection = groups.shown(table.name, source, of_group=True)
            connection.execute(f"CREATE OR REPLACE TEMP VIEW {table.name} AS {selection}")

    try:
        yield see
    finally:
        _show(connection, by, folded=folded)


def answer_of_groups(
    connection: DuckDBPyConnection,
    question: Question,
    by: str,
    person: str = "",
    *,
    folded: bool = False,
) -> AnswerTable:
    """Ask a question of each group that a narrowed connection sees.

    Raises:
        Refused: as `answer`.
    """
    rows: list[tuple[Any, ...]] = []
    labels = labels_seen(connection)
    with seen_by_group(connection, by, folded=folded) as see:
        for label in labels:
            see(label)
            rows += [(label, *row) for row in answer(connection, question, person).rows]
            if len(rows) > ROWS_MAX:
                raise too_many_rows()
    return AnswerTable([column.name for column in groups.of_each_group(question).columns], rows)


def _refuse_unknown(connection: DuckDBPyConnection, column: str, word: str) -> None:
    """Refuse a word that no tournament has in a column, and an empty season."""
    names = _distinct(connection, column)
    if not names:
        text, adding = marked("the season has no tournament yet"), remedy("season.add")
        raise NotFound(problem("season.empty", text, remedy=adding))
    if word and word not in names:
        near = nearest(word, names)
        raise NotFound(
            phrase(
                "no tournament of the season has the {column} {word}; {near}",
                column=column,
                word=f"{word!r}",
                near=near,
            )
        )


def question_named(name: str) -> Question:
    """Find a question by its name; NotFound names the nearest."""
    by_name = {question.name: question for question in questions()}
    if name not in by_name:
        raise NotFound(
            phrase(
                "there is no question {name}; {known}",
                name=f"{name!r}",
                known=nearest(name, by_name),
            )
        )
    return by_name[name]


def prepare(connection: DuckDBPyConnection) -> None:
    """Teach a connection the words that questions use, and to keep the order of rows.

    Who is new to the season is read from all of it, whatever the connection sees later.
    """
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    tables_of_season = '"{}".main.'.format(season.replace('"', '""'))
    connection.execute(sql("tables/first_days").replace("main.", tables_of_season))
    connection.execute(sql("tables/macros"))
    connection.execute("SET preserve_insertion_order = true")


def answer(
    connection: DuckDBPyConnection, question: Question, person: str = "", limit: int = ROWS_MAX
) -> AnswerTable:
    """Answer a question with its first rows, about one person or all; Refused if too many."""
    _set_person(connection, question, person)
    # Behind the ORDER BY itself: only so the rows that are not asked for need not be sorted.
    cursor = connection.execute(f"{question.sql} LIMIT {limit + 1}")
    rows = cursor.fetchmany(limit)
    if limit == ROWS_MAX and cursor.fetchone():
        raise too_many_rows()
    return AnswerTable([column.name for column in question.columns], rows)


def too_many_rows() -> Refused:
    """Say that an answer has too many rows to be shown."""
    return Refused(
        phrase("the answer has more than {rows_max} rows: ask for fewer", rows_max=f"{ROWS_MAX:,}")
    )


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
    return AnswerTable(
        [column.name for column in question.columns], [row[:-1] for row in rows]
    ), count


def write_parquet(
    connection: DuckDBPyConnection, question: Question, path: Path, person: str = "", by: str = ""
) -> int:
    """Write the whole answer as Parquet, with only pseudonyms; return its rows.

    `by`: the kind of groups, each of which is asked about separately.

    Raises:
        Refused: the file cannot be written, or there are too many groups.
    """
    _set_person(connection, question, person)
    query = question.sql
    if by and not groups.reads_groups(question):
        query = _kept_of_groups(connection, question, by)
    return copy_to_parquet(connection, query, path)


def copy_to_parquet(connection: DuckDBPyConnection, asked: str, path: Path) -> int:
    """Write the rows of a SELECT as Parquet, whole or not at all; return their number.

    Raises:
        Refused: the file cannot be written.
    """
    import duckdb  # noqa: PLC0415 - 100 ms that other commands save

    try:
        with replacing(path, PARQUET) as part:
            quoted = str(part).replace("'", "''")
            written = connection.execute(
                f"COPY ({asked}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
            ).fetchone()
    except duckdb.IOException:
        raise not_written(path) from None
    return int(written[0]) if written else 0


def not_written(path: Path) -> Refused:
    """Say that an answer cannot be written to a file."""
    return Refused(phrase("{path} cannot be written: does its folder exist?", path=str(path)))


def _kept_of_groups(connection: DuckDBPyConnection, question: Question, by: str) -> str:
    """Keep a question's answers of each group in a table, and return what reads it."""
    labels = labels_seen(connection)
    query = f'SELECT $label::VARCHAR AS "group", * FROM ({question.select})'  # noqa: S608 - our own
    with seen_by_group(connection, by) as see:
        for place, label in enumerate(labels):
            see(label)
            begins = (
                "INSERT INTO of_groups" if place else "CREATE OR REPLACE TEMP TABLE of_groups AS"
            )
            connection.execute(f"{begins} {query}", {"label": label})
        if not labels:
            connection.execute(
                f"CREATE OR REPLACE TEMP TABLE of_groups AS {query} LIMIT 0", {"label": ""}
            )
    return f"FROM of_groups ORDER BY {groups.of_each_group(question).order}"


def _set_person(connection: DuckDBPyConnection, question: Question, person: str) -> None:
    if person and not question.asks_of_person:
        raise Refused(phrase("{name} cannot be asked about one person", name=question.name))
    connection.execute("SET VARIABLE person = ?", [person or None])


DIGITS = 9

Rows = Sequence[tuple[Any, ...]]


def difference(columns: Sequence[AnswerColumn], here: Rows, there: Rows) -> str:
    """Return the first difference between answers, in words; empty if they agree."""
    if len(here) != len(there):
        return f"{len(here):,} rows here, {len(there):,} there"
    for mine, theirs in zip(sorted(here, key=_key), sorted(there, key=_key), strict=True):
        for column, value, counterpart in zip(columns, mine, theirs, strict=True):
            if not same(value, counterpart):
                row = ", ".join(str(cell) for cell in mine if isinstance(cell, str)) or mine[0]
                return f"{column.name} of {row}: {value} here, {counterpart} there"
    return ""


def same(one: object, other: object) -> bool:
    """Whether two values are the same: numbers of one kind, fractions to nine digits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float) and isinstance(other, float):
        is_none = math.isnan(one) and math.isnan(other)
        return is_none or math.isclose(one, other, rel_tol=10**-DIGITS, abs_tol=1e-12)
    return one == other


def _key(row: tuple[Any, ...]) -> list[tuple[bool, str]]:
    """Return a key that orders rows by exact values first, then by rounded fractions."""
    exact = [value for value in row if not isinstance(value, float)]
    rounded = [f"{value:.6f}" for value in row if isinstance(value, float)]
    return [(value is None, str(value)) for value in (*exact, *rounded)]
