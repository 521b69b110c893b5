"""`note`: a remark on record, by any official at any time; it decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.office import NoteTaken
from tests.support.cli_desk import typed_once
from tests.support.forging import against
from tests.support.simulate import Day

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

ABOUT_ANN, ABOUT_THE_TABLE, ABOUT_THE_DAY = "Annika kam zu spät", "beide Uhren", "Saal dunkel"


@typed_once
def day(desk: Desk) -> Desk:
    """Ann and Bob at table 1, Cas and Dee at table 2; Pat is a judge, Sue keeps the scores."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    names = ("Ann Leverkusen", "Bob Ray", "Cas Dor", "Dee Fox")
    desk.done("register", "--file", "-", stdin="\n".join(["name", *names]) + "\n")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Sue Low", "--role", "scorekeeper")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    return desk


@pytest.fixture
def noted(day: Desk) -> Desk:
    """One note of each kind, the first two by Pat."""
    day.done("note", "ann", ABOUT_ANN, "--as", "pat")
    day.done("note", "1/1", ABOUT_THE_TABLE, "--as", "pat")
    day.done("note", ABOUT_THE_DAY)
    return day


@pytest.mark.slow
def test_notes_are_listed_and_shown_where_they_belong(noted: Desk) -> None:
    listed = noted.done("note", "--json").json
    assert [(each["by"], each["match"], each["player"], each["text"]) for each in listed] == [
        ("o2", None, 1, ABOUT_ANN),
        ("o2", 1, None, ABOUT_THE_TABLE),
        ("o1", None, None, ABOUT_THE_DAY),
    ]
    table = noted.done("note")
    assert "3 notes" in table.err
    log = noted.done("log").out
    assert f"note on Ann Leverkusen (#1): {ABOUT_ANN}" in " ".join(log.split())
    audit = noted.done("audit").out
    for text in (ABOUT_ANN, ABOUT_THE_TABLE, ABOUT_THE_DAY):
        assert all(text in " ".join(shown.split()) for shown in (table.out, log, audit))
    assert noted.done("audit", "--json").json["notes"] == listed
    story = noted.done("match", "1/1").out
    assert ABOUT_THE_TABLE in story
    assert ABOUT_THE_DAY not in story
    assert ABOUT_THE_TABLE not in noted.done("match", "1/2").out


def test_the_page_of_the_audit_tells_them_escaped(day: Desk) -> None:
    day.done("note", "<b>\x1b[31mred")
    day.done("audit", "--html", "audit.html")
    page = (day.folder / "audit.html").read_text("utf-8")
    assert "&lt;b&gt;\\u{1b}[31mred" in page


@pytest.mark.slow
def test_any_official_may_at_any_time_and_no_player(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("note", "the hall opened late")
    for role in ("judge", "marshal", "scorekeeper"):
        desk.done("official", "add", f"A {role}", "--role", role)
        desk.done("note", "seen", "--as", role)
    desk.done("register", "--file", "-", stdin="name\nAnn Lee\nBob Ray\n")
    assert "is reserved for officials" in desk.refused("note", "x", "--as", "p1").err
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    desk.done("note", "1/1", "a spectator wrote later", "--as", "judge")
    assert "5 notes" in desk.done("note").err
    assert "undoing: note on 1/1" in desk.done("undo", "--as", "judge").err
    assert "4 notes" in desk.done("note").err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["ann", "left", "early"], 2, "one text in quotes"),
        (["  "], 2, "one text in quotes"),
        (["1", "slow"], 2, "a table or a player? type R/1 for the table, #1 for the player"),
        (["1/9", "slow"], 3, "no table 9"),
        (["nobody", "slow"], 3, "nobody"),
        (["x" * 1_001], 1, "at most 1,000 characters"),
    ],
)
def test_what_is_no_note_is_refused(day: Desk, words: list[str], code: int, told: str) -> None:
    answer = day.refused("note", *words)
    assert answer.code == code
    assert told in answer.err


def test_forged_notes_are_refused() -> None:
    day = Day(2)
    day.start(1)
    day.pair()
    for event, problem in (
        (NoteTaken(" "), "must not be empty"),
        (NoteTaken("x", match=9), "no match 9"),
        (NoteTaken("x", player=9), "player 9 is not in the tournament"),
        (NoteTaken("x", match=1, player=1), "about a match or a player"),
    ):
        assert problem in against(day, event)
    assert against(day, NoteTaken("x", match=1)) == ""


def test_notes_are_sealed_and_go_with_whom_they_are_about(noted: Desk) -> None:
    """A note on a match is about both who play it, and is kept until the end for the other one."""
    log = noted.log()
    assert not any(text in log for text in (ABOUT_ANN, ABOUT_THE_TABLE, ABOUT_THE_DAY))
    assert log.count('"type":"NoteTaken"') == 3
    noted.done("forget", "ann", "--yes")
    told = [each["text"] for each in noted.done("note", "--json").json]
    assert told == ["(forgotten)", ABOUT_THE_TABLE, ABOUT_THE_DAY]
    assert noted.log().startswith(log)
