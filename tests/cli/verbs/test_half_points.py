"""Points that are counted in halves, as in chess: typed, said, and on every table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rulesets import load
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

DRAWS = ("½-½", "0.5-0.5", "0,5:0,5", "1/2-1/2", "draw")


@typed_once
def paired(desk: Desk) -> Desk:
    """Four players of chess, at two tables."""
    desk.done("new", "City Open", "--ruleset", "fide", "--organizer", "Olga Org")
    for name, rated in {"Ann": "2100", "Bob": "1900", "Cyd": "1800", "Dee": "0"}.items():
        desk.done("register", name, "--attribute", f"rating={rated}")
    desk.done("start", "custom", "--rounds", "3")
    desk.done("pair")
    return desk


@pytest.mark.parametrize("typed", DRAWS)
def test_a_draw_is_half_a_point_each(paired: Desk, typed: str) -> None:
    answer = paired.done("report", "1", typed)
    assert " drew ½-½" in answer.err
    assert "draw ½-½" in paired.done("pairings").out
    assert [row["points"] for row in paired.done("standings", "--json").json] == [1, 1, 0, 0]


@pytest.mark.parametrize(("typed", "winner"), [("1-0", 0), ("1:0", 0), ("0-1", 1), ("0.0-1.0", 1)])
def test_a_win_is_one_point(paired: Desk, typed: str, winner: int) -> None:
    seated = paired.seats(1)
    answer = paired.done("report", "1", typed)
    assert f"(#{seated[winner]}) beat " in answer.err
    assert " 1-0" in answer.err
    assert f"has a {('win', 'loss')[winner]}, {('1-0', '0-1')[winner]}" in (
        paired.type("report", "1", "draw").err
    )


def test_lines_of_the_loop_take_them_too(paired: Desk) -> None:
    answer = paired.done("report", stdin="1 ½-½\n2 0-1\n")
    assert "drew ½-½" in answer.out
    assert " 1-0" in answer.out


@pytest.mark.parametrize("typed", ["2-0", "1-1", "1.5-0", "0-0", "9999999-0", "1½-½"])
def test_what_no_result_is_worth_is_refused(paired: Desk, typed: str) -> None:
    answer = paired.type("report", "1", typed)
    assert answer.code in {1, 3}
    assert paired.done("pairings", "--json").json[0]["result"] is None


def test_every_table_shows_the_same_points(paired: Desk) -> None:
    paired.done("report", "1", "½-½")
    paired.done("report", "2", "1-0")
    first, *_ = paired.done("standings").out.splitlines()[1:]
    assert first.split()[3] == "1"
    assert " ½ " in paired.done("standings").out
    assert ", ½ points" in paired.done("whatif", "--sweep", "1/1").out
    assert "½ → 1" in paired.done("whatif", "1/1", "1-0").out
    assert "draw: ½ points" in paired.done("ruleset", "show", "fide").out
    assert "points are counted in half points" in paired.done("explain", "Ann", "points").err


def test_byes_by_name_are_told_apart_in_the_audit(paired: Desk) -> None:
    for table in "12":
        paired.done("report", table, "1-0")
    asked, given = (str(paired.seats(table)[0]) for table in (1, 2))
    byes = ("--named-bye", "half", asked, "--named-bye", "full", given)
    paired.done("pair", *byes, "--reason", "asked for")
    kinds = {each["kind"] for each in paired.done("audit", "--json").json["findings"]}
    assert kinds == {"bye-asked", "bye-given"}


def test_a_day_with_byes_by_name_is_verified(paired: Desk) -> None:
    """Once its key is revealed, each round is drawn again: with the byes that it had."""
    for number in "12":
        paired.done("report", number, "1-0")
    for bye in ("half", "full"):
        paired.done("pair", "--named-bye", bye, "Ann", "--reason", "asked for")
        for game in paired.done("pairings", "--json").json:
            if game["result"] is None and all(game["players"]):
                paired.done("report", str(game["table"]), "½-½")
    paired.done("finish")
    paired.done("export", "-o", "day.jsonl")
    for place in ((), ("day.jsonl",)):
        answer = paired.done("verify", *place)
        assert "draws: " in answer.out + answer.err


def test_programs_get_whole_numbers_and_their_scale(paired: Desk) -> None:
    """One member says it, in the answers that a program begins with (README on rulesets)."""
    paired.done("report", "1", "½-½")
    for words in ((), ("explain", "Ann", "points"), ("ruleset", "show", "fide")):
        assert paired.done(*words, "--json").json["points_scale"] == 2
    assert paired.done("ruleset", "show", "l5r", "--json").json["points_scale"] == 1
    assert max(row["points"] for row in paired.done("standings", "--json").json) == 1


def test_a_stage_for_those_with_enough_points(desk: Desk) -> None:
    desk.done("new", "City Open", "--ruleset", "fide", "--organizer", "Olga Org")
    for name in ("Ann", "Bob", "Cyd", "Dee", "Eve"):
        desk.done("register", name, "--attribute", "rating=0")
    stages = ("--stage", "swiss 1", "--stage", "swiss 1 points>=½ carries")
    desk.done("start", "custom", *stages)
    assert "for players with ½ points or more" in desk.done("log").out
    byes = ("--named-bye", "half", "Ann", "--named-bye", "full", "Bob")
    desk.done("pair", *byes, "--reason", "asked for")
    assert "bye (half)" in desk.done("pairings").out
    assert "set by hand, not drawn" in desk.type("explain", "bye", "1", "Ann").err
    assert "½ points or more advance" in desk.done("whatif", "--sweep").err
    for game in desk.done("pairings", "--json").json:
        if game["result"] is None and all(game["players"]):
            desk.done("report", str(game["table"]), "1-0")
    assert "the cut to ½ points or more" in desk.done("audit", "--slips", "--risk", "5%").out
    desk.done("round", "close")
    went_on = desk.done("cut").out + desk.done("standings").out
    assert "Ann" in went_on
    assert desk.done("pair").code == 0
    assert desk.type("explain", "bye", "1", "Bob").code == 3


@pytest.mark.parametrize(
    ("typed", "halves", "whole"),
    [
        ("2", 4, 2),
        ("2½", 5, None),
        ("½", 1, None),
        ("2.5", 5, None),
        ("2,0", 4, None),
        ("", None, None),
    ],
)
def test_points_as_they_are_typed(typed: str, halves: int | None, whole: int | None) -> None:
    assert load("fide").ruleset.scoring.counted(typed) == halves
    assert load("swiss").ruleset.scoring.counted(typed) == whole


def test_other_games_have_their_points_as_they_are(desk: Desk) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    assert desk.type("report", "1", "½-½").code == 3
