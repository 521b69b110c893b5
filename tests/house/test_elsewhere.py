"""The run without POSIX (`tests/support/elsewhere`) takes modules away, also in child processes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ASKED = """
import multiprocessing, os, subprocess, sys
import fcntl, resource
from ledger.files import system
from pathlib import Path
from projections.processes import limit_memory, processes

def main():
    print(system.open_files(9_999), system.has_memory_limit(), multiprocessing.get_start_method())
    with processes(1) as pool:
        print(*pool.map(_limits, [1], chunksize=1))
    line = "from ledger.files import system; print(system.has_memory_limit())"
    told = {**os.environ, "PYTHONPATH": sys.argv[1]}
    print(subprocess.check_output([sys.executable, "-c", line], env=told, text=True))

def _limits(_):
    return limit_memory()

if __name__ == "__main__":
    main()
"""


def asked(folder: Path, **more: str) -> list[str]:
    (folder / "asked.py").write_text(ASKED)
    paths = [str(ROOT / "tests" / "support" / "elsewhere"), str(ROOT)]
    told = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TOURNEY_ELSEWHERE": "", **more}
    words = [sys.executable, "asked.py", str(ROOT)]
    ran = subprocess.run(words, cwd=folder, env=told, text=True, capture_output=True, check=False)
    assert not ran.stderr
    return ran.stdout.split()


def test_ours_lose_the_modules_of_posix_and_others_keep_them(tmp_path: Path) -> None:
    assert asked(tmp_path, TOURNEY_ELSEWHERE="1") == ["9999", "False", "spawn", "False", "False"]


def test_nothing_is_taken_away_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert asked(tmp_path)[-2:] == ["True", "True"] or not sys.platform.startswith("linux")
