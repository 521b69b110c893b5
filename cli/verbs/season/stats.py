"""`stats`: named questions to the season, as tables, files and pictures.

`stats --check` puts every question to two engines and compares their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.session import Desk
from cli.exits import REFUSED
from cli.input.arguments import UsageError, whole_or_none
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.options import option, word
from cli.languages.speaking import marked, tr, tr_of
from cli.render.records import show_records, show_value, shows_table
from cli.season.answers import (
    draw,
    few_of,
    groups_in_words,
    rows_in_words,
    show_answer,
    tournaments_in_words,
    with_few,
)
from cli.season.engines import (
    DuckDBEngine,
    Engine,
    answered,
    engine_at,
    is_spark,
    workers_wait_of,
)
from cli.season.league import find_person, names_shown, persons_of
from cli.season.opening import opened
from cli.season.options import (
    AS_TABLE,
    BY_DUCKDB,
    WHOLE_SEASON,
    AnswerOptions,
    EngineOptions,
    SeasonPart,
    day_of,
    groups_by,
)
from cli.terminal.output import Bar, say, show
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import first_of, how_many, visible
from ledger.errors import Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.asking import Filters
    from projections.season.tables.definitions import Question

COMPARED = (
    Column(marked("question")),
    Column(marked("rows"), right=True),
    Column(marked("duckdb s"), right=True, key="duckdb_seconds"),
    Column(marked("engine s"), right=True, key="engine_seconds"),
    prose(
        marked("result"),
        lambda each: each["difference"] or tr("the same"),
        key="difference",
        only="person",
    ),
    for_program("difference"),
)


def check_engine(
    desk: Desk, by: EngineOptions, part: SeasonPart, filters: Filters, name: str
) -> None:
    """Compare an engine's answers with DuckDB's, to one question or all; exit 1 on a difference."""
    from projections.processes import interrupted_by
    from projections.season.asking import narrow, prepare, question_named
    from projections.season.tables.definitions import questions

    asked = [question_named(name)] if name else list(questions())
    wait = workers_wait_of(by.engine, by.workers_wait)
    file = desk.files.reading(part.file)
    with opened(file) as connection, interrupted_by(connection.interrupt):
        prepare(connection)
        narrow(connection, filters)
        with engine_at(by.engine, file, connection, filters, asked, wait=wait) as remote:
            local = DuckDBEngine(connection, filters.by)
            records = list(_all_compared(asked, local, remote, by=filters.by))
    show_records(desk, COMPARED, records)
    wrong = sum(record["difference"] is not None for record in records)
    about = {"questions": how_many(len(records), "question"), "engine": by.engine}
    if wrong:
        text = tr(
            "{questions} answered by duckdb and {engine}: {wrong} with different rows",
            wrong=wrong,
            **about,
        )
        say(text)
    else:
        say(tr("{questions} answered by duckdb and {engine}: the same rows", **about))
    if wrong:
        raise typer.Exit(REFUSED)


def _all_compared(
    questions: Sequence[Question], local: Engine, remote: Engine, *, by: str
) -> Iterator[dict[str, object]]:
    from projections.season.grouping.groups import reads_groups

    with Bar() as bar:
        for done, question in enumerate(questions, start=1):
            by_group = bool(by) and not reads_groups(question)
            yield _compared(question, local, remote, by_group=by_group)
            bar("asked", done, len(questions))


def _compared(
    question: Question, local: Engine, remote: Engine, *, by_group: bool
) -> dict[str, object]:
    from projections.season.asking import difference
    from projections.season.grouping.groups import of_each_group

    begun = monotonic()
    columns = (of_each_group(question) if by_group else question).columns
    mine = answered(local, question, "", 0, by_group=by_group)[0].rows
    half = monotonic()
    try:
        theirs = answered(remote, question, "", 0, by_group=by_group)[0].rows
        mismatch = difference(columns, mine, theirs)
    except Refused as error:  # its words, or the engine's against them
        mismatch = str(error)
    return {
        "question": question.name,
        "rows": len(mine),
        "duckdb_seconds": round(half - begun, 2),
        "engine_seconds": round(monotonic() - half, 2),
        "difference": mismatch or None,
    }


TABLE_ROWS = 40
"""How many rows a table has where --top says nothing."""

ABOUT = (
    Column(marked("question")),
    prose(marked("what it answers"), key="answers")._replace(text=lambda each: tr(each["answers"])),
)
MEANINGS = (
    Column(marked("column"), key="name"),
    Column(marked("unit"), text=lambda column: tr_of("unit", column.unit)),
    prose(marked("meaning"))._replace(text=lambda each: tr(each.meaning)),
)


@shows_table
def stats(
    desk: Desk,
    question: Annotated[str, word("[QUESTION]", "Without it, list the questions.")] = "",
    part: SeasonPart = WHOLE_SEASON,
    last: Annotated[
        str, option("YYYY-MM-DD", "Only tournaments on that day or before.", "--to")
    ] = "",
    player: Annotated[str, option("WHO", "A person, for head-to-head.")] = "",
    parquet: Annotated[
        OutFile, option("FILE", "Write all rows to a file, without names.")
    ] = NO_OUTPUT,
    shown: AnswerOptions = AS_TABLE,
    by: EngineOptions = BY_DUCKDB,
) -> None:
    """Answer a named question about the season.

    Shares come with an interval, which contains the true share in 95 of 100 cases or more. It is
    computed by person, since the games of one person are not independent, and needs five persons.

    tourney stats faction-matchups --ruleset l5r --plot factions.png

    tourney stats --check --engine spark://cluster:7077
    """
    from projections.season.asking import Filters, question_named
    from projections.season.charts import refuse_suffix

    if [desk.options.format == "csv", bool(parquet), bool(shown.plot)].count(True) > 1 or (
        parquet and (shown.top or shown.min_games)
    ):
        raise UsageError(
            tr(
                "choose one of --csv, --plot and --parquet; omit --top and --min-games with "
                "--parquet, which writes all rows"
            )
        )
    is_elsewhere = is_spark(by.engine)
    if by.check and (not is_elsewhere or player or parquet or shown.plot or shown.top):
        raise UsageError(
            tr(
                "--check compares all rows of DuckDB and another --engine: omit --player, --top, "
                "--plot and --parquet"
            )
        )
    if not question and not by.check:
        list_questions(desk)
        return
    by_group = groups_by(part.by)
    filters = Filters(part.ruleset, part.tier, *_days(part.first, last), by_group)
    if by.check:
        check_engine(desk, by, part, filters, question)
        return
    asked = question_named(question)
    if shown.plot:
        refuse_suffix(desk.files.writing(shown.plot))
    _ask(desk, asked, part, filters, player, parquet, shown, by)


def _ask(
    desk: Desk,
    asked: Question,
    part: SeasonPart,
    filters: Filters,
    player: str,
    parquet: OutFile,
    shown: AnswerOptions,
    by: EngineOptions,
) -> None:
    """Answer a question as a table, a file or a picture."""
    from projections.processes import interrupted_by
    from projections.season.asking import narrow, prepare
    from projections.season.grouping.groups import (
        name_of,
        of_each_group,
        reads_groups,
        with_a_group,
    )

    top = whole_or_none("--top", shown.top) or 0
    wait = workers_wait_of(by.engine, by.workers_wait)
    few = few_of(asked, shown.min_games)
    by_group = bool(filters.by) and not reads_groups(asked)
    table = of_each_group(asked) if by_group else asked
    file, league = desk.files.reading(part.file), desk.files.named(part.league)
    with opened(file) as connection, interrupted_by(connection.interrupt):
        prepare(connection)
        narrow(connection, filters)
        persons = persons_of(connection)
        person = find_person(league, player, persons) if player else ""
        names = names_shown(desk.files.named(part.agreed), league, persons)
        small: Sequence[tuple[str, str]] = ()
        extent = ""
        if shown.plot:
            extent, small = _seen_in_picture(connection, asked, filters)
        most = TABLE_ROWS if desk.options.for_person and not shown.plot else 0
        with engine_at(by.engine, file, connection, filters, [asked], small, wait=wait) as asking:
            if parquet:
                _write(desk, asking, asked, person, parquet)
                return
            answer, count = answered(asking, asked, person, top or most, by_group=by_group)
    rows = answer.rows
    title = tr(asked.title)
    if filters.by:
        title = tr("{title}, by {name}", title=title, name=visible(name_of(filters.by)))
    heading = f"{title}: {first_of(len(rows), count, 'row')}"
    heading = with_few(heading, few, table.columns, rows)
    if shown.plot:
        of = extent + rows_in_words(len(rows), count, "row")
        draw(desk.files.writing(shown.plot), table, with_a_group(table, rows), {}, of, few)
        show_value(desk, {"file": str(shown.plot), "rows": len(rows)})
        say(f"{shown.plot}: {heading}")
    elif show_answer(desk, table.columns, rows, names, few, filters.by):
        say(heading + (tr("; --top N shows more") if len(rows) < count and not top else ""))


def _seen_in_picture(
    connection: DuckDBPyConnection, question: Question, filters: Filters
) -> tuple[str, list[tuple[str, str]]]:
    """Return what a picture is of, and which groups are folded in it.

    Raises:
        Refused: no group is left that has five persons.
    """
    from projections.season.asking import extent
    from projections.season.grouping.folding import see_groups
    from projections.season.grouping.groups import reads_groups

    text = tournaments_in_words(filters, extent(connection))
    if not (filters.by or reads_groups(question)):
        return text, []
    groups = see_groups(connection, filters)
    if not groups.shown:
        raise Refused(
            phrase("no group has five persons or more: a picture shows no smaller one; omit --plot")
        )
    about = groups_in_words(groups)
    return f"{text}; {about}" if about else text, groups.small


@shows_table
def list_questions(desk: Desk) -> None:
    """List the named questions."""
    from projections.season.tables.definitions import questions

    records = [{"question": question.name, "answers": question.answers} for question in questions()]
    show_records(desk, ABOUT, records)


@shows_table
def show_question(desk: Desk, name: Annotated[str, word("QUESTION")]) -> None:
    """Show a question's columns and its SQL."""
    from projections.season.asking import question_named

    question = question_named(name)
    if desk.options.for_person:
        show(f"{tr(question.title)}: {tr(question.answers)}", "")
    if show_records(
        desk,
        MEANINGS,
        question.columns,
        json=lambda: {
            "question": name,
            "title": question.title,
            "answers": question.answers,
            "columns": [column._asdict() for column in question.columns],
            "sql": question.sql,
        },
    ):
        show("", *question.sql.splitlines())


def _days(first: str, last: str) -> tuple[str, str]:
    begins = day_of(first, "--from")
    ends = day_of(last, "--to")
    if begins and ends and ends < begins:
        raise UsageError(tr("--to {last} is before --from {first}", last=ends, first=begins))
    return begins, ends


def _write(desk: Desk, engine: Engine, question: Question, person: str, parquet: OutFile) -> None:
    written = engine.write_parquet(question, desk.files.writing(parquet), person)
    show_value(desk, {"file": str(parquet), "rows": written})
    say(tr("{file}: {rows}, without names", file=parquet, rows=how_many(written, "row")))
