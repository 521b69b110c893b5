"""What standings, final places and results say to a person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.mark.slow
def test_standings_say_what_they_count(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "2")
    assert desk.done("standings").err == "nothing played yet\n"
    desk.done("pair")
    assert desk.done("standings").err == "round 1 is being played: 3 results missing\n"
    assert "not final: round 1 is being played" in desk.done("post", "standings").err
    for table in (1, 2):
        desk.done("report", str(table), f"#{desk.seats(table)[0]}")
    assert "1 result missing" in desk.done("standings").err
    desk.report_all()
    assert desk.done("standings").err == "after 1 round\n"
    assert "not final" not in desk.done("post", "standings").err
    desk.done("pair")
    assert desk.done("standings", "--round", "1").err == "after 1 round\n"


@pytest.mark.slow
@pytest.mark.parametrize("line", [["standings"], ["standings", "--json"], ["post", "standings"]])
def test_an_event_without_swiss_rounds_has_no_standings(desk: Desk, line: list[str]) -> None:
    desk.open(4, "custom", "--stage", "single")
    answer = desk.refused(*line)
    assert answer.code == desk.refused("standings", "--stage", "1").code == 3
    assert "`bracket`" in answer.err
    assert "--final" in answer.err
    desk.done("pair")
    assert len(desk.done("standings", "--final").out.splitlines()) == 5


@pytest.mark.slow
def test_the_finish_names_the_winner_and_how_far_everybody_came(desk: Desk) -> None:
    desk.open(8, "custom", "--rounds", "1", "--cut", "6")
    desk.done("pair")
    desk.report_all()
    rows = {row["player"]: row for row in desk.done("standings", "--json").json}
    last = list(rows)[-1]
    desk.done("drop", str(last))
    desk.done("cut")
    for _ in range(3):
        desk.done("pair")
        desk.report_all()
    desk.done("disqualify", str(list(rows)[-2]), "--reason", "marked cards")
    said = desk.done("finish").err
    final = desk.done("standings", "--final").out.splitlines()[1:]
    order = desk.done("standings", "--final", "--json").json
    assert said.startswith(f"winner: {order[0]['name']}\n")
    cells = [re.split(r" {2,}", line.strip()) for line in final]
    assert [row[3] for row in cells] == [
        "champion",
        "finalist",
        *["top 4"] * 2,
        *["top 6"] * 2,
        *["Swiss 7", "Swiss 8"],
    ]
    assert [int(row[4]) for row in cells] == [rows[each["player"]]["points"] for each in order]
    marks = {each["player"]: row[5:] for each, row in zip(order, cells, strict=True)}
    assert marks[last] == ["dropped"]
    assert marks[list(rows)[-2]] == ["disqualified"]
    assert sum(map(len, marks.values())) == 2


def test_a_cut_marks_who_left(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    rows = desk.done("standings", "--json").json
    desk.done("cut")
    said = desk.done("drop", str(rows[1]["player"])).err
    name = rows[4]["name"]
    assert f'`cut accept "{name}"` or `cut decline "{name}"`' in said
    for verb in ("cut", "bracket"):
        left = [line for line in desk.done(verb).out.splitlines() if "dropped" in line]
        assert len(left) == 1
        assert rows[1]["name"] in left[0]
    desk.done("cut", "accept", name)
    assert "dropped" not in desk.done("cut").out


def test_a_name_that_is_not_plain_is_told_by_its_number(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    rows = desk.done("standings", "--json").json
    desk.done("rename", str(rows[4]["player"]), 'Ann "$(x)" Lee')
    desk.done("cut")
    said = desk.done("drop", str(rows[1]["player"])).err
    assert f"`cut accept {rows[4]['player']}`" in said


def test_the_next_ranked_may_be_called_next(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    rows = desk.done("standings", "--json").json
    desk.done("cut")
    assert desk.refused("cut", "accept", "next").code == 1
    desk.done("drop", str(rows[1]["player"]))
    desk.done("cut", "decline", "next")
    assert rows[5]["name"] in desk.done("cut", "accept", "next").err


def test_results_are_read_from_the_winners_side(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1")
    desk.done("pair")
    second = desk.seats(1)[1]
    desk.done("report", "1", f"#{second}", "modified")
    first, other = desk.seats(2)
    desk.done("report", "2", "no-show", f"#{first}", f"#{other}")
    shown = desk.done("pairings").out
    assert f"Player {second:02} won 6-0" in shown
    assert "neither won 1-1 (no-show)" in shown
    assert "loss" not in shown


def test_scores_are_told_in_the_winners_order(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1", ruleset="netrunner")
    desk.done("pair")
    desk.done("report", "1", "2-4")
    desk.done("report", "2", "3-3")
    shown = desk.done("pairings").out
    assert f"Player {desk.seats(1)[1]:02} won 4-2" in shown
    assert "draw 3-3" in shown


def final(desk: Desk, *structure: str) -> tuple[int, int]:
    """Play four players to the final; who sits at it."""
    desk.open(4, "custom", *structure)
    desk.done("pair")
    desk.report_all()
    while desk.done("pair", "--json").json["pairings"][1:]:
        desk.report_all()
    return desk.seats(1)


def test_nobody_wins_a_final_that_nobody_came_to(desk: Desk) -> None:
    """FFG-WINNER: the last one left, and there is none."""
    one, other = final(desk, "--stage", "single")
    desk.done("report", "1", "no-show", f"#{one}", f"#{other}")
    said = desk.done("finish").err
    assert "no player won the last game" in said
    assert "winner" not in said
    rows = desk.done("standings", "--final").out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert [row.count("finalist") for row in rows] == [1, 1, 0, 0]
    assert "champion" not in "".join(rows)
    assert rows[2].count("top 4") == rows[3].count("top 4") == 1


def test_nobody_wins_where_no_semifinal_was_won(desk: Desk) -> None:
    desk.open(4, "custom", "--stage", "single")
    desk.done("pair")
    for table in (1, 2):
        desk.done("report", str(table), "no-show", *(f"#{each}" for each in desk.seats(table)))
    assert "no player won the last game" in desk.done("finish").err
    assert desk.done("standings", "--final").out.count("top 4") == 4


def test_a_champion_who_leaves_has_won(desk: Desk) -> None:
    one, _ = final(desk, "--stage", "single")
    desk.done("report", "1", f"#{one}")
    desk.done("drop", f"#{one}")
    assert desk.done("finish").err.startswith(f"winner: Player {one:02}\n")
    assert "champion" in desk.done("standings", "--final").out.splitlines()[1]


def test_who_is_left_alone_before_the_first_game_has_won(desk: Desk) -> None:
    desk.open(3, "custom", "--stage", "single")
    desk.done("drop", "#1")
    desk.done("drop", "#3")
    assert desk.done("finish").err.startswith("winner: Player 02\n")
    assert "champion" in desk.done("standings", "--final").out


def test_nobody_wins_an_elimination_that_ends_early(desk: Desk) -> None:
    final(desk, "--stage", "single")
    desk.done("unpair")
    line = ("--stage", "single 1", "--reason", "the hall closes")
    desk.done("start", "custom", *line)
    assert "no player won the last game" in desk.done("finish").err


def replayed_as_shown(desk: Desk) -> dict[str, Any]:
    """What `replay --json` gives of the log in hand, held to what the views give of it."""
    desk.done("export", "-o", "day.jsonl")
    value: dict[str, Any] = desk.done("replay", "day.jsonl", "--json").json
    for verb in ("standings", "bracket"):
        shown = desk.type(verb, "--json")
        assert value[verb] == (None if shown.code else shown.json)
    return value


@pytest.mark.slow
def test_a_replay_lists_those_cut_before_a_second_stage(desk: Desk) -> None:
    desk.open(6, "custom", "--stage", "swiss 1", "--stage", "swiss 1 top 3 carries")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    assert len(replayed_as_shown(desk)["standings"]) == 6


def test_a_replay_has_no_standings_where_nothing_is_played_for_points(desk: Desk) -> None:
    desk.open(4, "custom", "--stage", "single")
    desk.done("pair")
    assert replayed_as_shown(desk)["standings"] is None
