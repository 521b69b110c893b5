"""Rulings at the desk: what they decide is asked for until the book says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli_desk import Desk


@pytest.fixture
def day(desk: Desk) -> Desk:
    """Players 1 and 2 at table 1, 3 and 4 at table 2; Pat is a judge, Mara a marshal."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "Pat Jones", "--role", "judge")
    desk.done("official", "Mara Low", "--role", "marshal")
    by_hand = ("--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("pair", *by_hand)
    return desk


@pytest.mark.parametrize("closed", [False, True])
def test_a_ruling_on_what_nobody_disputed_is_asked_for(day: Desk, closed: bool) -> None:  # noqa: FBT001
    """FFG-RULING: the log had it, and every line of the day went on as if it had not been made."""
    day.done("report", "1", "#1")
    day.done("report", "2", "#3")
    if closed:
        day.done("start", "custom", "--rounds", "1", "--change", "--reason", "the hall closes")
        day.done("finish")
    ruled = day.done("rule", "1", "says 2", "--result", "#2", "--clause", "X-1", "--as", "pat")
    assert "1/1 is ruled on: `correct --ruling 1/1` enters it" in ruled.err
    listed = day.done("disputes")
    event = day.done("log", "--json").out.splitlines()[-1].split(",")[0].removeprefix('{"seq":')
    assert f"ruling {event}: Player 02" in " ".join(listed.out.split())
    assert "correct --ruling 1/1" in listed.err
    rulings = " ".join(day.done("rule").out.split())
    assert "Player 02 (#2) beat" in rulings
    assert "correction due" in rulings
    (shown,) = day.done("rule", "--json").json
    assert (shown["due"], shown["decides"]["outcomes"]) == (True, ["loss", "win"])
    assert "result not settled at 1/1" in day.done("audit").out
    if not closed:
        assert f"1/1 is ruled on (event {event})" in day.refused("pair").err
    day.done("correct", "--ruling", "1/1")
    (shown,) = day.done("rule", "--json").json
    assert not shown["due"]
    assert "nothing is disputed" in day.done("disputes").err
    assert "result not settled" not in day.done("audit").out
