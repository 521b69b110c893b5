"""What a signed head adds to a command: a posting on a machine with the log's key, and without it.

Run with `pytest tests/benchmarks/bench_checkpoint.py`; the event has some 5,000 lines, its names
sealed or open. A sealed log has loaded the library of the signature anyway.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ledger.books.book import Book, open_book
from ledger.facts.shared import Stage
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.store import open_store
from ledger.tournament.progress import open_matches, round_in_play
from projections.standings.table import ranking
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.rules.command import Command

AT = "2026-03-14T09:00:00.000Z"
PLAYERS, ROUNDS = 600, 13


def run(folder: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )


def act(book: Book, command: Command) -> None:
    book.act(command, by="o1", command_id=f"c{len(book.lines)}", at=AT)


@pytest.fixture(scope="module", params=["sealed", "open"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the rounds of a large event played."""
    place = tmp_path_factory.mktemp("desk")
    names = ("--open-names",) if request.param == "open" else ()
    run(place, "new", "Cup", "--ruleset", "l5r", "--organizer", "Olga", *names)
    with open_store(str(place / "tourney.db")) as store:
        book = open_book(store, store.streams()[0], ranking, lambda: os.urandom(32))
        entries = tuple(Entry(f"Player {n:03}") for n in range(1, PLAYERS + 1))
        act(book, RegisterPlayers(entries))
        act(book, StartTournament("custom", (Stage("swiss", ROUNDS + 1),)))
        for _ in range(ROUNDS):
            act(book, PairRound())
            played = round_in_play(book.tournament)
            assert played is not None
            for match in list(open_matches(played)):
                act(book, Report(match.number, StatedResult("win")))
    run(place, "checkpoint")
    return place


@pytest.mark.parametrize("has_key", [True, False], ids=["signed", "not signed"])
def test_a_posting(
    benchmark: BenchmarkFixture, folder: Path, tmp_path: Path, *, has_key: bool
) -> None:
    def fresh() -> None:
        shutil.rmtree(tmp_path)
        shutil.copytree(folder, tmp_path)
        if not has_key:
            shutil.rmtree(tmp_path / ".tourney-keys")

    words = (tmp_path, "post", "standings")
    benchmark.pedantic(lambda: run(*words), setup=fresh, rounds=20)  # type: ignore[no-untyped-call] # the plugin leaves it untyped
