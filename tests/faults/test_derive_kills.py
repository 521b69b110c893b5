"""A derive that is killed at any moment leaves the season as it was, or as it is to be."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import pytest
from msgspec.structs import replace

from projections.season.loading.manifest import MANIFEST, Manifest, read_held
from projections.season.tables.database import FORMAT
from tests.faults.derive_worker import derive_small
from tests.support.paths import ROOT
from tests.support.season import write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.faults.summary import Begin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="no such files here"),
]
TIMED = (
    "import sys; from tests.faults.derive_worker import derive_small\n"
    "print('begun', flush=True)\nderive_small(sys.argv[1], sys.argv[2], 2)"
)


class Growth(NamedTuple):
    """A season with a log that has grown since and some that are new, before and after."""

    before: Path
    after: Path
    logs: Path

    def wrong_with(self, folder: Path) -> str:
        """Say what is wrong with a season after a kill; then derive it to its end."""
        try:
            if (found := _season(folder)) not in (_season(self.before), _season(self.after)):
                return f"a season of {len(found.chunks)} chunks that nobody derived"
            derive_small(str(folder), str(self.logs), 1)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is a loss
            return repr(error)
        if (found := _season(folder)) != _season(self.after):
            return "it does not go on to its end"
        there = {path.relative_to(folder).as_posix() for path in folder.glob("*/*/*")}
        left = there - {part.file for part in found.files()}
        left |= {path.name for path in folder.glob(".season-*")} | {
            path.name for path in folder.glob(f".{MANIFEST}*")
        }
        return f"left behind: {sorted(left)[:3]}" if left else ""


def _season(folder: Path) -> Manifest:
    with duckdb.connect() as connection:
        return replace(read_held(folder, connection, FORMAT), retired=())


@pytest.fixture(scope="module")
def growth(tmp_path_factory: pytest.TempPathFactory) -> Growth:
    folder = tmp_path_factory.mktemp("derived")
    days = [play(seed, 4 + seed % 3, rounds=2, cut=0).lines for seed in range(1, 6)]
    found = Growth(folder / "before", folder / "after", folder / "logs")
    found.logs.mkdir()
    for number, lines in enumerate(days[:3]):
        write_log(found.logs / f"{number}.jsonl", lines[: 30 if not number else None])
    derive_small(str(found.before), str(found.logs), 1)
    for number, lines in enumerate(days):
        write_log(found.logs / f"{number}.jsonl", lines)
    shutil.copytree(found.before, found.after)
    derive_small(str(found.after), str(found.logs), 1)
    assert _season(found.before) != _season(found.after)
    return found


@pytest.fixture(scope="module")
def worker() -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "tests.faults.derive_worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def _told(worker: subprocess.Popen[str], folder: Path, logs: Path, point: int) -> tuple[int, int]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{folder}\t{logs}\t{point}\n")
    worker.stdin.flush()
    code, changes = map(int, worker.stdout.readline().split())
    return code, changes


def test_killed_before_any_change_of_a_file(
    begin: Begin, growth: Growth, worker: subprocess.Popen[str], tmp_path: Path
) -> None:
    shutil.copytree(growth.before, tmp_path / "whole")
    code, changes = _told(worker, tmp_path / "whole", growth.logs, 0)
    assert (code, changes > 20) == (0, True)
    run = begin("derive-kills", short=12, long=4 * changes)
    for case in run:
        folder = tmp_path / str(case)
        shutil.copytree(growth.before, folder)
        point = 1 + run.chance(case).randrange(changes)
        code, _ = _told(worker, folder, growth.logs, point)
        assert code == -signal.SIGKILL
        if wrong := growth.wrong_with(folder):
            run.lose(case, f"killed before change {point}: {wrong}")
        shutil.rmtree(folder)
    assert not run.lost, run.report()


def test_killed_at_any_time_with_its_processes(
    begin: Begin, growth: Growth, tmp_path: Path
) -> None:
    words = [sys.executable, "-c", TIMED]
    run = begin("derive-kills-timed", short=2, long=50)
    for case in run:
        folder = tmp_path / str(case)
        shutil.copytree(growth.before, folder)
        given = [*words, str(folder), str(growth.logs)]
        with subprocess.Popen(given, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(run.chance(case).uniform(0.0, 6.0))
            process.kill()
        run.count("killed" if process.returncode else "done before")
        if wrong := growth.wrong_with(folder):
            run.lose(case, wrong)
        shutil.rmtree(folder)
    assert not run.lost, run.report()
