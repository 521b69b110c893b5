"""The store against plain inserts of the same disk: `pytest tests/benchmarks/bench_store.py`.

Each figure is the median of ratios taken in pairs, so that a busy disk slows down both sides.
"""

from __future__ import annotations

import time
from contextlib import closing
from os import urandom
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from ledger import rulesets
from ledger.books.book import Sent, new_book
from ledger.facts.shared import Stage
from ledger.rules.opening import OpenTournament, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.store_fixtures import all_at_once, recorder_of, running_server
from tests.support.store_worker import raw_table, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

    from ledger.books.book import Book
    from ledger.store import Store

ROUNDS = 7
APPENDS = 200
IMPORTED = 10_000
STREAM = "a" * 32
AT = "2026-01-01T09:00:00.000Z"
LINE = b'{"seq":1,"id":"0123456789abcdef","type":"Noted","at":"2026-01-01T00:00:00.000Z","data":{}}'


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server that waits for its disk, unlike the one of the tests."""
    with running_server() as server:
        yield server.url


def seconds(act: Callable[[], object]) -> float:
    """How long an act takes."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def compare(
    benchmark: Any,  # noqa: ANN401 - its fixture is not typed
    ours: Callable[[], object],
    raw: Callable[[], object],
) -> float:
    """Our speed as a share of the raw one, shown beside the figures of pytest-benchmark."""
    paired: list[float] = []
    benchmark.pedantic(ours, setup=lambda: paired.append(seconds(raw)), rounds=ROUNDS)
    times: list[float] = benchmark.stats.stats.data
    ratio = median(base / own for base, own in zip(paired, times, strict=True))
    benchmark.extra_info["share_of_raw_speed"] = round(ratio, 2)
    say(f"\n{benchmark.name}: {ratio:.2f} of the raw speed, {median(times) * 1000:.1f} ms")
    return ratio


@pytest.fixture
def rows(location: str) -> Iterator[Rows]:
    """Inserts without the store."""
    connection, insert = raw_table(location)
    with closing(connection):
        yield Rows(connection, insert)


class Rows:
    """Inserts without the store, each row with the next number."""

    def __init__(self, connection: Any, insert: str) -> None:  # noqa: ANN401 - of either driver
        self._connection = connection
        self._insert = insert
        self._number = 0

    def values(self) -> tuple[str, int, str, bytes]:
        """The next row."""
        self._number += 1
        return (STREAM, self._number, "Noted", LINE)

    def one_by_one(self) -> None:
        """Insert rows, each committed."""
        for _ in range(APPENDS):
            self._connection.execute(self._insert, self.values())

    def one_group(self) -> None:
        """Insert as many rows as acts in one transaction."""
        self.all_in_one(APPENDS)

    def all_in_one(self, count: int = IMPORTED) -> None:
        """Insert rows in one transaction."""
        rows = [self.values() for _ in range(count)]
        cursor = self._connection.cursor()
        cursor.execute("BEGIN")
        cursor.executemany(self._insert, rows)
        cursor.execute("COMMIT")


def test_single_appends(benchmark: BenchmarkFixture, store: Store, rows: Rows) -> None:
    """At least half the speed of raw durable inserts."""
    known = 0

    def ours() -> None:
        nonlocal known
        for _ in range(APPENDS):
            known += len(store.transact(STREAM, known, lambda _: [("Noted", LINE)])) + 1

    assert compare(benchmark, ours, rows.one_by_one) >= 0.5


def test_an_import(benchmark: BenchmarkFixture, store: Store, rows: Rows) -> None:
    """At least 0.4 of the speed of raw executemany."""
    entries = [("Noted", LINE)] * IMPORTED

    def ours() -> None:
        store.transact(STREAM, store.size(STREAM), lambda _: entries)

    assert compare(benchmark, ours, rows.all_in_one) >= 0.4


def round_one(store: Store, stream: str) -> Book:
    """A tournament with as many open tables as there are acts."""
    text = rulesets.text_of("swiss")
    opening = OpenTournament(stream, "Day", "2026-01-01", "UTC", text, "Kim")
    book, _ = new_book(store, opening, lambda: urandom(32), ranking, command_id="new", at=AT)
    entries = tuple(Entry(f"Player {number}") for number in range(2 * APPENDS))
    for command in (
        RegisterPlayers(entries),
        StartTournament("custom", (Stage("swiss", 3),)),
        PairRound(),
    ):
        book.act(command, by="o1", command_id=f"c{len(book.lines)}", at=AT)
    return book


def test_reports_at_once(benchmark: BenchmarkFixture, store: Store, rows: Rows) -> None:
    """200 acts of one group, each decided, checked and answered, against one bare group commit.

    Each is a result of a table of its own. A bare commit on a fast disk takes a millisecond.
    """
    books = iter([round_one(store, f"{number:032x}") for number in range(ROUNDS)])

    def ours() -> None:
        won = StatedResult("win")
        acts = [Sent(Report(match, won), "o1", f"r{match}", AT) for match in range(1, APPENDS + 1)]
        assert all(isinstance(each, list) for each in next(books).act_all(acts))

    assert compare(benchmark, ours, rows.one_group) >= 1 / 50


@pytest.mark.parametrize(("kind", "limit"), [("sqlite", 2), ("postgres", 6)])
def test_four_desks(
    benchmark: Any,  # noqa: ANN401 - its fixture is not typed
    new_location: Callable[[str], str],
    kind: str,
    limit: float,
) -> None:
    """200 appends from four processes take at most so many times as long as raw inserts.

    On PostgreSQL the raw inserts share their waits for the disk; appends to one tournament follow
    one another, so that a slow disk alone makes them take four times as long, and a busy machine
    more.
    """
    paired: list[float] = []
    times: list[float] = []
    location = new_location(kind)
    raw_table(location)[0].close()
    open_store(location).close()

    def both() -> None:
        turn, each = str(len(paired)), str(APPENDS // 4)
        paired.append(all_at_once(*[("raw", location, each, f"{turn}{n}") for n in range(4)]))
        stream = turn * 32
        times.append(all_at_once(*[("append", location, stream, each, f"{n}") for n in range(4)]))

    benchmark.pedantic(both, rounds=ROUNDS)
    ratio = median(own / base for own, base in zip(times, paired, strict=True))
    benchmark.extra_info["times_as_long_as_raw"] = round(ratio, 2)
    say(f"\n{benchmark.name}: {ratio:.2f} times as long as raw, {median(times) * 1000:.1f} ms")
    assert ratio <= limit


def test_reading(benchmark: BenchmarkFixture, store: Store) -> None:
    """Lines are read at least twice as fast as the library's events."""
    store.transact(STREAM, 0, lambda _: [("Noted", LINE)] * IMPORTED)
    read = recorder_of(store).select_events
    assert compare(benchmark, lambda: store.lines(STREAM), lambda: read(STREAM)) >= 2
