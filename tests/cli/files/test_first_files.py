"""What is refused as the first leaves nothing behind; what finds no room says so, and repeats."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest

from projections.season.tables.database import written
from tests.support.cli_desk import UNSIGNED, typed_once
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

SEASON = "season.duckdb"
LOG = "day.jsonl"


@typed_once
def files(desk: Desk) -> Desk:
    """An empty folder but for files: a log, and others that are none."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("export", "-o", LOG)
    desk.done("backup", "day.backup")
    for path in [*desk.folder.glob("tourney.db*"), desk.folder / ".tourney"]:
        if path.is_file():
            path.unlink()
    log = (desk.folder / LOG).read_bytes().splitlines(keepends=True)
    backup = (desk.folder / "day.backup").read_bytes()
    for name, data in {
        "gap.jsonl": b"".join(log[:3] + log[4:]),
        "empty.jsonl": b"",
        "none.json": b"{}",
        "none.csv": b"a,b\n1,2\n",
        "none.backup": backup[:-20],
    }.items():
        (desk.folder / name).write_bytes(data)
    return desk


def names(desk: Desk) -> set[str]:
    return {path.name for path in desk.folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "import gap.jsonl",
        "import empty.jsonl",
        "import none.json",
        "import none.csv --ruleset l5r --date 2026-03-14",
        "import nowhere.jsonl",
        "restore none.backup",
        "restore nowhere.backup",
        "new Cup --ruleset nowhere --organizer Olga",
        "season add gap.jsonl",
        "season add day.jsonl gap.jsonl",
        "season add --keep-going gap.jsonl",
        "season add empty.jsonl",
        "season add nowhere.jsonl",
        "season add nowhere.parquet",
        "season rebuild gap.jsonl",
        "season add day.jsonl --in nowhere/season.duckdb",
        "season add day.jsonl --in day.jsonl/season.duckdb",
    ],
)
def test_what_is_refused_first_leaves_nothing(files: Desk, line: str) -> None:
    before = names(files)
    answer = files.type(*line.split())
    assert answer.code
    assert answer.err.startswith(("tourney: ", "no --date"))
    assert names(files) == before


@pytest.mark.slow
def test_the_first_that_fits_makes_them(files: Desk) -> None:
    files.done("import", LOG)
    files.done("season", "add", LOG)
    assert names(files) >= {"tourney.db", SEASON}
    assert not [name for name in names(files) if name.startswith(f".{SEASON}")]


@pytest.mark.slow
def test_a_rebuild_that_skips_all_keeps_what_there_was(files: Desk) -> None:
    files.done("season", "add", LOG)
    before = (files.folder / SEASON).read_bytes()
    assert files.type("season", "rebuild", "--keep-going", "gap.jsonl").code == 1
    assert (files.folder / SEASON).read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 0])
def test_a_gap_is_no_other_history(files: Desk, size: int) -> None:
    """Shorter than what the season has, or as long: what is wrong with it by itself is told."""
    files.done("season", "add", LOG)
    gap = files.folder / "gap.jsonl"
    if size:
        gap.write_bytes(b"".join(gap.read_bytes().splitlines(keepends=True)[:size]))
    files.forget_what_was_seen()
    told = files.type("season", "add", "gap.jsonl", *UNSIGNED).err
    assert "gap.jsonl: line 4: seq 5 is wrong: the next seq is 4; nothing was changed" in told


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the limit is a POSIX shell's")
@pytest.mark.parametrize("act", ["add", "rebuild"])
@pytest.mark.parametrize("room", [8, 300, 1_536])
def test_a_season_on_a_full_disk(files: Desk, act: str, room: int) -> None:
    """A limit on the size of files stands in for the disk: at its making, its log, its end."""
    files.done("season", "add", LOG)
    taken = files.done("season", "--json").out
    if act == "add":
        (files.folder / SEASON).unlink()
    before = names(files)
    line = f'ulimit -f {room} && "{sys.executable}" -m cli.main season {act} {LOG}'
    ran = subprocess.run(
        ["sh", "-c", line],
        cwd=files.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    told = ran.stderr.decode()
    assert ran.returncode == 4
    assert told.startswith(f"tourney: {SEASON} cannot be written (")
    assert "nothing was changed" in told
    assert "season rebuild" not in told
    assert names(files) == before
    if act == "rebuild":
        assert files.done("season", "--json").out == taken


def test_a_fault_of_our_own_is_not_the_disks(tmp_path: Path) -> None:
    with pytest.raises(duckdb.CatalogException), written(tmp_path / SEASON):
        duckdb.connect().execute("SELECT * FROM nowhere")
    with pytest.raises(BrokenPipeError), written(tmp_path / SEASON):
        raise BrokenPipeError(errno.EPIPE, "nobody reads on")
