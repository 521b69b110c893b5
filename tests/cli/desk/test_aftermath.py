"""What a correction, an undo or a swap says besides: what it replaced and what follows."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import pytest

from ledger.facts.base import Event
from ledger.facts.vocabulary import EVENTS
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def paired(desk: Desk) -> Desk:
    """Six players at three tables."""
    desk.open(6, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    return desk


def correct(desk: Desk, table: int, *words: int | str) -> str:
    typed = [f"#{word}" if isinstance(word, int) else word for word in words]
    return desk.done("correct", f"1/{table}", *typed, "--reason", "misread").err


@pytest.mark.slow
def test_a_correction_says_what_it_replaced(paired: Desk) -> None:
    first, second = paired.seats(1)
    paired.done("report", "1", f"#{first}")
    said = correct(paired, 1, second)
    assert f"was: Player {first:02} (#{first}) beat Player {second:02} (#{second}) 10-1" in said
    said = correct(paired, 1, second, "modified")
    assert f"was: Player {second:02} (#{second}) beat" in said
    assert "was:" not in correct(paired, 1, second, "modified")


def test_a_corrected_no_show_is_still_dropped(paired: Desk) -> None:
    first, second = paired.seats(1)
    paired.done("report", "1", "no-show", f"#{second}")
    said = correct(paired, 1, second)
    assert f"Player {second:02} (#{second}) is still dropped: `rejoin {second}`" in said
    paired.done("rejoin", str(second))
    assert "still dropped" not in correct(paired, 1, first)


def test_a_no_show_is_put_right_after_other_acts(paired: Desk) -> None:
    first, second = paired.seats(1)
    paired.done("report", "1", f"#{first}")
    paired.done("report", "2", f"#{paired.seats(2)[0]}")
    said = correct(paired, 1, "no-show", first)
    assert (
        f"Player {second:02} (#{second}) beat Player {first:02} (#{first}) 10-1 (no-show)" in said
    )
    assert f"Player {first:02} (#{first}) is still active: `drop {first} --no-show` if they" in said
    assert f"drop {second}" not in said
    paired.done("drop", str(first), "--no-show")
    said = correct(paired, 1, "no-show", second, first)
    assert f"`drop {second} --no-show`" in said
    assert f"`drop {first} --no-show`" not in said
    told = paired.done("match", "1/1").out
    assert f"neither Player {first:02} (#{first}) nor Player {second:02}" in told


def test_a_no_show_that_was_ruled_leaves_the_player_in(paired: Desk) -> None:
    first, _ = paired.seats(1)
    paired.done("report", "1", f"#{first}")
    ruled = ("rule", "1", "nobody sat there", "--result", f"no-show #{first}")
    assert f"(#{first}) is still active: `drop {first} --no-show`" in paired.done(*ruled).err


@pytest.mark.slow
def test_what_was_posted_is_to_be_posted_again(paired: Desk) -> None:
    one, other = paired.seats(1)[0], paired.seats(2)[0]
    swap = ("swap", f"#{one}", f"#{other}", "--reason", "one car")
    assert "posted" not in paired.done(*swap).err
    paired.done("post", "pairings")
    answer = paired.done(*swap)
    assert "posted pairings of round 1 are out of date: `post pairings` again" in answer.err
    assert "posted" not in paired.done("undo").err  # what hangs there is right again
    paired.done(*swap)
    assert [line.split()[0] for line in answer.out.splitlines()] == ["table", "1", "2"]
    assert "out of date" in paired.done("unpair").err
    paired.done("pair")
    paired.report_all()
    second = paired.seats(1)[1]
    assert "posted" not in correct(paired, 1, second)
    paired.done("post", "standings")
    first = paired.seats(1)[0]
    assert "`post standings` again" in correct(paired, 1, first)
    assert "posted" not in correct(paired, 1, second)
    assert "`post standings` again" in correct(paired, 1, first)
    paired.done("post", "standings")
    assert "`post standings` again" in correct(paired, 1, second)


def test_a_cut_that_would_now_be_another(paired: Desk) -> None:
    paired.report_all()
    rows = [row["player"] for row in paired.done("standings", "--json").json]
    paired.done("cut")
    table = next(each for each in (1, 2, 3) if rows[0] in paired.seats(each))
    loser = next(each for each in paired.seats(table) if each != rows[0])
    said = correct(paired, table, loser)
    now = [row["player"] for row in paired.done("standings", "--json").json][:2]
    assert all(f"(#{each})" in said for each in now if each not in rows[:2])
    assert f"not Player {rows[0]:02}" in said
    assert "`cut take-back --reason" in said
    assert paired.refused("cut", "take-back").code == 2
    paired.done("cut", "take-back", "--reason", "a result was corrected")
    seeds = paired.done("cut", "--json").json["seeds"]
    assert [each["player"] for each in seeds] == now
    paired.done("pair")
    assert "`unpair`, then" in correct(paired, table, rows[0])


def test_after_the_finish_a_correction_warns(paired: Desk) -> None:
    paired.report_all()
    paired.done("cut")
    paired.done("pair")
    paired.report_all()
    paired.done("finish")
    said = correct(
        paired, 1, paired.done("pairings", "--round", "1", "--json").json[0]["players"][1]
    )
    assert "places may have changed" in said
    assert "earlier exports are out of date" in said


def test_undo_says_in_words_what_it_takes_back(paired: Desk) -> None:
    first, second = paired.seats(1)
    paired.done("report", "1", f"#{first}")
    said = paired.done("undo").err
    told = f"1/1: Player {first:02} (#{first}) beat Player {second:02} (#{second}) 10-1"
    assert f"undoing: {told}" in said


def test_where_undo_can_not_help_it_says_what_does(paired: Desk) -> None:
    first, second = paired.seats(1)
    paired.done("report", "1", f"#{first}")
    correct(paired, 1, second)
    assert "use `correct" in paired.refused("undo").err
    paired.done("post", "pairings")
    assert "use `post pairings`" in paired.refused("undo").err


def test_a_disqualification_that_was_a_mistake_is_undone_in_words(paired: Desk) -> None:
    paired.done("disqualify", "1", "--reason", "marked cards")
    said = paired.done("undo").err
    assert said.startswith("undoing: ")
    assert "Player 01 (#1) disqualified: marked cards" in said


def test_who_declined_a_place_is_not_offered_it_again(paired: Desk) -> None:
    paired.report_all()
    rows = [row["player"] for row in paired.done("standings", "--json").json]
    paired.done("cut")
    paired.done("drop", str(rows[0]))
    paired.done("cut", "decline", str(rows[2]))
    paired.done("cut", "accept", str(rows[3]))
    table = next(each for each in (1, 2, 3) if rows[2] in paired.seats(each))
    assert f"(#{rows[2]}), not" not in correct(paired, table, rows[2], "modified")


def test_an_accepted_place_is_not_undone_and_the_remedy_works(paired: Desk) -> None:
    paired.report_all()
    rows = [row["player"] for row in paired.done("standings", "--json").json]
    paired.done("cut")
    paired.done("drop", str(rows[0]))
    paired.done("cut", "accept", "next")
    said = paired.refused("undo").err
    assert (
        "cannot be undone: if the player leaves, the next one is asked; use `drop PLAYER`" in said
    )
    assert f"ask Player {rows[3]:02} (#{rows[3]})" in paired.done("drop", str(rows[2])).err
    paired.done("cut", "decline", "next")
    assert "the answer is final" in paired.refused("undo").err


def test_an_opening_is_named_as_it_was_typed(desk: Desk) -> None:
    desk.open(0)
    said = desk.refused("undo").err
    assert "opening a tournament (event 1), cannot be undone: its log is permanent" in said
    assert "`new NAME --ruleset GAME`" in said


@pytest.mark.parametrize("kind", sorted(EVENTS.values(), key=attrgetter("__name__")))
def test_an_act_that_undo_refuses_has_a_remedy_or_a_reason(kind: type[Event]) -> None:
    recording = kind.recording
    is_undone = recording.withdrawable or kind.reversal is not Event.reversal
    assert is_undone or recording.instead or recording.stays


def test_a_late_correction_points_to_the_repair(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "3")
    desk.done("pair")
    first, second = desk.seats(1)
    for table in (1, 2, 3):
        desk.done("report", str(table), f"#{desk.seats(table)[0]}")
    assert "`repair-round`" not in correct(desk, 1, second)
    correct(desk, 1, first)
    desk.done("pair")
    pointer = "round 2 was paired before this: `repair-round` shows what can be done\n"
    assert pointer in correct(desk, 1, second)
    assert pointer not in correct(desk, 1, second)
    desk.done("repair-round")
    desk.report_all()
    assert pointer not in correct(desk, 1, first)


def test_after_the_end_nobody_plays_on(paired: Desk) -> None:
    paired.done("drop", "1")
    assert "6 players, 5 playing on" in paired.done("list").err
    paired.report_all()
    paired.done("start", "custom", "--rounds", "1", "--reason", "the hall closes")
    paired.done("finish")
    assert "6 players, 5 stayed to the end" in paired.done("list").err


def test_before_the_start_there_is_no_table_to_compare(paired: Desk) -> None:
    assert "the table of stage 1 before, no table after" in paired.done("diff", "now", "5").err


def test_who_missed_the_cut_stayed_to_the_end(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "2")
    for verbs in (("pair",), ("round", "start")):
        desk.done(*verbs)
    desk.report_all()
    desk.done("drop", "1")
    desk.done("cut")
    desk.done("pair")
    desk.done("round", "start")
    assert "6 players, 2 playing on" in desk.done("list").err
    desk.report_all()
    desk.done("finish")
    assert "6 players, 5 stayed to the end" in desk.done("list").err
    assert "6 players, 5 stayed to the end" in desk.done().out
