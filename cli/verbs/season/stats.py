"""`stats`: named questions to the season, as tables, files and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.desk.acts import desk_of
from cli.input.arguments import UsageError, whole
from cli.input.belonging import refuse_others
from cli.season.answers import Heading, Shown, show_answer
from cli.season.league import DEFAULT_LEAGUE, looked_at, names_of
from cli.season.options import (
    DEFAULT_SEASON,
    AsCsv,
    FirstRows,
    LeagueFile,
    OfRuleset,
    OfTier,
    Picture,
    SeasonFile,
)
from cli.season.pictures import draw, looked_at_in_words, rows_in_words
from cli.terminal.counting import first_of, how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from projections.season.asking.filters import Filters
    from projections.season.questions import Question

USAGE = "stats list, stats show QUESTION, or stats QUESTION [--csv] [--parquet FILE] [--plot FILE]"

TABLE_ROWS = 40
"""How many rows a table has where --top says nothing."""

ABOUT = (Column("question"), Column("what it answers", flexible=True, wraps=True))
MEANINGS = (Column("column"), Column("unit"), Column("meaning", flexible=True, wraps=True))


class Wanted(NamedTuple):
    """What is to become of an answer; empty where nothing was said."""

    shown: Shown
    top: int
    parquet: str
    plot: str


def stats(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="list|show QUESTION|QUESTION")
    ] = None,
    file: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
    ruleset: OfRuleset = "",
    tier: OfTier = "",
    first: Annotated[
        str, typer.Option("--from", metavar="YYYY-MM-DD", help="Held on that day or later.")
    ] = "",
    last: Annotated[
        str, typer.Option("--to", metavar="YYYY-MM-DD", help="Held on that day or before.")
    ] = "",
    player: Annotated[
        str, typer.Option(metavar="WHO", help="About one person, for head-to-head.")
    ] = "",
    top: FirstRows = "",
    csv: AsCsv = False,
    parquet: Annotated[
        str, typer.Option(metavar="FILE", help="Write every row there, without names.")
    ] = "",
    plot: Picture = "",
) -> None:
    """Ask the season one of the named questions.

    Shares come with their 95 % interval, by Wilson's formula. `show` prints a question's columns
    and its SQL.

    tourney stats faction-matchups --ruleset l5r --plot factions.png
    """
    from projections.season.asking.filters import Filters

    if [csv, bool(parquet), bool(plot)].count(True) > 1 or (parquet and top):
        raise UsageError("--csv, --plot and --parquet, which has every row: choose one")
    asked = words or ["list"]
    named = {"list": "list", "show": "show QUESTION"}
    refuse_others(context, named.get(asked[0], "QUESTION"))
    shown = Shown(csv=csv, json=desk_of(context).json)
    match asked:
        case ["list"]:
            _list(json=shown.json)
        case ["show", name]:
            _show(name, json=shown.json)
        case [name] if name != "show":
            filters = Filters(ruleset, tier, *_days(first, last))
            count = whole("--top", top, 1) if top else 0
            _ask(name, Path(file), league, filters, player, Wanted(shown, count, parquet, plot))
        case _:
            raise UsageError(USAGE)


def _days(first: str, last: str) -> tuple[str, str]:
    from cli.input.places import checked_date

    begins = checked_date(first, "--from") if first else ""
    ends = checked_date(last, "--to") if last else ""
    if begins and ends and ends < begins:
        raise UsageError(f"--to {ends} is before --from {begins}")
    return begins, ends


def _list(*, json: bool) -> None:
    from projections.season.questions import questions

    if json:
        show_json([{"question": each.name, "answers": each.answers} for each in questions()])
        return
    show_table(ABOUT, [[each.name, each.answers] for each in questions()])


def _show(name: str, *, json: bool) -> None:
    from projections.season.asking.answering import question_named

    question = question_named(name)
    if json:
        columns = [column._asdict() for column in question.columns]
        told = {"question": name, "title": question.title, "answers": question.answers}
        show_json({**told, "columns": columns, "sql": question.sql})
        return
    show(f"{question.title}: {question.answers}", "")
    show_table(MEANINGS, [list(column) for column in question.columns])
    show("", *question.sql.splitlines())


def _ask(name: str, file: Path, league: str, filters: Filters, player: str, wanted: Wanted) -> None:
    from projections.season.asking.answering import prepare, question_named
    from projections.season.asking.filters import extent, narrow
    from projections.season.pictures.files import refuse_suffix
    from projections.season.tables.database import open_season

    question = question_named(name)
    if wanted.plot:
        refuse_suffix(Path(wanted.plot))
    with open_season(file, read_only=True) as connection:
        prepare(connection)
        narrow(connection, filters)
        person = looked_at(league, player, persons_of(connection)) if player else ""
        if wanted.parquet:
            _write(connection, question, person, wanted)
        elif wanted.plot:
            _draw(
                connection,
                question,
                person,
                wanted,
                looked_at_in_words(filters, extent(connection)),
            )
        else:
            _tell(connection, question, person, wanted, names_of(league))


def persons_of(connection: DuckDBPyConnection) -> dict[str, bool]:
    """Everybody whom the season has seen; True where the league has a pseudonym of theirs."""
    return dict(connection.execute("SELECT DISTINCT person, known FROM people").fetchall())


def _tell(
    connection: DuckDBPyConnection,
    question: Question,
    person: str,
    wanted: Wanted,
    names: dict[str, str],
) -> None:
    is_table = not (wanted.shown.csv or wanted.shown.json)
    most = wanted.top or (TABLE_ROWS if is_table else 0)
    rows, count = _found(connection, question, person, most)
    columns = [Heading(each.name, each.unit) for each in question.columns]
    show_answer(columns, rows, names, wanted.shown)
    if is_table:
        more = "; --top N shows more" if len(rows) < count and not wanted.top else ""
        say(f"{question.title}: {first_of(len(rows), count, 'row')}{more}")


def _found(
    connection: DuckDBPyConnection, question: Question, person: str, most: int
) -> tuple[Sequence[Sequence[object]], int]:
    """The first rows, at most so many, 0 for all of them; and how many the whole answer has."""
    from projections.season.asking.answering import answer, answer_in_part

    if most:
        found, count = answer_in_part(connection, question, person, most)
        return found.rows, count
    rows = answer(connection, question, person).rows
    return rows, len(rows)


def _write(connection: DuckDBPyConnection, question: Question, person: str, wanted: Wanted) -> None:
    from projections.season.asking.answering import write_parquet

    written = write_parquet(connection, question, Path(wanted.parquet), person)
    if wanted.shown.json:
        show_json({"file": wanted.parquet, "rows": written})
    say(f"{wanted.parquet}: {how_many(written, 'row')}, with no names")


def _draw(
    connection: DuckDBPyConnection, question: Question, person: str, wanted: Wanted, of: str
) -> None:
    rows, count = _found(connection, question, person, wanted.top)
    seen = of + rows_in_words(len(rows), count, "row")
    draw(Path(wanted.plot), question, rows, {}, seen)
    if wanted.shown.json:
        show_json({"file": wanted.plot, "rows": len(rows)})
    say(f"{wanted.plot}: {question.title}: {first_of(len(rows), count, 'row')}")
