"""A file named for one thing never takes the place of another that may be all there is of a day."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest

from cli.season.opening import RECORD_ENDING
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

KEYS = ".tourney-keys"
STORE, VAULT, HEADS = "tourney.db", "tourney.db-vault", f"{KEYS}/checkpoints"
LEAGUE, SEASON, LOG, BACKUP, ROWS = (
    "league.db",
    "season.duckdb",
    "day.jsonl",
    "day.backup",
    "rows.parquet",
)
OUTPUTS = {
    "export": ("export", "-o"),
    "audit": ("audit", "--html"),
    "receipt": ("receipt", "1/1", "-o"),
    "slips": ("receipt", "1/1", "--slips"),
    "witness ask": ("witness", "ask", "-o"),
    "parquet": ("stats", "factions", "--parquet"),
    "backup": ("backup",),
    "rebuild": ("season", "rebuild", LOG, "--in"),
}
"""Every verb that writes to a place of any name; pictures stand by themselves, for their suffix."""

SAME = {("export", LOG), ("parquet", ROWS), ("backup", BACKUP), ("rebuild", SEASON)}


@typed_once
def day(desk: Desk) -> Desk:
    """A day with a result, and one of every kind of file that a person keeps."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("export", "-o", LOG)
    desk.done("backup", BACKUP)
    desk.done("season", "add", LOG)
    desk.done("season", "people", "name", "Ann Lee")
    desk.done("stats", "factions", "--parquet", ROWS)
    return desk


def kept(day: Desk) -> list[Path]:
    """The files that a person keeps, and those that the desk keeps for them."""
    named = (STORE, VAULT, LEAGUE, SEASON, LOG, BACKUP, ROWS, ".tourney")
    inside = (path for path in sorted((day.folder / KEYS).rglob("*")) if path.is_file())
    return [*(day.folder / name for name in named), *inside]


def contents(day: Desk) -> dict[Path, bytes]:
    """Read every file but the state in which a season was verified, which a reading renews."""
    paths = (path for path in day.folder.rglob("*") if not path.name.endswith(RECORD_ENDING))
    return {path: path.read_bytes() for path in paths if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("output", OUTPUTS)
def test_what_is_kept_stays(day: Desk, output: str) -> None:
    places = kept(day)
    assert {".key", ".json", ".lock"} <= {path.suffix for path in places}
    before = contents(day)
    for path in places:
        name = str(path.relative_to(day.folder))
        if (output, name) in SAME:
            continue
        answer = day.type(*OUTPUTS[output], name)
        assert (answer.code, answer.err.count("\n")) == (1, 1), (name, answer.err)
        assert f"{name} " in answer.err
        assert contents(day) == before, name


@pytest.mark.slow
@pytest.mark.parametrize(("output", "name"), sorted(SAME))
def test_an_earlier_file_of_the_same_kind_is_replaced(day: Desk, output: str, name: str) -> None:
    day.done(*OUTPUTS[output], name)


@pytest.mark.slow
def test_what_has_no_name_here_is_replaced(day: Desk) -> None:
    for output in ("audit", "receipt", "slips", "witness ask", "parquet", "rebuild"):
        (day.folder / output).write_text("anything", "utf-8")
        day.done(*OUTPUTS[output], output)
        assert (day.folder / output).read_bytes() != b"anything"


def test_a_log_replaces_no_file_of_an_unknown_kind(day: Desk) -> None:
    """Its name may have been typed by mistake: a list of players is nowhere else."""
    (day.folder / "players.csv").write_text("name\nAnn\n", "utf-8")
    answer = day.refused("export", "-o", "players.csv")
    assert "players.csv exists and is not a log: name another file" in answer.err
    assert (day.folder / "players.csv").read_text("utf-8") == "name\nAnn\n"
    (day.folder / "empty").touch()
    day.done("export", "-o", "empty")


@pytest.mark.slow
def test_a_picture_never_takes_the_place_of_a_store(day: Desk) -> None:
    pytest.importorskip("vl_convert", reason="the extra for pictures is not installed")
    picture = day.folder / "kept.svg"
    for path in (day.folder / SEASON, day.folder / STORE, *day.folder.glob(".tourney-keys/*.key")):
        picture.write_bytes(path.read_bytes())
        for words in (("stats", "attendance"), ("rating", "elo")):
            answer = day.type(*words, "--plot", "kept.svg")
            assert (answer.code, "never replaced" in answer.err) == (1, True), (path, answer.err)
        assert picture.read_bytes() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [f"{STORE}-wal", f"{STORE}-journal", f"{VAULT}-journal", f"{SEASON}.wal"]
)
@pytest.mark.parametrize("output", ["export", "audit", "backup"])
def test_what_a_store_reads_beside_itself_is_no_place(day: Desk, output: str, name: str) -> None:
    assert "belongs to " in day.refused(*OUTPUTS[output], name).err
    assert not (day.folder / name).exists()


@pytest.mark.parametrize("name", [f"{STORE}-wal", f"{SEASON}.wal"])
@pytest.mark.parametrize(
    "words",
    [("season", "add", LOG, "--in"), ("season", "people", "name", "Bob", "--league"), ("--store",)],
    ids=" ".join,
)
def test_nothing_is_made_there_either(day: Desk, words: tuple[str, ...], name: str) -> None:
    new = ("new", "A day", "--ruleset", "swiss") if words == ("--store",) else ()
    before = contents(day)
    answer = day.type(*words, name, *new)
    assert (answer.code, "belongs to " in answer.err) == (1, True), answer.err
    assert contents(day).keys() == before.keys()


def test_the_folder_of_the_keys_takes_no_tiles(day: Desk) -> None:
    before = sorted(day.folder.rglob("*"))
    assert "belongs to the keys of this desk" in day.refused("export", "--tiles", HEADS).err
    assert sorted(day.folder.rglob("*")) == before


def test_none_of_an_exports_three_files_takes_the_place_of_another(day: Desk) -> None:
    (day.folder / STORE).rename(day.folder / "new.jsonl.hashes")
    moved = ("--store", "new.jsonl.hashes")
    answer = day.type(*moved, "export", "-o", "new.jsonl")
    assert (answer.code, "new.jsonl.hashes is a SQLite store" in answer.err) == (1, True)
    assert not (day.folder / "new.jsonl").exists()


def test_a_link_to_the_store_is_the_store(day: Desk) -> None:
    (day.folder / "page.html").symlink_to(STORE)
    assert "never replaced" in day.refused("audit", "--html", "page.html").err


def test_a_page_goes_to_an_ordinary_file_whole_or_not_at_all(day: Desk) -> None:
    assert "is a directory: name the file in it" in day.refused("audit", "--html", ".").err
    (day.folder / "held").write_text("older", "utf-8")
    (day.folder / "reader").hardlink_to(day.folder / "held")
    day.done("audit", "--html", "held")
    assert (day.folder / "reader").read_text("utf-8") == "older"


def test_no_season_takes_the_place_of_another_programs_tables(day: Desk) -> None:
    path = day.folder / "books.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE books AS SELECT 1 AS entry")
    before = path.read_bytes()
    answer = day.type("season", "rebuild", LOG, "--in", path.name)
    assert (answer.code, "is a DuckDB file, but not a season" in answer.err) == (4, True)
    assert path.read_bytes() == before


def test_a_closed_stdout_loses_no_answer_in_silence(tmp_path: Path) -> None:
    process = subprocess.run(  # noqa: S602 - only a shell closes a stream
        f"exec {sys.executable} -m cli.main ruleset >&-",
        shell=True,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    assert process.returncode == 1
    assert b"the output could not be written: Bad file descriptor" in process.stderr
