"""Desks that write until they are killed, forked from a process that has loaded the program.

Run as a program, this module is that process: rounds come as lines of JSON on its standard input,
and what its desks were told before they died goes to its standard output.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import count
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

import msgspec

from ledger.books.book import open_book
from ledger.errors import StoreUnavailable
from ledger.rules.office import TakeNote
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.days.sealed_days import AT, draws
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.books.book import Book

STARTING_SECONDS = 20
"""How long to wait for the first answer before the killing begins."""

LOADED = (
    "cryptography.hazmat.primitives.ciphers.aead",
    "ledger.books.admission",
    "ledger.store.postgres",
    "ledger.store.sqlite",
)
"""What the program imports late."""

RETRY_SECONDS = 0.05
EARLY = "early"
"""The weakened desk: it takes an act for done before it is."""


class Round(msgspec.Struct, frozen=True):
    """So many desks, each killed within so many seconds after the first answer to any of them.

    The acts of a round are named by its `label`. With `seconds` 0 nobody is killed until a line
    comes on the standard input.
    """

    location: str
    stream: str
    label: str
    desks: int
    seconds: float
    seed: str


class Writers:
    """The other process, as the tests speak to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def begin(self, wanted: Round) -> None:
        """Let the desks of a round write."""
        self._say(msgspec.json.encode(wanted))

    def end(self) -> list[list[str]]:
        """Return, for each desk, the acts that it was told have landed, once all are dead."""
        assert self._process.stdout is not None
        return msgspec.json.decode(self._process.stdout.readline(), type=list[list[str]])

    def stop(self) -> list[list[str]]:
        """Have the desks of a round without an end killed."""
        self._say(b"")
        return self.end()

    def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()


@contextmanager
def writing(weakened: str = "") -> Iterator[Writers]:
    """Writers for as long as the block runs."""
    words = [sys.executable, "-m", "tests.faults.writers", weakened]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as process:
        yield Writers(process)
        assert process.stdin is not None
        process.stdin.close()


def _serve(weakened: str) -> None:
    for name in LOADED:
        with suppress(ImportError):  # psycopg may be absent
            import_module(name)
    gc.freeze()
    for line in sys.stdin.buffer:
        wanted = msgspec.json.decode(line, type=Round)
        os.write(1, msgspec.json.encode(_carried_out(wanted, weakened)) + b"\n")


def _carried_out(wanted: Round, weakened: str) -> list[list[str]]:
    desks = [_forked(wanted, number, weakened) for number in range(wanted.desks)]
    if wanted.seconds:
        wait([ear for _, ear in desks], STARTING_SECONDS)
        _kill_one_by_one([child for child, _ in desks], wanted)
    else:
        sys.stdin.buffer.readline()
        for child, _ in desks:
            os.kill(child, signal.SIGKILL)
    told = []
    for child, ear in desks:
        os.waitpid(child, 0)
        with os.fdopen(ear, "rb") as said:
            told.append([each.decode() for each in said.read().split(b"\n")[:-1]])
    return told


def _kill_one_by_one(children: list[int], wanted: Round) -> None:
    chance = random.Random(wanted.seed)
    begun = time.monotonic()
    for moment, child in sorted((chance.uniform(0, wanted.seconds), each) for each in children):
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        os.kill(child, signal.SIGKILL)


def _forked(wanted: Round, number: int, weakened: str) -> tuple[int, int]:
    """Start a desk; its process, and where it says what it was told."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        try:
            _write(wanted, number, mouth, weakened)
        finally:
            os._exit(1)
    os.close(mouth)
    return child, ear


def _write(wanted: Round, number: int, mouth: int, weakened: str) -> None:
    """Note one thing after the other; where the store is away, the same again."""
    book: Book | None = None
    for each in count():
        act = f"{wanted.label}-{number}-{each}"
        if weakened == EARLY:
            os.write(mouth, f"{act}\n".encode())
        while True:
            try:
                book = book or open_book(
                    open_store(wanted.location), wanted.stream, ranking, draws(act)
                )
                book.act(TakeNote(f"word {act}"), by="o1", command_id=act, at=AT)
                break
            except StoreUnavailable:
                book = None
                time.sleep(RETRY_SECONDS)
        if weakened != EARLY:
            os.write(mouth, f"{act}\n".encode())


if __name__ == "__main__":
    _serve(*sys.argv[1:])
