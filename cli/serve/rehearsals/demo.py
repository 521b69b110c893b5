"""The demo: a day of twelve players that plays itself in a temporary folder, to look at."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from cli.desk.confirm_breaches import YES
from cli.languages.speaking import marked, tr
from cli.serve.ports.server import INSTALL, can_serve
from cli.serve.rehearsals.rehearsal import run_line, typed
from cli.terminal.output import show
from cli.terminal.tables import WIDTH, broken, terminal_height, terminal_width
from cli.terminal.visible import cells
from ledger.errors import Refused, StoreUnavailable
from ledger.files.access import write_whole
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = Path(__file__).with_name("demo.toml")
PLAYERS_FILE, POLICY_FILE = "players.csv", "policy"
LOG_FILE, FORGED_FILE = "demo.jsonl", "forged.jsonl"
RESULT = b'"outcomes":["win","loss"],"points":[10,1]'
TURNED = b'"outcomes":["loss","win"],"points":[1,10]'
LINES_LEFT = 2
"""Lines of a terminal that are kept for the question and the line before it."""

MORE = marked("Enter for more, or q?")
REPORT_ALL, FORGE = "report all", "forge"


class Stop(Struct, frozen=True, forbid_unknown_fields=True):
    """A place to look: the text and the lines that lead to it, and the exit code of the last."""

    text: str
    lines: tuple[str, ...]
    code: int = 0
    serves: bool = False
    """Whether the hall is offered here, to a person at a terminal."""


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """The day: a CSV file of the players, and the stops in their order."""

    players: str
    stops: tuple[Stop, ...]


def play_demo(ask: Callable[[str], str] | None) -> None:
    """Play the day, and show each typed line with its answer.

    `ask` asks the person at the terminal at each stop; None without a terminal.

    Raises:
        StoreUnavailable: a line ended with another exit code than the script has.
    """
    script = msgspec.toml.decode(SCRIPT.read_bytes(), type=Script)
    screen = _Screen(ask)
    with TemporaryDirectory(prefix="tourney-demo-") as name, suppress(Refused):  # q, or the end
        day = _Day(Path(name), script.players, screen)
        for stop in script.stops:
            screen.show("", *broken(tr(stop.text), WIDTH), "")
            for number, line in enumerate(stop.lines, 1):
                day.type(line, stop.code if number == len(stop.lines) else 0)
            _pause(day, stop, screen)


def _pause(day: _Day, stop: Stop, screen: _Screen) -> None:
    """Let a person look, or offer them the hall; Refused if they want no more."""
    if screen.ask is None:
        return
    if not stop.serves:
        screen.stop()
    elif not can_serve():
        show(tr("to serve it: {command}, then `tourney demo` again", command=INSTALL))
    elif screen.ask(tr("serve it now, until Ctrl-C? [y/N]")).lower() in YES:
        day.serve()


class _Screen:
    """Where the day is shown: on a terminal no more at once than it has lines for."""

    def __init__(self, ask: Callable[[str], str] | None) -> None:
        self.ask = ask
        self._lines = 0
        """Lines of the terminal used since the last stop."""

    def show(self, *lines: str) -> None:
        """Show lines; Refused if a person wants no more of them."""
        for line in lines:
            used = max(1, -(-cells(line) // terminal_width()))
            if self.ask is not None and self._lines + used > terminal_height() - LINES_LEFT:
                self.stop()
            self._lines += used
            show(line)

    def stop(self) -> None:
        """Wait until a person has read; Refused if they want no more."""
        sys.stdout.flush()
        if self.ask is not None:
            self.ask(tr(MORE))
        self._lines = 0


class _Day:
    """The tournament in its folder."""

    def __init__(self, folder: Path, players: str, screen: _Screen) -> None:
        self._screen = screen
        self._folder = folder
        self._about: dict[str, str] = {}
        write_whole(folder / PLAYERS_FILE, [players.lstrip().encode()])

    def type(self, line: str, code: int) -> None:
        """Show a line of the script, run it, and let its answer go where ours goes."""
        if line == FORGE:
            self._forge()
        elif line == REPORT_ALL:
            self._run_shown(["report"], code, self._winners())
        else:
            self._run_shown(shlex.split(self._filled_in(line)), code)

    def serve(self) -> None:
        """Serve the day until Ctrl-C."""
        show("$ tourney serve")
        sys.stdout.flush()
        run_line(self._folder, ["serve"], is_shown=True)

    def _run_shown(self, words: list[str], code: int, stdin: str = "") -> None:
        self._screen.show(f"$ tourney {shlex.join(words)}")
        self._screen.show(*(f"> {line}" for line in stdin.splitlines()))
        sys.stdout.flush()
        is_paged = self._screen.ask is not None
        columns = terminal_width() if is_paged else 0
        done = run_line(self._folder, words, stdin, is_shown=not is_paged, columns=columns)
        if is_paged:
            self._screen.show(*done.stdout.splitlines(), *done.stderr.splitlines())
        if done.returncode != code:
            raise StoreUnavailable(
                phrase(
                    "demo: {verb} ended with {code}, not {expected}",
                    verb=words[0],
                    code=done.returncode,
                    expected=code,
                )
            )

    def _open_tables(self) -> list[tuple[int, list[str]]]:
        tables = msgspec.json.decode(typed(self._folder, "pairings", "--json"))
        return [
            (table["table"], table["names"])
            for table in tables
            if not (table["bye"] or table["result"])
        ]

    def _winners(self) -> str:
        return "".join(f'{table} "{min(names)}"\n' for table, names in self._open_tables())

    def _filled_in(self, line: str) -> str:
        """Return a line with the names of the players and of the policy's file."""
        if "{one}" in line and "one" not in self._about:
            _, names = self._open_tables()[0]
            self._about |= {"one": names[0], "two": names[1]}
        if "{policy}" in line and "policy" not in self._about:
            policy = typed(self._folder, "checkpoint", "--policy")
            write_whole(self._folder / POLICY_FILE, [policy.encode()])
            self._about["policy"] = POLICY_FILE
        return line.format(**self._about) if "{" in line else line

    def _forge(self) -> None:
        """Copy the log with its head and hashes; turn the last result of the copy around."""
        for ending in ("", ".checkpoint", ".hashes"):
            copied = (self._folder / f"{LOG_FILE}{ending}").read_bytes()
            before, result, after = copied.rpartition(RESULT)
            forged = before + (TURNED if result else b"") + after
            write_whole(self._folder / f"{FORGED_FILE}{ending}", [forged])
