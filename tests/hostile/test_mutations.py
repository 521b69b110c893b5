"""The table of mutations: each can be made, and each has tests that are there."""

from __future__ import annotations

import shlex

import pytest

from tests.clauses.test_clause_table import TABLES, rows
from tests.hostile.mutations import Mutation, mutations, table
from tests.support.paths import ROOT

KINDS = ("FFG", "L5R", "RW", "AOP", "SWL", "LEG")


@pytest.mark.parametrize("mutation", mutations(), ids=lambda each: each.clause)
def test_the_text_is_there_once(mutation: Mutation) -> None:
    assert mutation.problem(ROOT) == ""
    paths = [word for word in shlex.split(mutation.tests) if "/" in word]
    assert paths
    assert all((ROOT / path).is_file() for path in paths)


def test_every_regulation_has_its_share() -> None:
    clauses = {each.clause for each in mutations()}
    for kind in KINDS:
        assert sum(clause.startswith(f"{kind}-") for clause in clauses) >= len(KINDS)


def test_every_clause_of_the_tables_is_broken_once() -> None:
    """A row of the READMEs is held by a test that fails once the clause is taken away."""
    broken = {each.clause for each in mutations()}
    told = {row.clause for folder in TABLES for row in rows(folder)}
    assert sorted(told - broken) == []
    assert {line.split()[0] for line in table()} == broken
