"""Whole processes, as a bench measures them: what a person waits for after Enter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


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


def tourney(folder: Path, line: str) -> int:
    """Run a command line in a folder, and return its exit code."""
    return run(folder, "-m", "cli.main", *line.split())
