"""A copy after each round, a store that can only be looked at, and what a refusal leaves behind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ledger.store import sqlite_files

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.cli_desk import Desk


def played(desk: Desk) -> None:
    desk.done("pair")
    desk.report_all()


def test_a_copy_is_written_after_each_round(desk: Desk) -> None:
    copies = desk.folder / "stick"
    copies.mkdir()
    desk.open(4, "custom", "--rounds", "3")
    desk.done("use", "--backup-to", "stick")
    played(desk)
    assert not list(copies.iterdir())
    answer = desk.done("pair")
    assert "it holds the secrets of the draws" in answer.err
    desk.report_all()
    desk.done("round", "close")
    assert len(list(copies.iterdir())) == 2
    newest = max(copies.iterdir())
    log = desk.log()
    desk.done("--store", "other.db", "restore", str(newest))
    assert desk.done("--store", "other.db", "export", "--without-names").out == log
    desk.done("use", "--backup-to", "")
    played(desk)
    desk.done("round", "close")
    assert len(list(copies.iterdir())) == 2


def test_a_copy_that_fails_is_said_and_the_act_has_landed(desk: Desk) -> None:
    copies = desk.folder / "stick"
    copies.mkdir()
    desk.open(4, "custom", "--rounds", "3")
    desk.done("use", "--backup-to", "stick")
    copies.rmdir()
    played(desk)
    answer = desk.done("pair")
    assert "no copy was written to" in answer.err
    assert "no such folder; your act has landed" in answer.err
    assert len(desk.done("pairings", "--json", "--round", "2").json) == 2
    assert (
        "there is no folder nowhere; create it first"
        in desk.refused("use", "--backup-to", "nowhere").err
    )


def test_a_name_that_is_none_leaves_nothing_behind(desk: Desk) -> None:
    assert desk.type("new", " ", "--ruleset", "l5r").code == 2
    assert desk.type("new", "", "--ruleset", "l5r", "--draw-key", "here").code == 2
    assert not list(desk.folder.iterdir())


def test_a_store_in_a_read_only_folder_is_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open(4, "custom", "--rounds", "3")
    desk.done("pair")
    shown = desk.done("pairings", "--json").out
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and real(path, mode))
    assert desk.done("pairings", "--json").out == shown
    answer = desk.type("drop", "1")
    assert answer.code == 4
    assert "make the file and its directory writable" in answer.err
    (desk.folder / "tourney.db-wal").write_bytes(b"newer lines")
    assert "copy the folder to another place" in desk.type("pairings").err


def test_a_network_file_system_is_refused_in_one_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounts = tmp_path / "mountinfo"
    line = "36 35 98:0 / {} rw,noatime master:1 - {} server:/share rw\n"
    mounts.write_text(line.format("/", "ext4") + line.format(desk.folder, "nfs4"))
    monkeypatch.setattr(sqlite_files, "MOUNTS", mounts)
    answer = desk.type("new", "Night", "--ruleset", "l5r")
    assert answer.code == 4
    assert answer.err.count("\n") == 1
    assert "is on a network file system (nfs4)" in answer.err
    mounts.write_text(line.format("/", "nfs4") + line.format(desk.folder, "ext4"))
    assert desk.type("new", "Night", "--ruleset", "l5r").code == 0
