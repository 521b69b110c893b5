"""Desks are killed while they write, and their server is: what was answered is there, once."""

from __future__ import annotations

import signal
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from msgspec import structs

from ledger.books.book import new_book
from ledger.books.open_log import taken
from ledger.lines.line import decode
from ledger.lines.sealing import Seals
from ledger.store import open_store
from projections.standings.table import ranking
from tests.faults.server import memory_folder
from tests.faults.writers import EARLY, Round, writing
from tests.support.days.sealed_days import AT, OPENING, draws
from tests.support.store_fixtures import recorder_of, running_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.store import Store
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin
    from tests.faults.writers import Writers
    from tests.support.store_fixtures import Server

pytestmark = pytest.mark.slow
ROUNDS_A_STORE = 20
ROUNDS_A_LOOK = 5
"""In every so manieth round the whole log is read again, by its rules."""

SECONDS_A_DESK = (0.002, 0.01, 0.05)
WAIT_SECONDS = 40
OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'tourney' AND datname = current_database() AND pid <> pg_backend_pid()
"""


class Victims:
    """A tournament that desks write to until they are killed, and what they were told."""

    def __init__(self, location: str) -> None:
        self.location = location
        self.stream = uuid4().hex
        self.rounds = 0
        self._told: list[str] = []
        self._acts: list[str] = []
        opening = structs.replace(OPENING, tournament=self.stream)
        with open_store(location) as store:
            new_book(store, opening, draws(self.stream), ranking, command_id="new", at=AT)
            self._lines = store.lines(self.stream)

    def round(self, desks: int, seconds: float, seed: str) -> Round:
        """Return what the writers need to know of the next round."""
        self.rounds += 1
        label = f"r{self.rounds}"
        return Round(self.location, self.stream, label, desks, seconds, seed)

    def wait_for_more(self) -> None:
        """Wait until the desks have written something."""
        deadline = time.monotonic() + WAIT_SECONDS
        with open_store(self.location, create=False) as store:
            size = store.size(self.stream)
            while store.size(self.stream) == size:
                assert time.monotonic() < deadline, "nobody writes any more"
                time.sleep(0.01)

    def lost(self, told: list[list[str]]) -> list[str]:
        """Say, for each desk of a round, what is wrong with its acts; nothing where all is well."""
        with open_store(self.location, create=False) as store:
            wait_for_the_others(store)
            lines = store.lines(self.stream)
            wrong = list(self._damages(store, lines))
        self._acts += [decode(line).command_id for line in lines[len(self._acts) :]]
        acts = self._acts
        self._told += [act for desk in told for act in desk]
        times = Counter(acts)
        wrong += [f"{act} is {times[act]} times there" for act in self._told if times[act] != 1]
        self._lines = lines
        per_desk = [self._beyond(acts, number, each) for number, each in enumerate(told)]
        return ["; ".join(filter(None, [*wrong[:2], each])) for each in per_desk]

    def _damages(self, store: Store, lines: list[bytes]) -> Iterator[str]:
        had = len(self._lines)
        if lines[:had] != self._lines or store.size(self.stream) != len(lines):
            yield "earlier lines are lost"
        if self.rounds % ROUNDS_A_LOOK == 0:
            taken(lines)
            had = 0
        seals = Seals(self.stream, store.vault_items(self.stream))
        for line in lines[had:]:
            decode(line, seals.open)
        if seals.damaged or seals.unopened:
            yield f"keys are lost: {sorted(seals.unopened)[:3]}"
        for name in () if "://" in self.location else (self.location, f"{self.location}-vault"):
            with closing(sqlite3.connect(name)) as database:
                (said,) = database.execute("PRAGMA integrity_check").fetchone()
            if said != "ok":
                yield f"{name}: {said}"

    def _beyond(self, acts: list[str], number: int, told: list[str]) -> str:
        """A desk may have one act on record that it was not told of, and in its order."""
        mine = [act for act in acts if act.startswith(f"r{self.rounds}-{number}-")]
        return "" if mine[: len(told)] == told and len(mine) <= len(told) + 1 else f"has {mine}"


def wait_for_the_others(store: Store) -> None:
    """Wait until the server has done with the desks that are dead: they may still commit."""
    if "://" not in store.where:
        return
    deadline = time.monotonic() + WAIT_SECONDS
    with recorder_of(store).datastore.get_connection() as connection:
        while connection.execute(OTHERS).fetchone()["count"]:
            assert time.monotonic() < deadline, "the server still works for dead desks"
            time.sleep(0.002)


def kill_desks(run: Slice, writers: Writers, desks: int, new: Callable[[], str]) -> None:
    """Kill so many desks at a time, again and again; a case is a desk that is killed."""
    victims: Victims | None = None
    lost: list[str] = []
    for case in run:
        if victims is None or victims.rounds >= ROUNDS_A_STORE:
            victims = victims if lost and victims else Victims(new())
        if not lost:
            span = run.chance(case).choice(SECONDS_A_DESK) * (desks + 2)
            writers.begin(victims.round(desks, span, f"{run.state.seed}/{run.harness}/{case}"))
            told = writers.end()
            run.count("answers", sum(map(len, told)))
            lost = victims.lost(told)
        if wrong := lost.pop():
            run.lose(case, wrong)


@pytest.fixture
def new_store(new_location: Callable[[str], str], kind: str) -> Iterator[Callable[[], str]]:
    """Make locations of stores: in memory, or in a schema of PostgreSQL."""
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        if kind == "sqlite":
            yield lambda: str(Path(folder) / f"{uuid4().hex}.db")
        else:
            yield lambda: new_location(kind)


@pytest.mark.parametrize(("kind", "desks", "long"), [
    ("sqlite", 1, 1_500), ("sqlite", 4, 2_400), ("sqlite", 16, 3_200),
    ("postgres", 1, 1_000), ("postgres", 4, 1_600), ("postgres", 16, 1_600),
])  # fmt: skip
def test_a_killed_desk_loses_nothing(
    begin: Begin, new_store: Callable[[], str], kind: str, desks: int, long: int
) -> None:
    run = begin(f"kills-{kind}-{desks}", short=max(6, 2 * desks), long=long)
    with writing() as writers:
        kill_desks(run, writers, desks, new_store)
    assert not run.lost, run.report()


@pytest.mark.parametrize("kind", ["sqlite"])
def test_what_is_answered_too_early_is_lost(
    begin: Begin, new_store: Callable[[], str], kind: str
) -> None:
    run = begin(f"kills-{kind}-early", short=32, must_lose="")
    with writing(EARLY) as writers:
        kill_desks(run, writers, 4, new_store)
    assert run.is_shown, run.report()


def end_immediately(server: Server) -> None:
    """Have the server end without good order, as `pg_ctl stop -m immediate` does."""
    process = server._process
    assert process is not None
    process.send_signal(signal.SIGQUIT)
    process.wait(WAIT_SECONDS)


def kill(server: Server) -> None:
    """End the server with SIGKILL."""
    server.kill()


def stop(server: Server) -> None:
    """Stop the server in good order, in the middle of the writing."""
    server.stop()


ENDS = {"killed": kill, "immediate": end_immediately, "stopped": stop}


def test_a_server_that_is_killed_loses_nothing(begin: Begin) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    run = begin("kills-server", short=3, long=120)
    with running_server() as server, writing() as writers:
        victims: Victims | None = None
        for case in run:
            if victims is None or victims.rounds >= ROUNDS_A_STORE:
                victims = Victims(server.url)
            how = list(ENDS)[case % len(ENDS)]
            writers.begin(victims.round(4, 0, ""))
            victims.wait_for_more()
            time.sleep(run.chance(case).uniform(0, 0.2))
            ENDS[how](server)
            server.start()
            victims.wait_for_more()
            told = writers.stop()
            run.count(how)
            run.count("answers", sum(map(len, told)))
            for wrong in filter(None, victims.lost(told)):
                run.lose(case, wrong)
    assert not run.lost, run.report()
