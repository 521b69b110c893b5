"""A log edited at random is refused with one clear line or still obeys every rule; never more."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from ledger.errors import InvalidLog
from ledger.fold import evolve
from ledger.lines.line import read
from ledger.proof.formats import Tree, leaf_hash
from ledger.rules import check
from ledger.tournament.state import Tournament
from tests.support.sample_days import winter_court
from tests.support.simulate import play

NUMBER = re.compile(rb"(?<=[\[:,])\d+(?=[\],}])")


@cache
def honest(number: int) -> list[bytes]:
    if number == 0:
        return winter_court().lines
    return play(number, 14, rounds=4, cut=4).lines


def follow(lines: list[bytes]) -> str:
    """Read a log as a stranger's file is read; the first problem, or nothing."""
    tournament, tree = Tournament(), Tree()
    for line in lines:
        try:
            recorded = read(line)
        except InvalidLog as error:
            return str(error)
        problems = check(tournament, recorded, tree=tree)
        if problems:
            return str(problems[0])
        evolve(tournament, recorded)
        tree.add(leaf_hash(line))
    return ""


def another_number(line: bytes, chance: random.Random) -> bytes:
    places = list(NUMBER.finditer(line))
    place = chance.choice(places)
    value = chance.choice([0, 1, 2, 3, 5, 7, 13, 14, 15, 24, 25, 99, 8_000, 2**53 - 1])
    return line[: place.start()] + b"%d" % value + line[place.end() :]


def moved(lines: list[bytes], chance: random.Random) -> list[bytes]:
    """Take an event away, double it or put it elsewhere, and number the lines anew."""
    edited = list(lines)
    line = edited.pop(chance.randrange(1, len(edited)))
    for _ in range(chance.randrange(3)):
        edited.insert(chance.randrange(1, len(edited)), line)
    renumbered = []
    for seq, each in enumerate(edited, start=1):
        anew = re.sub(rb'^{"seq":\d+,"id":"[^"]*"', b'{"seq":%d,"id":"n%d"' % (seq, seq), each)
        renumbered.append(anew)
    return renumbered


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_other_numbers_never_break_the_program(seed: int) -> None:
    chance = random.Random(seed)
    lines = honest(seed % 4)
    for _ in range(25):
        place = chance.randrange(len(lines))
        edited = [*lines[:place], another_number(lines[place], chance), *lines[place + 1 :]]
        assert isinstance(follow(edited), str)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_moved_events_never_break_the_program(seed: int) -> None:
    chance = random.Random(seed)
    lines = honest(seed % 4)
    for _ in range(10):
        assert isinstance(follow(moved(lines, chance)), str)


def test_the_honest_logs_pass() -> None:
    for number in range(4):
        assert follow(honest(number)) == ""
