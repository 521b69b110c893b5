"""The whole way of a sceptic: the files that the page names, `cryptography`, and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.paths import ROOT
from tests.support.sample_days import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

PROOF = ROOT / "ledger" / "proof"
SAMPLES = [path for path in sorted(FOLDER.rglob("*.jsonl")) if path.parent.name != "broken"]
LOADED = """
import sys
from ledger.proof import verifier
code = verifier.main(sys.argv[1:])
own = sorted(name for name in sys.modules if name.startswith("ledger.proof."))
others = [name for name in sys.modules if name.split(".")[0] in {"projections", "cli", "msgspec"}]
print(*own, *others, sep="\\n", file=sys.stderr)
sys.exit(code)
"""


def files() -> list[str]:
    """The files that the page tells a sceptic to read."""
    said = (PROOF / "README.md").read_text("utf-8").partition("in this order:")[2]
    return re.findall(r"`(\w+\.py)`", said.partition("\n\n")[0])


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with these files alone."""
    folder = tmp_path / "ledger" / "proof"
    folder.mkdir(parents=True)
    for name in files():
        shutil.copy(PROOF / name, folder)
    for place in (folder, folder.parent):
        (place / "__init__.py").touch()
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ledger.proof.verifier", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_files_of_the_page_are_all_that_is_loaded(empty: Path) -> None:
    command = [sys.executable, "-c", LOADED, str(SAMPLES[0])]
    ended = subprocess.run(command, cwd=empty, capture_output=True, text=True, check=False)
    expected = [f"ledger.proof.{name.removesuffix('.py')}" for name in sorted(files())]
    assert ended.stderr.splitlines() == expected


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_log_is_read(empty: Path, path: Path) -> None:
    ended = run(empty, str(path))
    assert (ended.returncode, ended.stderr) == (0, "")
    drawn_again = sum(" was drawn 2 times " in line for line in ended.stdout.splitlines())
    assert ended.stdout.count("\n") == 10 + drawn_again


@pytest.mark.slow
def test_an_export_with_its_policy(empty: Path, desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    (empty / "policy").write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("export", "-o", str(empty / "day.jsonl"))
    ended = run(empty, "day.jsonl", "--policy", "policy")
    assert ended.returncode == 0
    assert "head: 1 of 1 by tourney/" in ended.stdout
    path = empty / "day.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"by":"o1"', b'"by":"o2"', 1))
    ended = run(empty, "day.jsonl", "--policy", "policy")
    assert ended.returncode == 1
    assert ended.stderr.startswith("line 1: it is not the line that was signed")
