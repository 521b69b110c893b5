"""The rehearsal: a made-up tournament in its own folder, the real server, and players as programs.

The desk at hand is not touched: its variables are not passed on, and the folder is deleted at the
end. Players report, confirm, contradict, sleep and come back over real HTTP. At the end the log is
compared with the answers.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from contextlib import aclosing, contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from cli.languages.choice import OPTION
from cli.languages.speaking import ENGLISH, language
from cli.outside import environment_elsewhere
from ledger.books.links import ActMarks, marks_of, shown_at_door
from ledger.errors import StoreUnavailable
from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence

SLOWEST = 5
"""How many of the slowest requests are listed."""


class Took(Struct, frozen=True):
    """How long something took, in milliseconds, over all times that it was done."""

    what: str
    count: int
    median: float
    p99: float
    longest: float


class Figures:
    """What is measured while the rehearsal runs."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = defaultdict(list)
        self._slowest: list[tuple[float, str]] = []
        self.wrong: Counter[str] = Counter()
        self.answered: dict[str, int] = {}
        """The place of every event that was answered as done, by its id."""

        self._answered_at: dict[int, float] = {}

    def took(self, what: str, seconds: float, path: str = "") -> None:
        """Note how long a thing took; a request with its path."""
        self._times[what].append(seconds)
        if path:
            self._slowest = sorted([*self._slowest, (seconds, path)])[-SLOWEST:]

    def act_done(self, events: Mapping[str, int]) -> None:
        """Note the events of an act that was answered as done, by id, with their places."""
        self.answered |= events
        for seq in events.values():
            self._answered_at.setdefault(seq, perf_counter())

    def page_shows(self, after: int, position: int) -> None:
        """Note that an open page shows everything up to a position, and knew it up to another."""
        now = perf_counter()
        for seq in range(after + 1, position + 1):
            if seq in self._answered_at:
                self.took("an act, from its answer to an open page", now - self._answered_at[seq])

    def table(self) -> list[Took]:
        """Return what was done, in the order in which it was done first."""
        return [Took(what, len(times), *_shares(times)) for what, times in self._times.items()]

    def slowest(self) -> Iterator[tuple[str, float]]:
        """Yield the slowest requests, the slowest first, in milliseconds."""
        for seconds, path in reversed(self._slowest):
            yield path, round(seconds * 1_000, 1)


def _shares(times: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(times)
    places = (len(ordered) // 2, len(ordered) * 99 // 100, len(ordered) - 1)
    median, p99, longest = (round(ordered[place] * 1_000, 1) for place in places)
    return median, p99, longest


OPENED = "The tournament is at "
"""Beginning of the line of `serve` in English; its end is the port."""
END_SECONDS = 30
ORGANIZER = "o1"


class Venue(NamedTuple):
    """What the players of a rehearsal stand on."""

    folder: Path
    port: int
    process: subprocess.Popen[str]
    secrets: dict[str, str]
    """What each link lets in with, by whose it is: `p7`, `o1`."""

    opened_in: float
    """Seconds from the start of the server to its address."""

    def tourney(self, *words: str) -> str:
        """Type a line at the desk."""
        return typed(self.folder, *words)

    def memory_mib(self) -> int:
        """Return what the server holds now, in MiB; 0 where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        return int(status.read_text("utf-8").partition("VmRSS:")[2].split()[0]) // 1_024


def run_line(
    folder: Path, words: Sequence[str], stdin: str = "", *, is_shown: bool = False, columns: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a line of this program in a folder; `is_shown`: its output goes where ours goes.

    Output that is not shown is laid out in so many columns, or as for a pipe where this is 0.
    """
    return subprocess.run(  # noqa: S603 - our own program, no shell
        [sys.executable, "-m", "cli", OPTION, language(), *words],
        cwd=folder,
        env=environment_elsewhere() | ({"COLUMNS": str(columns)} if columns else {}),
        input=stdin,
        capture_output=not is_shown,
        text=True,
        check=False,
    )


def typed(folder: Path, *words: str, stdin: str = "") -> str:
    """Type a line in a folder, and return what it shows.

    Raises:
        StoreUnavailable: the line failed, with its answer.
    """
    done = run_line(folder, words, stdin)
    if done.returncode:
        raise StoreUnavailable(f"{words[0]} failed in {folder}: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def built(players: int, rounds: int) -> Iterator[Venue]:
    """Make the tournament, with nobody paired yet, and serve it for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="tourney-rehearsal-") as name:
        folder = Path(name)
        secrets = furnish(folder, players, rounds)
        with _served(folder) as (process, port, seconds):
            yield Venue(folder, port, process, secrets, seconds)


def furnish(folder: Path, players: int, rounds: int) -> dict[str, str]:
    """Make the tournament in an empty folder, and return what each link lets in with."""
    sheet = "name\n" + "".join(f"Rehearsal {n:04}\n" for n in range(1, players + 1))
    typed(folder, "new", "Rehearsal", "--ruleset", "swiss", "--organizer", "Kim Rehearsal")
    typed(folder, "register", "--file", "-", stdin=sheet)
    typed(folder, "start", "custom", "--rounds", str(rounds))
    return _links(folder) | _links(folder, ORGANIZER)


def _links(folder: Path, *whose: str) -> dict[str, str]:
    links = msgspec.json.decode(typed(folder, "links", "print", *whose, "--json"))["links"]
    return {each["of"]: each["address"].partition("#")[2] for each in links}


@contextmanager
def _served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, float]]:
    begun = perf_counter()
    said = folder / "server.txt"
    with (
        said.open("wb") as errors,
        subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", "cli", OPTION, ENGLISH, "serve", "--port", "0"],
            cwd=folder,
            env=environment_elsewhere(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None  # noqa: S101 - asked for above
        line = next((each for each in process.stdout if each.startswith(OPENED)), "")
        if not line:
            why = said.read_text("utf-8", "replace").strip()
            raise StoreUnavailable(f"rehearsal: the server did not start: {why}")
        seconds = perf_counter() - begun
        try:
            yield process, int(line.rstrip("/\n").rpartition(":")[2]), seconds
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


PATIENCE_SECONDS = 60
"""How long an answer is waited for."""

SERVER_ERROR = 500
PAGE, ACT = "a page", "an act, from sending to the answer"


class Reply(NamedTuple):
    """What the server said."""

    status: int
    headers: dict[str, str]
    body: bytes


class NoAnswer(StoreUnavailable):
    """The server closed the connection, or said nothing for too long."""


class Browser:
    """One person's browser; what it does is measured."""

    def __init__(self, port: int, figures: Figures) -> None:
        self.port, self._figures, self._cookie = port, figures, ""
        self._marks: ActMarks | None = None
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, what: str = PAGE) -> Reply:
        """Fetch a page."""
        return await self._ask("GET", path, {}, b"", what)

    async def post(self, path: str, body: Mapping[str, object], what: str = ACT) -> Reply:
        """Send fields as a form, or anything else as JSON."""
        if path.startswith("/api/"):
            kind, data = "application/json", msgspec.json.encode(body)
        else:
            kind, data = "application/x-www-form-urlencoded", urlencode(body).encode()
        headers = {"Content-Type": kind}
        if self._marks:
            headers["Tourney-Mark"] = self._marks.of(path, str(body.get("id", "")), data)
        return await self._ask("POST", path, headers, data, what)

    async def sign_in(self, secret: str) -> None:
        """Prove the secret of a link, and keep what acts are marked with."""
        given = msgspec.json.decode((await self.get("/api/v1/nonce", "a nonce")).body)
        answer = await self.post("/in", shown_at_door(secret, given["nonce"]), "signing in")
        self._cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        if answer.status == HTTPStatus.OK:
            let_in = msgspec.json.decode(answer.body)
            self._marks = marks_of(secret, let_in["log"], let_in["link"], let_in["browser"])

    def same_person(self, other: Browser) -> None:
        """Be another window of somebody who is signed in."""
        self._cookie, self._marks = other._cookie, other._marks

    async def news(self, after: int) -> AsyncGenerator[int]:
        """Yield each position of the log that is news, until the server ends the stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head("GET", f"/api/v1/stream?after={after}", {}))
            await writer.drain()
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    yield int(line[4:])
        finally:
            await _closed(writer)

    async def close(self) -> None:
        """Close the connection."""
        if self._kept:
            await _closed(self._kept[1])
            self._kept = None

    def _head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        own = f"127.0.0.1:{self.port}"
        sent = {"Host": own, "Origin": f"http://{own}", **headers}
        if self._cookie:
            sent["Cookie"] = self._cookie
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, what: str
    ) -> Reply:
        begun = perf_counter()
        head = self._head(method, path, {**headers, "Content-Length": str(len(body))})
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):  # `wait_for` may swallow a cancellation
                answer = await self._sent(head + body)
        except (TimeoutError, OSError, EOFError, ValueError) as error:
            await self.close()
            self._figures.wrong[f"{method} {path}: {type(error).__name__}"] += 1
            raise NoAnswer(f"{path}: {error}") from None
        self._figures.took(what, perf_counter() - begun, path)
        if answer.status >= SERVER_ERROR:
            self._figures.wrong[f"{method} {path}: {answer.status}"] += 1
        return answer

    async def _sent(self, message: bytes) -> Reply:
        """Send a message and read the answer; what was kept too long is opened again."""
        if self._kept:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                return await _answer(*self._kept, message)
            await self.close()
        self._kept = await asyncio.open_connection("127.0.0.1", self.port)
        return await _answer(*self._kept, message)


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message: bytes
) -> Reply:
    writer.write(message)
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Reply(int(status.split()[1]), headers, body)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


OWN_PAGE, A_LOOK = "/me", ("/standings", "/pairings", "/clock")
OTHER = {"win": "loss", "loss": "win", "draw": "win"}
TRIES = 5
SPREAD_SECONDS = 2.0
"""A page waits this long at most before it fetches itself again; see `player.js`."""

CONTRADICTS, CONFIRMS, LOOKS, SLEEPS = 0.04, 0.5, 0.3, 0.2
"""How likely a player is to do each of these."""


class Person:
    """Somebody with a browser, who is signed in over their link."""

    def __init__(self, who: str, venue: Venue, figures: Figures) -> None:
        self.who, self.figures = who, figures
        self.browser = Browser(venue.port, figures)
        self._secret, self._sent = venue.secrets[who], 0

    async def come(self) -> None:
        """Open the link."""
        await self.browser.sign_in(self._secret)

    async def go(self) -> None:
        """Close the browser."""
        await self.browser.close()

    async def act(self, kind: str, *, refusable: bool = False, **members: object) -> bool:
        """Send an act until it is answered, under one id; false where it is refused."""
        self._sent += 1
        sent = {"id": f"rehearsal-{self._sent}", "command": {"type": kind, **members}}
        for _ in range(TRIES):
            with suppress(NoAnswer):
                answer = await self.browser.post("/api/v1/acts", sent)
                return self._noted(answer, kind, refusable=refusable)
            await asyncio.sleep(1)
        self.figures.wrong[f"{kind}: never answered"] += 1
        return False

    async def value(self, name: str) -> Any:  # noqa: ANN401 - as the part's JSON is
        """Read a part as a program does."""
        return msgspec.json.decode((await self.browser.get(f"/api/v1/{name}", "JSON")).body)

    def _noted(self, answer: Reply, kind: str, *, refusable: bool) -> bool:
        value = msgspec.json.decode(answer.body)
        if answer.status == HTTPStatus.OK:
            self.figures.act_done({each["id"]: each["seq"] for each in value["events"]})
            return True
        if not refusable:
            self.figures.wrong[f"{kind}: {answer.status} {value.get('detail', '')}"] += 1
        return False


class Phone(Person):
    """A player, whose own page is open and follows the log as its script does."""

    def __init__(self, who: str, venue: Venue, figures: Figures) -> None:
        super().__init__(who, venue, figures)
        self._page = Browser(venue.port, figures)
        self._news = asyncio.Event()
        self.known = self.shown = 0

    async def come(self) -> None:
        """Open the link, and the page."""
        await super().come()
        self._page.same_person(self.browser)

    async def go(self) -> None:
        """Close both windows."""
        await super().go()
        await self._page.close()

    async def follow(self, chance: random.Random) -> None:
        """Keep the page open; now and then the phone sleeps, and comes back to where it was."""
        while True:
            awake = chance.uniform(3, 20) if chance.random() < SLEEPS else None
            both = [asyncio.create_task(each) for each in (self._hear(), self._show(chance))]
            try:
                await asyncio.wait(both, timeout=awake, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in both:
                    each.cancel()
                await asyncio.gather(*both, return_exceptions=True)
            await asyncio.sleep(chance.uniform(0.5, 3))

    async def _hear(self) -> None:
        async with aclosing(self._page.news(self.known)) as news:
            async for position in news:
                self.known = position
                self._news.set()

    async def _show(self, chance: random.Random) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(chance.uniform(0, SPREAD_SECONDS))
            self._news.clear()
            wanted = self.known
            with suppress(NoAnswer):
                await self._page.get(OWN_PAGE)
                self.figures.page_shows(self.shown, wanted)
                self.shown = wanted

    async def look(self, chance: random.Random) -> None:
        """Look at a page for everybody, perhaps."""
        if chance.random() < LOOKS:
            with suppress(NoAnswer):
                await self.browser.get(chance.choice(A_LOOK))


async def play(
    match: int, players: tuple[Phone, Phone], chance: random.Random, pace: float
) -> bool:
    """Play a match: one reports, the other confirms, contradicts or does nothing.

    True where the two do not agree.
    """
    one, other = chance.sample(players, 2)
    outcome = chance.choice(list(OTHER))
    await asyncio.sleep(chance.uniform(0, pace))
    await one.act("Report", match=match, result={"outcome": outcome})
    await one.look(chance)
    await asyncio.sleep(chance.uniform(0, pace / 4))
    if chance.random() < CONTRADICTS:
        return await other.act("Report", match=match, result={"outcome": OTHER[outcome]})
    if chance.random() < CONFIRMS:
        await other.act("ConfirmResult", match=match)
    return False


AT_ONCE = 50
"""How many open their link in one moment."""

LAST_SECONDS = 10
"""How long pages are given to show the last act."""

LAST_LOOKS = 100


class Plan(Struct, frozen=True):
    """How large a rehearsal is: `pace` is how many seconds the players of a round take at most."""

    players: int
    rounds: int
    pace: float
    seed: int


class Rehearsed(Struct, frozen=True):
    """What came of it; `lost` are events that were answered, and are not in the log once."""

    players: int
    rounds: int
    events: int
    acts: int
    seconds: float
    opened_ms: float
    memory_mib: int
    took: list[Took]
    slowest: list[tuple[str, float]]
    wrong: dict[str, int]
    lost: list[str]


def play_through(plan: Plan) -> Rehearsed:
    """Play a made-up tournament through, over real HTTP."""
    figures = Figures()
    with built(plan.players, plan.rounds) as venue:
        begun = perf_counter()
        asyncio.run(_Day(plan, venue, figures).play())
        seconds = perf_counter() - begun
        memory, lines = venue.memory_mib(), _lines_of(venue)
        try:
            venue.tourney("verify")
        except StoreUnavailable as error:
            figures.wrong[str(error)] += 1
    return Rehearsed(
        plan.players,
        plan.rounds,
        len(lines),
        len(figures.answered),
        round(seconds, 1),
        round(venue.opened_in * 1_000, 1),
        memory,
        figures.table(),
        list(figures.slowest()),
        dict(figures.wrong),
        lost_of(figures.answered, lines),
    )


def lost_of(answered: dict[str, int], lines: Sequence[bytes]) -> list[str]:
    """Name the events that were answered, and that are not in the log once, at their place."""
    found = [msgspec.json.decode(line)["id"] for line in lines]
    often = Counter(found)
    return [
        each for each, seq in answered.items() if often[each] != 1 or found[seq - 1 : seq] != [each]
    ]


class _Day:
    """The people of one rehearsal, and what they do."""

    def __init__(self, plan: Plan, venue: Venue, figures: Figures) -> None:
        self._plan, self._figures = plan, figures
        self._chance = random.Random(plan.seed)  # noqa: S311 - the same day again
        self._desk = Person(ORGANIZER, venue, figures)
        self._players = {
            number: Phone(f"p{number}", venue, figures) for number in range(1, plan.players + 1)
        }

    async def play(self) -> None:
        """Come, play every round, finish, and wait until every page shows it."""
        await self._desk.come()
        waiting = list(self._players.values())
        for start in range(0, len(waiting), AT_ONCE):
            await asyncio.gather(*(each.come() for each in waiting[start : start + AT_ONCE]))
        following = [asyncio.create_task(each.follow(self._chance)) for each in waiting]
        for _ in range(self._plan.rounds):
            await self._round()
        await self._desk.act("FinishTournament")
        await self._until_shown()
        for each in following:
            each.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await asyncio.gather(self._desk.go(), *(each.go() for each in waiting))

    async def _until_shown(self) -> None:
        """Wait until every page shows the last act, or for long enough."""
        last = max(self._figures.answered.values(), default=0)
        for _ in range(LAST_LOOKS):
            if all(each.shown >= last for each in self._players.values()):
                return
            await asyncio.sleep(LAST_SECONDS / LAST_LOOKS)

    async def _round(self) -> None:
        """Pair, let everybody play, and settle what two do not agree on."""
        if not (await self._desk.act("PairRound") and await self._desk.act("StartRound")):
            return
        tables = [each for each in await self._desk.value("pairings") if not each["bye"]]
        playing = []
        for each in tables:
            first, second = (self._players[number] for number in each["players"])
            playing.append(play(each["match"], (first, second), self._chance, self._plan.pace))
        quarrels = await asyncio.gather(*playing)
        for table, quarrel in zip(tables, quarrels, strict=True):
            if quarrel:
                await self._desk.act("WithdrawDispute", match=table["match"], reason="rehearsed")


def _lines_of(venue: Venue) -> list[bytes]:
    with open_store(str(venue.folder / "tourney.db"), create=False) as store:
        return store.lines(store.streams()[0])
