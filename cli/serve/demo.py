"""The demo: a day of twelve players that plays itself in a temporary folder, to look at."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from cli.outside import environment_elsewhere
from cli.terminal.output import show
from cli.terminal.tables import WIDTH, broken
from ledger.errors import StoreUnavailable
from ledger.files.access import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = Path(__file__).with_name("demo.toml")
PLAYERS_FILE, POLICY_FILE = "players.csv", "policy"
LOG_FILE, FORGED_FILE = "demo.jsonl", "forged.jsonl"
RESULT = b'"outcomes":["win","loss"],"points":[10,1]'
TURNED = b'"outcomes":["loss","win"],"points":[1,10]'
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
    with TemporaryDirectory(prefix="tourney-demo-") as name:
        day = _Day(Path(name), script.players)
        for stop in script.stops:
            show("", *broken(stop.text, WIDTH), "")
            for number, line in enumerate(stop.lines, 1):
                day.type(line, stop.code if number == len(stop.lines) else 0)
            if ask is None:
                continue
            if stop.serves and ask("serve it now, until Ctrl-C? [y/N]").lower() in {"y", "yes"}:
                day.serve()
            elif not stop.serves and ask("Enter for more, or q?").lower() == "q":
                return


class _Day:
    """The tournament in its folder."""

    def __init__(self, folder: Path, players: str) -> None:
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
        self._run(["serve"], "", is_shown=True)

    def _run_shown(self, words: list[str], code: int, stdin: str = "") -> None:
        show(f"$ tourney {shlex.join(words)}")
        sys.stdout.flush()
        done = self._run(words, stdin, is_shown=True)
        if done.returncode != code:
            raise StoreUnavailable(f"demo: {words[0]} ended with {done.returncode}, not {code}")

    def _run(
        self, words: list[str], stdin: str, *, is_shown: bool
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", "cli", *words],
            cwd=self._folder,
            env=environment_elsewhere(),
            input=stdin,
            stdout=None if is_shown else subprocess.PIPE,
            text=True,
            check=False,
        )

    def _answer(self, *words: str) -> str:
        done = self._run(list(words), "", is_shown=False)
        if done.returncode:
            raise StoreUnavailable(f"demo: {words[0]} ended with {done.returncode}, not 0")
        return done.stdout

    def _open_tables(self) -> list[tuple[int, list[str]]]:
        tables = msgspec.json.decode(self._answer("pairings", "--json"))
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
            policy = self._answer("checkpoint", "--policy")
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
