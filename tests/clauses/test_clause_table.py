"""The tables of clauses in the two READMEs: every clause of the regulations, each with its test."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tests.support.paths import ROOT
from tests.support.shared import SHARED, needs_shared

TABLES = {
    "rulesets": "## Every clause on people, floor and play",
    "formats": "## Every clause on lists",
}
CATALOGUE = SHARED / "regulations" / "CATALOGUE.md"
ROW = re.compile(r"\| ([A-Z0-9-]+) \| .+ \| ([a-z, ]+) \| `([^`]+)` \|")


class Told(NamedTuple):
    """A clause, how the program keeps it, and the test that shows it."""

    clause: str
    how: frozenset[str]
    test: str


def rows(folder: str) -> list[Told]:
    """The rows of one table; each line of it is a row."""
    text = (ROOT / "ledger" / folder / "README.md").read_text("utf-8")
    lines = text.partition(TABLES[folder])[2].splitlines()
    table = [line for line in lines if line.startswith("| ") and "---" not in line][1:]
    found = [ROW.fullmatch(line) for line in table]
    assert all(found), [line for line, row in zip(table, found, strict=True) if not row]
    return [Told(row[1], frozenset(row[2].split(", ")), row[3]) for row in found if row]


def test_no_clause_stands_twice() -> None:
    clauses = [row.clause for folder in TABLES for row in rows(folder)]
    assert len(clauses) == len(set(clauses))


@needs_shared
def test_every_clause_of_the_catalogue_has_a_row() -> None:
    known = re.findall(
        r"^\| ([A-Z0-9]+-[A-Z0-9-]+) \| [RECD,]+ \|", CATALOGUE.read_text("utf-8"), re.MULTILINE
    )
    told = {row.clause for folder in TABLES for row in rows(folder)}
    assert told == set(known)


@pytest.mark.parametrize("row", rows("rulesets"), ids=lambda row: row.clause)
def test_a_row_says_how_and_its_test_names_the_clause(row: Told) -> None:
    assert row.how <= {"held", "recorded", "worked out", "people"}
    path, _, name = row.test.partition("::")
    text = (ROOT / "tests" / path).read_text("utf-8")
    found = re.search(rf"^def {name}\(.*?(?=^def |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, row.test
    assert re.search(rf"{row.clause}(?![A-Z-])", found[0]), row.test
