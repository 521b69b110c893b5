"""What a sweep says at the desk: kinds of results in few words, and what was considered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.render.whatif import kinds_named
from ledger import rulesets
from projections.whatif.outcomes import accepted, kinds

if TYPE_CHECKING:
    from ledger.facts.shared import Result
    from tests.support.cli_desk import Desk

WIDTH = 80


def examples(ruleset: str) -> list[Result]:
    results = accepted(rulesets.load(ruleset).ruleset).results
    return [results[kind.places[0]] for kind in kinds(results)]


def test_an_outcome_is_named_alone_where_all_of_it_is_meant() -> None:
    every = examples("runewars")
    wins = [one for one in every if one.outcomes[0] == "win"]
    assert kinds_named(wins, every) == ["win"]
    assert kinds_named(every, every) == ["win", "loss"]
    tens = [one for one in wins if one.points[0] == 10]
    assert kinds_named(tens, every) == ["win 10-0 to 10-1"]
    assert kinds_named([*tens, *(one for one in wins if one.points == (8, 3))], every) == [
        "win 10-0 to 10-1, 8-3"
    ]


def test_reported_points_are_named_where_the_others_make_no_difference() -> None:
    every = examples("netrunner")
    high = [one for one in every if one.points[0] >= 4]
    assert kinds_named(high, every, reported=True) == ["4 to 6 points"]
    draw = [one for one in every if one.points == (1, 1)]
    assert kinds_named([*high, *draw], every, reported=True) == ["4 to 6 points", "draw 1-1"]
    draws = [one for one in every if one.outcomes[0] == "draw"]
    assert kinds_named(draws, every, reported=True) == ["draw"]


@pytest.mark.slow
def test_margins_are_swept_and_shown_in_classes(desk: Desk) -> None:
    """Every blood score counts, and a line of 80 columns is enough."""
    desk.patch.setenv("COLUMNS", str(WIDTH))
    desk.open(8, "custom", "--rounds", "2", "--cut", "2", "--reason", "short", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "all were looked at")
    answer = desk.done("whatif", "--sweep")
    assert all(len(line) <= WIDTH for line in answer.out.splitlines())
    assert "proven for every result that ashes accepts (win, draw, loss: 728 of them), if" in (
        answer.err
    )
    assert "rounds follow before the cut" in answer.err
    told = desk.done("whatif", "--sweep", "--json").json
    assert told["distinct"] == 728
    counts = [chance["count"] for chance in told["hopes"][0]["chances"]]
    assert sorted(counts) == [26, 26, 676]
    beside = desk.done("whatif", "--sweep", "1/1")
    assert "these are 7 of the 728 results that ashes accepts" in beside.err
    assert "the lowest and the highest blood" in beside.err
    fields = [
        each["result"].get("fields", {}).get("blood", [0, 0])
        for each in desk.done("whatif", "--sweep", "1/1", "--json").json["outcomes"]
        if each["result"]["outcomes"][0] == "draw"
    ]
    assert {max(values) for values in zip(*fields, strict=True)} == {25}
    assert {min(values) for values in zip(*fields, strict=True)} == {0}
