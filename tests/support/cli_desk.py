"""A desk for tests: command lines run in this process, in a directory of their own."""

from __future__ import annotations

import io
import json
import shutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from cli.exits import USAGE
from cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


class Answer(NamedTuple):
    """What a command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the verb gives
        """The one JSON value on stdout."""
        return json.loads(self.out)


class Desk:
    """Types command lines; the store and what is in hand stay in the test's own directory."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = patch
        patch.chdir(folder)
        for name in ("TOURNEY_STORE", "COLUMNS", "TOURNEY_TRACE"):
            patch.delenv(name, raising=False)
        patch.setenv("TOURNEY_TRACE", "1")  # a fault of our own fails the test with its traceback

    def type(self, *words: str, stdin: str = "") -> Answer:
        """Run one command line."""
        out, err = (_stream() for _ in range(2))
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", _stream(stdin))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(words)
        return Answer(code, _text(out), _text(err))

    def done(self, *words: str, stdin: str = "") -> Answer:
        """Run one that must succeed."""
        answer = self.type(*words, stdin=stdin)
        assert answer.code == 0, (words, answer.err)
        return answer

    def refused(self, *words: str, stdin: str = "") -> Answer:
        """Run one that must fail with one line, and leave the log as it was."""
        before = self.log()
        answer = self.type(*words, stdin=stdin)
        assert answer.code, words
        assert answer.err.count("\n") == 1, answer.err
        assert answer.err.startswith("tourney: ")
        assert answer.out == "" or list(answer.json) == ["problems"]
        assert answer.out or "--json" not in words or answer.code == USAGE
        assert self.log() == before
        return answer

    def forget_what_was_seen(self) -> None:
        """Be a desk that never looked into the store."""
        shutil.rmtree(self.folder / ".tourney-keys" / "seen", ignore_errors=True)

    def log(self) -> str:
        """The lines of the tournament in hand, without that of the names; empty without one."""
        answer = self.type("export", "--without-names")
        return answer.out if answer.code == 0 else ""

    def open(self, players: int, *structure: str, ruleset: str = "l5r") -> None:
        """Open a day with `Player 01`, … and start it, where a structure is given."""
        self.done("new", "Library Night", "--ruleset", ruleset, "--organizer", "Kim Larsen")
        if players:
            names = "".join(f"Player {number:02}\n" for number in range(1, players + 1))
            self.done("register", "--file", "-", stdin=f"name\n{names}")
        if structure:
            self.done("start", *structure)

    def report_all(self, word: str = "") -> None:
        """Let the first player of every open table win."""
        lines = [
            f"{game['table']} #{game['players'][0]} {word}"
            for game in self.done("pairings", "--json").json
            if not game["bye"] and game["result"] is None
        ]
        self.done("report", stdin="\n".join(lines) + "\n")

    def seats(self, table: int) -> tuple[int, int]:
        """Who sits at a table of the latest round."""
        first, second = self.done("pairings", "--json").json[table - 1]["players"]
        return first, second


def _stream(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BytesIO(text.encode(errors="surrogateescape")), encoding="utf-8", newline=""
    )


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk in an empty directory."""
    return Desk(tmp_path, monkeypatch)
