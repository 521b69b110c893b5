"""`demo`: a day of twelve players that plays itself in a temporary folder, to look at."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli.desk.confirm_breaches import is_asked
from cli.desk.questions import asked
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.outside import environment_elsewhere
from cli.terminal.output import say, show
from cli.terminal.tables import WIDTH, broken
from ledger.errors import Refused, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYERS_FILE, LOG_FILE, FORGED_FILE = "players.csv", "demo.jsonl", "forged.jsonl"
PLAYERS = """\
name,faction
Ann Lee,Crane
Bob Ray,Lion
Cas Dor,Phoenix
Dee Fox,Scorpion
Eli Moss,Dragon
Fay Kerr,Unicorn
Gus Hale,Crab
Ida Voss,Crane
Jon Pike,Lion
Kit Lowe,Phoenix
Liv Stern,Scorpion
Max Roth,Dragon
"""
ORGANIZER, JUDGE, MARSHAL = "Olga Brandt", "Pat Jones", "Mara Low"
ROUNDS, CUT = 3, 2


class Stop(NamedTuple):
    """A place to look: what is to be seen there, and the lines that show it."""

    text: str
    lines: tuple[tuple[str, ...], ...]
    code: int = 0
    """The exit code that each line is expected to have."""


def demo(desk: Desk) -> None:
    """Play a day of 12 players by itself, in a temporary folder.

    It shows each line that it types, and stops where there is something to see: standings, a
    dispute, the reason for a number, the log that proves itself, and the hall. Nothing of your own
    is touched, and nothing remains.

    tourney demo
    """
    if desk.json:
        raise UsageError("demo is for people: omit --json")
    with TemporaryDirectory(prefix="tourney-demo-") as name:
        folder = Path(name)
        (folder / PLAYERS_FILE).write_text(PLAYERS, "utf-8", newline="\n")
        for stop in _stops(folder):
            _explain(stop.text)
            for line in stop.lines:
                _type(folder, *line, code=stop.code)
            if is_asked() and asked("go on with Enter, or end with q?").lower() in {"q", "quit"}:
                return
        _serve(folder)
    say("the folder of the demo is deleted; begin your own day in an empty folder: `tourney new`")


def _stops(folder: Path) -> Iterator[Stop]:
    """Play the day, from one place to look to the next."""
    new = ("new", "Demo Day", "--ruleset", "l5r", "--organizer", ORGANIZER)
    yield Stop(
        "The organizer opens the day, appoints a judge and a marshal, and registers 12 players.",
        (
            new,
            ("official", "add", JUDGE, "--role", "judge"),
            ("official", "add", MARSHAL, "--role", "marshal"),
            ("register", "--file", PLAYERS_FILE),
            ("start", "custom", "--rounds", str(ROUNDS), "--cut", str(CUT), "--word", "plum"),
            ("pair",),
            ("round", "start"),
        ),
    )
    one, two = _open_tables(folder)[0]
    reported = (("report", "1", one, "--for", one), ("report", "1", two, "--for", two))
    yield Stop(
        "At table 1 both players claim the win. That is a dispute, and round 2 waits for a ruling.",
        (*reported, ("disputes",)),
    )
    _report_all(folder, but=1)
    yield Stop(
        "The judge rules, the loser appeals, the marshal decides, and the desk enters the result."
        " The match keeps the whole story.",
        (
            ("rule", "1", "both slips are read", "--result", two, "--as", JUDGE),
            ("appeal", "1/1", "--for", one, "--reason", "the slip is of another table"),
            ("review", "1/1", "table and names are right", "--upheld", "--as", MARSHAL),
            ("correct", "--ruling", "1/1"),
            ("match", "1/1"),
        ),
    )
    for _ in range(ROUNDS - 1):
        _type(folder, "pair")
        _type(folder, "round", "start")
        _report_all(folder)
    yield Stop(
        "Three rounds are played. The standings, and the reason for one of their numbers:",
        (("standings",), ("explain", one, "SOS")),
    )
    _type(folder, "cut")
    _type(folder, "pair")
    _report_all(folder)
    yield Stop(
        "The final is played. The finishing order; the log with its signed head; and a check of it,"
        " as anybody can do who has the two files:",
        (
            ("finish",),
            ("standings", "--final"),
            ("export", "-o", LOG_FILE),
            ("verify", LOG_FILE, "--policy", _policy(folder)),
        ),
    )
    _forge(folder)
    yield Stop(
        "Somebody turns one result in a copy of the log around. The check says in which line:",
        (("verify", FORGED_FILE, "--policy", _policy(folder)),),
        code=1,
    )


def _forge(folder: Path) -> None:
    """Copy the log with its signed head and its hashes; turn the last result of the copy around."""
    for name in (LOG_FILE, f"{LOG_FILE}.checkpoint", f"{LOG_FILE}.hashes"):
        copied = (folder / name).read_bytes()
        before, outcomes, after = copied.rpartition(b'"outcomes":["win","loss"],"points":[10,1]')
        if outcomes:
            copied = before + b'"outcomes":["loss","win"],"points":[1,10]' + after
        (folder / name.replace(LOG_FILE, FORGED_FILE)).write_bytes(copied)


def _serve(folder: Path) -> None:
    """Offer the hall to a person at a terminal."""
    _explain(
        "The same day on every phone and screen in the room is `tourney serve`: results, disputes"
        " and the clock, without an app."
    )
    if is_asked() and asked("serve it now, until Ctrl-C? [y/N]").lower() in {"y", "yes"}:
        _type(folder, "serve", code=None)


def _explain(text: str) -> None:
    show("", *broken(text, WIDTH), "")


def _type(folder: Path, *words: str, stdin: str = "", code: int | None = 0) -> None:
    """Show a line, run it in the folder, and let its answer go where ours goes.

    Raises:
        StoreUnavailable: its exit code is another than the expected one; None: any is.
    """
    show(f"$ tourney {shlex.join(words)}")
    sys.stdout.flush()
    done = _run(folder, words, stdin, is_shown=True)
    if code is not None and done.returncode != code:
        raise StoreUnavailable(f"demo: `{words[0]}` ended with {done.returncode}, not {code}")


def _run(
    folder: Path, words: tuple[str, ...], stdin: str, *, is_shown: bool
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program, no shell
        [sys.executable, "-m", "cli", *words],
        cwd=folder,
        env=environment_elsewhere(),
        input=stdin,
        stdout=None if is_shown else subprocess.PIPE,
        text=True,
        check=False,
    )


def _answer(folder: Path, *words: str) -> str:
    """Return what a line shows, without showing it.

    Raises:
        Refused: the line failed.
    """
    done = _run(folder, words, "", is_shown=False)
    if done.returncode:
        raise Refused(f"demo: `{words[0]}` failed")
    return done.stdout


def _open_tables(folder: Path) -> list[tuple[str, str]]:
    """Return the names at each table without a result, in the order of the tables."""
    tables = msgspec.json.decode(_answer(folder, "pairings", "--json"))
    return [tuple(table["names"]) for table in tables if not (table["bye"] or table["result"])]


def _report_all(folder: Path, but: int = 0) -> None:
    """Report every open table but one: the first name in the alphabet wins."""
    tables = msgspec.json.decode(_answer(folder, "pairings", "--json"))
    lines = "".join(
        f'{table["table"]} "{min(table["names"])}"\n'
        for table in tables
        if not (table["bye"] or table["result"] or table["table"] == but)
    )
    _type(folder, "report", stdin=lines)


def _policy(folder: Path) -> str:
    """Write the policy of the day to a file, and return its name."""
    path = folder / "policy"
    if not path.exists():
        path.write_text(_answer(folder, "checkpoint", "--policy"), "utf-8", newline="\n")
    return path.name
