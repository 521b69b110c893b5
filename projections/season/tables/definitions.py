"""The season's tables and its named questions: their meanings, as the SQL files state them.

`schema.sql` has the tables and the meaning of each column. A named question is one file of SQL. It
begins with a header in TOML, as comments, and continues with one SELECT over the season's tables:
any tool that knows the words of `macros.sql` can ask it unchanged. A question may read the variable
`person`: the person that it is asked about, NULL for all. Every answer has one order for all, by
its own columns.

A season's file explains itself: it has these meanings as comments, and every question as a view.
So any tool that opens a DuckDB file needs nothing else: `FROM games`, `FROM stats_factions`. A tool
that attaches the file next to another one has to say `USE` first. `stats` asks the same SQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.problems import marked

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SEASON = Path(__file__).parent.parent
_TABLE = re.compile(
    r"((?:^-- .*\n)+)^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(\n((?:^ .*\n)+)^\);", re.MULTILINE
)
_COLUMN = re.compile(r"^    (\w+) (.+?),?  -- (.*(?:\n        -- .*)*)$", re.MULTILINE)


class TableColumn(NamedTuple):
    """A column: its name, its type in DuckDB, its meaning and unit."""

    name: str
    type: str
    meaning: str


class SeasonTable(NamedTuple):
    """A table: its name, what a row of it is, and its columns in order."""

    name: str
    about: str
    columns: tuple[TableColumn, ...]


def sql(name: str) -> str:
    """Read a file of SQL by its path in the season's folder: `tables/schema`."""
    return (_SEASON / f"{name}.sql").read_text("utf-8")


@cache
def tables() -> tuple[SeasonTable, ...]:
    """List the tables, in the order of `schema.sql`."""
    return tuple(
        SeasonTable(name, _joined(about), tuple(_columns(body)))
        for about, name, body in _TABLE.findall(sql("tables/schema"))
    )


KEPT = ("tables/keeping", "tables/later")
"""Files of the tables that a season's file has beside those of the season."""


@cache
def kept_tables() -> tuple[SeasonTable, ...]:
    """List what a season's file keeps beside the tables: its version, hashes, heads, aliases."""
    return tuple(
        SeasonTable(name, _joined(about), tuple(_columns(body)))
        for file in KEPT
        for about, name, body in _TABLE.findall(sql(file))
    )


def described_columns() -> Iterator[tuple[str, str, str, str]]:
    """Yield each column of a season's file: its table or view, name, type and meaning."""
    for table in (*tables(), *kept_tables()):
        for column in table.columns:
            kind = column.type.removesuffix(" NOT NULL")
            yield table.name, column.name, kind, column.meaning
    for name, meaning in GAMES_COLUMNS.items():
        yield "games", name, "", meaning
    for name, meaning in FIRST_DAYS_COLUMNS.items():
        yield "first_days", name, "", meaning
    for question in questions():
        for answer in question.columns:
            yield view_of(question), answer.name, answer.unit, answer.meaning


def _columns(body: str) -> list[TableColumn]:
    return [
        TableColumn(name, kind.removesuffix(","), _joined(f"-- {meaning}"))
        for name, kind, meaning in _COLUMN.findall(body)
    ]


def _joined(comment: str) -> str:
    return " ".join(line.strip().removeprefix("--").strip() for line in comment.splitlines())


_FOLDER = Path(__file__).parent.parent / "questions"
_COMMENT = "--"

Unit = Literal[
    "text", "person", "day", "count", "number", "share", "points", "minutes", "place", "score"
]
"""Unit of a column; a share is between 0 and 1, a person a pseudonym, a score a loss."""

Kind = Literal["intervals", "grid", "stack", "columns", "bars", "lines", "diagonal"]


class AnswerColumn(NamedTuple):
    """A column of an answer: its name, unit and meaning."""

    name: str
    unit: Unit
    meaning: str


class Plot(Struct, frozen=True, forbid_unknown_fields=True):
    """How an answer is drawn; from x to facet, a member names a column.

    `intervals`: a dot for `value` from `low` to `high` (what lies `between` them), a line for each
    `y`, with what `also` says beside it; `grid`: `value` as the colour of a cell; `stack`: `parts`
    as shares of a bar for each `y`; `columns`: `parts` upon another over `x`; `bars`: `value` as a
    bar for each `y`; `lines`: `value` over `x`, a chart for each `color`; `diagonal`: `value`
    against the `x` that was expected. `counts`: what a mark rests on. `facet`: one picture for
    each of its values. `middle`: where nobody is ahead.
    """

    kind: Kind
    x: str = ""
    y: str = ""
    also: str = ""
    value: str = ""
    low: str = ""
    high: str = ""
    parts: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    color: str = ""
    facet: str = ""
    middle: float | None = None
    between: str = marked("with 95 % interval")


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A named question: what it asks, what its columns mean, and how to draw the answer."""

    title: str
    answers: str
    columns: tuple[AnswerColumn, ...]
    plot: Plot | None = None
    minimum: int = 0
    """A row of fewer games says little; 0: no row rests on games."""
    name: str = ""
    select: str = ""
    """SQL of the rows, in any order."""
    order: str = ""
    """SQL of the order of the rows."""

    @property
    def sql(self) -> str:
        """The question as it can be asked."""
        return f"{self.select}\nORDER BY {self.order}"

    @property
    def asks_of_person(self) -> bool:
        """Whether it can be asked about one person."""
        return "getvariable('person')" in self.select


@cache
def questions() -> tuple[Question, ...]:
    """List every question, by name."""
    return tuple(map(_read, sorted(_FOLDER.glob("*/*.sql"), key=lambda path: path.name)))


def _read(path: Path) -> Question:
    header, _, asked = path.read_text("utf-8").partition("\n\n")
    lines = (line.removeprefix(_COMMENT).removeprefix(" ") for line in header.splitlines())
    question = msgspec.toml.decode("\n".join(lines), type=Question)
    select, _, order = asked.rstrip().rpartition("\nORDER BY ")
    return msgspec.structs.replace(question, name=path.stem, select=select, order=order)


GAMES = marked("Two rows for each game that was played: one from either side.")
GAMES_COLUMNS = {
    "tournament": marked("the tournament"),
    "held_on": marked("its day; NULL if the log's date is not a day"),
    "ruleset": marked("key of the game's ruleset"),
    "stage": marked("the stage"),
    "round": marked("the round"),
    "match": marked("the match"),
    "player": marked("the player on this side"),
    "person": marked("who that is across tournaments, by pseudonym"),
    "faction": marked("the faction on this side; empty: none"),
    "opponent": marked("the player on the other side"),
    "opponent_person": marked("who that is"),
    "opponent_faction": marked("the faction on the other side; empty: none"),
    "record": marked("W, L or D: what the outcome counts as for this side"),
    "score": marked("1 for W, a half for D, else 0"),
    "points": marked("match points of this side"),
    "opponent_points": marked("match points of the other side"),
}


GAMES_TYPES = dict.fromkeys(GAMES_COLUMNS, "string") | {
    "held_on": "date",
    **dict.fromkeys(("stage", "round", "match", "player", "opponent"), "integer"),
    "score": "number",
    "points": "integer",
    "opponent_points": "integer",
}
"""Types of the columns of the games in a data package."""

FIRST_DAYS = "The first day on which the season saw each person of the league."
FIRST_DAYS_COLUMNS = {
    "person": "the person, by pseudonym",
    "first_day": "the first day",
    "is_start": "whether that is in the month in which the record starts",
}


def explain_in_file(connection: DuckDBPyConnection) -> None:
    """Put views, the words that they use, and every meaning into the season's file."""
    show_games(connection)
    show_questions(connection)
    for comment in _meanings():
        connection.execute(comment)


def show_games(connection: DuckDBPyConnection) -> None:
    """Add the games from either side, and the words that questions use."""
    for name in ("first_days", "macros"):
        connection.execute(sql(f"tables/{name}").replace("TEMP ", "").replace("main.", ""))
    connection.execute(sql("tables/games"))


def show_questions(connection: DuckDBPyConnection) -> None:
    """Add every question as a view, with comments on the view and its columns."""
    for question in questions():
        view = view_of(question)
        connection.execute(f"CREATE OR REPLACE VIEW {view} AS {question.sql}")
        connection.execute(f"COMMENT ON VIEW {view} IS {_text(question.answers)}")
        for column in question.columns:
            about = f"{column.meaning} ({column.unit})"
            connection.execute(f"COMMENT ON COLUMN {view}.{_name(column.name)} IS {_text(about)}")


def view_of(question: Question) -> str:
    """Return the name of a question's view, as it is written in SQL: `stats_head_to_head`."""
    return f"stats_{question.name.replace('-', '_')}"


def _meanings() -> Iterator[str]:
    """Yield what each table and column means, as SQL."""
    for table in (*tables(), *kept_tables()):
        yield f"COMMENT ON TABLE {table.name} IS {_text(table.about)}"
        for column in table.columns:
            named = f"{table.name}.{_name(column.name)}"
            yield f"COMMENT ON COLUMN {named} IS {_text(column.meaning)}"
    yield f"COMMENT ON VIEW games IS {_text(GAMES)}"
    for name, meaning in GAMES_COLUMNS.items():
        yield f"COMMENT ON COLUMN games.{_name(name)} IS {_text(meaning)}"
    yield f"COMMENT ON VIEW first_days IS {_text(FIRST_DAYS)}"
    for name, meaning in FIRST_DAYS_COLUMNS.items():
        yield f"COMMENT ON COLUMN first_days.{_name(name)} IS {_text(meaning)}"


def _name(name: str) -> str:
    return f'"{name}"'


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))
