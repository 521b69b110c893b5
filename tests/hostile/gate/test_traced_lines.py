"""The files that a hall reaches for lines and commands, as the system's calls show them.

Python's audit events name neither what is only looked at with `stat` nor what a library of C
opens; `strace` shows both, in the hall and in its reader.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hostile.gate.posting_child import BEGIN, END, HAS_FILES
from tests.hostile.gate.served_day import OWN
from tests.support.files.opened_files import PROGRAM, SYSTEM
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

STRACE = shutil.which("strace") or ""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not STRACE, reason="strace is not installed"),
]

CALL = re.compile(r'^(?:\d+ +)?(\w+)\((?:(?:AT_FDCWD|\d+)(?:<[^>]*>)?, )?"((?:[^"\\]|\\.)*)"')
ANOTHER = re.compile(r', (?:(?:AT_FDCWD|\d+), )?"((?:[^"\\]|\\.)*)"')
OF_TWO = ("rename", "link", "symlink")
OF_SYSTEM = (
    *SYSTEM,
    "/proc/",  # its own memory, which bounds the reader
    "/sys/",
    "/dev/null",
    "/dev/urandom",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/lib",
    "/lib",
    "/etc/ld.so",
)
"""What Python and the C library look at of the system."""


def traced(day: Desk, stranger: Path, **more: str) -> set[str]:
    """Post in a child under `strace`; return the calls about other files than its own."""
    log = stranger.parent / "calls.txt"
    child = [sys.executable, "-m", "tests.hostile.gate.posting_child", str(stranger)]
    done = subprocess.run(
        [STRACE, "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", str(log), *child],
        cwd=day.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if "ptrace" in done.stderr:
        pytest.skip(f"strace may not trace here: {done.stderr.splitlines()[-1]}")
    calls = log.read_text("utf-8", "replace").splitlines()
    places = [place for place, call in enumerate(calls) if BEGIN in call or END in call]
    assert len(places) == 2, done.stderr[-2000:]
    assert done.returncode == 0, done.stderr[-2000:]
    own = tuple(str(day.folder / name) for name in OWN)
    begins = (*PROGRAM, *OF_SYSTEM, *own)
    folders = {str(each) for each in (ROOT, *ROOT.parents, day.folder, *day.folder.parents)}
    return {
        f"{call} {path}"
        for call, path in _paths(calls[places[0] + 1 : places[1]], day.folder)
        if not path.startswith(begins) and path not in folders
    }


def _paths(calls: list[str], folder: Path) -> set[tuple[str, str]]:
    found = set()
    for call in calls:
        if not (read := CALL.match(call)):
            continue
        names = [read[2]]
        if read[1].startswith(OF_TWO):
            names += ANOTHER.findall(call[read.end() :])
        found |= {(read[1], str(folder / name)) for name in names}
    return found


def test_lines_and_commands_reach_the_store_and_the_program_alone(
    day: Desk, stranger: Path
) -> None:
    assert traced(day, stranger) == set()
    assert [path.name for path in stranger.iterdir()] == ["creds.env"]


def test_the_trace_shows_a_desk_that_has_files(day: Desk, stranger: Path) -> None:
    """The control."""
    assert any(str(stranger) in each for each in traced(day, stranger, **{HAS_FILES: "1"}))
