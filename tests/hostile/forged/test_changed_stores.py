"""A store whose lines were changed under the desks: no official signs on them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

LATER = """
    UPDATE tourney_events SET state = CAST(replace(state, '"at":"20', '"at":"21') AS BLOB)
    WHERE originator_version = 6
"""
ZEROS = "UPDATE tourney_streams SET frontier = zeroblob(length(frontier))"


def change(day: Desk, statement: str) -> None:
    with closing(sqlite3.connect(day.folder / "tourney.db")) as store:
        store.execute("DROP TRIGGER tourney_no_update")
        store.execute(statement)
        store.commit()


@pytest.mark.slow
@pytest.mark.parametrize("statement", [LATER, ZEROS], ids=["a line", "the tree"])
def test_an_official_signs_for_no_other_lines(desk: Desk, statement: str) -> None:
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("key", "new", "pat")
    desk.done("note", "before", "--as", "o2")
    change(desk, statement)
    desk.forget_what_was_seen()
    answer = desk.refused("note", "after", "--as", "o2")
    assert answer.code == 4
    assert "the lines are different from those that were written" in answer.err
    desk.forget_what_was_seen()
    assert "damaged" in desk.refused("backup", "saved").err
    desk.forget_what_was_seen()
    desk.refused("verify")
