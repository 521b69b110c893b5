"""Rulings at the desk: what they decide is asked for until the book says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Players 1 and 2 at table 1, 3 and 4 at table 2; Pat is a judge, Mara a marshal."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Mara Low", "--role", "marshal")
    by_hand = ("--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("pair", *by_hand)
    return desk


@pytest.mark.slow
def test_a_second_dispute_is_refused_in_one_line(day: Desk) -> None:
    """Whoever says it, and whatever they claim: the first one comes first."""
    day.done("report", "1", "#1", "--for", "1")
    day.done("dispute", "1", "#2", "--for", "2")
    day.done("report", "2", "#3", "--for", "3")
    day.done("dispute", "2", "--for", "4")
    for words, told in (
        ("1 #2 --for 1", "only the opponent or the desk can dispute"),
        ("2 #3 --for 3", "only the opponent or the desk can dispute"),
        ("1 #1 --for 2", "only one open dispute"),
        ("1 #1 --as pat", "only one open dispute"),
    ):
        assert told in day.refused("dispute", *words.split()).err
    assert (
        "only the opponent or the desk can confirm" in day.refused("confirm", "1", "--for", "1").err
    )


@pytest.mark.slow
def test_a_correction_without_a_reason_names_the_ruling_that_waits(day: Desk) -> None:
    day.done("report", "1", "#1")
    assert "needs --reason" in day.refused("correct", "1", "#2").err
    day.done("dispute", "1", "#2", "--for", "2")
    assert "Pat Jones can rule" in day.refused("correct", "1", "#2").err
    day.done("rule", "1", "the slip", "--result", "#2", "--as", "pat")
    told = day.refused("correct", "1", "#2")
    assert (told.code, told.err) == (
        1,
        "tourney: 1/1 is ruled on, not yet entered: `correct --ruling 1/1` (FFG-RULING)\n",
    )
    assert (
        "not the decision of ruling"
        in day.refused("correct", "1", "#2", "modified", "--ruling", "1/1").err
    )
    day.done("correct", "1", "#2", "--ruling", "1/1")  # the ruling says why
    assert day.done("match", "1", "--json").json["story"][-1]["data"]["reason"] == "the slip"


def test_a_recommendation_is_shown_until_the_organizer_has_decided(day: Desk) -> None:
    """FFG-AUTH-DQ: it stood in the log alone, and the day could end without a word of it."""
    advised = day.done("recommend", "3", "--reason", "two decks", "--as", "mara")
    assert (
        'the organizer decides on Player 03 (#3): `disqualify "Player 03" --reason' in advised.err
    )
    day.done("recommend", "4", "--reason", "three decks", "--clause", "other: X-2", "--as", "mara")
    listed = day.done("recommend", "--json").json
    assert [(each["player"], each["reason"], each["state"]) for each in listed] == [
        (3, "two decks", "to decide"),
        (4, "three decks", "to decide"),
    ]
    assert "three decks" in day.done("recommend").out
    day.done("disqualify", "4", "--reason", "three decks")
    assert [each["state"] for each in day.done("recommend", "--json").json] == [
        "to decide",
        "disqualified",
    ]
    found = day.done("audit", "--json").json["findings"]
    (left,) = [each for each in found if each["kind"] == "undecided"]
    assert (left["players"], left["reason"], left["seqs"]) == ([3], "two decks", [listed[0]["seq"]])
    day.done("start", "custom", "--rounds", "1", "--reason", "the hall closes")
    last = day.done("report", "1", "#1")
    assert "next: finish; 1 recommended disqualification to decide first: `recommend`" in last.err
    assert "the organizer decides on Player 03" in day.done("finish").err
    day.done("disqualify", "3", "--reason", "two decks")
    assert '"undecided"' not in day.done("audit", "--json").out


def test_a_recommendation_that_was_taken_back_asks_for_nothing(day: Desk) -> None:
    day.done("recommend", "3", "--reason", "two decks", "--as", "mara")
    day.done("undo", "--as", "mara")
    assert day.done("recommend", "--json").json == []
    assert '"undecided"' not in day.done("audit", "--json").out


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_a_ruling_on_what_nobody_disputed_is_asked_for(day: Desk, closed: bool) -> None:  # noqa: FBT001
    """FFG-RULING: the log had it, and every line of the day went on as if it had not been made."""
    day.done("report", "1", "#1")
    day.done("report", "2", "#3")
    if closed:
        day.done("start", "custom", "--rounds", "1", "--reason", "the hall closes")
        day.done("finish")
    ruled = day.done("rule", "1", "says 2", "--result", "#2", "--clause", "other:X", "--as", "pat")
    assert "1/1 is ruled on, not yet entered: `correct --ruling 1/1`" in ruled.err
    (opened,) = day.done("disputes", "--json").json
    assert (opened["unasked"], opened["state"]) == (True, "correction due")
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
        assert f"1/1 has a ruling (event {event})" in day.refused("pair").err
    day.done("correct", "--ruling", "1/1")
    (shown,) = day.done("rule", "--json").json
    assert not shown["due"]
    assert "nothing is disputed" in day.done("disputes").err
    assert "result not settled" not in day.done("audit").out


def test_a_review_that_nobody_made_is_not_forgotten(day: Desk) -> None:
    """FFG-ROLE-JUDGE: a ruling on no result holds nothing up, whoever asked for its review."""
    day.done("rule", "1", "the card stays", "--as", "pat", "--player", "1", "--review")
    day.done("rule", "2", "so does that", "--as", "pat")
    day.done("appeal", "1/2", "--for", "3")
    found = day.done("audit", "--json").json["findings"]
    waiting = [each for each in found if each["kind"] == "unreviewed"]
    assert [(each["match"], len(each["seqs"])) for each in waiting] == [(1, 1), (2, 2)]
    day.done("start", "custom", "--rounds", "1", "--reason", "the hall closes")
    day.done("report", "2", "#3")
    last = day.done("report", "1", "#1")
    assert "next: finish; 2 rulings to review first: `rule`" in last.err
    day.done("review", "1/1", "it does", "--upheld", "--as", "mara")
    reviewed = day.done("review", "1/2", "it does not", "--overturned", "--as", "mara")
    assert "to review" not in reviewed.err
    assert '"unreviewed"' not in day.done("audit", "--json").out


@pytest.mark.slow
def test_what_a_bracket_that_went_on_bars_is_said(desk: Desk) -> None:
    """The result is ruled on; `correct` would be refused, so it is not what to type next."""
    desk.open(4, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    loser = desk.seats(1)[1]
    desk.done("pair")
    ruled = desk.done("rule", "2/1", "the slip", "--result", f"#{loser}")
    desk.report_all()
    barred = "2/1 is ruled on, but the winner of 2/1 can no longer change"
    assert (
        f"{barred}: the next round of the bracket is paired; use `unpair`"
        in desk.done("disputes").err
    )
    desk.done("finish", "--despite-dispute", "--reason", "the final is played")
    assert f"{barred}: the next round of the bracket is paired" in desk.done("disputes").err
    assert "corrected" not in ruled.err


def test_each_decision_takes_its_reason_by_one_option(day: Desk) -> None:
    """The log has one text: the decision with the reason behind it, or the reason alone."""
    day.done("report", "1", "#1")
    day.done("dispute", "1", "--for", "2")
    day.done("rule", "1", "it stands", "--reason", "the slip says so", "--stands", "--as", "pat")
    day.done("rule", "0", "--reason", "the hall is loud", "--as", "pat")
    texts = [each["ruling"] for each in day.done("rule", "--json").json]
    assert sorted(texts) == ["it stands: the slip says so", "the hall is loud"]
    day.done("appeal", "1/1", "--for", "2")
    reviewed = day.done("review", "1/1", "--upheld", "--reason", "both slips", "--as", "mara")
    assert "both slips" in reviewed.err
    seq = next(
        each["seq"]
        for each in day.done("rule", "--json").json
        if each["ruling"] == "the hall is loud"
    )
    withdrawn = day.done("rule", "withdraw", str(seq), "--reason", "a fan was on", "--as", "pat")
    assert "withdrew ruling" in withdrawn.err
    assert "a fan was on" in withdrawn.err


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("penalty 3 warning --reason slow --as mara", "Mara Low"),
        ("penalty 3 warning --for-what slow --as mara", "Mara Low"),
        ("conduct 3 stalling --remedy warned --reason slow --as mara", "Mara Low"),
        ("recommend 3 --reason slow --as mara", "Mara Low"),
        ("disqualify 3 --reason slow", "Kim Larsen"),
    ],
)
def test_a_decision_about_a_player_names_who_made_it(day: Desk, line: str, name: str) -> None:
    assert f": slow (by {name})" in day.done(*line.split()).err


def test_without_a_name_the_organizer_gives_a_penalty(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    given = desk.done("penalty", "3", "warning", "--reason", "slow")
    assert "Player 03 (#3): warning: slow (by Kim Larsen)" in given.err
