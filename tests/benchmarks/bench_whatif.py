"""What-ifs, sweeps and repairs as whole processes, start-up included.

Run with `pytest tests/benchmarks/bench_whatif.py`. The floor to compare with is a bare interpreter.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from ledger.books.book import Book, new_book, open_book
from ledger.facts.shared import Stage
from ledger.rules.opening import OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import StartRound
from ledger.store import open_store
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from projections.whatif.outcomes import considered
from tests.benchmarks.processes import run, tourney
from tests.support.simulate import NO_DECK_CHECKS

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.facts.shared import Result
    from ledger.rules.command import Command

STREAM = "d" * 32
AT = "2026-03-14T09:00:00.000Z"


def act(book: Book, command: Command) -> None:
    book.act(command, by="o1", command_id=f"c{len(book.lines)}", at=AT)


def report(match: int, result: Result, *, points: bool) -> Command:
    """The report of a result by the way that the ruleset has."""
    if result.facts or result.ending:
        return Report(match, StatedResult(facts=result.facts, ending=result.ending))
    if points:
        return Report(match, StatedResult(points=result.points))
    return Report(match, StatedResult(result.outcomes[0]))


def fill(place: Path, players: int, rounds: int, open_tables: int, ruleset: str = "l5r") -> None:
    """Play so many rounds; of the last one some tables stay open, all of them in a new round."""
    chance = random.Random(players)
    rules = rulesets.load(ruleset).ruleset
    results = considered(rules)
    points = rules.scoring.kind == "reported"
    text = rulesets.text_of(ruleset).replace(*NO_DECK_CHECKS)
    opening = OpenTournament(STREAM, "Cup", "2026-03-14", "Europe/Rome", text, "Olga")
    with open_store(str(place / "tourney.db")) as store:
        keys = iter((b"k" * 32, b"h" * 32))
        book, _ = new_book(store, opening, lambda: next(keys), ranking, command_id="new", at=AT)
        names = tuple(Entry(f"Player {n:03}") for n in range(1, players + 1))
        act(book, RegisterPlayers(names))
        stages = (Stage("swiss", rounds), Stage("single", entry="top", size=8))
        act(book, StartTournament("custom", stages))
        for number in range(1, rounds + 1):
            act(book, PairRound())
            act(book, StartRound())
            played = round_in_play(book.tournament)
            assert played is not None
            matches = list(open_matches(played))
            chance.shuffle(matches)
            for match in matches[: -open_tables if number == rounds else None]:
                act(book, report(match.number, chance.choice(results), points=points))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """500 players, five rounds played, the sixth paired; then a result of the second corrected."""
    place = tmp_path_factory.mktemp("large")
    fill(place, 500, 6, 250)
    with open_store(str(place / "tourney.db")) as store:
        book = open_book(store, STREAM, ranking)
        match = book.tournament.rounds[1].matches[6]
        assert match.result is not None
        outcome = "loss" if match.result.outcomes[0] in {"win", "modified win"} else "win"
        act(book, Correct(match.number, StatedResult(outcome), "the slip said so"))
    return place


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """64 players, the last Swiss round running with twenty open tables."""
    place = tmp_path_factory.mktemp("small")
    fill(place, 64, 6, 20)
    return place


@pytest.fixture(scope="module", params=["runewars", "ashes", "xwing2", "mtg", "netrunner"])
def many_results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same where each of the twenty may end in 49 to 728 ways."""
    place = tmp_path_factory.mktemp(request.param)
    fill(place, 64, 6, 20, request.param)
    return place


def timed(benchmark: BenchmarkFixture, folder: Path, line: str) -> None:
    code = benchmark.pedantic(tourney, (folder, line), rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call] # the plugin leaves it untyped
    assert code == 0


@pytest.mark.parametrize(
    "line",
    [
        "explain 1 ESOS",
        "whatif 2/7 none",
        "whatif 1/1 none and 4/100 none",
        "whatif #7 dropped 2",
        "repair-round",
    ],
)
def test_on_500_players(benchmark: BenchmarkFixture, large: Path, line: str) -> None:
    timed(benchmark, large, line)


@pytest.mark.parametrize("line", ["whatif --sweep", "whatif --sweep 5/3"])
def test_a_sweep_of_64_players(benchmark: BenchmarkFixture, small: Path, line: str) -> None:
    timed(benchmark, small, line)


def test_a_sweep_of_many_results(benchmark: BenchmarkFixture, many_results: Path) -> None:
    timed(benchmark, many_results, "whatif --sweep")


def test_a_sample_of_500_players(benchmark: BenchmarkFixture, large: Path) -> None:
    """250 open matches: drawn at random."""
    timed(benchmark, large, "whatif --sweep")


def test_an_empty_interpreter(benchmark: BenchmarkFixture, small: Path) -> None:
    code = benchmark.pedantic(run, (small, "-c", "pass"), rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call] # as above
    assert code == 0
