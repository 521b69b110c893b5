"""Two laptops as processes, each in its own folder, and the day that they begin from."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from ledger.store import open_store
from tests.faults.takeovers.phones import AWAY, Client, Session, signed_in
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SECONDS = 60.0
"""Longest time that a process is waited for."""

SIGN_IN_AT_ONCE = 20


class Table(NamedTuple):
    """A match that is to be played: its number, and its players."""

    match: int
    players: tuple[int, int]


class Day(NamedTuple):
    """A day that was prepared once: two folders to copy, and who is signed in."""

    one: Path
    two: Path
    stream: str
    tables: list[Table]
    sessions: dict[int, Session]
    organizer: Session


def free_port() -> int:
    """Return a port of this machine that is free now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _environment() -> dict[str, str]:
    others = {name: text for name, text in os.environ.items() if not name.startswith("TOURNEY_")}
    return others | {"PYTHONPATH": str(ROOT)}


def typed(folder: Path, *words: str, stdin: str = "") -> str:
    """Type a line in a folder that must succeed, and return what it shows."""
    line = [sys.executable, "-m", "cli", *words]
    done = subprocess.run(
        line,
        cwd=folder,
        env=_environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a verb in a folder, and kill it at the end."""
    line = [sys.executable, "-m", "cli", *words]
    said = folder / f"{words[0]}.txt"
    with said.open("ab") as file:
        process = subprocess.Popen(
            line,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()


@contextmanager
def serving(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Serve a folder at a port."""
    with running(folder, "serve", "--port", str(port), "--no-browser") as process:
        yield process


async def answers(port: int) -> float:
    """Wait until a hall answers at a port, and return when it did."""
    client, end = Client(port), time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(*AWAY):
            if (await client.get("/static/hall.svg")).status == 200:
                client.close()
                return time.monotonic()
        await asyncio.sleep(0.05)
    raise AssertionError("the hall does not answer")


def lines_in(folder: Path, stream: str) -> list[bytes]:
    """Return the lines of a log in the store of a folder."""
    if not (folder / "tourney.db").exists():
        return []
    with open_store(str(folder / "tourney.db"), create=False) as store:
        return list(store.lines(stream))


async def is_followed(one: Path, two: Path, stream: str) -> None:
    """Wait until a follower has all lines of the first laptop."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if lines_in(two, stream) == lines_in(one, stream):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the follower is behind")


async def prepared(folder: Path, players: int) -> Day:
    """Prepare a day: its first round runs, each player is signed in, a second laptop follows."""
    one, two = folder / "day-one", folder / "day-two"
    for each in (one, two):
        each.mkdir()
    sheet = "name\n" + "".join(f"Player {number:04}\n" for number in range(1, players + 1))
    typed(one, "new", "Soak", "--ruleset", "swiss", "--organizer", "Kim Larsen")
    typed(one, "register", "--file", "-", stdin=sheet)
    typed(one, "start", "custom", "--rounds", "3")
    typed(one, "pair")
    typed(one, "round", "start")
    tables = [
        Table(each["match"], tuple(each["players"]))
        for each in json.loads(typed(one, "pairings", "--json"))
        if not each["bye"]
    ]
    links = json.loads(typed(one, "links", "print", "--json"))["links"]
    links += json.loads(typed(one, "links", "print", "o1", "--json"))["links"]
    secrets = {each["of"]: each["address"].partition("#")[2] for each in links}
    port = free_port()
    with ExitStack() as stack:
        stack.enter_context(serving(one, port))
        await answers(port)
        organizer = await signed_in(port, secrets["o1"])
        numbers, sessions = list(range(1, players + 1)), dict[int, Session]()
        for start in range(0, players, SIGN_IN_AT_ONCE):
            some = numbers[start : start + SIGN_IN_AT_ONCE]
            found = await asyncio.gather(*(signed_in(port, secrets[f"p{each}"]) for each in some))
            sessions |= dict(zip(some, found, strict=True))
        address = f"http://127.0.0.1:{port}/in#{secrets['o1']}"
        await asyncio.to_thread(typed, two, "follow", address, "--once")
        await asyncio.to_thread(typed, two, "follow", f"http://127.0.0.1:{port}", "--once")
    return Day(one, two, organizer.log, tables, sessions, organizer)


def copied(day: Day, folder: Path) -> tuple[Path, Path]:
    """Copy both folders of a day for one take-over."""
    one, two = folder / "one", folder / "two"
    shutil.copytree(day.one, one)
    shutil.copytree(day.two, two)
    return one, two
