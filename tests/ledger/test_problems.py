"""A problem: its sentence, its place, what it is about, and what may be said in one."""

from __future__ import annotations

import ast
import string
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.errors import NotFound, Refused
from ledger.problems import Act, Official, Player, Problem, Table, problem, remedy
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

BELOW_CLI = ("ledger", "projections")

MISSES = problem(
    "component.missing",
    "{player} misses {component} in {table}: {acts} of {official}",
    clause="FFG-LOST",
    player=Player(3),
    component="dice of player 3, {o1} is",
    table=Table(2, 7),
    acts=(Act("ResultReported"), 12),
    official=Official(2),
)


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function by that name below `cli`, with its place; a text is put in."""
    for folder in BELOW_CLI:
        for path in sorted((ROOT / folder).rglob("*.py")):
            texts: dict[str, ast.expr] = {}
            for node in in_order(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Assign):
                    texts.update(assigned(node.targets[0], node.value))
                elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                    node.args = [texts.get(getattr(each, "id", ""), each) for each in node.args]
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes as they are written."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names of an assignment, each with what it gets."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for name, each in zip(target.elts, value.elts, strict=True):
            yield from assigned(name, each)


def literal(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"marked", "problems.marked"}:
        return literal(node.args[0])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_a_sentence_has_what_it_is_about_as_typed() -> None:
    assert str(MISSES) == (
        "player 3 misses dice of player 3, {o1} is in 2/7: ResultReported, 12 of o2 (FFG-LOST)"
    )


def test_a_place_comes_before_the_sentence_and_places_add_up() -> None:
    within = MISSES.within("{line} 3").within(Table(1, 2))
    assert str(within) == f"1/2: {{line}} 3: {MISSES}"
    assert within.code == MISSES.code
    assert within.about.items() >= MISSES.about.items()


def test_a_sentence_goes_on_with_words_as_they_are() -> None:
    assert str(problem("a.b", "{player} left", player=Player(3)).followed_by(", {so}")) == (
        "player 3 left, {so}"
    )


def test_a_problem_is_read_back_from_its_json() -> None:
    settled = problem("a.b", "x", remedy=(remedy("rule", table=Table(2, 7)), remedy("pair")))
    for each in (MISSES, settled):
        data = msgspec.json.encode(each)
        assert msgspec.json.decode(data, type=Problem) == each


def test_an_error_takes_problems_and_sentences() -> None:
    error = Refused(MISSES, "no {such} thing")
    assert error.sentences == (str(MISSES), "no {such} thing")
    assert [each.code for each in error.problems] == ["component.missing", "refused"]
    assert NotFound("x").problems[0].code == "unknown"


def problems_of(call: ast.Call) -> Iterator[str]:
    """What is wrong with a call of `problem`."""
    code, text = (literal(each) for each in call.args[:2])
    fields = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    given = {each.arg for each in call.keywords}
    if len(call.args) != 2 or not text:
        yield "its code and its text are literals"
    if not 2 <= len(code.split(".")) <= 3 or not code.replace(".", "").replace("_", "").isalpha():
        yield f"{code!r} is no code"
    if None not in given and fields - given:
        yield f"{sorted(fields - given)} is not said"
    if "`" in text:
        yield "its text spells a command"


@pytest.mark.slow
def test_every_problem_has_a_code_and_a_literal_text_whose_fields_are_filled() -> None:
    wrong = [
        f"{place}: {each}"
        for place, call in calls("problem")
        if getattr(call.args[0], "id", "") != "code"  # a short form, called with literals
        for each in problems_of(call)
    ]
    assert wrong == []


SAID_IN_WORDS_OF_ITS_OWN = {
    "fact.missing",
    "fact.tiebreak_missing",
    "list.hidden",
    "result.rules",
}
"""What each game says in its own words: which fact it is and what for, what a result breaks, and
what of a list is hidden."""


@pytest.mark.slow
def test_a_code_means_one_thing() -> None:
    """A program goes by the code: two texts under one would be two reasons that it cannot tell."""
    texts: dict[str, set[str]] = {}
    for _, call in calls("problem"):
        if len(call.args) == 2 and literal(call.args[0]):
            texts.setdefault(literal(call.args[0]), set()).add(literal(call.args[1]))
    several = {code for code, said in texts.items() if len(said) > 1}
    assert several <= SAID_IN_WORDS_OF_ITS_OWN, {code: texts[code] for code in several}
    assert len(texts) > 300


@pytest.mark.parametrize(
    "line", ['problem("a", "x")', 'problem("a.b", f"{x}")', 'problem("a.b", "{x}", y=1)']
)
def test_a_wrong_call_is_found(line: str) -> None:
    (expression,) = ast.parse(line).body
    assert isinstance(expression, ast.Expr)
    assert isinstance(expression.value, ast.Call)
    assert list(problems_of(expression.value))
