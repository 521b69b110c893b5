"""The table of clauses in `ledger/formats/README.md`: whole, and each row with its test."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger import formats
from tests.support.paths import ROOT
from tests.support.shared import SHARED, needs_shared

if TYPE_CHECKING:
    from ledger.formats.format import Format
    from tests.support.cli_desk import Desk

README = ROOT / "ledger" / "formats" / "README.md"
CATALOGUE = SHARED / "regulations" / "CATALOGUE.md"
ROW = re.compile(r"\| (?P<clause>[A-Z0-9-]+) \| .+ \| (?P<how>[a-z, ]+) \| `(?P<test>[^`]+)` \|")

KINDS = {
    "FFG": ["LIST", "LIST-CONTENT", "RULEBOOK", "LEGAL-DATE", "PREMIER"],
    "L5R": ["DECK", "ROLE"],
    "RW": ["TIER", "SEASON", "ARMY", "PLAYMAT"],
    "AOP": ["FIRSTFIVE", "FORMAT", "CARDS", "DECK", "DRAFT-POOL"],
    "SWL": ["TERRAIN", "ARMY", "COMMAND", "BATTLE"],
    "LEG": [
        *("BANNED", "STRONGHOLD", "CLAN", "DISTINCT", "SAME", "EXPERIENCED", "WIND", "STARTING"),
        "BASE",
    ],
}
HELD_TO_A_LIST = frozenset(f"{text}-{name}" for text, names in KINDS.items() for name in names)
"""The clauses that are checked against a list or a set-up."""


class Row(NamedTuple):
    """A clause, how lists are held to it, and the test that shows it."""

    clause: str
    how: frozenset[str]
    test: str


def rows() -> list[Row]:
    text = README.read_text("utf-8").partition("## Every clause on lists")[2]
    lines = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line][1:]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found), [line for line, row in zip(lines, found, strict=True) if not row]
    return [Row(r["clause"], frozenset(r["how"].split(", ")), r["test"]) for r in found if r]


def clauses_of(made: Format) -> set[str]:
    """Every clause that a format cites."""
    cited = {clause for check in made.checks for clause in check.clauses()}
    cited |= {each.clause for each in made.rules} | {each.clause for each in made.readings}
    cited |= {each.clause for each in made.left}
    return cited | {made.names_clause, made.hides, made.deck_check or ""} - {""}


def test_each_clause_stands_once_and_says_how() -> None:
    clauses = [row.clause for row in rows()]
    assert len(clauses) == len(set(clauses))
    for row in rows():
        assert row.how <= {"checked", "recorded", "people"}, row


def test_every_clause_that_is_held_to_a_list_is_there() -> None:
    assert {row.clause for row in rows()} >= HELD_TO_A_LIST


@needs_shared
def test_those_are_the_clauses_of_the_catalogue() -> None:
    """A clause of the kind C that is new to the catalogue has to get its row."""
    kinds = re.findall(
        r"^\| ([A-Z0-9]+-[A-Z0-9-]+) \| ([A-Z,]+) \|", CATALOGUE.read_text("utf-8"), re.MULTILINE
    )
    assert {clause for clause, kind in kinds if "C" in kind.split(",")} == HELD_TO_A_LIST


@pytest.mark.parametrize("key", formats.names())
def test_every_clause_of_a_format_is_there(key: str) -> None:
    """What a finding or `format show` cites, a reader finds in the table."""
    assert clauses_of(formats.load(key).format) - {""} <= {row.clause for row in rows()}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.clause)
def test_the_test_of_a_row_is_there_and_names_the_clause(row: Row) -> None:
    path, _, name = row.test.partition("::")
    text = (ROOT / "tests" / path).read_text("utf-8")
    found = re.search(rf"^def {name}\(.*?(?=^def |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, row.test
    assert row.clause in found[0]


def test_format_show_names_what_is_left_to_people(desk: Desk) -> None:
    """AOP-COMPONENT: own components, sleeves, inspection, what is returned."""
    shown = desk.done("format", "show", "ashes", "--csv").out
    left = [line for line in shown.splitlines() if line.startswith("to be checked by hand")]
    assert len(left) == 4
    assert all("AOP-COMPONENT" in line for line in left)
