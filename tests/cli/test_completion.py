"""What a shell is offered where Tab is typed; asked as the shells' scripts ask it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk


PATIENT = """
import runpy
from cli import completion
completion.SECONDS_MAX = completion.SECONDS_IDLE = 600.0
runpy.run_module("cli", run_name="__main__")
"""
"""Answers however long it takes: a busy machine gives a process next to no time."""

WAITING = """
import runpy
from ledger.store import base
base.LOCK_SECONDS = 3_600
runpy.run_module("cli", run_name="__main__")
"""
"""Would wait an hour for another writer: what ends it before is completion itself."""


def asked(
    folder: Path, shell: str, line: str, program: str = PATIENT
) -> subprocess.CompletedProcess[str]:
    """Ask with a line whose last word is not typed in full."""
    words = line.split(" ")
    environment = {
        "_TOURNEY_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def offered(folder: Path, line: str, program: str = PATIENT) -> list[str]:
    """What bash is offered."""
    answer = asked(folder, "bash", line, program)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout.split("\n")[:-1] if answer.stdout.strip() else []


@pytest.fixture
def played(desk: Desk) -> Desk:
    """A day of four, paired."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Mara Lind", "--role", "judge")
    desk.done("pair")
    return desk


@pytest.mark.slow
def test_verbs_acts_options_and_rulesets(tmp_path: Path) -> None:
    assert offered(tmp_path, "tourney rej") == ["rejoin"]
    assert {"start", "extend", "close"} <= set(offered(tmp_path, "tourney round "))
    assert offered(tmp_path, "tourney round extend 4 5 --re") == ["--reason"]
    assert "--store" in offered(tmp_path, "tourney --json round --s")
    assert offered(tmp_path, "tourney new Night --ruleset l5") == ["l5r"]
    assert {"basic", "advanced", "custom"} <= set(offered(tmp_path, "tourney start "))


@pytest.mark.slow
def test_players_tables_officials_and_tournaments(played: Desk) -> None:
    assert "Player\\ 02" in offered(played.folder, "tourney drop pl")
    assert offered(played.folder, "tourney report ") == ["1", "2"]
    seated = [f"Player\\ {number:02}" for number in played.seats(1)]
    assert offered(played.folder, "tourney report 1 ") == seated
    assert offered(played.folder, "tourney list --as lin") == ["Mara\\ Lind"]
    assert offered(played.folder, "tourney -t Lib") == ["Library\\ Night"]


@pytest.mark.slow
def test_clauses_of_the_event_are_offered(played: Desk) -> None:
    """FFG-MISSED is a clause of L5R, AOP-MISSED is not."""
    offers = offered(played.folder, 'tourney rule 1 "it stays" --clause ')
    assert {"FFG-MISSED", "L5R-TIME"} <= set(offers)
    assert not [label for label in offers if label.startswith(("AOP-", "RW-", "SWL-"))]
    assert offered(played.folder, "tourney clause ffg-mis") == ["FFG-MISSED"]


@pytest.mark.slow
def test_what_the_game_has_not_is_not_offered(played: Desk, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert {"side", "draft"} <= set(offered(empty, "tourney "))
    assert offered(played.folder, "tourney si") == ["sign"]
    assert {"first", "component"} <= set(offered(played.folder, "tourney "))
    assert offered(played.folder, "tourney scenario ") == []
    assert "share" in offered(empty, "tourney component ")
    assert "share" not in offered(played.folder, "tourney component ")


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_what_a_word_is(played: Desk, shell: str) -> None:
    out = asked(played.folder, shell, "tourney report ").stdout
    one, other = played.seats(1)
    assert f"Player {one:02} - Player {other:02}" in out
    assert (
        "Start the round and its clock." in asked(played.folder, shell, "tourney round st").stdout
    )


@pytest.mark.slow
def test_a_store_that_gives_no_answer_offers_nothing(played: Desk) -> None:
    store = played.folder / "tourney.db"
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("UPDATE tourney_streams SET size = size")
        assert offered(played.folder, "tourney drop ", WAITING) == []
        connection.rollback()
    connection.close()
    store.write_bytes(b"not a store" * 1_000)
    assert offered(played.folder, "tourney drop ") == []
    assert offered(played.folder, "tourney dro") == ["drop"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_is_shown_and_installed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    home = desk.folder / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(SystemExit) as ended:
        desk.type("--show-completion", shell)
    assert ended.value.code == 0
    with pytest.raises(SystemExit) as ended:
        desk.type("--install-completion", shell)
    assert ended.value.code == 0
    scripts = [path.read_text("utf-8") for path in home.rglob("*") if path.is_file()]
    assert any("_TOURNEY_COMPLETE=complete_" + shell in text for text in scripts)


def test_another_shell_is_refused(desk: Desk) -> None:
    assert "bash, zsh, fish" in desk.refused("--install-completion", "csh").err


@pytest.mark.slow
def test_players_of_a_file_are_offered(played: Desk) -> None:
    played.done("export", "-o", "day.jsonl")
    for path in played.folder.glob("tourney.db*"):
        path.unlink()
    line = "tourney --log day.jsonl standings --for Play"
    assert len(offered(played.folder, line)) == 4
    assert "--log" in offered(played.folder, "tourney standings --lo")
