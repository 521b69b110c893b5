"""Each sentence of the sources that gives a number or forbids something, one card on either side.

The tables in `boundaries/` are made from the regulations; `differs.toml` beside them names the rows
that the program does not see so, and its rows must fail: a row that is mended is taken out.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.ledger.formats.boundaries import (
    ashes,
    l5r_choices,
    l5r_decks,
    legacy,
    legacy_versions,
    legion,
    runewars,
    seasons,
)
from tests.ledger.formats.boundaries.table import Boundary, outcome

TABLES = (l5r_decks, l5r_choices, runewars, legion, seasons, ashes, legacy, legacy_versions)
ROWS = {row.id: row for table in TABLES for row in table.rows()}
DIFFERS: dict[str, str] = {
    row: sentence["why"]
    for sentence in tomllib.loads(
        (Path(__file__).parent / "boundaries" / "differs.toml").read_text("utf-8")
    ).get("sentence", [])
    for row in sentence["rows"]
}


def _case(row: Boundary) -> object:
    why = DIFFERS.get(row.id)
    marks = [pytest.mark.xfail(reason=why, strict=True)] if why else []
    return pytest.param(row, id=row.id, marks=marks)


@pytest.mark.parametrize("row", [_case(row) for row in ROWS.values()])
def test_a_list_at_its_boundary(row: Boundary) -> None:
    assert outcome(row) == row.state, row.text


def test_there_are_six_hundred_and_each_stands_once() -> None:
    assert len(ROWS) == sum(1 for table in TABLES for _ in table.rows())
    assert len(ROWS) >= 600
    assert set(DIFFERS) <= set(ROWS)
