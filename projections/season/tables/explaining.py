"""A season's file explains itself: what each table and column means, and every question as a view.

So any tool that opens a DuckDB file needs nothing else: `FROM games`, `FROM stats_factions`. One
that attaches the file beside another says `USE` first. What `stats` asks is the same SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from projections.season.asking.questions import Question, questions
from projections.season.tables.definitions import sql, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

GAMES = "Two rows for each game that was played: one from either side."
GAMES_COLUMNS = {
    "tournament": "the tournament",
    "held_on": "its day; NULL where the log's date is no day",
    "ruleset": "key of the game's ruleset",
    "stage": "the stage",
    "round": "the round",
    "match": "the match",
    "player": "the player on this side",
    "person": "who that is across tournaments, by pseudonym",
    "faction": "the faction on this side; empty: none",
    "opponent": "the player on the other side",
    "opponent_person": "who that is",
    "opponent_faction": "the faction on the other side; empty: none",
    "record": "W, L or D: what the outcome counts as for this side",
    "score": "1 for W, a half for D, else 0",
    "points": "match points of this side",
    "opponent_points": "match points of the other side",
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
    """Add every question as a view, with what it and its columns mean."""
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
    for table in tables():
        yield f"COMMENT ON TABLE {table.name} IS {_text(table.about)}"
        for column in table.columns:
            named = f"{table.name}.{_name(column.name)}"
            yield f"COMMENT ON COLUMN {named} IS {_text(column.meaning)}"
    yield f"COMMENT ON VIEW games IS {_text(GAMES)}"
    for name, meaning in GAMES_COLUMNS.items():
        yield f"COMMENT ON COLUMN games.{_name(name)} IS {_text(meaning)}"


def _name(name: str) -> str:
    return f'"{name}"'


def _text(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))
