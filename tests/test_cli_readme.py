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
SECONDS_MAX = 300
KINDS = ("jsonl", "jsonl.checkpoint", "jsonl.hashes")


def commands_of(heading: str) -> str:
    """The commands under a heading of the README."""
    chapter = (ROOT / "README.md").read_text("utf-8").partition(f"## {heading}")[2]
    found = re.search(r"```sh\n(.*?)```", chapter, re.DOTALL)
    assert found is not None
    return found[1]


def run_in(
    folder: Path, heading: str, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run(
        [str(BASH), "-e", "-o", "pipefail", "-c", commands_of(heading)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran


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
    environment = {**kept, "PATH": path, "PYTHONPATH": str(ROOT)}
    ran = run_in(folder, "A day at the desk", environment)
    assert "tourney:" not in ran.stderr
    assert re.search(r"^winner: .+", ran.stderr, re.MULTILINE)
    made = {each.name for each in folder.iterdir()}
    assert {"tourney.db", "tourney.db-vault", ".tourney", ".tourney-keys"} <= made
    checked = run_in(folder, "Anyone can check it", environment)
    assert "line 60: it is not the line that was signed at this place" in checked.stderr
    assert checked.stdout.count("tree: ") == 2
    stranger = {each.name for each in (folder / "stranger").iterdir()}
    assert stranger == {
        "policy",
        *(f"{log}.{kind}" for log in ("kotei-berlin", "edited") for kind in KINDS),
    }
