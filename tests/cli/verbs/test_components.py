"""Components and prizes at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rulesets import text_of
from tests.clauses.test_components import MODELS
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Four players in a round that runs, of a game with models."""
    (desk.folder / "game.toml").write_text(text_of("l5r") + MODELS, "utf-8")
    desk.open(4, "basic", ruleset="game.toml")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@pytest.mark.slow
def test_lost_and_found(day: Desk) -> None:
    one, two = (f"#{seat}" for seat in day.seats(1))
    day.done("component", "missing", one, "the", "general", "--minutes", "3")
    assert "FFG-LOST" in day.refused("report", "1", one).err
    assert "the general missing since round 1" in day.done("component").err
    assert day.done("component", "--json").json["missing"][0]["component"] == "the general"
    day.done("component", "found", one)
    day.done("component", "damaged", two, "a ruler", "--kind", "tool")
    day.done("component", "damaged", two, "Crane", "--kind", "card")
    day.done("component", "proxy", two, "Crane", "--illegible", "the cost")
    day.done("component", "share", one, "dice")
    day.done("component", "share", "0", "ruler", "1")
    day.done("component", "ineligible", one, "a base", "--necessary", "--reason", "too small")
    day.done("component", "allow", "0", "the club's mats", "--kind", "playmat")
    day.done("component", "gone", one)
    told = day.done("component").out
    for words in ("found the component", "tools shared", "proxy for Crane", "is ineligible"):
        assert words in told
    types = [each["type"] for each in day.done("component", "--json").json["record"]]
    assert types[0] == "ComponentMissing"
    assert len(types) == 10


def test_prizes(day: Desk) -> None:
    day.done("prize", "offer", "1-2", "a playmat")
    assert [each["rank"] for each in day.done("prize", "--json").json] == [1, 2]
    best = day.done("prize", "--json").json[0]["player"]
    early = ("--reason", "an early evening")
    day.done("prize", "award", f"#{best}", "a playmat", *early)
    assert "nothing to change" in day.done("prize", "award", f"#{best}", "a playmat").err
    assert "awarded" in day.done("prize").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("component lose 1 x", 2, "no act 'lose'; known: missing"),
        ("component missing", 2, "give PLAYER"),
        ("component missing 1", 2, "give PLAYER WHAT, not only '1'"),
        ("component missing nobody x", 3, "no player"),
        ("component missing 1 x --minutes 0", 2, "from 1 to 240"),
        ("component proxy 1 Crane --illegible x", 1, "FFG-PROXY-ONLY"),
        ("component share 1 chairs", 2, "known: ruler"),
        ("component share 0 dice", 2, "0 and the table"),
        ("component allow 1 x --kind toy", 2, "known: third-party"),
        ("component allow 1 x --kind playmat", 1, "RW-PLAYMAT"),
        ("component found 1", 1, "has no missing component"),
        ("prize offer 1-4", 2, "give RANKS PRIZE, not only '1-4'"),
        ("prize offer 4-1 x", 1, "are not a range"),
        ("prize offer x y", 2, "a whole number"),
        ("prize give 1 x", 2, "known: offer, award"),
        ("prize award 1 x --kind luck", 2, "known: placing"),
    ],
)
def test_what_is_refused(day: Desk, line: str, code: int, told: str) -> None:
    answer = day.refused(*line.split())
    assert answer.code == code, answer.err
    assert told in answer.err
