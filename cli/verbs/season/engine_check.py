"""`stats --check`: every question put to two engines, and their rows compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING

import typer

from cli.exits import REFUSED
from cli.render.records import show_records
from cli.season.engines.chosen_engine import DuckDBEngine, Engine, engine_at
from cli.season.opening import opened
from cli.terminal.output import Bar, say
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import how_many
from ledger.errors import Refused

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from cli.season.options import SeasonPart
    from projections.season.asking.filters import Filters
    from projections.season.asking.questions import Question

COMPARED = (
    Column("question"),
    Column("rows", right=True),
    Column("duckdb s", right=True, key="duckdb_seconds"),
    Column("engine s", right=True, key="engine_seconds"),
    prose("result", lambda each: each["difference"] or "the same", key="difference", only="person"),
    for_program("difference"),
)


def check_engine(desk: Desk, engine: str, part: SeasonPart, filters: Filters, name: str) -> None:
    """Compare an engine's answers with DuckDB's, to one question or all; exit 1 on a difference."""
    from projections.processes import interrupted_by
    from projections.season.asking.answering import prepare, question_named
    from projections.season.asking.filters import narrow
    from projections.season.asking.questions import questions

    asked = [question_named(name)] if name else list(questions())
    file = desk.files.reading(part.file)
    with opened(file) as connection, interrupted_by(connection.interrupt):
        prepare(connection)
        narrow(connection, filters)
        with engine_at(engine, file, connection, filters, asked) as there:
            records = list(_all_compared(asked, DuckDBEngine(connection), there))
    show_records(desk, COMPARED, records)
    wrong = sum(each["difference"] is not None for each in records)
    asked_of = f"{how_many(len(records), 'question')} asked of duckdb and {engine}"
    say(f"{asked_of}: {f'{wrong} with a difference' if wrong else 'the same rows'}")
    if wrong:
        raise typer.Exit(REFUSED)


def _all_compared(
    asked: Sequence[Question], here: Engine, there: Engine
) -> Iterator[dict[str, object]]:
    with Bar() as bar:
        for done, question in enumerate(asked, start=1):
            yield _compared(question, here, there)
            bar("asked", done, len(asked))


def _compared(question: Question, here: Engine, there: Engine) -> dict[str, object]:
    from projections.season.engines.agreement import difference

    begun = monotonic()
    mine = here.answer(question).rows
    half = monotonic()
    try:
        theirs = there.answer(question).rows
        found = difference(question.columns, mine, theirs)
    except Refused as error:  # its words, or the engine's against them
        found = str(error)
    return {
        "question": question.name,
        "rows": len(mine),
        "duckdb_seconds": round(half - begun, 2),
        "engine_seconds": round(monotonic() - half, 2),
        "difference": found or None,
    }
