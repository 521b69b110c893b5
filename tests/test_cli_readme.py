"""The day in the README works as it stands, line by line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BASH = shutil.which("bash")
SECONDS_MAX = 120


def the_day() -> str:
    """The commands under the README's second heading."""
    chapter = (ROOT / "README.md").read_text("utf-8").partition("## A day at the desk")[2]
    found = re.search(r"```sh\n(.*?)```", chapter, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.skipif(BASH is None, reason="the README's commands are for a shell")
def test_the_day_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "tourney").symlink_to(ROOT)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    program = programs / "tourney"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli.main "$@"\n', "utf-8")
    program.chmod(0o755)
    folder = tmp_path / "day"
    folder.mkdir()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name != "TOURNEY_STORE"}
    ran = subprocess.run(
        [str(BASH), "-e", "-o", "pipefail", "-c", the_day()],
        cwd=folder,
        env={**kept, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "tourney:" not in ran.stderr
    assert re.search(r"^winner: .+", ran.stderr, re.MULTILINE)
    made = {each.name for each in folder.iterdir()}
    assert {"tourney.db", "tourney.db-vault", ".tourney"} <= made
