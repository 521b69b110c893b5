"""A question in Spark's SQL: what only DuckDB says in a way is said in another, here alone.

sqlglot translates the rest, and says where it cannot.
"""

from __future__ import annotations

from collections import Counter

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from ledger.errors import Refused
from projections.season.engines.macro_calls import without_macros

SPARK = "spark"


def in_spark(question: str, person: str = "") -> str:
    """Translate a question, about one person or all; Refused of what Spark has no words for."""
    try:
        tree = without_macros(question)
        for node in reversed(list(tree.walk())):  # what is inside comes first
            node.replace(_in_other_words(node, person))
        _refuse_twins(tree)
        return tree.sql(SPARK, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise _untranslatable(" ".join(str(error).split())) from None


def tables_in(question: str) -> set[str]:
    """Name the tables and views that a question reads."""
    tree = without_macros(question)
    made = {each.alias for each in tree.find_all(exp.CTE)}
    made.update(each.this.name for each in tree.find_all(exp.Create))
    return {each.name for each in tree.find_all(exp.Table)} - made


def _in_other_words(node: exp.Expr, person: str) -> exp.Expr:
    """Say one thing in words that Spark has."""
    match node:
        case exp.CTE():
            node.set("materialized", None)
        case exp.Literal(is_number=True, is_int=False):  # to Spark a decimal, of few digits
            return exp.cast(exp.Literal.string(node.name), "double")
        case exp.Anonymous() if node.name.lower() == "getvariable":
            return exp.cast(exp.Literal.string(person) if person else exp.null(), "string")
        case exp.Min() if many := node.args.get("count"):
            values = exp.func("array_sort", _called("collect_list", node.this))
            return _called("slice", values, exp.Literal.number(1), many)
        case exp.Bracket(expressions=[exp.Literal(is_int=True) as place]):
            return _called("get", node.this, place)  # nothing, beyond the end
        case exp.DateDiff() if (
            node.text("unit").upper() == "SECOND"
        ):  # whole ones that passed, there
            for side in ("this", "expression"):
                node.set(side, _called("date_trunc", exp.Literal.string("second"), node.args[side]))
        case exp.PercentileCont():
            return _called("percentile", node.this, node.expression)
        case exp.Window(this=exp.RowNumber()) if not node.args.get("order"):
            node.set("order", _by_all_beside(node))
    return node


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
