"""The table of mutations: each can be made, and each has tests that are there."""

from __future__ import annotations

import shlex

import pytest

from tests.hostile.mutations import Mutation, mutations
from tests.support.paths import ROOT

CLAUSES_MIN = 90
KINDS = ("FFG", "L5R", "RW", "AOP", "SWL", "LEG")


@pytest.mark.parametrize("mutation", mutations(), ids=lambda each: each.clause)
def test_the_text_is_there_once(mutation: Mutation) -> None:
    assert mutation.problem(ROOT) == ""
    paths = [word for word in shlex.split(mutation.tests) if "/" in word]
    assert paths
    assert all((ROOT / path).is_file() for path in paths)


def test_every_regulation_has_its_share() -> None:
    clauses = {each.clause for each in mutations()}
    assert len(clauses) >= CLAUSES_MIN
    for kind in KINDS:
        assert sum(clause.startswith(f"{kind}-") for clause in clauses) >= len(KINDS)
