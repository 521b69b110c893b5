"""The set-up at the desk: scenarios, groups, first players, sides, battle cards, terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rulesets import load, names, text_of
from tests.clauses.test_setups import SEASONS
from tests.support.cli_desk import typed_once
from tests.support.days.set_ups import (
    BATTLE,
    BY_TOTAL,
    DRAFT,
    FIRST_FIVE,
    LOWER_CHOOSES,
    TERRAIN,
    VERIFICATION,
)

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Four players in round 1 of a game with everything."""
    rules = text_of("l5r").partition("[floor.first]")[0] + SEASONS + BY_TOTAL + LOWER_CHOOSES
    text = rules + BATTLE + TERRAIN + VERIFICATION + FIRST_FIVE + DRAFT
    (desk.folder / "game.toml").write_text(text, "utf-8")
    desk.open(4, ruleset="game.toml")
    desk.done("terrain", "fixed")
    assert desk.done("armies", "--json").json == {"ordered": None}
    desk.done("armies", "order")
    assert desk.done("armies").out.startswith("players verify each other's army totals (event ")
    desk.done("start", "basic")
    desk.done("draft", "draw")
    desk.done("pair")
    return desk


@pytest.mark.slow
def test_a_table_is_set_up(day: Desk) -> None:
    one, two = (f"#{seat}" for seat in day.seats(1))
    day.done("scenario", "draw")
    assert "nothing to change" in day.done("scenario", "draw").err
    day.done("first", "1", one, "--totals", "190-200")
    day.done("side", "1", two, "--totals", "190-200", "--edge", "north")
    cards = [
        f"--{kind}={kind[0]}{n}"
        for kind in ("objective", "deployment", "condition")
        for n in (1, 2, 3)
    ]
    struck = [f"--strike={kind}" for kind in ("objective", "pass", "obj", "condition")]
    told = day.done("battle", "1", *cards, *struck)
    assert "o3" not in told.err
    assert "o3" not in day.done("log").out
    day.done("firstfive", one, "--by", f"#{day.seats(2)[0]}")
    day.done("firstfive", two)
    shown = day.done("scenario", "--json").json
    table = shown["tables"][0]
    assert shown["deployment"]
    assert (table["first"], table["blue"]) == day.seats(1)
    assert (table["edge"], table["battle"]) == ("north", None)
    assert "north" in day.done("scenario").out
    assert "sealed" in day.done("scenario").out
    day.report_all()
    day.done("start", "custom", "--rounds", "1", "--reason", "enough")
    day.done("finish")
    assert "o3, d1, c2" in day.done("scenario").out
    assert "o3, d1, c2" in day.done("log").out


def test_a_game_shows_what_it_sets_up(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "3", ruleset="swiss")
    desk.done("pair")
    assert "swiss has no set-up at its tables" in desk.refused("scenario").err
    desk.open(4, "basic", ruleset="legion")
    desk.done("pair")
    assert desk.done("scenario").out.splitlines()[0].split() == [
        *("table", "player", "against", "blue", "battle"),
    ]


def test_who_chooses_is_drawn_at_the_desk(desk: Desk) -> None:
    """SWL-SIDES: first the draw, then what was chosen."""
    desk.open(2, "custom", "--rounds", "1", ruleset="legion")
    desk.done("pair")
    assert "give them" in desk.refused("side", "draw", "1").err
    assert "was drawn to choose" in desk.done("side", "draw", "1", "--totals", "800-800").err
    assert "nothing to change" in desk.done("side", "draw", "1", "--totals", "800-800").err
    assert "was:" not in desk.done("side", "1", "#2", "--totals", "800-800").err
    assert (
        "was: 1/1: Player 02 (#2) is blue"
        in desk.done("side", "1", "#1", "--totals", "800-800").err
    )
    assert desk.done("scenario", "--json").json["tables"][0]["blue"] == 1


def test_groups_and_terrain_are_shown(day: Desk) -> None:
    assert sorted(day.done("draft", "--json").json[0]) == [1, 2, 3, 4]
    assert "Player 01" in day.done("draft").out
    day.done("terrain", "count", "1", "--covered", "20", "--piece", "forest=2")
    assert "SWL-TERRAIN" in day.done("terrain").out
    assert len(day.done("terrain", "--json").json) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("scenario throw", 2, "known: draw"),
        ("scenario draw --deployment Ours --objective Too", 1, "RW-SCENARIO"),
        ("draft again", 2, "known: draw"),
        ("draft draw", 1, "before the first round"),
        ("first 1 WINNER --totals 190", 2, "two numbers"),
        ("first 1 WINNER --totals 190-190", 1, "won the choice at the table"),
        ("first 1 nobody --totals 1-2", 3, "does not sit at this table"),
        ("first 9 1", 3, "no table 9"),
        ("side 1 WINNER", 1, "give the player who chose"),
        ("battle 1", 2, "three times each, from the left"),
        ("terrain count 1", 2, "--covered"),
        ("terrain count 1 --covered 101", 2, "from 0 to 100"),
        ("terrain count 1 --covered 30 --piece forest", 2, "--piece must be TYPE=N"),
        ("armies verify", 2, "known: order"),
        ("firstfive nobody", 3, "no player"),
        ("round start --as nobody", 3, "is not an official"),
    ],
)
def test_what_is_refused(day: Desk, line: str, code: int, told: str) -> None:
    answer = day.refused(*line.replace("WINNER", f"#{day.seats(1)[0]}").split())
    assert answer.code == code, answer.err
    assert told in answer.err


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", names())
def test_a_verb_asks_whether_the_game_has_it(desk: Desk, ruleset: str) -> None:
    """What has no table in the ruleset is refused, shown or done, and nothing is written."""
    floor, numbers = load(ruleset).ruleset.floor, load(ruleset).ruleset.numbers
    desk.open(4, ruleset=ruleset)
    for one in (each for each in numbers if each.default is None):
        for player in ("#1", "#2", "#3", "#4"):
            desk.done("amend", player, "--attribute", f"{one.name}={one.max}")
    asked = {
        "armies order": floor.verification,
        "armies": floor.verification,
        "terrain fixed": floor.terrain,
        "terrain count 1 --covered 30 --piece forest=2": floor.terrain,
        "terrain": floor.terrain,
        "draft draw": floor.draft,
        "draft": floor.draft,
    }
    for line, rules in asked.items():
        if line == "draft draw":
            desk.done("start", "custom", "--rounds", "3")
        if rules is None:
            assert desk.refused(*line.split()).err.startswith(f"tourney: {ruleset} ")
        else:
            desk.done(*line.split())
    if desk.type("pair").code:
        desk.done("pair", "--unchecked", "--reason", "all were looked at")
    look = ("firstfive", f"#{desk.seats(1)[0]}")
    if floor.first_five is None:
        assert "has no First Five" in desk.refused(*look).err
    else:
        desk.done(*look)


def test_a_round_that_starts_names_the_verb_of_first_fives(desk: Desk) -> None:
    """AOP-CLOCK, AOP-FIRSTFIVE: the line that is named does it, until nobody waits."""
    desk.open(4, "basic", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "a test")
    told = desk.done("round", "start").err
    assert "First Fives not yet reviewed: 4 (AOP-CLOCK); use `firstfive " in told
    desk.done(*told.partition("use `")[2].partition("`")[0].split())
