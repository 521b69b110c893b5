"""`season add` ended from outside: by Ctrl-C, and by a signal that nobody can hear."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest

from tests.support.paths import ROOT
from tests.support.sample_season import first_logs
from tests.support.season import contents, write_log

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def season_of(desk: Desk) -> object:
    return contents(desk.folder / "season.duckdb")


def loading(desk: Desk, lines: list[bytes]) -> subprocess.Popen[bytes]:
    """A process that takes many logs in, as soon as some of them stand aside.

    They are copies of the lines before the first head, which is that of one tournament alone.
    """
    many = desk.folder / "many"
    many.mkdir()
    opened, *rest = takewhile(lambda line: b'"HeadRecorded"' not in line, lines)
    name = opened.partition(b'"tournament":"')[2][:32]
    for number in range(1_200):
        write_log(many / f"{number}.jsonl", [opened.replace(name, b"%032x" % number), *rest])
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "cli.main", "season", "add", "many"]
    running = subprocess.Popen(words, cwd=desk.folder, env=env, stderr=subprocess.PIPE)
    while not list(desk.folder.glob(".season-*/*/*-0.ndjson")):
        assert running.poll() is None, running.communicate()
    return running


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.usefixtures("heard_ctrl_c")
def test_ctrl_c_leaves_a_whole_file(desk: Desk) -> None:
    desk.done("season", "add", str(write_log(desk.folder / "0.jsonl", first_logs(2)[0])))
    before = season_of(desk)
    running = loading(desk, first_logs(2)[1])
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"interrupted" in told
    assert season_of(desk) == before
    assert not list(desk.folder.glob(".season-*"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_what_a_killed_load_left_is_removed_by_the_next(desk: Desk) -> None:
    """And while it runs it keeps what it has, whoever else loads in the same folder."""
    log = str(write_log(desk.folder / "0.jsonl", first_logs(2)[0]))
    desk.done("season", "add", log)
    before = season_of(desk)
    running = loading(desk, first_logs(2)[1])
    running.send_signal(signal.SIGSTOP)
    kept = list(desk.folder.glob(".season-*/*/*"))
    desk.done("season", "add", log, "--in", "other.duckdb")
    assert kept
    assert all(each.exists() for each in kept)
    running.kill()
    running.communicate(timeout=60)  # until its further processes have ended, too
    assert list(desk.folder.glob(".season-*"))
    desk.done("season", "add", log)
    assert not list(desk.folder.glob(".season-*"))
    assert season_of(desk) == before
