"""Measure two commits in turns: `python -m tests.benchmarks.in_turns BEFORE [AFTER]`.

BEFORE and AFTER are checkouts (folders) or commits; AFTER is this checkout unless given. Each has a
driver of its own, which imports the program of its checkout, makes an event with it and signs its
people in. Then the two take turns: in each run a fresh server of each does the same work on a copy
of the event, so that a machine whose speed changes is as fast for both.

help, standings,  a whole process for one line typed at the desk, start-up included: the median of
list, note        five
own page          one page of a player, asked for by 8 phones: the median
reports at once   200 players report in one moment: until the last has its answer
act to phones     1,000 open pages: from an act's answer until the last has fetched its part again

Below each is the processor's time for it, which a busy machine changes less.

The ratio of a work is the median over all runs of AFTER / BEFORE. Its interval has at least 95 % of
the probability if there are 6 runs or more. The command fails only if the whole interval of a work
is above the limit: a slower commit is told from a noisy machine by that.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from math import comb
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
RUNS, RUNS_MIN = 11, 6
LIMIT = 1.1
CONFIDENCE = 0.95
PLAYERS, ROUNDS, REPORTS, PHONES = 400, 2, 200, 1_000
PAGES, PAGES_AT_ONCE, ACTS = 400, 8, 3
LINES = {"help": "--help", "standings": "standings", "list": "list", "note": "note water"}
TYPED = 5
WORKS = (*LINES, "own page", "reports at once", "act to phones")
SETTLE_SECONDS = 6.0
"""How long a server is left alone after its start, for what it does once."""

PROCESSOR = "processor"
OPENED = ("The tournament is at ", "The event is at ")
"""Beginnings of the line of a started server: of today's, and of earlier checkouts."""


def tell(text: str, to: TextIO = sys.stdout) -> None:
    """Write a line at once."""
    to.write(f"{text}\n")
    to.flush()


class Interval(NamedTuple):
    """A median, and between what it lies as likely as the number of runs allows."""

    low: float
    median: float
    high: float
    confidence: float


def interval(values: Sequence[float]) -> Interval:
    """Return the median with the narrowest interval of order statistics that is likely enough.

    Nothing is assumed of the distribution: each value is as likely above the median as below.
    """
    ordered, count = sorted(values), len(values)
    for skipped in range((count - 1) // 2, -1, -1):
        outside = sum(comb(count, place) for place in range(skipped + 1)) * 2
        likely = 1 - outside / 2**count
        if likely >= CONFIDENCE or not skipped:
            return Interval(ordered[skipped], median(ordered), ordered[-1 - skipped], likely)
    raise ValueError("there are no values")


# The driver of one checkout: started as a file, so that `cli` is that checkout's.


class Driver:
    """Makes an event with one checkout's program, and measures its server on copies of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        venue = import_module("cli.serve.rehearsals.rehearsal")
        self._secrets: dict[str, str] = venue.furnish(folder, PLAYERS, ROUNDS)
        self._people: dict[str, Any] = {}
        with self._server(folder) as (port, _):
            asyncio.run(self._sign_in(port))

    async def _sign_in(self, port: int) -> None:
        """Let the organizer and the players in, pair the first round, and seat them."""
        figures = import_module("cli.serve.rehearsals.rehearsal").Figures()
        person = import_module("cli.serve.rehearsals.rehearsal").Person
        venue = import_module("cli.serve.rehearsals.rehearsal").Venue
        place = venue(self._folder, port, None, self._secrets, 0.0)
        desk = person("o1", place, figures)
        await desk.come()
        await desk.act("PairRound")
        await desk.act("StartRound")
        self._people["o1"] = desk
        self._tables = (await desk.value("pairings"))[:REPORTS]
        for table in self._tables:
            who = f"p{table['players'][0]}"
            self._people[who] = person(who, place, figures)
            await self._people[who].come()
            await self._people[who].go()
        await desk.go()

    def run(self) -> dict[str, float]:
        """Do all works once with a fresh server on a copy of the event; return their seconds."""
        with tempfile.TemporaryDirectory(prefix="tourney-in-turns-") as name:
            shutil.copytree(self._folder, name, dirs_exist_ok=True)
            took = typed(Path(name))
            with self._server(Path(name)) as (port, server):
                return took | asyncio.run(self._works(port, server))

    @contextmanager
    def _server(self, folder: Path) -> Iterator[tuple[int, int]]:
        """Serve the event of a folder; gives the port and the process."""
        words = [sys.executable, "-m", "cli", "serve", "--port", "0"]
        with subprocess.Popen(
            words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            line = next((each for each in process.stdout if each.startswith(OPENED)), "")
            assert line, "the server did not start"
            try:
                yield int(line.rstrip("/\n").rpartition(":")[2]), process.pid
            finally:
                process.terminate()

    async def _works(self, port: int, server: int) -> dict[str, float]:
        for person in self._people.values():
            person.browser = self._window(person, port)
        await asyncio.sleep(SETTLE_SECONDS)
        took: dict[str, float] = {}
        for work, done in (
            ("own page", self._own_pages(port)),
            ("reports at once", self._reports()),
            ("act to phones", self._act_to_phones(port)),
        ):
            before = busy(server)
            took[work] = await done
            took[f"{work}, {PROCESSOR}"] = busy(server) - before
        for person in self._people.values():
            await person.go()
        return took

    def _window(self, person: Any, port: int) -> Any:  # noqa: ANN401 - of the checkout's classes
        """Return another window of a browser that is signed in."""
        browser = import_module("cli.serve.rehearsals.rehearsal").Browser(port, person.figures)
        browser.same_person(person.browser)
        return browser

    async def _own_pages(self, port: int) -> float:
        times: list[float] = []
        players = [person for who, person in self._people.items() if who != "o1"]

        async def phone(person: Any) -> None:  # noqa: ANN401 - of the checkout's classes
            window = self._window(person, port)
            for _ in range(PAGES // PAGES_AT_ONCE):
                begun = perf_counter()
                reply = await window.get("/me")
                times.append(perf_counter() - begun)
                assert reply.status == 200, reply.status
            await window.close()

        await asyncio.gather(*map(phone, players[:PAGES_AT_ONCE]))
        return median(times)

    async def _reports(self) -> float:
        reporters = [(self._people[f"p{each['players'][0]}"], each) for each in self._tables]
        await asyncio.gather(*(person.browser.get("/api/v1/me") for person, _ in reporters))
        begun = perf_counter()
        done = await asyncio.gather(
            *(
                person.act("Report", match=table["match"], result={"outcome": "win"})
                for person, table in reporters
            )
        )
        took = perf_counter() - begun
        assert all(done), "a report was refused"
        return took

    async def _act_to_phones(self, port: int) -> float:
        desk = self._people["o1"]
        phones = [Phone(port) for _ in range(PHONES)]
        for some in range(0, PHONES, 100):
            await asyncio.gather(*(each.open() for each in phones[some : some + 100]))
        times = []
        for number in range(ACTS):
            following = [asyncio.create_task(each.follow()) for each in phones]
            assert await desk.act("TakeNote", text=f"note {number}")
            answered = perf_counter()
            shown = await asyncio.wait_for(asyncio.gather(*following), 60)
            times.append(max(shown) - answered)
        await asyncio.gather(*(each.close() for each in phones))
        return median(times)


def typed(folder: Path) -> dict[str, float]:
    """Type each line at the desk; return the median seconds of its process."""
    took: dict[str, float] = {}
    for work, line in LINES.items():
        clock, processor = [], []
        for _ in range(TYPED):
            begun, before = perf_counter(), of_children()
            words = [sys.executable, "-m", "cli", *line.split()]
            subprocess.run(words, cwd=folder, capture_output=True, check=True)
            clock.append(perf_counter() - begun)
            processor.append(of_children() - before)
        took[work] = median(clock)
        took[f"{work}, {PROCESSOR}"] = median(processor)
    return took


def of_children() -> float:
    """Return the seconds of a processor that ended children have had so far."""
    with suppress(ImportError):
        resource: Any = import_module("resource")  # Windows has none
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(used.ru_utime + used.ru_stime)
    return sum(os.times()[2:4])


def busy(process: int) -> float:
    """Return the seconds of a processor that the threads of a process have had so far."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(each.read_text("ascii").split()[0]) for each in threads) / 1e9


class Phone:
    """An open page: it waits for news, and fetches its part again."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        """Begin to listen."""
        self._reader, self._writer = await self._asked("/api/v1/stream")
        await self._reader.readuntil(b"retry: 2000\n")

    async def follow(self) -> float:
        """Wait for one piece of news, and show it; return when it was shown."""
        while b"data: " not in await self._reader.readline():
            pass
        reader, writer = await self._asked("/parts/pairings")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 200"), answer[:60]
        writer.close()
        return perf_counter()

    async def close(self) -> None:
        """Close the page."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def _asked(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        return reader, writer


def drive() -> None:
    """Answer each line that is read with what one run took, as JSON."""
    place = Path(import_module("cli").__file__ or "").resolve().parents[1]
    with suppress(ImportError):
        resource: Any = import_module("resource")  # Windows has none
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, hard), hard))
    with tempfile.TemporaryDirectory(prefix="tourney-in-turns-") as name:
        driver = Driver(Path(name))
        tell(json.dumps(str(place)))
        for _ in sys.stdin:
            tell(json.dumps(driver.run()))


# The command: two drivers in turns.


@contextmanager
def checkout(named: str) -> Iterator[Path]:
    """Give the folder of a checkout, or of a commit that is checked out for this once."""
    if Path(named).is_dir():
        yield Path(named).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="tourney-in-turns-") as folder:
        place = Path(folder) / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(place), named], check=True)
        try:
            yield place
        finally:
            subprocess.run([*git, "remove", "--force", str(place)], check=True)


@contextmanager
def driving(place: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the driver of a checkout, and wait until its event is made."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("TOURNEY_")}
    with subprocess.Popen(
        [sys.executable, __file__, "--drive"],
        env=own | {"PYTHONPATH": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as driver:
        try:
            found = Path(answer(driver))
            if found != place:
                raise SystemExit(f"{place} was to be measured, and {found} was imported")
            yield driver
        finally:
            assert driver.stdin is not None
            driver.stdin.close()


def answer(driver: subprocess.Popen[str]) -> Any:  # noqa: ANN401 - as the driver says
    """Read the next answer of a driver."""
    assert driver.stdout is not None
    line = driver.stdout.readline()
    if not line:
        raise SystemExit("a driver ended: what it wrote above says why")
    return json.loads(line)


def run(driver: subprocess.Popen[str]) -> dict[str, float]:
    """Have a driver do all works once."""
    assert driver.stdin is not None
    driver.stdin.write("run\n")
    driver.stdin.flush()
    took: dict[str, float] = answer(driver)
    return took


def in_turns(before: str, after: str, runs: int) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Measure two checkouts in turns; the first of a turn is the second of the next."""
    with ExitStack() as opened:
        places = [opened.enter_context(checkout(each)) for each in (before, after)]
        drivers = [opened.enter_context(driving(each)) for each in places]
        pairs = []
        for number in range(runs):
            order = (0, 1) if number % 2 == 0 else (1, 0)
            took = {which: run(drivers[which]) for which in order}
            pairs.append((took[0], took[1]))
            shown = ", ".join(f"{work} {took[1][work] / took[0][work]:.2f}" for work in WORKS)
            tell(f"run {number + 1} of {runs}: {shown}", sys.stderr)
        return pairs


def main() -> int:
    """Measure, print a table, and return 1 if a work is slower beyond doubt."""
    parser = ArgumentParser(prog="in_turns", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", help="a checkout or a commit")
    parser.add_argument("after", nargs="?", default=str(ROOT), help="this checkout unless given")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of each; {RUNS} unless given")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"{LIMIT} unless given")
    given = parser.parse_args()
    pairs = in_turns(given.before, given.after, max(given.runs, 1))
    tell(f"{'work':27} {'before':>10} {'after':>10}   after / before, median and interval")
    slower = []
    for work in pairs[0][0]:
        both = [median(pair[side][work] for pair in pairs) * 1_000 for side in (0, 1)]
        if not both[0]:
            continue  # a system that does not say
        ratio = interval([pair[1][work] / pair[0][work] for pair in pairs])
        tell(
            f"{work:27} {both[0]:7.1f} ms {both[1]:7.1f} ms   {ratio.median:.2f}"
            f" ({ratio.low:.2f} to {ratio.high:.2f}, {ratio.confidence:.0%} of {len(pairs)} runs)"
        )
        if ratio.low > given.limit and work in WORKS:
            slower.append(work)
    if len(pairs) < RUNS_MIN:
        tell(f"{len(pairs)} runs show little: {RUNS_MIN} are needed for {CONFIDENCE:.0%}")
    if slower:
        tell(f"slower than {given.limit} times: {', '.join(slower)}")
    return 1 if slower else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--drive"]:
        drive()
    else:
        raise SystemExit(main())
