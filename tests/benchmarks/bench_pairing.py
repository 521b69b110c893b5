"""How fast rounds are paired; beside `swisspair`, where it can pair the field at all.

Run with `pytest tests/benchmarks/bench_pairing.py`. Both sides start from the players, their
points and whom each has met, in their own form; ours draws with HMAC, theirs can not be repeated.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
import swisspair

from ledger.pairing import Field, pair_swiss
from tests.ledger.pairing.test_truth import LEGION, RUNEWARS, Day, draws

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SCORINGS = {"legion": LEGION, "runewars": RUNEWARS}


@cache
def field_after(rounds: int, players: int, scoring: str = "legion") -> Field:
    """Play so many rounds and return the field of the next one."""
    day = Day(players, SCORINGS[scoring], number=1)
    day.play(rounds)
    return day.field()


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("players", [64, 1_000, 5_000, 5_001])
def test_round_6(benchmark: BenchmarkFixture, players: int, scoring: str) -> None:
    """At most 25 ms for 1,000 players and 0.15 s for 5,000."""
    field = field_after(5, players, scoring)

    assert benchmark(lambda: pair_swiss(field, draws(1))).rematches == 0


@pytest.mark.parametrize("players", [64, 1_000, 5_000])
def test_round_6_by_swisspair(benchmark: BenchmarkFixture, players: int) -> None:
    """The same fields; no odd one, where it may give the bye to the wrong player."""
    field = field_after(5, players)
    order = sorted(field.players, key=lambda player: -field.score[player])
    theirs = [
        swisspair.Player(
            id=str(player),
            points=field.score[player],
            rank=rank,
            cannot_be_paired_against_ids={str(other) for other in field.met[player]},
        )
        for rank, player in enumerate(order, 1)
    ]

    assert len(benchmark(lambda: swisspair.create_matches(theirs))) == players // 2


@pytest.mark.parametrize(("players", "rounds"), [(4, 2), (8, 5), (16, 9), (32, 9), (64, 11)])
def test_late_round(benchmark: BenchmarkFixture, players: int, rounds: int) -> None:
    """Far more rounds than these fields play: most have to be solved exactly."""
    field = field_after(rounds, players)

    assert benchmark(lambda: pair_swiss(field, draws(1))).rematches == 0


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_lowest_16_of_220_have_all_met(benchmark: BenchmarkFixture, scoring: str) -> None:
    """At most one second; `swisspair` gives no answer."""
    field = field_after(5, 220, scoring)
    low = sorted(field.players, key=lambda player: field.score[player])[:16]
    met = {**field.met, **{player: {*field.met[player], *low} for player in low}}
    hard = Field(field.players, field.score, met)

    assert benchmark(lambda: pair_swiss(hard, draws(1))).rematches == 0


def test_everybody_has_met_the_neighbours(benchmark: BenchmarkFixture) -> None:
    """The worst known: 400 players without two equal scores, ten bans up and down for each."""
    met = {player: range(player - 10, player + 11) for player in range(400)}
    field = Field(range(400), range(400), met)

    assert benchmark(lambda: pair_swiss(field, draws(1))).method == "whole field"
