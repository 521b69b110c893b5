"""Whoever only follows what is said comes through the whole day."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from cli.views import decimal

if TYPE_CHECKING:
    from tests.cli_desk import Desk

STEPS_MAX = 60


def follow(desk: Desk, said: str) -> tuple[str, str]:
    """Do what was said last; return the verb and what is said then."""
    step = said.rpartition("next: ")[2]
    if "ask " in said:
        asked = re.findall(r"ask .*?\(#(\d+)\)", said)[-1]
        return "accept", desk.done("cut", "--accept", asked).err
    verb = re.split(r"[ ,(]", step.strip())[0]
    if verb == "round":
        desk.done("round", "start")
        verb = "report"
    if verb == "report":
        desk.report_all()
        return verb, desk.done("round").err
    return verb, desk.done(verb).err


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
