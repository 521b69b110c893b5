"""Take over again and again, with a room full of phones: `python -m tests.faults.takeovers.soak`.

Each time a real desk is killed at any moment while phones report. A second laptop takes over, which
followed the first one, up to half a minute behind; or an older backup is restored there and the
log's key renewed, if no laptop followed. Phones come back, judge, offer what they have and send
what waits. Sometimes an attacker answers first, and sometimes the first laptop comes back.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, chdir, suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlencode

from cli.machine.keyring import LOG, key_path, unlocked
from ledger.proof.evidence import Prover
from tests.cli.serve.phones.phone import NODE
from tests.cli.serve.phones.phone import Phone as Script
from tests.faults.takeovers.account import Account, Balance, balance, stuck
from tests.faults.takeovers.attacker import FORGERIES, Forgery, attacking
from tests.faults.takeovers.laptops import (
    answers,
    copied,
    free_port,
    lines_in,
    prepared,
    running,
    serving,
    typed,
)
from tests.faults.takeovers.phones import AWAY, FORM, JSON, Client, Phone, Seat
from tests.support.store_worker import say

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Sequence

    from tests.faults.takeovers.account import Seen
    from tests.faults.takeovers.judging import Tree
    from tests.faults.takeovers.laptops import Day

ATTACK_SECONDS = 4.0
SETTLE_SECONDS, NEWS_SECONDS, DESK_SECONDS = 45.0, 10.0, 1.0
SECOND_JUDGE_MAX = 6


class Plan(NamedTuple):
    """How much is tried."""

    takeovers: int
    phones: int
    seed: int = 1
    span: float = 8.0
    """Seconds in which the desk is killed, after the follower was held back."""

    behind: float = 30.0
    """Seconds that a follower, or a backup, is behind at most."""

    late: float = 4.0
    """Seconds in which reports go on after the kill: they wait on their phones."""

    first: int = 0
    """Number of the first take-over: a long run is divided, and its cases stay the same."""

    asks: bool = True
    """Whether phones are asked for what they have; a negative control has phones that are not."""


class Case(NamedTuple):
    """One take-over that is tried."""

    number: int
    how: Literal["follower", "backup"]
    behind: float
    kill_in: float
    forgery: str = ""
    comes_back: bool = False

    @property
    def is_followed(self) -> bool:
        """Return whether the second laptop followed the first one."""
        return self.how == "follower"

    @property
    def words(self) -> str:
        """Return the case in words."""
        more = f", {self.forgery}" if self.forgery else ""
        behind = f"{self.how} {self.behind:.1f} s behind"
        return f"{self.number}: {behind}, killed at {self.kill_in:.1f} s{more}"


class Outcome(NamedTuple):
    """What one take-over came to."""

    case: Case
    balance: Balance
    stuck: tuple[int, ...]
    behind_news: tuple[int, ...]
    """Phones that did not hear of the last event of the new desk."""

    believed: int
    attacked: int
    without_receipt: int
    other_judge: tuple[str, ...]
    """Answers that the phones' own script judges in another way."""

    told: bool
    """Whether the first laptop stopped when a phone brought it the act; true if it stayed away."""

    after_answer: float
    after_kill: float
    answers: tuple[float, float]
    """Median and longest seconds until an answer of the new desk, in its first ten seconds."""

    lines_lost: int
    refusals: dict[str, int]

    @property
    def faults(self) -> list[str]:
        """Name what must not be."""
        found = {
            "lost": self.balance.lost,
            "doubled": self.balance.doubled,
            "stuck": self.stuck,
            "did not hear": self.behind_news,
            "believed": self.believed,
            "judged in another way": self.other_judge,
            "first laptop goes on": not self.told,
        }
        return [f"{name}: {value}" for name, value in found.items() if value]


def cases(plan: Plan) -> list[Case]:
    """Draw the cases of a plan."""
    made = []
    for number in range(plan.first, plan.first + plan.takeovers):
        chance = random.Random(f"{plan.seed} {number}")
        how: Literal["follower", "backup"] = "backup" if number % 2 else "follower"
        behind = chance.choice([0.0, chance.uniform(0, plan.behind)])
        kill_in = behind + chance.uniform(0.5, plan.span)
        forgery = chance.choice(FORGERIES) if number % 4 < 2 else ""
        made.append(Case(number, how, behind, kill_in, forgery, chance.random() < 0.5))
    return made


class Room:
    """The room of one take-over."""

    def __init__(self, day: Day, folder: Path, case: Case, plan: Plan) -> None:
        self.day, self.case, self.plan, self.asks = day, case, plan, plan.asks
        self.account, self.port = Account(), free_port()
        self.one, self.two = copied(day, folder)
        self.new = self.two if case.is_followed else folder / "three"
        self._backup = folder / "older.backup"
        self.chance = random.Random(f"{plan.seed} {case.number} room")
        self.phones = [
            Phone(self, Seat(player, table.match, outcome, day.sessions[player]), self.chance)
            for table in day.tables
            for outcome in [self.chance.choice(["win", "loss", "draw"])]
            for player in table.players
        ]
        self._organizer = Client(self.port, day.organizer)
        self._words: dict[Tree, bool] = {}

    def are_words_of_desk(self, place: Tree) -> bool:
        """Return whether the six words of a place are those that the desk shows."""
        if place not in self._words:
            lines = lines_in(self.new, self.day.stream)
            is_here = place.size <= len(lines)
            self._words[place] = is_here and Prover(lines).root(place.size) == place.root
        return self._words[place]

    async def play(self, script: Script | None) -> Outcome:
        """Play the take-over, and return what it came to."""
        try:
            with ExitStack() as stack:
                await self._first_desk(stack)
                await self._second_desk(stack)
                behind_news = await self._settled()
                told = await self._back(stack)
                for phone in self.phones:
                    await phone.stop()
        finally:
            for phone in self.phones:
                await phone.stop()
            self._organizer.close()
        return self._outcome(script, behind_news, told=told)

    async def _first_desk(self, stack: ExitStack) -> None:
        case, end = self.case, self.case.kill_in + self.plan.late
        hall = stack.enter_context(serving(self.one, self.port))
        await answers(self.port)
        follower = None
        if case.is_followed:
            address = f"http://127.0.0.1:{self.port}"
            follower = stack.enter_context(running(self.two, "follow", address))
        for phone in self.phones:
            phone.open()
        while not all(phone.is_open for phone in self.phones):  # noqa: ASYNC110 - they have no event for it
            await asyncio.sleep(0.1)
        is_first = case.behind >= case.kill_in
        if is_first:
            await self._fall_behind(follower)
        for phone in self.phones:
            phone.report_in(self.chance.uniform(0, end))
        begun = time.monotonic()
        if not is_first:
            await asyncio.sleep(case.kill_in - case.behind)
            await self._fall_behind(follower)
        await asyncio.sleep(max(begun + case.kill_in - time.monotonic(), 0))
        while is_first and not self.account.acts:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.1)
        hall.kill()
        self.account.killed_at = time.monotonic()
        await asyncio.to_thread(hall.wait)
        self.account.desk = 2
        for phone in self.phones:
            phone.lose()
        if follower is not None:
            follower.kill()
            await asyncio.to_thread(follower.wait)

    async def _fall_behind(self, follower: subprocess.Popen[bytes] | None) -> None:
        """Write the backup that will be restored, or hold a follower back that is to be behind."""
        if follower is None:
            await asyncio.to_thread(typed, self.one, "backup", str(self._backup))
        elif self.case.behind:
            follower.send_signal(signal.SIGSTOP)

    async def _second_desk(self, stack: ExitStack) -> None:
        if self.case.forgery:
            await self._attack()
        if self.case.is_followed:
            await asyncio.to_thread(typed, self.two, "take-over")
        else:
            self.new.mkdir()
            await asyncio.to_thread(typed, self.new, "restore", str(self._backup))
            reason = "the first laptop is lost"
            await asyncio.to_thread(typed, self.new, "key", "renew", "--lost", "--reason", reason)
        stack.enter_context(serving(self.new, self.port))
        self.account.up_at = await answers(self.port)

    async def _attack(self) -> None:
        with chdir(self.one):
            former = unlocked(key_path(LOG, self.day.stream))
        lines = lines_in(self.one, self.day.stream)
        cut = lines[: max(len(lines) - self.chance.randrange(1, 9), 2)]
        forgery = Forgery(self.case.forgery, self.day.stream, cut, former)
        self.account.forgery = self.case.forgery
        end = time.monotonic() + ATTACK_SECONDS
        async with attacking(self.port, forgery):
            while time.monotonic() < end and self.account.attacked < len(self.phones):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.1)
        self.account.forgery = ""
        for phone in self.phones:
            phone.client.close()
            phone.lose()

    async def _take(self) -> None:
        """Take all offers that fit, as the organizer does on the desk's page."""
        own = f"{self.chance.getrandbits(96):024x}"
        body = urlencode({"id": own, "at": "/desk/offered", "what": "all"}).encode()
        with suppress(*AWAY):
            await self._organizer.post("/desk/offered", body, FORM)

    async def _settled(self) -> list[int]:
        """Wait until no phone waits for anything; list those that do not hear the last event."""
        end = time.monotonic() + SETTLE_SECONDS
        latest = self.account.killed_at + self.plan.late + 1
        while time.monotonic() < end:
            if self.asks:
                await self._take()
            await asyncio.sleep(DESK_SECONDS)
            is_busy = any(phone.is_busy for phone in self.phones)
            if not is_busy and time.monotonic() > latest:
                break
        if self.asks:
            await self._take()
        size = len(lines_in(self.new, self.day.stream))
        end = time.monotonic() + NEWS_SECONDS
        while time.monotonic() < end and any(each.position < size for each in self.phones):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.2)
        return [phone.seat.player for phone in self.phones if phone.position < size]

    async def _back(self, stack: ExitStack) -> bool:
        """Let the first laptop come back; return whether it takes no act once a phone came."""
        carrying = [phone for phone in self.phones if phone.kept and phone.kept.act]
        if not (self.case.is_followed and self.case.comes_back and carrying):
            return True
        before, port = lines_in(self.one, self.day.stream), free_port()
        stack.enter_context(serving(self.one, port))
        await answers(port)
        phone = self.chance.choice(carrying)
        client = Client(port, phone.seat.session)
        verdict = await phone.look(client)
        if verdict.carry is None:
            return False
        await client.post("/api/v1/taken-over", json.dumps(verdict.carry).encode(), JSON)
        fields = {"id": f"{self.chance.getrandbits(96):024x}", "to": "/me", "seen": phone.shown}
        fields |= {"match": phone.seat.match, "reason": "", "for": f"p{phone.seat.player}"}
        answer = await client.post("/do/call", urlencode(fields).encode(), FORM, Tourney_Outbox="1")
        page = await client.get("/pairings")
        client.close()
        is_refused = answer.status not in {200, 204} and b"took over" in page.body
        return is_refused and lines_in(self.one, self.day.stream) == before

    def _outcome(self, script: Script | None, behind_news: list[int], *, told: bool) -> Outcome:
        account, stream = self.account, self.day.stream
        lines, before = lines_in(self.new, stream), lines_in(self.one, stream)
        found = balance(account, lines, _offered(self.new, stream))
        typed(self.new, "verify")
        fork = next(
            (
                place
                for place, pair in enumerate(zip(lines, before, strict=False))
                if len({*pair}) > 1
            ),
            min(len(lines), len(before)),
        )
        return Outcome(
            self.case,
            found,
            tuple(stuck(self.phones, account)),
            tuple(behind_news),
            account.believed,
            account.attacked,
            account.without_receipt(),
            _other_judge(script, account.seen),
            told,
            account.first_report_at - account.up_at,
            account.first_report_at - account.killed_at,
            account.answer_seconds(),
            len(before) - fork,
            dict(account.refusals),
        )


def _offered(folder: Path, stream: str) -> list[str]:
    """List acts that phones offered to a desk; a judge sees those that are not in the log."""
    try:
        value = json.loads((folder / ".tourney-restored").read_text("utf-8"))
    except FileNotFoundError:
        return []
    return [each["id"] for each in value["tournaments"][stream]["offers"]]


def _other_judge(script: Script | None, seen: Sequence[Seen]) -> tuple[str, ...]:
    """Name answers that the phones' own script judges in another way; a sample of each kind."""
    if script is None:
        return ()
    chosen: list[Seen] = []
    for kind in {each.verdict.kind for each in seen}:
        chosen += [each for each in seen if each.verdict.kind == kind][:SECOND_JUDGE_MAX]
    asked = []
    for each in chosen:
        kept = {}
        if each.before:
            entry = {"note": each.before.note, "event": "Soak", "own": True}
            entry |= {name: each.before.shown[name] for name in ("keys", "renewed")}
            entry |= {"acts": [each.before.act]} if each.before.act else {}
            kept = {each.answer["origin"]: entry}
        asked.append([each.answer, kept])
    said = script.ask("judged", *asked) if asked else []
    return tuple(
        f"{each.verdict.kind}, not {one['text']}"
        for each, one in zip(chosen, said, strict=True)
        if each.verdict.kind != _kind_of(one)
    )


def _kind_of(said: dict[str, str]) -> str:
    """Name what the phones' script concluded."""
    if said["kind"] == "breach":
        return "gone"
    if "carry" in said:
        return "replaced"
    return "taken-over" if "took over" in said["text"] else "other-key"


def scripts_in(folder: Path) -> Script | None:
    """Return the phones' own script as a second judge; None without node."""
    if not NODE:
        return None
    (folder / "script").mkdir()
    return Script(folder / "script")


async def run(plan: Plan, folder: Path, *, is_told: bool = False) -> list[Outcome]:
    """Prepare a day, and take over as often as planned."""
    script = scripts_in(folder)
    day = await prepared(folder, plan.phones)
    outcomes = []
    for case in cases(plan):
        place = folder / f"case-{case.number}"
        place.mkdir()
        outcome = await Room(day, place, case, plan).play(script)
        outcomes.append(outcome)
        shutil.rmtree(place)
        if is_told:
            say(_line(outcome))
    return outcomes


def _line(outcome: Outcome) -> str:
    found = outcome.balance
    return (
        f"{outcome.case.words}: {found.acknowledged} acknowledged, {outcome.lines_lost} lines "
        f"after the fork, {outcome.without_receipt} without a receipt, {found.before_judge} before "
        f"the judge; first report "
        f"{outcome.after_answer:.1f} s after the answer, {outcome.after_kill:.1f} s after the "
        f"kill; an answer took {outcome.answers[0]:.1f} s, at most {outcome.answers[1]:.1f} s; "
        f"{outcome.attacked} attacked; {outcome.refusals or ''} "
        f"{'; '.join(outcome.faults) or 'no fault'}"
    )


def summary(outcomes: Iterable[Outcome]) -> str:
    """Return the figures of all take-overs."""
    done = list(outcomes)
    landed = [each for each in done if each.after_answer > 0] or done
    answer, kill = [each.after_answer for each in landed], [each.after_kill for each in landed]
    followed = sum(each.case.is_followed for each in done)
    sums = {
        "acknowledged": sum(each.balance.acknowledged for each in done),
        "lines after the fork": sum(each.lines_lost for each in done),
        "acknowledged without a receipt yet": sum(each.without_receipt for each in done),
        "before the judge": sum(each.balance.before_judge for each in done),
        "forged answers judged": sum(each.attacked for each in done),
        "lost": sum(len(each.balance.lost) for each in done),
        "doubled": sum(len(each.balance.doubled) for each in done),
        "stuck after 10 s": sum(len(each.stuck) for each in done),
        "did not hear the last event": sum(len(each.behind_news) for each in done),
        "believed without a signature": sum(each.believed for each in done),
        "judged in another way by the phones' script": sum(len(each.other_judge) for each in done),
        "first laptop goes on": sum(not each.told for each in done),
    }
    slowest = max(done, key=lambda each: each.answers)
    lines = [f"{len(done)} take-overs, {followed} with a follower"]
    lines += [f"{name}: {count}" for name, count in sums.items()]
    for name, values in (("answer of the new desk", answer), ("kill", kill)):
        lines.append(
            f"first report after the {name}: median {median(values):.1f} s, "
            f"longest {max(values):.1f} s"
        )
    usual, longest = slowest.answers
    lines.append(f"an answer of the slowest desk: median {usual:.1f} s, longest {longest:.1f} s")
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """Run what the command line says; 1 if anything was lost, doubled, stuck or believed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.takeovers.soak")
    parser.add_argument("--takeovers", type=int, default=200)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--span", type=float, default=8.0)
    parser.add_argument("--behind", type=float, default=30.0)
    parser.add_argument("--first", type=int, default=0, help="number of the first take-over")
    parser.add_argument("--not-asked", action="store_true", help="phones offer nothing: a control")
    given = parser.parse_args(words)
    plan = Plan(
        given.takeovers,
        given.phones,
        given.seed,
        given.span,
        given.behind,
        first=given.first,
        asks=not given.not_asked,
    )
    with tempfile.TemporaryDirectory(prefix="tourney-takeovers-") as name:
        outcomes = asyncio.run(run(plan, Path(name), is_told=True))
    say(summary(outcomes))
    return int(any(each.faults for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
