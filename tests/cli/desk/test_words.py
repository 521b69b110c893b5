"""What the desk answers where two things could be meant, and where a line says too much."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cli.render import codes
from cli.serve.ports import server
from ledger.errors import Refused
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Five players in a running round: 1 plays 2, 3 plays 4, 5 has the bye; a cut to two."""
    desk.open(5, "custom", "--rounds", "2", "--cut", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    tables = ("--table", "1", "2", "--table", "3", "4")
    desk.done("pair", *tables, "--reason", "a test")
    desk.done("round", "start")
    return desk


def test_who_sits_already_is_told_that_alone(day: Desk) -> None:
    """FFG-REJOIN: where the free seat is, is no matter of who has one."""
    assert (
        day.refused("late", "1").err
        == "tourney: Player 01 (#1) already sits at 1/1 (FFG-SWISS-LATER)\n"
    )


def test_two_who_left_are_told_so_in_every_table(day: Desk) -> None:
    day.done("drop", "#1", "#2")
    assert "neither won 1-1 (both left)" in day.done("pairings").out
    assert "(both left)" in day.done("log").out


def test_how_it_ended_is_said_once(day: Desk) -> None:
    """FFG-CONCEDE: "by concession" says who gave up, as the other one won."""
    answer = day.done("report", "1", "#1", "--ended", "conceded")
    assert "beat Player 02 (#2) 10-1 by concession\n" in answer.err
    assert "[lost card]" in day.done("report", "2", "#3", "--ended", "lost-card").err
    assert "conceded" not in day.done("log").out


def test_what_is_taken_back_is_not_taken_back_once_more(day: Desk) -> None:
    day.done("report", "1", "#1")
    day.done("report", "2", "#3")
    day.done("undo")
    log = day.log()
    for _ in range(2):
        answer = day.refused("undo")
        assert "already undone; `undo 1` undoes the one before: 1/1: " in answer.err
    assert day.log() == log
    day.done("undo", "1")
    assert day.done("pairings", "--json").json[0]["result"] is None


def test_nothing_is_left_to_take_back(desk: Desk) -> None:
    desk.done("new", "Library Night", "--ruleset", "l5r")
    desk.done("register", "Ann")
    desk.done("undo")
    assert "already undone" in desk.refused("undo").err


@pytest.mark.parametrize("risk", ["500%", "0%", "-1", "x", "51%", "0.6"])
def test_a_risk_is_read_before_the_tables(day: Desk, risk: str) -> None:
    """Tables without a result are said to who asked for an audit that there can be."""
    assert "--risk must be a share" in day.refused("audit", "--slips", f"--risk={risk}").err
    assert "--risk must be a share" in day.refused("audit", "begin", f"--risk={risk}").err


def test_the_cut_that_is_asked_about_is_chosen_by_its_stage(day: Desk) -> None:
    day.report_all()
    day.done("pair")
    day.report_all()
    said = day.done("audit", "--margin").out
    assert day.done("audit", "--margin", "--stage", "2").out == said
    assert day.done("audit", "--slips", "--stage", "2", "--json").json["stage"] == 2
    assert (
        "stage 3 does not follow a cut by the standings; 2 can be used"
        in day.refused("audit", "--margin", "--stage", "3").err
    )
    assert (
        "stage 1 does not follow a cut by the standings; 2 can be used"
        in day.refused("audit", "begin", "--stage", "1").err
    )
    assert "--stage needs --slips or --margin" in day.refused("audit", "--stage", "2").err


def test_a_ruling_that_was_taken_back_stays_in_the_story(day: Desk) -> None:
    """FFG-RULING: who was ruled against once wants to read it."""
    day.done("report", "1", "#1", "--for", "1")
    day.done("report", "1", "#2", "--for", "2")
    day.done("rule", "1", "for one", "--as", "pat", "--stands")
    day.done("appeal", "1", "--for", "2", "--reason", "both slips")
    day.done("appeal", "withdraw", "1", "--for", "2", "--reason", "no")
    day.done("rule", "withdraw", "1", "the wrong table", "--as", "pat")
    day.done("rule", "1", "for two", "--as", "pat", "--result", "#2")
    said = day.done("disputes", "--all").out
    places = [said.index(each) for each in ("for one", "both slips", "the wrong table", "for two")]
    assert places == sorted(places)
    events = day.done("disputes", "--all", "--json").json[0]["events"]
    assert len(events) == len(set(events)) == 7


def test_a_code_that_is_too_wide_says_so(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    day.done("report", "1", "#1")
    assert "█" in day.done("receipt", "1").out
    monkeypatch.setenv("COLUMNS", "60")
    assert "█" in day.done("receipt", "1").out, "to a file or a pipe it goes as it is"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    said = codes.too_narrow("█" * 77)
    assert said == "this terminal is 60 columns wide, and the code needs 77: make it wider"
    assert codes.too_narrow("█" * 60) == ""
    for room, wide in ((37, 37), (36, 35), (35, 35), (34, 35)):  # a code of 33 modules
        monkeypatch.setenv("COLUMNS", str(room))
        assert len(codes.terminal_code(b"x" * 60).decode().splitlines()[0]) == wide
    address = "http://192.168.178.20:8600/"
    assert "█" in server.lines_for([address])[0]
    monkeypatch.setenv("COLUMNS", "20")
    assert server.lines_for([address])[0].endswith("make it wider to see it")


def test_a_receipt_is_not_drawn_too_wide(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    day.done("report", "1", "#1")
    monkeypatch.setattr(codes, "too_narrow", lambda _: "too narrow: make it wider")
    answer = day.refused("receipt", "1")
    assert answer.err == "tourney: too narrow: make it wider, or write the receipt with -o FILE\n"
    day.done("receipt", "1", "-o", "one.tlog-proof")
    assert Refused.exit_code == answer.code
