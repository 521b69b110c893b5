"""Several steps back, who waits behind a cut, the cut line, and who enters after the end."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from cli.desk import confirm_breaches
from cli.verbs.day import report
from tests.cli.desk.test_loop_verbs import Keyboard

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.fixture
def day(desk: Desk) -> Desk:
    """Six players, a round, and a cut to two to come."""
    desk.open(6, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    return desk


def test_several_acts_are_taken_back_and_each_is_said(day: Desk) -> None:
    before = day.done("standings", "--json").out
    for table in (1, 2, 3):
        day.done("report", str(table), f"#{day.seats(table)[0]}")
    told = day.done("undo", "2").err.splitlines()
    assert told[0].startswith("1 of 2: undoing: 1/3: ")
    assert told[1].startswith("2 of 2: undoing: 1/2: ")
    assert [game["result"] is None for game in day.done("pairings", "--json").json] == [
        False,
        True,
        True,
    ]
    day.done("undo", "1")
    assert day.done("standings", "--json").out == before
    assert "to undo" in day.refused("undo", "99").err
    assert day.type("undo", "none").code == 2


def results(day: Desk) -> list[bool]:
    """Return which tables have a result."""
    return [game["result"] is not None for game in day.done("pairings", "--json").json]


def test_several_acts_are_one_act(day: Desk) -> None:
    """One id, one answer; sent again with that id it changes nothing."""
    for table in (1, 2, 3):
        day.done("report", str(table), f"#{day.seats(table)[0]}")
    answer = day.done("undo", "2", "--id", "back-2", "--json")
    assert answer.json["id"] == "back-2"
    assert [each["id"] for each in answer.json["events"]] == ["back-2", "back-2.1"]
    assert "2 acts are undone, as one act" in answer.err
    assert results(day) == [True, False, False]
    log = day.log()
    assert day.done("undo", "2", "--id", "back-2", "--json").json == answer.json
    assert day.log() == log
    assert day.type("undo", "1", "--id", "back-2").code == 1, "another command has this id"
    assert day.log() == log


def test_a_single_undo_lands_once(day: Desk) -> None:
    for table in (1, 2):
        day.done("report", str(table), f"#{day.seats(table)[0]}")
    answer = day.done("undo", "--id", "back", "--json")
    assert day.done("undo", "--id", "back", "--json").json == answer.json
    assert results(day) == [True, False, False]


def test_none_is_taken_back_where_one_of_them_stays(day: Desk) -> None:
    day.done("report", "1", f"#{day.seats(1)[0]}")
    day.done("post", "pairings")
    day.done("report", "2", f"#{day.seats(2)[0]}")
    log = day.log()
    answer = day.type("undo", "3")
    assert answer.code == 1
    assert "a posted sheet stays on record" in answer.err
    assert "none of the 3 acts was undone" in answer.err
    assert day.log() == log
    refused = day.type("undo", "3", "--json")
    assert [each["code"] for each in refused.json["problems"]][-1] == "undo.none"
    assert results(day) == [True, True, False]


def test_a_rule_that_keeps_an_earlier_act_keeps_all(day: Desk) -> None:
    """Reports, a drop and a closed round: whatever of them a check refuses, none goes."""
    day.done("report", "1", f"#{day.seats(1)[0]}")
    day.done("drop", f"#{day.seats(1)[1]}")
    day.done("report", "2", f"#{day.seats(2)[0]}")
    size = len(day.log().splitlines())
    for steps in range(1, 9):
        log = day.log()
        answer = day.type("undo", str(steps))
        after = day.log()
        if answer.code:
            assert after == log
            continue
        added = [json.loads(line) for line in after.splitlines()[len(log.splitlines()) :]]
        assert len({each["id"].split(".")[0] for each in added}) == 1
    assert len(day.log().splitlines()) > size


def test_who_desists_takes_no_step_back(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (1, 2, 3):
        day.done("report", str(table), f"#{day.seats(table)[0]}")
    monkeypatch.setattr(confirm_breaches, "is_asked", lambda: True)
    answer = day.type("undo", "3", stdin="no\n")
    assert answer.code == 1
    assert "undo all 3 as one act? [y/N]" in answer.err
    assert results(day) == [True, True, True]
    day.done("undo", "3", stdin="y\n")
    assert results(day) == [False, False, False]


def test_the_cut_is_seen_and_who_waits_is_said(day: Desk) -> None:
    """FFG-CUT, FFG-CUT-REPLACE."""
    day.report_all()
    lines = day.done("standings").out.splitlines()
    assert [place for place, line in enumerate(lines) if "---" in line] == [3]
    assert len(day.done("standings", "--top", "3", "--json").json) == 3
    assert len(day.done("standings", "--top", "1").out.splitlines()) == 2
    ranked = [row["player"] for row in day.done("standings", "--json").json]
    answer = day.done("cut", "--json", "--id", "cut-1")
    assert [each["player"] for each in answer.json["seeds"]] == ranked[:2]
    assert answer.json["waiting"] == ranked[2:]
    assert "next in line for a free place: Player 0" in answer.err


def test_who_left_is_not_above_the_cut_line(day: Desk) -> None:
    """FFG-CUT, FFG-CUT-REPLACE: it lies below the last who is in, before the cut and after it."""
    day.report_all()
    ranked = [row["player"] for row in day.done("standings", "--json").json]
    day.done("drop", f"#{ranked[0]}")
    assert cut_lines(day) == [4], "the first has left: the second and third are in"
    day.done("cut")
    assert cut_lines(day) == [4]
    day.done("drop", f"#{ranked[1]}")
    day.done("cut", "accept", "next")
    assert cut_lines(day) == [5]


def cut_lines(day: Desk) -> list[int]:
    """Where the table of the standings has a line."""
    lines = day.done("standings").out.splitlines()
    return [place for place, line in enumerate(lines) if "---" in line]


def test_after_the_end_it_is_asked_who_enters(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    day.done("official", "add", "Pat", "--role", "marshal")
    one, other = day.seats(1)
    day.report_all()
    day.done("cut")
    day.done("pair")
    day.report_all()
    day.done("finish")
    monkeypatch.setattr(report, "is_asked", lambda: True)
    monkeypatch.setattr(sys, "stdin", Keyboard("pat\n"))
    answer = day.type("correct", "1/1", f"#{other}", "--reason", "misread", "--yes", stdin="kim\n")
    assert "play is closed: which official enters this? 1 Kim Larsen, 2 Pat:" in answer.err
    assert "corrected" in answer.err, answer.err
    assert one
