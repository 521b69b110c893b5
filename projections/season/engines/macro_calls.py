"""The words of `macros.sql` put into a question where it uses them, so that none is left.

An engine that knows no macros then answers by the same text as DuckDB does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sqlglot import exp, parse, parse_one

from projections.season.tables.definitions import sql

OURS = "duckdb"
"""In whose SQL questions are written."""

WORDS = (exp.Boolean, exp.Column, exp.Literal)
"""What a macro may be given that needs no parentheses."""


class Macro(NamedTuple):
    """A word of `macros.sql`: what it is given, and what it stands for."""

    given: tuple[str, ...]
    body: exp.Expr


def without_macros(question: str) -> exp.Expr:
    """Read a question, and put what each macro stands for in the place of its calls."""
    return _expanded(parse_one(question, read=OURS))


@cache
def macros() -> dict[str, Macro]:
    """Read the macros, by name."""
    made = [each for each in parse(sql("tables/macros"), read=OURS) if each is not None]
    return {
        each.this.this.name: Macro(
            tuple(given.name for given in each.this.expressions), each.expression
        )
        for each in made
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
    values: Sequence[exp.Expr] = [_expanded(each) for each in call.expressions]
    by_name = dict(zip(macro.given, values, strict=True))

    def put_in(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table and node.name in by_name:
            value = by_name[node.name]
            # After WHERE, Spark reads a word in parentheses as the name of a column.
            return value.copy() if isinstance(value, WORDS) else exp.paren(value)
        return node

    return _expanded(macro.body.copy().transform(put_in))
