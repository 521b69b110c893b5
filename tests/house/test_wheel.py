"""What is built is what runs: sdist and wheel, installed where nothing of the checkout is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.main import main
from ledger import VERSION
from ledger.proof.lines import RULES, WIRE
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

SDIST = "from setuptools.build_meta import build_sdist; build_sdist('dist')"
DAY = (
    'new "Library Cup" --ruleset l5r --organizer "Olga Brandt" --time-zone UTC',
    "register --file players.csv",
    "start custom --rounds 1",
    "pair",
    "report 1 1",
    "standings",
    "finish",
    "export -o cup.jsonl",
    "verify cup.jsonl",
    "season add cup.jsonl",
    "stats factions",
    "help",
)


class Built:
    """A clean environment with the wheel that was built from the sdist of a clone."""

    def __init__(self, folder: Path) -> None:
        self.folder, clone = folder, folder / "clone"
        self._run("git", "clone", "-q", str(ROOT), str(clone))
        python = self._environment("build")
        tools: list[str | Path] = [python, "-m", "pip", "install", "-q", "setuptools>=77", "babel"]
        if subprocess.run(tools, cwd=folder, env=self.told, check=False).returncode:
            pytest.skip("no package index is reachable")
        self._run(python, "-c", SDIST, cwd=clone)
        (self.sdist,) = (clone / "dist").iterdir()
        wheel = ("wheel", "-q", "--no-deps", "--no-build-isolation", "-w", "dist", str(self.sdist))
        self._run(python, "-m", "pip", *wheel)
        (self.wheel,) = (folder / "dist").iterdir()
        clean = self._environment("clean")
        pinned = ("-c", str(ROOT / "constraints.txt"))
        self._run(clean, "-m", "pip", "install", "-q", *pinned, str(self.wheel))
        self.program = clean.parent / "tourney"
        git = ["git", "rev-parse", "--short=12", "HEAD"]
        self.commit = subprocess.check_output(git, cwd=clone, text=True).strip()

    @property
    def told(self) -> dict[str, str]:
        """The environment without what leads to the checkout."""
        ours = ("PYTHON", "TOURNEY")
        return {name: text for name, text in os.environ.items() if not name.startswith(ours)}

    def _environment(self, name: str) -> Path:
        self._run(Path(sys.executable), "-m", "venv", name)
        programs = "Scripts" if sys.platform == "win32" else "bin"
        return self.folder / name / programs / "python"

    def _run(self, *words: str | Path, cwd: Path | None = None) -> None:
        subprocess.run(words, cwd=cwd or self.folder, env=self.told, check=True)

    def type(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run one line in an empty folder, with no more than the clean environment."""
        words = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
        day = self.folder / "day"
        day.mkdir(exist_ok=True)
        (day / "players.csv").write_text("name\nAnn Lee\nBob Ray\n", "utf-8")
        program = [self.program, *words]
        return subprocess.run(
            program, cwd=day, env=self.told, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("built"))


@pytest.mark.slow
def test_a_day_is_played_from_the_wheel_alone(built: Built) -> None:
    for line in DAY:
        answer = built.type(line)
        assert answer.returncode == 0, (line, answer.stderr)
    assert "verified up to the end of the file" in built.type("verify cup.jsonl").stderr


@pytest.mark.slow
def test_a_build_says_which_commit_it_is_of(built: Built) -> None:
    said = f"tourney {VERSION} (wire {WIRE}, rules {RULES}, commit {built.commit})\n"
    assert built.type("--version").stdout == said


@pytest.mark.slow
def test_the_wheel_holds_the_packages_and_their_data_alone(built: Built) -> None:
    names = [name for name in zipfile.ZipFile(built.wheel).namelist() if "dist-info" not in name]
    assert {name.partition("/")[0] for name in names} == {"ledger", "projections", "cli"}
    ours = {"ledger", "projections", "cli"}
    files = ["git", "ls-files"]
    listed = subprocess.check_output(files, cwd=ROOT, text=True).splitlines()
    data = {each for each in listed if each.partition("/")[0] in ours and not each.endswith(".png")}
    data = {each.removesuffix(".po") + ".mo" if each.endswith(".po") else each for each in data}
    assert data - set(names) == set()
    with tarfile.open(built.sdist) as archive:
        assert f"tourney_ledger-{VERSION}/ledger/commit.txt" in archive.getnames()


def test_a_checkout_names_no_commit(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert not (ROOT / "ledger" / "commit.txt").exists()
    said = f"tourney {VERSION} (wire {WIRE}, rules {RULES})\n"
    assert desk.done("--version").out == said
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == said
