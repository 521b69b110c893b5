"""Logs checked by further processes: what becomes of them when somebody ends one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from projections.season.loading import checking
from projections.season.loading.checking import check_all
from projections.season.loading.sources import FileLog
from tests.support.paths import ROOT
from tests.support.season import write_log
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOGS = 12

LEFT_ALONE = """
import os
import sys
from pathlib import Path
from projections.season.loading import checking
from projections.season.loading.sources import FileLog

if __name__ == "__main__":
    checking.WORTH_BYTES = 0
    folder = Path(sys.argv[1])
    sources = [FileLog(path) for path in sorted(folder.glob("*.jsonl"))]
    all_looked = checking.check_all(sources, {}, folder)
    print(sum(next(all_looked).size for _ in sources), flush=True)
    os._exit(9)  # with processes that wait for more
"""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[FileLog]:
    """A few logs, which further processes look at."""
    monkeypatch.setattr(checking, "WORTH_BYTES", 0)
    days = (play(seed, 6, rounds=2).lines for seed in range(LOGS))
    return [
        FileLog(write_log(tmp_path / f"{number:02}.jsonl", lines))
        for number, lines in enumerate(days)
    ]


def signalled(monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    """Send further processes a signal before they have begun to look at anything."""
    started = ProcessPoolExecutor.map

    def started_and_signalled(*given: object, **more: object) -> Iterator[object]:
        found: Iterator[object] = started(*given, **more)  # type: ignore[arg-type] # as it is called
        children = active_children()
        assert children
        for each in children:
            assert each.pid is not None
            os.kill(each.pid, number)
        return found

    monkeypatch.setattr(ProcessPoolExecutor, "map", started_and_signalled)


@pytest.mark.slow
@pytest.mark.usefixtures("heard_ctrl_c")
def test_ctrl_c_is_for_the_process_that_waits(
    tmp_path: Path,
    sources: list[FileLog],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A terminal sends it to all of them, to those that are only starting, too."""
    signalled(monkeypatch, signal.SIGINT)
    assert all(each.logged for each in check_all(sources, {}, tmp_path))
    assert capfd.readouterr().err == ""
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_killed_process_is_told_of(
    tmp_path: Path, sources: list[FileLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    signalled(monkeypatch, signal.SIGKILL)
    with pytest.raises(
        Refused, match="stopped from outside: run the command again; nothing was changed"
    ):
        list(check_all(sources, {}, tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("sources")
def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    """They hold its output open, so that this would wait for them, as they do for it."""
    script = tmp_path / "left_alone.py"
    script.write_text(LEFT_ALONE, "utf-8")
    ended = subprocess.run(
        [sys.executable, script, tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 9
