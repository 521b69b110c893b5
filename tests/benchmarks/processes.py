"""Whole processes, as a bench measures them: what a person waits for after Enter."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KIB_A_MIB = 1_024
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


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
    """Run an interpreter in a folder to its good end, and return the most MiB that it held.

    A process is charged with what the one held that started it: a small one starts it.
    """
    told = subprocess.run(
        [sys.executable, "-c", MEASURED, sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return int(told.stdout) // KIB_A_MIB


def tourney(folder: Path, line: str) -> int:
    """Run a command line in a folder, and return its exit code."""
    return run(folder, "-m", "cli.main", *line.split())
