"""Two desks at once, as the page of the desk says: two processes, one store."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.store_fixtures import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]

TRIES = 2


@pytest.fixture(params=["sqlite", "postgresql"])
def desks(desk: Desk, request: pytest.FixtureRequest) -> Iterator[tuple[Desk, Path]]:
    """The first desk, and the folder of a second one: the same with SQLite, another else."""
    if request.param == "sqlite":
        open_day(desk)
        yield desk, desk.folder
        return
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    second = desk.folder / "second"
    second.mkdir()
    with running_server("fsync=off") as server:
        desk.patch.setenv("TOURNEY_STORE", server.url)
        open_day(desk)
        assert end(typed(second, "use", "library", "--as", "Pat Jones"))[1] == 0
        yield desk, second


def open_day(desk: Desk) -> None:
    """Three play and one waits with the bye; two have come late."""
    desk.open(5, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "scorekeeper")
    desk.done("pair")
    desk.done("round", "start")
    for name in ("Tina", "Udo"):
        desk.done("register", name)


def typed(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command of its own process, which has begun."""
    program = Path(sys.executable).with_name("tourney")
    return subprocess.Popen(
        [program, *words],
        cwd=folder,
        env=os.environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def end(process: subprocess.Popen[str]) -> tuple[str, int]:
    """What a command said beside its answer, and its exit code."""
    said = process.communicate()[1]
    return said, process.returncode


def refusal(one: subprocess.Popen[str], other: subprocess.Popen[str]) -> str:
    """What the one of two is told that was too late; the other has done it."""
    ended = [end(each) for each in (one, other)]
    (late,) = (said for said, code in ended if code)
    assert sorted(code for _, code in ended) == [0, 1]
    return late


def test_of_two_who_seat_somebody_at_one_bye_one_is_told(desks: tuple[Desk, Path]) -> None:
    """FFG-REJOIN: whoever is slower, nothing is written for them, and the log is whole."""
    desk, second = desks
    for _ in range(TRIES):
        before = desk.log().count("\n")
        late = refusal(typed(desk.folder, "late", "tina"), typed(second, "late", "udo"))
        assert late.startswith("tourney: no opponent is free in round 1: ")
        assert late.count("\n") == 1
        assert desk.log().count("\n") == before + 1
        where = second if "Pat Jones" in desk.done("log", "-n", "1").out else desk.folder
        assert end(typed(where, "undo"))[1] == 0


def test_results_of_both_desks_land(desks: tuple[Desk, Path]) -> None:
    desk, second = desks
    games = [each for each in desk.done("pairings", "--json").json if not each["bye"]]
    folders = (desk.folder, second)
    lines = [("report", str(each["table"]), f"#{each['players'][0]}") for each in games]
    for process in [typed(*each) for each in zip(folders, *zip(*lines, strict=True), strict=True)]:
        assert end(process)[1] == 0
    assert all(each["result"] for each in desk.done("pairings", "--json").json if not each["bye"])
    late = typed(second, "report", "1", f"#{games[0]['players'][1]}")
    assert "has a result" in end(late)[0]
