"""Bare `tourney`: where the event in hand stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cli.overview import TOPICS
from cli.verbs import NEEDS, VERBS
from ledger.facts.setups import missing_parts
from ledger.rulesets import load, names
from ledger.tournament.state import Tournament
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def paired(desk: Desk) -> Desk:
    """Round 1 of four players of a game without sides, scenarios, drafts and terrain."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    return desk


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


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("side", "l5r has no sides to choose"),
        ("side draw 1", "l5r has no sides to choose"),
        ("scenario draw", "l5r has no scenarios to draw"),
        ("draft draw", "l5r has no draft groups"),
        ("battle 1 --strike", "l5r has no battle cards"),
        ("terrain fixed", "l5r has no terrain"),
        ("armies order", "l5r has no army totals to verify"),
        ("firstfive --nobody", "l5r has no First Five to review"),
        ("component share 1", "l5r has no rule for sharing (FFG-SHARE)"),
        ("slow-play 1", "l5r has no rule for pace"),
        ("lists give 1 Ann", "the format of this tournament has nothing to give out"),
    ],
)
def test_what_the_game_has_not_is_refused_before_its_words_are(
    paired: Desk, line: str, reason: str
) -> None:
    before = len(paired.done("log", "--json").out)
    answer = paired.refused(*line.split())
    assert (answer.code, answer.err) == (1, f"tourney: {reason}\n")
    assert len(paired.done("log", "--json").out) == before
    assert paired.done(*line.split()[:1], "--help").out.startswith("Usage:")


def test_what_the_game_has_not_is_not_listed(paired: Desk) -> None:
    missing = {"draft", "side", "battle", "terrain", "armies", "firstfive", "slow-play"}
    verbs = set(paired.done("--json").json["verbs"])
    assert not missing & verbs
    assert verbs >= {"scenario", "first", "component", "rule"}
    shown = "".join(paired.done("help", topic).out for topic in ("day", "judging"))
    listed = set(re.findall(r"^  ([a-z-]+) +[A-Z]", shown, re.MULTILINE))
    every = {verb for topic in ("day", "judging") for verb in TOPICS[topic].verbs}
    assert every - listed == missing
    assert "scenario draw" not in shown


def test_a_verb_asks_for_what_some_game_has_not() -> None:
    """What asks for a part of a game names one that a game can leave out; each part has a verb."""
    some = {part for key in names() for part in missing_parts(Tournament(rules=load(key).ruleset))}
    assert set(NEEDS) <= set(VERBS)
    assert set(NEEDS.values()) == some - {"scenario"}  # drawn with an outline, too
