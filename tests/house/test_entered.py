"""How many product files one act enters: `python -m tests.house.test_entered` lists them.

A file counts if one of its functions was called between the first and the last moment of the act.
At a terminal that is a whole process; in a hall it is what the server does for one request.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.house.code import PACKAGES
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

REPORT_MOST, PHONE_MOST = 92, 54
"""The most files for a report at a terminal, and for one from a phone; both only shrink."""

PLAYERS = "name\nAnn Archer\nBo Baker\nCy Cole\nDi Drew\nEd East\nFay Ford\nGus Gray\nHal Hale\n"
WAIT_SECONDS = 30
FUNCTION = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS
"""Flags of a function's code, which the body of a module or a class does not have."""


def record(place: str, *words: str) -> None:
    """Run the program with these words, and write the files whose functions were called.

    SIGUSR1 begins again with no files; SIGUSR2 writes the files so far.
    """
    codes: set[CodeType] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    def write() -> None:
        # A comprehension is a function before Python 3.12.
        functions = [
            code
            for code in codes.copy()
            if code.co_flags & FUNCTION == FUNCTION and not code.co_name.endswith("comp>")
        ]
        files = {os.path.relpath(code.co_filename, ROOT) for code in functions}
        text = "\n".join(sorted(file for file in files if Path(file).parts[0] in PACKAGES))
        Path(f"{place}.part").write_text(text, "utf-8")
        Path(f"{place}.part").rename(place)

    signal.signal(signal.SIGUSR1, lambda *_: codes.clear())
    signal.signal(signal.SIGUSR2, lambda *_: write())
    sys.argv = ["tourney", *words]
    threading.setprofile(called)
    sys.setprofile(called)
    try:
        runpy.run_module("cli", run_name="__main__")
    finally:
        sys.setprofile(None)
        write()


def _recording(place: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "tests.house.test_entered", "--record", str(place), *words]


def _environment() -> dict[str, str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("TOURNEY_")}
    return own | {"PYTHONPATH": str(ROOT)}


def entered_by_report(folder: Path) -> list[str]:
    """Return the files that `report TABLE NAME` enters in a folder with a new event."""

    def tourney(*words: str, stdin: str = "", into: str = "other") -> str:
        done = subprocess.run(
            _recording(folder / into, *words),
            cwd=folder,
            env=_environment(),
            input=stdin,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    tourney("new", "Cup", "--ruleset", "swiss", "--organizer", "Kim")
    tourney("register", "--file", "-", stdin=PLAYERS)
    for line in ("start custom --rounds 3", "pair"):
        tourney(*line.split())
    rows = msgspec.json.decode(tourney("pairings", "--json"))
    table = next(row["table"] for row in rows if 1 in row["players"])
    tourney("report", str(table), "ann", into="report")
    return (folder / "report").read_text("utf-8").split()


def entered_by_phone(folder: Path) -> list[str]:
    """Return the files that a running hall enters for a player's report from a phone."""
    return asyncio.run(_report_from_a_phone(folder))


async def _report_from_a_phone(folder: Path) -> list[str]:
    # The program is imported here: whoever records it imports this module first.
    from cli.serve.rehearsals.rehearsal import Figures, Person, Venue, furnish  # noqa: PLC0415

    secrets, figures, files = furnish(folder, 8, 3), Figures(), folder / "phone"
    with _serving(folder, files) as (process, port):
        venue = Venue(folder, port, process, secrets, 0.0)
        desk = Person("o1", venue, figures)
        await desk.come()
        for act in ("PairRound", "StartRound"):
            assert await desk.act(act)
        match = (await desk.value("pairings"))[0]
        player = Person(f"p{match['players'][0]}", venue, figures)
        await player.come()
        await asyncio.sleep(1)  # what the server still does for the acts before
        process.send_signal(signal.SIGUSR1)
        await asyncio.sleep(0.2)
        assert await player.act("Report", match=match["match"], result={"outcome": "win"})
        await asyncio.sleep(0.5)  # the server reads its new lines before or after the answer
        process.send_signal(signal.SIGUSR2)
        await asyncio.to_thread(_wait_for, files)
        await desk.go()
        await player.go()
    return files.read_text("utf-8").split()


def _wait_for(files: Path) -> None:
    until = monotonic() + WAIT_SECONDS
    while not files.exists() and monotonic() < until:
        sleep(0.05)


@contextmanager
def _serving(folder: Path, files: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    with subprocess.Popen(
        _recording(files, "serve", "--port", "0"),
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("The tournament is at "))
        try:
            yield process, int(line.rstrip("/\n").rpartition(":")[2])
        finally:
            process.terminate()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the server is told by signals of POSIX")
def test_one_report_enters_few_files(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "hall").mkdir()
    report, phone = entered_by_report(tmp_path / "desk"), entered_by_phone(tmp_path / "hall")
    assert "ledger/rules/results.py" in report
    assert "ledger/rules/results.py" in phone
    assert len(report) <= REPORT_MOST
    assert len(phone) <= PHONE_MOST


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        record(*sys.argv[2:])
    else:
        for title, files in (("report", entered_by_report), ("a phone's report", entered_by_phone)):
            with tempfile.TemporaryDirectory() as place:
                names = files(Path(place))
            print(f"{title}: {len(names)} files", *names, sep="\n  ")  # noqa: T201
