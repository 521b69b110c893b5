"""The page on the proof makes no claim without its test: each test that it names is there."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "ledger" / "proof" / "README.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
HOLDINGS = {
    f"| {each}"
    for each in (
        "nothing",
        "an export",
        "a desk",
        "the vault",
        "the log's key",
        "a judge's key",
        "the witness's key",
        "all of them",
    )
}


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def named() -> list[tuple[str, str]]:
    return sorted(set(NAMED.findall(PAGE.read_text("utf-8"))))


@pytest.mark.slow
@pytest.mark.parametrize(("file", "function"), named())
def test_each_test_that_the_page_names_is_collected(file: str, function: str) -> None:
    path = ROOT / file
    functions = functions_of(path)
    if function:
        assert function in functions
        assert function.startswith("test_")
        assert path.name.startswith("test_")
    elif path.name.startswith("test_"):
        assert any(each.startswith("test_") for each in functions)


def test_every_claim_of_who_can_do_what_names_a_test() -> None:
    section = PAGE.read_text("utf-8").partition("\n## Who can do what\n")[2]
    rows = [row for row in section.splitlines() if row.startswith(("| ", "* A "))]
    claims = [row for row in rows if not row.startswith(("| who holds", "| --- "))]
    assert {claim.split(" | ")[0] for claim in claims} >= HOLDINGS
    for claim in claims:
        assert NAMED.search(claim) or "nothing shows" in claim, claim
