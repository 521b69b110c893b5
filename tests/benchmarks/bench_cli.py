"""Whole processes on a tournament of 300 players, start-up included: what a desk waits for.

Run with `pytest tests/benchmarks/bench_cli.py`. The floor to compare with is a bare interpreter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import rulesets
from ledger.books.book import Book, new_book
from ledger.facts.shared import Stage
from ledger.rules.opening import OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.store import open_store
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from tests.benchmarks.processes import run, tourney

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.rules.command import Command

STREAM = "c" * 32
AT = "2026-03-14T09:00:00.000Z"
PLAYERS = 300
ROUNDS_PLAYED = 5


def act(book: Book, command: Command) -> None:
    book.act(command, by="o1", command_id=f"c{len(book.lines)}", at=AT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with five rounds of 300 players played and the sixth paired."""
    place = tmp_path_factory.mktemp("desk")
    opening = OpenTournament(
        STREAM, "Cup", "2026-03-14", "Europe/Rome", rulesets.text_of("l5r"), "Olga"
    )
    with open_store(str(place / "tourney.db")) as store:
        keys = iter((b"k" * 32, b"h" * 32))
        book, _ = new_book(store, opening, lambda: next(keys), ranking, command_id="new", at=AT)
        names = tuple(Entry(f"Player {n:03}") for n in range(1, PLAYERS + 1))
        act(book, RegisterPlayers(names))
        act(book, StartTournament("custom", (Stage("swiss", 9),)))
        for _ in range(ROUNDS_PLAYED):
            act(book, PairRound())
            _report_all(book)
        act(book, PairRound())
    return place


def _report_all(book: Book) -> None:
    played = round_in_play(book.tournament)
    assert played is not None
    for match in list(open_matches(played)):
        outcome = ("win", "loss", "modified win")[match.table % 3]
        act(book, Report(match.number, StatedResult(outcome)))


@pytest.mark.parametrize(
    "line",
    [
        "standings",
        "standings --final",
        "pairings",
        "list",
        "log",
        "export",
        "report 1 draw",  # refused, after the whole way there
        "pair",  # refused as well: results are missing
    ],
)
def test_a_verb(benchmark: BenchmarkFixture, folder: Path, line: str) -> None:
    code = benchmark.pedantic(tourney, (folder, line), rounds=10, warmup_rounds=1)  # type: ignore[no-untyped-call] # the plugin leaves it untyped
    assert code in {0, 1, 3}


def test_an_empty_interpreter(benchmark: BenchmarkFixture, folder: Path) -> None:
    code = benchmark.pedantic(run, (folder, "-c", "pass"), rounds=10, warmup_rounds=1)  # type: ignore[no-untyped-call] # as above
    assert code == 0
