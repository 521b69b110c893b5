"""A desk for tests: command lines run in this process, in a directory of their own."""

from __future__ import annotations

import atexit
import io
import json
import os
import re
import shutil
import sys
import tempfile
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet

import pytest

from cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping


UNSIGNED = ("--unsigned", "as it was sent")
"""What a log is read with whose lines no signed head covers."""

VIEW_WORDS: Mapping[str, list[str]] = {
    "match": ["1/1"],
    "explain": ["#1"],
    "explain pairing": ["1/1"],
    "explain bye": ["1"],
    "diff": ["round:1"],
    "whatif": ["1/1", "none"],
    "lists show": ["1"],
}
"""What a view needs behind it to show anything."""


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
        self._patches = len(patch._setitem)

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
        assert answer.out or "--json" not in words
        assert self.log() == before
        return answer

    def forget_what_was_seen(self) -> None:
        """Be a desk that never looked into the store."""
        shutil.rmtree(self.folder / ".tourney-keys" / "seen", ignore_errors=True)

    def log(self) -> str:
        """The lines of the tournament in hand, without that of the names; empty without one."""
        answer = self.type("export", "--without-names")
        return answer.out if answer.code == 0 else ""

    def is_untouched(self) -> bool:
        """Whether this is the test's first desk, in an empty folder, with nothing set for it."""
        patched = len(self.patch._setitem) > self._patches or self.patch._setattr
        return not (patched or self.patch in _COPIED or any(self.folder.iterdir()))

    def open(self, players: int, *structure: str, ruleset: str = "l5r") -> None:
        """Open a day with `Player 01`, … and start it, where a structure is given."""
        once(self, (players, structure, ruleset), lambda _: self._open(players, structure, ruleset))

    def _open(self, players: int, structure: tuple[str, ...], ruleset: str) -> None:
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


_COPIED: WeakSet[pytest.MonkeyPatch] = WeakSet()
"""The tests that have a copy: a second day of theirs has to be another."""


class _Left(NamedTuple):
    """What typing a day left: a copy of the folder, where the desk stands in it, and variables."""

    copy: Path
    place: Path
    variables: dict[str, str]


@cache
def _days() -> dict[Hashable, _Left]:
    return {}


@cache
def _copies() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tourney-days-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def once(desk: Desk, day: Hashable, type_it: Callable[[Desk], object]) -> None:
    """Type a day for the first test that asks for it; the others have its files in their folder."""
    if not desk.is_untouched():
        type_it(desk)
        return
    days, start = _days(), desk.folder
    if day not in days:
        before = dict(os.environ)
        type_it(desk)
        variables = {name: each for name, each in os.environ.items() if before.get(name) != each}
        copy = shutil.copytree(start, _copies() / str(len(days)), symlinks=True)
        days[day] = _Left(copy, desk.folder.relative_to(start), variables)
    else:
        left = days[day]
        shutil.copytree(left.copy, start, symlinks=True, dirs_exist_ok=True)
        for name, value in left.variables.items():
            desk.patch.setenv(name, value)
        desk.folder = start / left.place
        desk.patch.chdir(desk.folder)
    _COPIED.add(desk.patch)


def typed_once(type_it: Callable[[Desk], Desk]) -> Callable[[Desk], Desk]:
    """Make a fixture of what types a day at a desk: each test has a day of its own, typed once."""

    @wraps(type_it)
    def fixture(desk: Desk) -> Desk:
        once(desk, type_it, type_it)
        return desk

    made: Callable[[Desk], Desk] = pytest.fixture(fixture)
    return made


def without_isolates(text: str) -> str:
    """Return a page's text, or its HTML, without what isolates its names."""
    return re.sub("</?bdi>|[\u2068\u2069]", "", text)


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
