"""`query`: a question in SQL to the season's tables, read only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import OutFile
from cli.input.options import word
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, shows_table
from cli.season.opening import refuse_unbounded, season_at
from cli.season.options import DEFAULT_SEASON, SeasonFile
from cli.season.sandbox import Form, JsonForm, TableForm
from cli.terminal.output import complain, say
from cli.terminal.tables import Column, for_program, prose
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HISTORY = OutFile(".tourney-history")
HISTORY_LINES = 1_000
COLUMNS = (
    for_program("table", lambda each: each[0].name),
    Column(marked("column"), value=lambda each: each[1].name),
    prose(marked("meaning"), lambda each: each[1].meaning, text=lambda row: tr(row[1].meaning)),
)
PROMPT, FURTHER = "season> ", "    ...> "


@shows_table
def query(
    desk: Desk,
    question: Annotated[
        list[str] | None, word("[SQL]", "The question in SQL; - reads it from stdin.")
    ] = None,
    file: SeasonFile = DEFAULT_SEASON,
) -> None:
    """Query the season's tables in SQL, read-only.

    Without SQL, one question after another: a question can have several lines and ends with a
    semicolon; the arrow keys recall earlier lines.

    A question cannot read files or reach the network. It ends after 30 seconds, and is limited to
    700 MB of memory and 1,000,000 rows. A table shows 500 characters of a value; --csv and --json
    show the whole value.

    tourney query "SELECT faction, count(*) FROM entrants GROUP BY ALL"
    """
    words = " ".join(question or ())
    if not words:
        _ask_in_turn(desk, file)
        return
    _ask(desk.files.reading(file), sys.stdin.read() if words == "-" else words, _form(desk))


def _form(desk: Desk) -> type[Form]:
    forms: dict[str, type[Form]] = {"text": TableForm, "json": JsonForm, "csv": Form}
    return forms[desk.options.format]


def _ask(file: Path, question: str, form: type[Form]) -> None:
    from cli.season.sandbox import answered

    refuse_unbounded(file)
    with (
        season_at(file) as season,
        answered(str(season.file), question, form) as ((shown, unsigned), blocks),
    ):
        for line in unsigned:
            say(line)
        shown.show(blocks)


@shows_table
def list_tables(desk: Desk) -> None:
    """List the season's tables and their columns."""
    from projections.season.tables.definitions import tables

    show_records(
        desk,
        COLUMNS,
        ((table, column) for table in tables() for column in table.columns),
        json=lambda: [
            {
                "table": table.name,
                "about": table.about,
                "columns": [column._asdict() for column in table.columns],
            }
            for table in tables()
        ],
        by=lambda each: f"{each[0].name}: {tr(each[0].about)}",
    )


def _ask_in_turn(desk: Desk, file: SeasonFile) -> None:
    """Ask the questions that are typed, each up to its semicolon, until the input ends.

    Raises:
        UsageError: no person is at a terminal, and the input has no question.
    """
    from projections.season.tables.database import no_season

    form = _form(desk)
    season = desk.files.reading(file)
    if not desk.files.exists(file):
        raise no_season(season)
    if sys.stdin.isatty():
        say(tr("end each question with ; (`query tables` lists the tables, Ctrl-D quits)"))
    desk.files.recall_lines(HISTORY, HISTORY_LINES)
    count = 0
    for question in _typed_questions():
        count += 1
        if not question.rstrip().endswith(";"):
            complain(tr("the last question was not asked: it has no ; at its end"))
            return
        try:
            _ask(season, question, form)
        except LedgerError as error:
            complain(str(error))
        except KeyboardInterrupt:
            complain(tr("the question was interrupted"))
    if not (count or sys.stdin.isatty()):
        raise UsageError(
            tr('give a question: query "SELECT ...", or query - with the SQL on stdin')
        )


def _typed_questions() -> Iterator[str]:
    """Yield each question up to its semicolon, and what is left without one at the end."""
    asked = ""
    while True:
        try:
            line = input(FURTHER if asked else PROMPT) if sys.stdin.isatty() else _next_line()
        except EOFError:
            break
        except KeyboardInterrupt:  # what was begun is given up, as shells do
            say("")
            asked = ""
            continue
        asked = f"{asked}\n{line}" if asked else line
        if asked.strip() in {"exit", "quit"}:
            return
        if asked.rstrip().endswith(";"):
            yield asked
            asked = ""
    if asked.strip():
        yield asked


def _next_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
