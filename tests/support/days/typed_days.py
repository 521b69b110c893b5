"""A whole day typed line by line, as at a desk: the same lines make the same log.

The clock is set, the ids are counted and the key comes from the title, so that a log can be made
again byte for byte. It has no key to sign its heads with: one that comes from a title would be
nobody's secret. Everything else is what a desk does.
"""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli import outside
from cli.verbs.day import new as opening
from ledger.fold import fold_lines
from tests.support.cli_desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Tournament

SECONDS_A_LINE = 15


class TypedDay:
    """A day at a desk in a folder of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, title: str, begins: str) -> None:
        """`begins`: the clock of the first line, in UTC, as `2026-05-17T08:00`."""
        self.desk = Desk(folder, patch)
        self.title = title
        self.clock = datetime.fromisoformat(begins)
        self.lines = 0
        secrets = (hashlib.sha256(f"{title}{n}".encode()).digest() for n in ("", *range(99)))
        patch.setattr(outside, "draw_id", self._next_id)
        patch.setattr(opening, "draw_key", lambda: next(secrets))
        patch.setattr(opening, "with_log_key", lambda command, **_: command)
        patch.setattr(outside, "now", self._now)

    def _next_id(self) -> str:
        return f"{self.title.lower().replace(' ', '-')}-{self.lines}"

    def _now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def type(self, line: str, *words: str, stdin: str = "") -> None:
        """Type a line, its last words as they stand; it must be carried out."""
        self.lines += 1
        self.clock += timedelta(seconds=SECONDS_A_LINE)
        self.desk.done(*line.split(), *words, stdin=stdin)

    def refused(self, line: str, *words: str) -> None:
        """Type a line that is refused: it leaves no trace."""
        self.lines += 1
        self.desk.refused(*line.split(), *words)

    def wait(self, minutes: int) -> None:
        """Let time pass."""
        self.clock += timedelta(minutes=minutes)

    def open(self, line: str) -> None:
        """Open the day in the morning."""
        self.type("new", self.title, *line.split(), "--open-names", "--time-zone", "Europe/Rome")

    def register(self, names: list[str]) -> None:
        """Register everyone from a file."""
        self.type("register --file -", stdin="\n".join(["name", *names, ""]))

    def report(self, lines: list[str]) -> None:
        """Report one table after the other."""
        self.type("report", stdin="\n".join([*lines, ""]))

    def tables(self) -> Iterator[tuple[int, int, int]]:
        """The tables of the round in play that still play: number and both players."""
        for game in self.desk.done("pairings", "--json").json:
            if not game["bye"] and game["result"] is None:
                first, second = game["players"]
                yield game["table"], first, second

    def log(self) -> bytes:
        """The log as it is exported."""
        return self.desk.done("export").out.encode()

    def tournament(self) -> Tournament:
        """What the log adds up to."""
        return fold_lines(self.log().splitlines())


@contextmanager
def typed_day(title: str, begins: str) -> Iterator[TypedDay]:
    """A day at a desk that is cleared away afterwards."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        yield TypedDay(Path(folder), patch, title, begins)
