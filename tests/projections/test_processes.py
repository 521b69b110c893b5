"""Work shared out among processes: a Ctrl-C is nothing to them, and one that ends is one line."""

from __future__ import annotations

import importlib
import os
import signal
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from projections.processes import processes

if TYPE_CHECKING:
    from pathlib import Path

INTERRUPTED_AT_ITS_START = """
import os
import signal

if os.environ["WAITING"] != str(os.getpid()):
    os.kill(os.getpid(), signal.SIGINT)


def begin(*given):
    os.kill(os.getpid(), signal.SIGINT)
    assert given == (1, 2)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("heard_ctrl_c")
def test_a_process_does_not_mind_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even while it loads what it is to do."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_AT_ITS_START, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("WAITING", str(os.getpid()))
    begin = importlib.import_module("interrupted").begin
    with processes(2, begin, 1, 2) as working:
        assert list(working.map(abs, range(-5, 0), chunksize=2)) == [5, 4, 3, 2, 1]


@pytest.mark.usefixtures("heard_ctrl_c")
def test_a_ctrl_c_meanwhile_is_for_whoever_waits() -> None:
    def interrupted() -> list[int]:
        os.kill(os.getpid(), signal.SIGINT)
        return [1, 2, 3]

    with pytest.raises(KeyboardInterrupt), processes(1) as working:
        working.map(abs, interrupted(), chunksize=1)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_one_that_is_ended_from_outside_is_told_in_one_line() -> None:
    with pytest.raises(Refused, match="was stopped from outside"), processes(1) as working:
        list(working.map(os._exit, [1], chunksize=1))
