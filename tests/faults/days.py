"""A day on which every verb that writes is typed, each line in a child of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.server import Request
from tests.support.cli_desk import Answer, Desk
from tests.support.days.json_day import JsonDay

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.faults.server import Outcome, Server

WRITING = frozenset({"use", "export", "backup", "restore", "import", "checkpoint"})
"""The verbs whose lines `JsonDay` shows, and that write all the same."""


MAY_BE_REFUSED = frozenset({"key", "season", "witness"})
"""Verbs whose acts have no id, or draw another key: what has landed is refused another time."""


class ServedDesk(Desk):
    """Types its lines at a server; `before` and `after` are told of each."""

    def __init__(self, folder: Path, server: Server, around: Around) -> None:
        self.folder = folder
        self._server = server
        self._around = around
        self._lines = 0
        self.first_done: Callable[[], object] | None = None
        """What happens once, after the first line."""

    def type(self, *words: str, stdin: str = "") -> Answer:
        """Run one line, with an id of its own."""
        self._lines += 1
        line = ["--id", f"line-{self._lines}", *words]
        request = self._around.before(Request(str(self.folder), line, stdin))
        outcome = self._server.run(request)
        self._around.after(request, outcome)
        if self.first_done is not None:
            self.first_done()
            self.first_done = None
        return Answer(outcome.code, outcome.out, outcome.err)


class Around:
    """What is done before and after each line: nothing, unless somebody says more."""

    def before(self, request: Request) -> Request:
        """Look at a line that is about to be typed, or have it typed otherwise."""
        return request

    def after(self, request: Request, outcome: Outcome) -> None:
        """Look at what it came to."""


class WritingDay(JsonDay):
    """The lines of the day with every verb, without those that only look."""

    def show(self, line: str, *words: str) -> None:
        """Type a line that writes."""
        if line.partition(" ")[0] in WRITING or line.startswith(("season people", "witness")):
            super().show(line, *words)

    def keep_drafts(self) -> None:
        """Keep none: they come over the hall, by no line that is typed here."""

    def play(self) -> None:
        """Play the day, and then what is done with its files."""
        steps: list[Callable[[], None]] = [
            self._before,
            self._set_up,
            self._first_round,
            self._quarrel,
            self._the_end,
            self._proof,
            self._league,
            self._elsewhere,
        ]
        for step in steps:
            step()

    def _league(self) -> None:
        people = ("season", "people")
        by = ("--by", "Kim", "--reason", "one card")
        for words in (
            ("name", "Ann", "one"),
            ("name", "Bob", "league-2"),
            ("rename", "one", "Anna"),
            ("merge", "one", "league-2", *by),
            ("split", "one", *by),
            ("forget", "one", *by),
        ):
            self.desk.done(*people, *words)

    def _elsewhere(self) -> None:
        done = self.desk.done
        (self.desk.folder / "rounds.csv").write_text(
            "round,player1,player2,result\n1,Ann,Bob,win\n"
        )
        listed = self.desk.done("key", "--json").json
        log_key = next(each["key"] for each in listed if each["holder"] == "log")
        done("key", "revoke", log_key, "--reason", "the laptop was stolen")
        done("backup", "night.backup")
        done("restore", "night.backup", "--store", "other.db")
        game = ("--ruleset", "swiss", "--date", "2026-03-14")
        done("import", "rounds.csv", *game, "--store", "other.db")
