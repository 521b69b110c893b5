"""`check-in`, `requests` and `call` at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

HOSTILE = "<b>Zoe</b>\x1b[31m Quinnowska"


@typed_once
def day(desk: Desk) -> Desk:
    """Four players before the start, whose check-in is open, two of them here."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("check-in", "open")
    desk.done("check-in", "1", "2")
    return desk


def test_the_list_names_the_absent_first(day: Desk) -> None:
    answer = day.done("check-in")
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == ["3", "4", "1", "2"]
    assert "check-in is open: 2 of 4 players checked in" in answer.err
    rows = day.done("check-in", "--json").json
    assert [each["here"] for each in rows] == [False, False, True, True]


def test_pair_says_who_is_absent_and_pairs_all_the_same(day: Desk) -> None:
    answer = day.done("pair", "--json")
    assert [each["player"] for each in answer.json["absent"]] == [3, 4]
    assert "not checked in: Player 03 (#3), Player 04 (#4)" in answer.err
    assert "no check-in is open" in day.done("check-in").err
    assert day.done("check-in", "--json").json == []


def test_a_player_says_so_at_a_desk_of_their_own(day: Desk) -> None:
    day.done("check-in", "close")
    answer = day.refused("check-in", "open")
    assert "the check-in before the next pairing is closed" in answer.err
    assert "`undo`" in answer.err
    day.done("undo")
    assert "Player 03 (#3) checked in" in day.done("check-in", "3", "--as", "p3").err
    assert "can check in only themselves" in day.refused("check-in", "4", "--as", "p3").err
    day.done("check-in", "close")
    assert "report to the desk" in day.refused("check-in", "4", "--as", "p4").err
    assert "check-in is closed" in day.done("check-in").err


def test_a_badge_is_scanned_in_place_of_a_name(day: Desk) -> None:
    (badge,) = day.done("links", "print", "3", "--json").json["links"]
    assert "Player 03 (#3) checked in" in day.done("check-in", badge["address"]).err
    day.done("links", "new", "3")
    assert "has been replaced" in day.refused("check-in", badge["address"]).err
    secret = badge["address"].partition("#")[2]
    assert secret not in day.log()


def test_who_asks_is_registered_by_the_desk(day: Desk) -> None:
    day.done("requests", "add", "Xenia Ode", "--faction", "Crane")
    (waiting,) = day.done("requests", "--json").json
    assert (waiting["name"], waiting["faction"]) == ("Xenia Ode", "Crane")
    day.done("requests", "approve", str(waiting["request"]))
    assert day.done("requests", "--json").json == []
    assert "Xenia Ode" in day.done("list").out
    assert day.type("requests", "approve", "x").code == 2


def test_a_name_that_is_refused_is_destroyed(day: Desk) -> None:
    """In cipher while it waits, and shown safely; then nobody reads it any more."""
    day.done("requests", "add", HOSTILE)
    assert b"Quinnowska" not in (day.folder / "tourney.db").read_bytes()
    shown = day.done("requests").out
    assert "<b>Zoe</b>\\u{1b}[31m Quinnowska" in shown
    seq = day.done("requests", "--json").json[0]["request"]
    day.done("requests", "refuse", str(seq), "--reason", "the room is full")
    log = day.done("log").out
    assert "Quinnowska" not in log
    assert "(forgotten)" in log
    assert "the room is full" in log


def test_why_a_link_ended_goes_with_whom_it_let_in(day: Desk) -> None:
    day.done("links", "print", "1", "2")
    day.done("links", "revoke", "1", "--reason", "the badge of Quinnowska was lost")
    day.done("links", "revoke", "2", "--reason", "another badge")
    day.done("forget", "1")
    log = day.done("log").out
    assert "Quinnowska" not in log
    assert "another badge" in log


def test_who_is_registered_and_forgotten_is_gone_as_who_asked_too(day: Desk) -> None:
    day.done("requests", "add", "Zoe Quinnowska")
    seq = day.done("requests", "--json").json[0]["request"]
    day.done("requests", "approve", str(seq))
    day.done("forget", "5")
    assert "Quinnowska" not in day.done("log").out


def test_calls_wait_until_an_official_goes(day: Desk) -> None:
    day.done("pair")
    player = day.seats(1)[0]
    day.done("call", "1", "is this in the rules?", "--as", f"p{player}")
    day.done("call", "2")
    waiting = day.done("call", "--json").json
    assert [(each["table"], each["player"]) for each in waiting] == [(1, player), (2, None)]
    assert "2 open calls; to answer one: `call answer TABLE --as JUDGE`" in day.done("call").err
    day.done("call", "answer", "1")
    assert len(day.done("call", "--json").json) == 1
    assert "there is no open call" in day.refused("call", "answer", "1/1").err
    assert "calls a judge to table 1/1: is" in day.done("match", "1/1").out


def test_the_desk_is_told_that_the_check_in_is_closed(day: Desk) -> None:
    """After it is closed the desk alone checks in, and sees that it does so late."""
    late = "the check-in is closed: only the desk still checks players in"
    assert late not in day.done("check-in", "3").err
    day.done("check-in", "close")
    assert late in day.done("check-in", "4").err
    assert late not in day.done("check-in", "4").err
    assert [each["here"] for each in day.done("check-in", "--json").json] == [True] * 4


def test_nobody_checks_in_before_it_opens(desk: Desk) -> None:
    desk.open(4)
    assert "no check-in is open; use `check-in open`" in desk.refused("check-in", "1").err


def test_no_open_call_needs_no_answer(desk: Desk) -> None:
    desk.open(2, "custom", "--rounds", "1")
    assert desk.done("call").err == "0 open calls\n"
