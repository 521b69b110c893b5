"""A desk that types a sample day: hesitant fingers, people's habits, and the same bytes each time.

The clock moves by chance, the ids and keys are drawn from the title. The keys are nobody's secret;
beside a log lies only the policy, with the public key that its head is signed with.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import shutil
import tempfile
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from cli import outside
from ledger.books import book
from ledger.books.book import open_book
from ledger.exchange import translating
from ledger.store import open_store
from projections.standings.table import ranking
from tests.support.cli_desk import Desk
from tests.support.sample_days import FOLDER, people
from tests.support.sample_rules import SAMPLES_ENGINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.rules.command import Command
    from ledger.rules.people import Entry

DAYS, KINDS_OF_EVENTS = FOLDER / "days", FOLDER / "kinds"

PARTS = ("jsonl", "jsonl.checkpoint", "jsonl.hashes", "policy")
"""What lies beside a log: its lines, its signed head, the hashes of its lines, its key."""

PLAYED_BY = SAMPLES_ENGINE
"""The release that the lines name: chance follows from them, so another one is another day."""

PAUSE = (6, 48)
"""So many seconds pass between two lines that a person types."""


class SampleDesk:
    """A day at a desk in a folder of its own; `title` and the first moment decide every byte."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, title: str, begins: str) -> None:
        """`begins`: the clock of the first line, in UTC, as `2026-05-17T08:00`."""
        self.desk = Desk(folder, patch)
        self.title = title
        self.clock = datetime.fromisoformat(begins)
        self.chance = random.Random(title)
        self._hands = random.Random(f"{title}, hands")
        numbers = itertools.count()
        patch.setattr(os, "urandom", lambda size: self._drawn(next(numbers), size))
        patch.setattr(outside, "now", self._now)
        for module in (book, translating):
            patch.setattr(module, "ENGINE", PLAYED_BY)

    def _drawn(self, number: int, size: int) -> bytes:
        return hashlib.shake_256(f"{self.title} {number}".encode()).digest(size)

    def _now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.clock.microsecond // 1000:03}Z"

    def type(self, line: str, *words: str, stdin: str = "") -> str:
        """Type a line, its last words as they stand; it must be carried out."""
        self._pause()
        return self.desk.done(*line.split(), *words, stdin=stdin).out

    def failing(self, line: str, *words: str) -> None:
        """Type a check that finds something: it is recorded, and the line fails."""
        self._pause()
        assert self.desk.type(*line.split(), *words).code == 1, line

    def refused(self, line: str, *words: str) -> None:
        """Type a line that is refused, as people do: it leaves no trace."""
        self._pause()
        self.desk.refused(*line.split(), *words)

    def _pause(self) -> None:
        self.clock += timedelta(milliseconds=self._hands.randint(1000 * PAUSE[0], 1000 * PAUSE[1]))

    def wait(self, minutes: int, more: int = 3) -> None:
        """Let so many minutes pass, or up to so many more."""
        seconds = 60 * minutes + self._hands.randrange(60 * more + 1)
        self.clock += timedelta(seconds=seconds)

    def json(self, *words: str) -> Any:  # noqa: ANN401 - whatever the verb gives
        """Look at something, without a line in the log."""
        return self.desk.done(*words, "--json").json

    def award_prizes(self) -> None:
        """Award every prize to the player whose place it is for, in the final order."""
        for due in self.json("prize"):
            self.type(f"prize award #{due['player']}", due["prize"])

    def open(self, line: str) -> None:
        """Open the day, and publish whose signature will count."""
        place = ("--open-names", "--time-zone", "Europe/Rome")
        self.type("new", self.title, *line.split(), *place)
        self.keep_policy()

    def keep_policy(self) -> None:
        """Publish whose signature will count."""
        self.write("policy", self.desk.done("checkpoint", "--policy").out)

    def register(self, entries: Iterable[Entry]) -> None:
        """Register players from a file, as a registration page writes it."""
        rows = [f"{entry.name},{entry.faction}" for entry in entries]
        self.type("register --file -", stdin="\n".join(["name,faction", *rows, ""]))

    def write(self, name: str, text: str) -> str:
        """Write a file beside the desk."""
        (self.desk.folder / name).write_text(text, "utf-8")
        return name

    def tables(self) -> list[tuple[int, int, int]]:
        """The tables of the round in play that still play: number and both players."""
        games = self.json("pairings")
        return [
            (game["table"], *game["players"])
            for game in games
            if not game["bye"] and game["result"] is None
        ]

    def note_by_the_hall(self, command: Command) -> None:
        """Record what nobody types: what the served hall notes by itself."""
        with open_store(str(self.desk.folder / "tourney.db")) as store:
            book = open_book(store, store.streams()[0], ranking)
            book.act(command, by="o1", command_id=outside.draw_id(), at=self._now())

    def export(self, folder: Path, name: str) -> None:
        """Write the log, its signed head, its hashes and the policy into a folder."""
        self.desk.done("export", "-o", "log.jsonl")
        (self.desk.folder / "log.policy").write_bytes((self.desk.folder / "policy").read_bytes())
        folder.mkdir(parents=True, exist_ok=True)
        for kind in PARTS:
            shutil.copyfile(self.desk.folder / f"log.{kind}", folder / f"{name}.{kind}")
        if folder.name == DAYS.name:
            shown = self.desk.done("replay", "log.jsonl").out
            (folder / f"{name}.standings.txt").write_text(shown, "utf-8", newline="\n")


@contextmanager
def sample_desk(title: str, begins: str) -> Iterator[SampleDesk]:
    """A desk for one day that is cleared away afterwards."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        yield SampleDesk(Path(folder), patch, title, begins)


def entries(count: int, seed: int, factions: tuple[str, ...]) -> list[Entry]:
    """So many made-up people, each with a faction of the game."""
    chance = random.Random(seed)
    return [
        replace(entry, faction=chance.choice(factions) if factions else "")
        for entry in people(count, seed)
    ]
