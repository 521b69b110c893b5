"""A program that is ended while Spark runs: it dies of the signal, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from cli.season.endings import EndedError, closed_when_ended, put_off
from cli.season.spark_cluster import LEFT
from projections.season.loading.scratch import room_beside
from tests.support.chance.random_seasons import day
from tests.support.paths import ROOT
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from cli.season.spark_cluster import RunningSpark

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals here")

SAID = """
import signal
from cli.season.endings import closed_when_ended
# Who starts the tests in the background has these signals ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
with closed_when_ended():
    try:
        signal.raise_signal(signal.{name})
    finally:
        print("closed", flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_program_closes_what_is_open_and_dies_of_the_signal(name: str) -> None:
    words = [sys.executable, "-c", SAID.format(name=name)]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (-signal.Signals[name], "closed\n")


@pytest.mark.usefixtures("heard_ctrl_c")
def test_what_must_not_be_left_half_is_ended_first() -> None:
    done = []

    def work() -> None:
        with put_off():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            done.append("whole")

    before = signal.signal(signal.SIGTERM, _raise)
    try:
        with pytest.raises(EndedError):
            work()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert done == ["whole"]


def test_what_fails_because_of_ctrl_c_is_ctrl_c() -> None:
    def work() -> None:
        with closed_when_ended():
            try:
                raise KeyboardInterrupt
            finally:
                int("as a library does")

    with pytest.raises(KeyboardInterrupt):
        work()


@pytest.mark.usefixtures("heard_ctrl_c")
def test_ctrl_c_is_heard_as_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with closed_when_ended():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a library may
    assert signal.getsignal(signal.SIGINT) is before


def _raise(number: int, _frame: object) -> None:
    raise EndedError(number)


@pytest.mark.usefixtures("heard_ctrl_c")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -15), (signal.SIGINT, 130)])
def test_nothing_of_spark_stays(
    spark: RunningSpark, tmp_path: Path, number: int, code: int
) -> None:
    """Ended while Java begins, when it is not known yet what there will be to end."""
    assert spark.scratch.is_dir()
    take_in(tmp_path / "season.duckdb", write_log(tmp_path / "day.jsonl", day(4)))
    room = tmp_path / "room"
    room.mkdir()
    with _asking(tmp_path, room) as asking:
        while not list(room.glob("tourney-on-spark-*/said.log")):
            assert asking.poll() is None
            time.sleep(0.05)
        asking.send_signal(number)
    assert asking.returncode == code
    assert not list(room.iterdir())


def test_what_a_killed_one_left_the_next_one_removes(tmp_path: Path) -> None:
    left = tmp_path / f"{LEFT}left"
    (left / "blocks").mkdir(parents=True)
    foreign = tmp_path / f"{LEFT}link"
    foreign.symlink_to(tmp_path / "elsewhere")
    with room_beside(tmp_path, LEFT) as room:
        names = {room.name, f"{room.name}.lock", foreign.name}
        assert {path.name for path in tmp_path.iterdir()} == names
        with room_beside(tmp_path, LEFT) as other:
            assert room.is_dir()
            assert other.is_dir()
    assert list(tmp_path.iterdir()) == [foreign]


def _asking(folder: Path, room: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "cli.main", "stats", "outcomes", "--engine", "local[1]"]
    told = {**os.environ, "TMPDIR": str(room)}
    return subprocess.Popen(words, cwd=folder, env=told, stdout=subprocess.DEVNULL)
