"""The hall under load: `pytest tests/benchmarks/bench_serve.py -s`.

Phones are plain connections of this process, on the same two cores as the server: an act is entered
at a desk beside it, and each phone fetches its part again as a page does.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from contextlib import closing, suppress
from http import HTTPStatus
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from cli.serve.rehearsals.rehearsal import Browser, Figures, Person, Venue, built
from tests.benchmarks.bench_whatif import fill
from tests.support.paths import ROOT
from tests.support.store_worker import raw_table, say

if TYPE_CHECKING:
    from collections.abc import Iterator

PHONES = 1_000
PLAYERS = 500
ROUND = 3
OPEN = 40
"""Tables that have not reported yet: one is reported in each turn."""

TURNS = 5
REPORTS = 200
MINUTE = 60


class Served(NamedTuple):
    """A server of its own process, and the folder of its event."""

    process: subprocess.Popen[str]
    port: int
    folder: Path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("hall")
    fill(folder, PLAYERS, ROUND, OPEN)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 8_192), hard), hard))
    words = [sys.executable, "-m", "cli", "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    begun = time.perf_counter()
    with subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = next(each for each in process.stdout if each.startswith("The tournament is at "))
        port = int(line.rstrip("/\n").rpartition(":")[2])
        asyncio.run(fetch(port, "/pairings"))
        say(f"\nfrom `serve` to the first page: {time.perf_counter() - begun:.2f} s")
        yield Served(process, port, folder)
        process.terminate()


async def ask(port: int, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def fetch(port: int, path: str) -> float:
    """Fetch a page whole; returns how long that took."""
    begun = time.perf_counter()
    reader, writer = await ask(port, path)
    answer = await reader.read()
    await closed(writer)
    assert answer.startswith(b"HTTP/1.1 200"), answer[:60]
    return time.perf_counter() - begun


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


class Phone:
    """An open page: it waits for news, and fetches its part again."""

    def __init__(self, port: int) -> None:
        self.port, self.shown_at = port, 0.0

    async def open(self) -> None:
        """Begin to listen."""
        self.reader, self.writer = await ask(self.port, "/api/v1/stream")
        await self.reader.readuntil(b"retry: 2000\n")

    async def follow(self) -> None:
        """Wait for one piece of news, and show it."""
        while b"data: " not in await self.reader.readline():
            pass
        await fetch(self.port, "/parts/pairings")
        self.shown_at = time.perf_counter()


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def memory_of(process: subprocess.Popen[str]) -> float:
    """Resident memory, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def busy(process: subprocess.Popen[str]) -> float:
    """Seconds of processor time that a process has taken, in steps of ten milliseconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def tourney(served: Served, *words: str) -> str:
    line = [sys.executable, "-m", "cli", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        line, cwd=served.folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_an_act_reaches_every_open_page(served: Served) -> None:
    """From the answer at the desk to the part shown again on each of 1,000 phones."""
    tables = json.loads(tourney(served, "pairings", "--json"))
    still = [each for each in tables if not each["result"] and not each["bye"]]

    async def turn(phones: list[Phone], table: dict[str, Any]) -> list[float]:
        following = [asyncio.create_task(each.follow()) for each in phones]
        line = ("report", str(table["table"]), f"#{table['players'][0]}")
        await asyncio.to_thread(tourney, served, *line)
        answered = time.perf_counter()
        await asyncio.wait_for(asyncio.gather(*following), 60)
        return [each.shown_at - answered for each in phones]

    async def day() -> list[list[float]]:
        phones = [Phone(served.port) for _ in range(PHONES)]
        for some in range(0, PHONES, 100):
            await asyncio.gather(*(each.open() for each in phones[some : some + 100]))
        say(f"\nmemory with {PHONES} open streams: {memory_of(served.process):.0f} MiB")
        times = [await turn(phones, table) for table in still[:TURNS]]
        await asyncio.gather(*(closed(each.writer) for each in phones))
        return times

    for times in asyncio.run(day()):
        median, p99 = share(times, 0.5), share(times, 0.99)
        say(f"shown on {PHONES} phones: median {median:.2f} s, p99 {p99:.2f} s")


def test_a_thousand_pages_at_once(served: Served) -> None:
    """As many personal visits in one moment, beside the cost of one alone."""

    async def all_at_once() -> list[float]:
        return await asyncio.gather(*(fetch(served.port, "/pairings") for _ in range(PHONES)))

    alone = min(asyncio.run(fetch(served.port, "/pairings")) for _ in range(5))
    begun = time.perf_counter()
    times = asyncio.run(all_at_once())
    whole = time.perf_counter() - begun
    say(
        f"\n{PHONES} pages at once: {whole:.2f} s in all, p99 {share(times, 0.99):.2f} s; "
        f"one alone {alone * 1000:.1f} ms"
    )


@pytest.fixture(scope="module")
def venue() -> Iterator[Venue]:
    """An event of which every player has a link, with its first round paired."""
    with built(2 * REPORTS, 2) as opened:
        yield opened


@pytest.fixture(scope="module")
def hall(venue: Venue) -> dict[str, Person]:
    """Everybody of it, signed in."""
    people = {who: Person(who, venue, Figures()) for who in venue.secrets}

    async def come() -> None:
        for each in people.values():
            await each.come()
            await each.go()

    asyncio.run(come())
    return people


def raw_group_commit(folder: Path) -> float:
    """How long it takes to put as many rows into a file in one transaction, at the best."""
    connection, insert = raw_table(str(folder / "raw.db"))
    times = []
    with closing(connection):
        for turn in range(TURNS):
            rows = [(f"{turn}", number, "Noted", b"x" * 300) for number in range(REPORTS)]
            begun = time.perf_counter()
            connection.execute("BEGIN")
            connection.executemany(insert, rows)
            connection.execute("COMMIT")
            times.append(time.perf_counter() - begun)
    return median(times)


def test_reports_at_once(venue: Venue, hall: dict[str, Person]) -> None:
    """200 players report in one moment: until each is answered, and durable."""

    async def day() -> None:
        desk = hall["o1"]
        for _ in range(2):
            await desk.act("PairRound")
            await desk.act("StartRound")
            tables = await desk.value("pairings")
            senders = [hall[f"p{each['players'][0]}"] for each in tables]
            await asyncio.gather(*(each.browser.get("/api/v1/me") for each in senders))
            before, begun = busy(venue.process), time.perf_counter()
            await asyncio.gather(
                *(
                    one.act("Report", match=table["match"], result={"outcome": "win"})
                    for one, table in zip(senders, tables, strict=True)
                )
            )
            turns.append((time.perf_counter() - begun, busy(venue.process) - before))
        await asyncio.gather(*(each.go() for each in hall.values()))

    turns: list[tuple[float, float]] = []
    asyncio.run(day())
    raw = raw_group_commit(venue.folder)
    wrong = [each.figures.wrong for each in hall.values() if each.figures.wrong]
    assert not wrong
    for took, cpu in turns:
        whole, own = took * 1000, cpu * 1000
        say(f"\n{REPORTS} reports at once: {whole:.0f} ms, {took / raw:.0f} raw group commits")
        say(f"of it {own:.0f} ms are processor time of the server")


def test_personal_pages_in_the_minute_after_posting(venue: Venue, hall: dict[str, Person]) -> None:
    """As many visits of own pages as there are phones, at any moment of a minute."""
    chance = random.Random(1)
    players = [each for who, each in hall.items() if who != "o1"]
    visits = [(chance.uniform(0, MINUTE), chance.choice(players)) for _ in range(PHONES)]

    async def visit(after: float, who: Person) -> float:
        await asyncio.sleep(after)
        phone = Browser(who.browser.port, who.figures)
        phone.same_person(who.browser)
        begun = time.perf_counter()
        assert (await phone.get("/me")).status == HTTPStatus.OK
        took = time.perf_counter() - begun
        await phone.close()
        return took

    async def day() -> list[float]:
        return await asyncio.gather(*(visit(*each) for each in visits))

    before = busy(venue.process)
    times = asyncio.run(day())
    cpu = (busy(venue.process) - before) / PHONES
    say(
        f"\n{PHONES} own pages in {MINUTE} s: p99 {share(times, 0.99) * 1000:.0f} ms; "
        f"{cpu * 1000:.1f} ms of the server's processor time each"
    )
    assert share(times, 0.99) < 0.5


TAPS = 40
"""Results that the desk enters in each of the two halves."""

TIMES_MAX = 3.0
"""How much slower the desk may be while all phones reconnect."""

PAGES_MIN = 40
"""Pages a second that the phones must have got meanwhile: fewer are no crowd."""

RECONNECT_SECONDS = 2.0
"""Time within which phones open their stream again, and then fetch their page."""


def reconnecting(port: int, cookies: list[str], ended: Any, pages: Any) -> None:  # noqa: ANN401 - of a context
    """Let phones come back over and over until `ended` is set; count the `pages` they got."""

    async def phone(cookie: str, chance: random.Random) -> None:
        await asyncio.sleep(chance.uniform(0, RECONNECT_SECONDS))
        reader, writer = await ask(port, "/api/v1/stream")
        await reader.readuntil(b"retry: 2000\n")
        await asyncio.sleep(chance.uniform(0, RECONNECT_SECONDS))
        page, asking = await asyncio.open_connection("127.0.0.1", port)
        lines = ("GET /me HTTP/1.1", "Host: 127.0.0.1", f"Cookie: {cookie}", "Connection: close")
        asking.write("\r\n".join([*lines, "", ""]).encode())
        assert (await page.read()).startswith(b"HTTP/1.1 200")
        pages.value += 1
        await asyncio.gather(closed(asking), closed(writer))

    async def come_back() -> None:
        chance = random.Random(3)
        while not ended.is_set():
            await asyncio.gather(*(phone(cookie, chance) for cookie in cookies))

    asyncio.run(come_back())


def test_the_desk_while_all_phones_reconnect() -> None:
    """From a tap to the row on the desk's page of 512 players: idle, and beside 500 phones."""
    processes = get_context("spawn")
    ended, pages = processes.Event(), processes.Value("i", 0)

    async def tap(desk: Person, table: dict[str, Any]) -> float:
        begun = time.perf_counter()
        assert await desk.act("Report", match=table["match"], result={"outcome": "win"})
        assert (await desk.browser.get("/desk")).status == HTTPStatus.OK
        return time.perf_counter() - begun

    async def day(venue: Venue) -> tuple[list[float], list[float], float]:
        people = {who: Person(who, venue, Figures()) for who in venue.secrets}
        everybody = list(people.values())
        for start in range(0, len(everybody), 50):
            arriving = everybody[start : start + 50]
            await asyncio.gather(*(person.come() for person in arriving))
            await asyncio.gather(*(person.go() for person in arriving))
        desk = people["o1"]
        await desk.act("PairRound")
        await desk.act("StartRound")
        tables = iter(await desk.value("pairings"))
        own = Phone(venue.port)  # the desk's page listens as well, so each act has news
        await own.open()
        idle = [await tap(desk, next(tables)) for _ in range(TAPS)]
        cookies = [each.browser._cookie for who, each in people.items() if who != "o1"][:500]
        phones = processes.Process(target=reconnecting, args=(venue.port, cookies, ended, pages))
        phones.start()
        while not pages.value:  # the process is still starting
            assert phones.is_alive()
            await asyncio.sleep(0.05)
        before, begun, busy = pages.value, time.perf_counter(), []
        for _ in range(TAPS):
            busy.append(await tap(desk, next(tables)))
            await asyncio.sleep(RECONNECT_SECONDS / TAPS)
        rate = (pages.value - before) / (time.perf_counter() - begun)
        ended.set()
        await asyncio.to_thread(phones.join)
        assert not phones.exitcode
        await asyncio.gather(desk.go(), closed(own.writer))
        return idle, busy, rate

    with built(512, 3) as venue:
        quiet, crowded, rate = asyncio.run(day(venue))
    idle, busy = (share(times, 0.95) for times in (quiet, crowded))
    say(
        f"\ndesk of 512 players, tap to row: p95 {idle * 1000:.0f} ms idle, {busy * 1000:.0f} ms"
        f" while 500 phones reconnect, {rate:.0f} pages a second: {busy / idle:.1f} times"
    )
    assert rate > PAGES_MIN, "the phones did not load the hall while the desk was measured"
    assert busy <= TIMES_MAX * idle
