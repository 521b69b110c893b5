"""Whole processes, as a bench measures them: what a person waits for after Enter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
KIB_A_MIB = 1_024


def run(folder: Path, *words: str) -> int:
    """Run an interpreter in a folder, and return its exit code."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    ).returncode


def peak_mib(folder: Path, *words: str) -> int:
    """Run an interpreter in a folder to its good end, and return the most MiB that it held."""
    started = subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    assert started.returncode == 0, words
    return used.ru_maxrss // KIB_A_MIB


def tourney(folder: Path, line: str) -> int:
    """Run a command line in a folder, and return its exit code."""
    return run(folder, "-m", "cli.main", *line.split())
