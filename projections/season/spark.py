"""Spark as an engine next to DuckDB: the same questions in its words, with the same rows.

The words of `macros.sql` are put into a question where it uses them, so that an engine that knows
no macros answers by the same text as DuckDB does. sqlglot translates the rest and reports what it
cannot translate; an expression that only DuckDB has is put in other words, only in this file. Spark
reads the tables as Parquet files: those of the season's folder, or a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import astuple
from sqlglot import ErrorLevel, exp, parse, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.transforms import move_ctes_to_top_level

from ledger.errors import Refused
from ledger.problems import phrase
from projections.season.asking import (
    ROWS_MAX,
    AnswerTable,
    Filters,
    chosen_by,
    copy_to_parquet,
    not_written,
    too_many_rows,
)
from projections.season.grouping import groups
from projections.season.loading.manifest import PEOPLE, Manifest, read_manifest
from projections.season.loading.scratch import room_beside
from projections.season.loading.spark_deriving import in_one_line
from projections.season.tables.database import FORMAT, database_of_rows
from projections.season.tables.definitions import Question, sql, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyspark.sql import DataFrame, SparkSession

OURS = "duckdb"
"""In whose SQL questions are written."""

WORDS = (exp.Boolean, exp.Column, exp.Literal)
"""Expressions that need parentheses in no context, as arguments of a macro."""


class Macro(NamedTuple):
    """A macro of `macros.sql`: its parameters and its body."""

    given: tuple[str, ...]
    body: exp.Expr


def without_macros(question: str) -> exp.Expr:
    """Read a question, and replace each call of a macro with its body."""
    return _expanded(parse_one(question, read=OURS))


@cache
def macros() -> dict[str, Macro]:
    """Read the macros, by name."""
    statements = [
        statement for statement in parse(sql("tables/macros"), read=OURS) if statement is not None
    ]
    return {
        statement.this.this.name: Macro(
            tuple(parameter.name for parameter in statement.this.expressions), statement.expression
        )
        for statement in statements
    }


def _expanded(tree: exp.Expr) -> exp.Expr:
    return tree.transform(_without_call)


def _without_call(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Table) and _is_call(node.this):
        known_as = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(node.this.name))
        return exp.Subquery(this=_called(node.this), alias=known_as)
    return exp.paren(_called(node), copy=False) if _is_call(node) else node


def _is_call(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name in macros()


def _called(call: exp.Expr) -> exp.Expr:
    macro = macros()[call.name]
    values: Sequence[exp.Expr] = [_expanded(argument) for argument in call.expressions]
    by_name = dict(zip(macro.given, values, strict=True))

    def put_in(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table and node.name in by_name:
            value = by_name[node.name]
            # After WHERE, Spark reads a word in parentheses as the name of a column.
            return value.copy() if isinstance(value, WORDS) else exp.paren(value)
        return node

    return _expanded(macro.body.copy().transform(put_in))


SPARK = "spark"
FIRST_DAYS = "first_days"
NOTHING: Mapping[str, str] = MappingProxyType({})


class QuestionView(NamedTuple):
    """A part of a question as a view under its own name, computed once or several times."""

    name: str
    asked: str
    is_kept: bool


class QuestionSteps(NamedTuple):
    """A question in Spark's SQL: its parts as views, in order, and what is asked of them."""

    parts: list[QuestionView]
    asked: str


def in_spark(question: str, given: Mapping[str, str] = NOTHING) -> str:
    """Translate a question with the texts that it is given; Refused if Spark has no words for it.

    `person` is the variable of that name, where one is asked about; others are parameters.
    """
    with _in_one_line():
        tree = _translated(question, given)
        for part in tree.find_all(exp.CTE):
            part.set("materialized", None)
        return _said(tree)


def in_steps(question: str, given: Mapping[str, str] = NOTHING) -> QuestionSteps:
    """Translate as `in_spark`, each part that has a name as a step: what is MATERIALIZED is kept.

    Spark has no such word: it works a part out again in each place that reads it.
    """
    with _in_one_line():
        tree = _translated(question, given)
        return QuestionSteps(list(_parts_of(tree)), _said(tree))


def _translated(question: str, texts: Mapping[str, str]) -> exp.Expr:
    tree = without_macros(question)
    for node in reversed(list(tree.walk())):  # what is inside comes first
        node.replace(_in_other_words(_with_texts(node, texts)))
    _refuse_twins(tree)
    return tree


def _parts_of(tree: exp.Expr) -> Iterator[QuestionView]:
    """Take the parts out of a question, and have whatever reads one read its view."""
    parts = list(move_ctes_to_top_level(tree).find_all(exp.CTE))
    for clause in list(tree.find_all(exp.With)):
        clause.pop()
    for number, part in enumerate(parts, start=1):
        name = f"part_{part.alias}"
        yield QuestionView(name, _said(part.this), bool(part.args.get("materialized")))
        for later in (*(successor.this for successor in parts[number:]), tree):
            _have_read(later, part.alias, name)


def _have_read(tree: exp.Expr, part: str, name: str) -> None:
    for table in list(tree.find_all(exp.Table)):
        if table.name == part:
            known_as = table.alias or part
            table.set("this", exp.to_identifier(name))
            table.set("alias", exp.TableAlias(this=exp.to_identifier(known_as)))


def _said(tree: exp.Expr) -> str:
    return tree.sql(SPARK, unsupported_level=ErrorLevel.RAISE)


@contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except SqlglotError as error:
        raise _untranslatable(" ".join(str(error).split())) from None


def tables_in(question: str) -> set[str]:
    """Name the tables and views that a question reads."""
    tree = without_macros(question)
    created = {node.alias for node in tree.find_all(exp.CTE)}
    created.update(node.this.name for node in tree.find_all(exp.Create))
    return {node.name for node in tree.find_all(exp.Table)} - created


def tables_read(questions: Iterable[Question], *, by_group: bool = False) -> set[str]:
    """Name the tables that questions read, themselves or through the view of first days.

    `by_group`: those too that decide which rows belong to a group.
    """
    read = tables_in(sql(f"tables/{FIRST_DAYS}"))
    read = read.union(*(tables_in(question.sql) for question in questions)) - {FIRST_DAYS}
    return read.union(*map(groups.needs, read)) if by_group else read


def columns_of(table: str) -> str:
    """Return a table's columns with their types, which Spark would look for in its files."""
    (definition,) = (candidate for candidate in tables() if candidate.name == table)
    kinds = {
        column.name: exp.DataType.build(column.type, dialect=OURS) for column in definition.columns
    }
    return ", ".join(f"{name} {kind.sql(SPARK)}" for name, kind in kinds.items())


def _with_texts(node: exp.Expr, texts: Mapping[str, str]) -> exp.Expr:
    """Put a text that is given into its place."""
    if isinstance(node, exp.Placeholder):
        return _text(texts[node.name])
    if isinstance(node, exp.Anonymous) and node.name.lower() == "getvariable":
        return _text(texts.get(node.expressions[0].name))
    return node


def _in_other_words(node: exp.Expr) -> exp.Expr:
    """Say one thing in words that Spark has."""
    match node:
        case exp.Literal(is_number=True, is_int=False):  # to Spark a decimal, of few digits
            return exp.cast(exp.Literal.string(node.name), "double")
        case exp.Min() if many := node.args.get("count"):
            values = exp.func("array_sort", _function_call("collect_list", node.this))
            return _function_call("slice", values, exp.Literal.number(1), many)
        case exp.Bracket(expressions=[exp.Literal(is_int=True) as place]):
            return _function_call("get", node.this, place)  # nothing, beyond the end
        case exp.DateDiff(args={"unit": exp.Var(name="SECOND")}):  # there, whole ones that passed
            for side in ("this", "expression"):
                node.set(
                    side,
                    _function_call("date_trunc", exp.Literal.string("second"), node.args[side]),
                )
        case exp.PercentileCont():
            return _function_call("percentile", node.this, node.expression)
        case exp.Window(this=exp.RowNumber()) if not node.args.get("order"):
            node.set("order", _by_all_beside(node))
    return node


def _text(value: str | None) -> exp.Expr:
    return exp.cast(exp.Literal.string(value) if value else exp.null(), "string")


def _function_call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _by_all_beside(number: exp.Expr) -> exp.Order:
    """Return the order of a row number: by the other selected columns."""
    select = number.find_ancestor(exp.Select)
    beside = (
        [expression for expression in select.expressions if number not in expression.walk()]
        if select
        else []
    )
    return exp.Order(expressions=[exp.Ordered(this=expression.unalias()) for expression in beside])


def _refuse_twins(tree: exp.Expr) -> None:
    """Refuse two parts of one name: in Spark's SQL all parts of a question share one scope."""
    names = Counter(part.alias for part in tree.find_all(exp.CTE))
    if twins := [name for name, many in names.items() if many > 1]:
        raise _untranslatable(f"two of its parts are called {twins[0]}")


def _untranslatable(reason: str) -> Refused:
    return Refused(phrase("the question cannot be translated into Spark's SQL: {why}", why=reason))


class SeasonFiles(NamedTuple):
    """The files of each table, and whom the league takes for one person, where they say nothing."""

    of_table: Mapping[str, Sequence[str]]
    aliases: Sequence[tuple[str, str, str]] = ()


def size_of(place: Path) -> int:
    """Return how many bytes a season has, in its file or in its folder."""
    if not place.is_dir():
        return place.stat().st_size
    return sum(part.bytes for part in read_manifest(place, FORMAT).files())


def files_of(
    place: Path, connection: DuckDBPyConnection, tables: Collection[str], room: Path
) -> SeasonFiles:
    """Return the files of tables; tables of a season's file are copied into a room."""
    if place.is_dir():
        return _listed(place.resolve(), read_manifest(place, FORMAT), tables)
    return SeasonFiles({table: [_copied(connection, table, room)] for table in sorted(tables)})


def _listed(folder: Path, manifest: Manifest, tables: Collection[str]) -> SeasonFiles:
    of_table = {
        table: [str(folder / chunk.parts[table].file) for chunk in manifest.chunks]
        for table in sorted(tables)
    }
    return SeasonFiles(of_table, [astuple(alias) for alias in manifest.aliases])


def _copied(connection: DuckDBPyConnection, table: str, room: Path) -> str:
    """Copy a whole table, whatever a filter lets the connection see of it."""
    (season,) = connection.execute("SELECT current_database()").fetchone() or ("",)
    path = str(room / f"{table}.parquet")
    rows = 'FROM "{}".main.{}'.format(season.replace('"', '""'), table)
    connection.execute("COPY ({}) TO '{}' (FORMAT parquet)".format(rows, path.replace("'", "''")))
    return path


ALIASES, PARTS, FOUND = "aliases", "parts", "found"
WHOLE = "whole_"
"""Before the name of a table that no filter has narrowed."""


ROOM = ".answer-room-"
"""The beginning of the name of a folder next to an answer's file."""

BATCH = 20_000
"""Rows that are fetched from Spark at a time."""


def _batches(answered: DataFrame) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of an answer in their order: Java has those of one task at a time."""
    rows = map(tuple, answered.toLocalIterator())
    while batch := list(islice(rows, BATCH)):
        yield batch


def _types_of(answered: DataFrame) -> dict[str, str]:
    """Return DuckDB's type of each column of an answer."""
    kinds = ((name, exp.DataType.build(kind, dialect=SPARK)) for name, kind in answered.dtypes)
    return {name: kind.sql(OURS) for name, kind in kinds}


class SparkSeason:
    """A season as Spark sees it, narrowed by a filter."""

    def __init__(
        self,
        session: SparkSession,
        files: SeasonFiles,
        filters: Filters,
        folded: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Show the tables under their names; StoreUnavailable where they cannot be read."""
        self._session = session = session.newSession()  # with its own tables
        self._tables = tuple(files.of_table)
        self._by, self._folded = filters.by, folded
        with in_one_line("the season"):
            for table, paths in files.of_table.items():
                self._show_whole(table, paths, files.aliases)
            if filters != Filters() or folded:
                chosen = session.sql(in_spark(chosen_by(filters), filters.given()))
                chosen.createOrReplaceTempView(groups.CHOSEN)
                self._show_all()
            session.sql(in_spark(sql("tables/first_days").replace("main.", WHOLE)))

    def _show_all(self) -> None:
        """Show what is chosen of each table; small groups as one."""
        if self._folded:
            columns = "ruleset string, label string"
            pairs = self._session.createDataFrame(list(self._folded), columns)
            pairs.createOrReplaceTempView(groups.FOLDED)
        for table in self._tables:
            selection = groups.shown(
                table, f"{WHOLE}{{}}", self._by, chosen=True, folded=bool(self._folded)
            )
            self._show(table, selection)

    def _show(self, name: str, query: str, texts: Mapping[str, str] = NOTHING) -> None:
        self._session.sql(in_spark(query, texts)).createOrReplaceTempView(name)

    def answer_of_groups(self, question: Question, person: str = "") -> AnswerTable:
        """Ask a question of each group separately.

        Raises:
            Refused: as `answer`.
        """
        source = f"{WHOLE}{{}}"
        folded = bool(self._folded)
        with in_one_line(question.name):
            collected = self._session.sql(in_spark(groups.LABELS)).collect()
            labels = groups.few_enough([label for (label,) in collected])
            entrants = groups.shown(groups.ENTRANTS, source, self._by, chosen=True, folded=folded)
            self._show(groups.GROUPED, entrants)
        rows: list[tuple[Any, ...]] = []
        try:
            for label in labels:
                with in_one_line(question.name):
                    persisted = self._show_group(source, label)
                rows += [(label, *row) for row in self.answer(question, person).rows]
                for frame in persisted:
                    frame.unpersist()
        finally:
            self._show_all()
        return AnswerTable([column.name for column in groups.of_each_group(question).columns], rows)

    def _show_group(self, source: str, label: str) -> list[DataFrame]:
        """Show what belongs to one group, and return the parts that are kept meanwhile."""
        persisted = []
        for part in groups.parts_of_group(source):
            if part.reads <= set(self._tables):
                self._show(part.name, part.asked, {"group": label})
                persisted.append(self._session.table(part.name).persist())
        for table in self._tables:
            self._show(table, groups.shown(table, source, of_group=True))
        return persisted

    def answer(self, question: Question, person: str = "") -> AnswerTable:
        """Answer a question with all its rows; Refused if too many, or if Spark cannot answer."""
        rows: list[tuple[Any, ...]] = []
        with in_one_line(question.name), self._asked(question.sql, person) as answered:
            for batch in _batches(answered):
                rows += batch
                if len(rows) > ROWS_MAX:
                    raise too_many_rows()
        return AnswerTable([column.name for column in question.columns], rows)

    def write_parquet(self, question: Question, path: Path, person: str = "") -> int:
        """Write the whole answer as Parquet, however large it is; return its rows.

        Rows pass through this program in batches, so that neither Java nor Python has them all.

        Raises:
            Refused: Spark cannot answer, or the file cannot be written.
            StoreUnavailable: Spark stopped.
        """
        if not path.parent.is_dir():
            raise not_written(path)
        by_group = bool(self._by) and not groups.reads_groups(question)
        rows = self.answer_of_groups(question, person).rows if by_group else []
        with (
            in_one_line(question.name),
            self._asked(question.sql, person) as answered,
            room_beside(path.parent, ROOM) as room,
        ):
            types, query, batches = _types_of(answered), f"FROM {FOUND}", _batches(answered)
            if by_group:
                types = {"group": "VARCHAR"} | types
                query += f" ORDER BY {groups.of_each_group(question).order}"
                batches = iter([rows] if rows else [])
            with database_of_rows(room / "answer.duckdb", FOUND, types, batches) as connection:
                return copy_to_parquet(connection, query, path)

    def answer_in_part(
        self, question: Question, person: str, limit: int
    ) -> tuple[AnswerTable, int]:
        """Answer a question with its first rows, and with their number; raises as above."""
        first = f"SELECT * FROM {FOUND} ORDER BY {question.order} LIMIT {limit}"  # noqa: S608 - our own
        with in_one_line(question.name), self._asked(question.select, person) as answered:
            persisted = answered.persist()
            persisted.createOrReplaceTempView(FOUND)
            count = persisted.count()
            rows = [tuple(row) for row in self._session.sql(in_spark(first)).collect()]
            persisted.unpersist()
        return AnswerTable([column.name for column in question.columns], rows), count

    @contextmanager
    def _asked(self, query: str, person: str) -> Iterator[DataFrame]:
        """Have what a question finds; what it works out once is kept as long as that is read."""
        steps = in_steps(query, {"person": person} if person else {})
        persisted = []
        try:
            for part in steps.parts:
                frame = self._session.sql(part.asked)
                frame.createOrReplaceTempView(part.name)
                if part.is_kept:
                    persisted.append(frame.persist())
            yield self._session.sql(steps.asked)
        finally:
            for cached in persisted:
                cached.unpersist()

    def _show_whole(
        self, table: str, paths: Sequence[str], aliases: Sequence[tuple[str, str, str]]
    ) -> None:
        rows = self._session.read.schema(columns_of(table)).parquet(*paths)
        if table == "people" and aliases:
            rows.createOrReplaceTempView(PARTS)
            columns = "tournament string, league_id string, person string"
            alias_rows = self._session.createDataFrame(list(aliases), columns)
            alias_rows.createOrReplaceTempView(ALIASES)
            rows = self._session.sql(in_spark(PEOPLE.format(rows=PARTS, aliases=ALIASES)))
        rows.createOrReplaceTempView(f"{WHOLE}{table}")
        rows.createOrReplaceTempView(table)
