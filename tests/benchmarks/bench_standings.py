"""How long the standings of a large tournament take, once it is folded.

Run with `pytest -n 0 tests/benchmarks/bench_standings.py`; the normal test run does not collect it.
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import TYPE_CHECKING

import pytest

from ledger.rulesets import load, names, parse, text_of
from projections.standings.table import as_json, ranking, standings
from projections.standings.updating import UpToDate
from tests.support.store_worker import say
from tests.support.tables import add_round, meet, opened

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament

SIZES = (500, 5_000)
ROUNDS = 8


def event(players: int, key: str = "l5r") -> Tournament:
    """An event of eight rounds, paired at random, with points and fields of the ruleset."""
    draw = random.Random(players)
    rules = load(key).ruleset
    tournament = opened(players, rules)
    results = worths(rules)
    seats = list(range(1, players + 1))
    for _ in range(ROUNDS):
        played = add_round(tournament)
        draw.shuffle(seats)
        for first, second in zip(seats[::2], seats[1::2], strict=True):
            meet(played, first, second, draw.choice(results))
        for field in rules.fields:
            played.fields[field.name] = [draw.randint(field.min, field.max) for _ in played.points]
    return tournament


def worths(rules: Ruleset) -> list[tuple[int, int]]:
    """What a match can be worth."""
    if rules.scoring.kind == "outcome":
        return [rules.points(outcome) for outcome in rules.outcomes]
    most = rules.scoring.points_max or 10
    bands = rules.procedure.bands if rules.procedure else ()
    return [(band.winner, band.loser) for band in bands] or [(most, 0), (0, most)]


@pytest.mark.parametrize("key", names())
@pytest.mark.parametrize("players", SIZES)
def test_standings(benchmark: BenchmarkFixture, players: int, key: str) -> None:
    """Measure the whole table."""
    table = benchmark(standings, event(players, key))
    assert len(table.rows) == players


@pytest.mark.parametrize("key", names())
def test_standings_after_one_report(key: str) -> None:
    """How long it takes to bring the table up to date, as a share of one from scratch."""
    tournament, kept, draw = event(5_000, key), UpToDate(), random.Random(1)
    results, played = worths(tournament.ruleset), tournament.rounds[-1]
    kept.standings(tournament)
    updated, whole = [], []
    for _ in range(41):
        player = draw.randrange(1, 5_001)
        meet(played, player, played.against[player], draw.choice(results))
        begun = time.process_time()
        table = kept.standings(tournament)
        done = time.process_time()
        assert standings(tournament) == table
        updated.append(done - begun)
        whole.append(time.process_time() - done)
    share, took = median(updated) / median(whole), median(updated) * 1_000
    say(f"\n{key}: {took:.1f} ms after a report, {share:.2f} of the {median(whole) * 1_000:.1f} ms")
    assert share <= 1 / 3


@pytest.mark.parametrize("players", SIZES)
def test_ranking(benchmark: BenchmarkFixture, players: int) -> None:
    """Measure the order alone, as the pairing asks for it."""
    assert len(benchmark(ranking, event(players))) == players


@pytest.mark.parametrize("players", SIZES)
def test_json(benchmark: BenchmarkFixture, players: int) -> None:
    """Measure the JSON of a table, its floats included."""
    table = standings(event(players))
    assert len(benchmark(as_json, table, {})) == players


@pytest.mark.parametrize("key", names())
def test_parse(benchmark: BenchmarkFixture, key: str) -> None:
    """Measure what every command pays: reading the ruleset out of the opening event."""
    assert benchmark(parse.__wrapped__, text_of(key)).key == key
