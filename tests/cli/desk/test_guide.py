"""Whoever only follows what is said comes through the whole day."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from cli.render.game_tables import decimal
from ledger.rulesets import load, names
from tests.support.cli_desk import once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

STEPS_MAX = 60


def follow(desk: Desk, said: str) -> tuple[str, str]:
    """Do what was said last; return the verb and what is said then."""
    step = said.rpartition("next: ")[2]
    if "ask " in said:
        asked = re.findall(r"ask .*?\(#(\d+)\)", said)[-1]
        return "accept", desk.done("cut", "accept", asked).err
    verb = re.split(r"[ ,(]", step.strip())[0]
    if verb == "round":
        desk.done("round", "start")
        verb = "report"
    if verb == "report":
        desk.report_all()
        return verb, desk.done("round").err
    return verb, desk.done(verb).err


@pytest.mark.parametrize("players", [2, 4, 9])
@pytest.mark.parametrize("game", names())
def test_the_start_that_is_named_as_an_example_is_taken(
    desk: Desk, game: str, players: int
) -> None:
    """Also in a game whose table asks for more rounds than one winner needs (AOP-ROUNDS)."""
    desk.done("new", "Night", "--ruleset", game, "--organizer", "Kim")
    rows = "".join(f"Player {number},{2000 + number}\n" for number in range(1, players + 1))
    words = ("register", "--file", "-", "--keep", "rating")
    said = desk.done(*words, stdin=f"name,rating\n{rows}").err
    example = re.search("custom as `(start custom [^`]+)`", said)
    if load(game).ruleset.structures.custom:
        assert example is not None
        assert "next: " in desk.done(*shlex.split(example[1])).err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "structure", "rounds"),
    [
        (24, ["advanced"], [12] * 4 + [4, 2, 1]),
        (5, ["basic"], [3] * 3),
        (5, ["custom", "--stage", "single"], [4, 2, 1]),
        (8, ["custom", "--stage", "swiss 2", "--stage", "single top 4"], [4, 4, 2, 1]),
        (8, ["custom", "--stage", "swiss 1", "--stage", "swiss 1 top 4 carries"], [4, 2]),
    ],
)
def test_following_what_comes_next(
    desk: Desk, players: int, structure: list[str], rounds: list[int]
) -> None:
    desk.open(players)
    said = desk.done("start", *structure).err
    done: list[str] = []
    while "is finished" not in said:
        verb, said = follow(desk, said)
        done.append(verb)
        assert len(done) < STEPS_MAX
    assert done.count("pair") == len(rounds)
    tables = [
        len(desk.done("pairings", "--round", str(number), "--json").json)
        for number in range(1, len(rounds) + 1)
    ]
    assert tables == rounds


@pytest.mark.slow
def test_following_after_a_qualifier_left(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    said = desk.done("drop", str(desk.done("standings", "--json").json[1]["player"])).err
    done: list[str] = []
    while "is finished" not in said:
        verb, said = follow(desk, said)
        done.append(verb)
    assert done == ["accept", "pair", "report", "pair", "report", "finish"]


SHORT = (
    ("--rounds", "1", "--cut", "4"),
    ("--rounds", "2", "--cut", "8"),
    ("--stage", "single"),
    ("--stage", "swiss 1", "--stage", "swiss 2 top 5 carries", "--stage", "single top 4"),
    ("--stage", "swiss 1", "--stage", "single points>=20 rematch tournament"),
    ("--stage", "swiss 1", "--stage", "swiss 1 points>=99 carries", "--stage", "single top 2"),
    ("--stage", "swiss 1 rematch tournament", "--stage", "single list"),
)
"""Structures that can come to have too few players."""


def left_over(desk: Desk, structure: tuple[str, ...], left: int, rounds: int) -> str:
    """Play so many rounds, let all but so many leave, and return what is said then."""
    once(desk, (structure, rounds), lambda new: _play(new, structure, rounds))
    for player in range(left + 1, 10):
        said = desk.done("drop", f"#{player}").err
    return said


def _play(desk: Desk, structure: tuple[str, ...], rounds: int) -> None:
    desk.done("new", "Library Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    names = "".join(f"Player {number:02}\n" for number in range(1, 10))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    desk.done("start", "custom", *structure)
    for _ in range(rounds):
        desk.done("pair")
        desk.report_all()


def lines_told(said: str) -> list[str]:
    """The lines to type, as they stand in what was said: in quotes, or after `next:`."""
    last = said.strip().splitlines()[-1]
    step = last.rpartition("next: ")[2].partition(" (")[0] if "next: " in last else ""
    return re.findall("`([^`]*)`", last) or [step] * bool(step)


def type_as_told(desk: Desk, line: str) -> str:
    """Type a line as it was told; results, and who is on a list, are for people to say."""
    words = shlex.split(line)
    if words[0] in {"report", "round"}:
        desk.report_all()
        return desk.done("round").err
    answer = desk.type(*words)
    if "name the players" in answer.err:
        rows = desk.done("standings", "--json").json
        there = next(row["player"] for row in rows if not row["dropped"])
        answer = desk.type("cut", f"#{there}")
    assert answer.code in {0, 1}, (line, answer.err)
    is_answered = not answer.code or lines_told(answer.err)
    return answer.err if is_answered else desk.done("round").err


def follow_to_the_end(desk: Desk, line: str) -> list[str]:
    """Type a line, and then what is told each time, until play is closed."""
    typed = [line]
    while "is finished" not in (said := type_as_told(desk, typed[-1])):
        typed.append(lines_told(said)[0])
        assert typed.count(typed[-1]) < STEPS_MAX // 10, typed
    return typed


@pytest.mark.slow
@pytest.mark.parametrize("structure", SHORT)
@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize("left", [0, 1, 2, 3, 4, 7])
def test_no_dead_end_with_too_few(
    desk: Desk, structure: tuple[str, ...], rounds: int, left: int
) -> None:
    """Whoever types what comes next comes to the end, and nothing of it is refused."""
    said = left_over(desk, structure, left, rounds)
    assert follow_to_the_end(desk, lines_told(said)[0])[-1] == "finish"


@pytest.mark.slow
@pytest.mark.parametrize("structure", SHORT)
@pytest.mark.parametrize("verb", ["finish", "cut", "pair"])
@pytest.mark.parametrize("left", [0, 1, 3])
def test_a_refusal_of_too_few_says_what_runs(
    desk: Desk, structure: tuple[str, ...], verb: str, left: int
) -> None:
    """The same from each verb on, whether or not it is refused."""
    left_over(desk, structure, left, rounds=1)
    assert follow_to_the_end(desk, verb)[-1] == "finish"


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 40])
def test_the_example_of_a_structure_runs(desk: Desk, players: int) -> None:
    desk.open(players)
    told = desk.refused("start").err
    assert f"for {players} players" in told
    desk.done(*shlex.split(lines_told(told)[-1]))


def test_a_cut_before_the_start_leads_to_the_start(desk: Desk) -> None:
    desk.open(4)
    said = desk.refused("cut").err
    assert "the tournament has not started (FFG-ANNOUNCE); use `start`" in said


def test_nobody_is_left_to_be_asked(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    assert "next: cut forfeit" in desk.done("drop", "#1").err
    assert "`cut forfeit`" in desk.refused("cut", "accept", "next").err
    desk.done("cut", "forfeit")
    assert "no vacant place in a cut" in desk.refused("cut", "accept", "next").err


def test_what_was_reported_is_said_from_the_winners_side(desk: Desk) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    first, second = desk.seats(1)
    said = desk.done("report", "1", f"#{second}", "modified").err
    assert f"1/1: Player {second:02} (#{second}) beat Player {first:02} (#{first}) 6-0" in said
    third, fourth = desk.seats(2)
    said = desk.done("report", "2", f"#{fourth}", "loss").err
    assert f"1/2: Player {third:02} (#{third}) beat Player {fourth:02} (#{fourth}) 10-1" in said


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(1, 20_000), "0.0001"),
        (Fraction(57, 16), "3.5625"),
        (Fraction(10), "10.0000"),
        (Fraction(0), "0.0000"),
        (Fraction(10**30 + 1, 10**30), "1.0000"),
        (Fraction(-1, 4), "-0.2500"),
        (Fraction(-7, 3), "-2.3333"),
        (Fraction(-12), "-12.0000"),
        (Fraction(-1, 20_000), "0.0000"),
        (Fraction(-1, 19_999), "-0.0001"),
    ],
)
def test_decimals_are_rounded_half_up_for_show(value: Fraction, shown: str) -> None:
    assert decimal(value) == shown
