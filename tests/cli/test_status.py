"""Bare `tourney`: where the event in hand stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def test_without_an_event_it_says_how_to_begin(desk: Desk) -> None:
    assert "tourney new" in desk.done().out
    assert desk.done("--json").json is None
    assert "no store at" in desk.refused("--store", "other.db").err


def test_one_screen_says_what_is_to_be_done(desk: Desk) -> None:
    desk.open(200, "custom", "--rounds", "2")
    desk.done("pair")
    one, _ = desk.seats(1)
    desk.done("report", "1", f"#{one}")
    desk.done("dispute", "1", "--reason", "no", "--for", str(desk.seats(1)[1]))
    lines = desk.done().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    shown = "\n".join(lines)
    assert "Library Night" in lines[0]
    assert "200 players, 200 playing" in shown
    assert "round 1 (Swiss 1 of 2)" in shown
    assert re.search(r"open tables: 2 3 .* and 59 more", shown, re.DOTALL)
    assert "disputed: 1/1" in shown
    assert "next: " in shown
    value = desk.done("--json").json
    assert (value["round"], value["open"][0], len(value["disputes"])) == (1, 2, 1)


def test_what_the_game_has_not_is_neither_listed_nor_accepted(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    assert not {"side", "battle", "terrain"} & set(desk.done("--json").json["verbs"])
    for line in (("side", "1", "1"), ("side", "draw", "1")):
        assert "l5r has no sides to choose" in desk.refused(*line).err
