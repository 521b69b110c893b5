"""A question in Spark's SQL: what only DuckDB says in a way is said in another, here alone.

sqlglot translates the rest, and says where it cannot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError
from sqlglot.transforms import move_ctes_to_top_level

from ledger.errors import Refused
from projections.season.asking.questions import Question
from projections.season.engines.macro_calls import OURS, without_macros
from projections.season.tables.definitions import sql, tables

SPARK = "spark"
FIRST_DAYS = "first_days"
NOTHING: Mapping[str, str] = MappingProxyType({})


class QuestionView(NamedTuple):
    """A part of a question as a view under a name of its own, worked out once or often."""

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


def _translated(question: str, given: Mapping[str, str]) -> exp.Expr:
    tree = without_macros(question)
    for node in reversed(list(tree.walk())):  # what is inside comes first
        node.replace(_in_other_words(_with_texts(node, given)))
    _refuse_twins(tree)
    return tree


def _parts_of(tree: exp.Expr) -> Iterator[QuestionView]:
    """Take the parts out of a question, and have whatever reads one read its view."""
    parts = list(move_ctes_to_top_level(tree).find_all(exp.CTE))
    for made in list(tree.find_all(exp.With)):
        made.pop()
    for number, part in enumerate(parts, start=1):
        name = f"part_{part.alias}"
        yield QuestionView(name, _said(part.this), bool(part.args.get("materialized")))
        for later in (*(each.this for each in parts[number:]), tree):
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
    made = {each.alias for each in tree.find_all(exp.CTE)}
    made.update(each.this.name for each in tree.find_all(exp.Create))
    return {each.name for each in tree.find_all(exp.Table)} - made


def tables_read(questions: Iterable[Question]) -> set[str]:
    """Name the tables that questions read, themselves or through the view of first days."""
    read = tables_in(sql(f"tables/{FIRST_DAYS}"))
    return read.union(*(tables_in(each.sql) for each in questions)) - {FIRST_DAYS}


def columns_of(table: str) -> str:
    """Return a table's columns with their types, which Spark would look for in its files."""
    (found,) = (each for each in tables() if each.name == table)
    kinds = {each.name: exp.DataType.build(each.type, dialect=OURS) for each in found.columns}
    return ", ".join(f"{name} {kind.sql(SPARK)}" for name, kind in kinds.items())


def _with_texts(node: exp.Expr, given: Mapping[str, str]) -> exp.Expr:
    """Put a text that is given into its place."""
    if isinstance(node, exp.Placeholder):
        return _text(given[node.name])
    if isinstance(node, exp.Anonymous) and node.name.lower() == "getvariable":
        return _text(given.get(node.expressions[0].name))
    return node


def _in_other_words(node: exp.Expr) -> exp.Expr:
    """Say one thing in words that Spark has."""
    match node:
        case exp.Literal(is_number=True, is_int=False):  # to Spark a decimal, of few digits
            return exp.cast(exp.Literal.string(node.name), "double")
        case exp.Min() if many := node.args.get("count"):
            values = exp.func("array_sort", _called("collect_list", node.this))
            return _called("slice", values, exp.Literal.number(1), many)
        case exp.Bracket(expressions=[exp.Literal(is_int=True) as place]):
            return _called("get", node.this, place)  # nothing, beyond the end
        case exp.DateDiff(args={"unit": exp.Var(name="SECOND")}):  # there, whole ones that passed
            for side in ("this", "expression"):
                node.set(side, _called("date_trunc", exp.Literal.string("second"), node.args[side]))
        case exp.PercentileCont():
            return _called("percentile", node.this, node.expression)
        case exp.Window(this=exp.RowNumber()) if not node.args.get("order"):
            node.set("order", _by_all_beside(node))
    return node


def _text(value: str | None) -> exp.Expr:
    return exp.cast(exp.Literal.string(value) if value else exp.null(), "string")


def _called(name: str, *given: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(given))


def _by_all_beside(number: exp.Expr) -> exp.Order:
    """Return the order of a row number: by whatever is selected beside it."""
    select = number.find_ancestor(exp.Select)
    beside = [each for each in select.expressions if number not in each.walk()] if select else []
    return exp.Order(expressions=[exp.Ordered(this=each.unalias()) for each in beside])


def _refuse_twins(tree: exp.Expr) -> None:
    """Refuse two parts of one name: in Spark's SQL all parts of a question stand side by side."""
    names = Counter(each.alias for each in tree.find_all(exp.CTE))
    if twins := [name for name, many in names.items() if many > 1]:
        raise _untranslatable(f"two of its parts are called {twins[0]}")


def _untranslatable(why: str) -> Refused:
    return Refused(f"the question cannot be put into Spark's SQL: {why}")
