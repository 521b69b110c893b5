"""The differences between systems: what holds where a system lacks a part, tried on this one."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import Refused
from ledger.files import system
from ledger.files.access import write_whole
from ledger.files.key_files import read_line, write_line
from ledger.files.system import CLOSE_IT, exchange_folders, replace_file
from ledger.store.sqlite import VaultFile
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.cli_desk import Desk

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(["resource", "readline", "fcntl"]))
from pathlib import Path
from ledger.files import system
print(system.open_files(8_192), system.has_memory_limit(), system.limit_data(1))
system.recall_lines(Path("history"), 10)
"""


def _open_elsewhere(tries: int) -> Callable[[Path, Path], Path]:
    """Rename as Windows does while another program has the file open, for so many tries."""
    rename, failed = Path.replace, list[int]()

    def replace(path: Path, target: Path) -> Path:
        if len(failed) < tries:
            failed.append(1)
            error = PermissionError(errno.EACCES, "Access is denied")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error
        return rename(path, target)

    return replace


def test_an_open_file_is_replaced_once_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "replace", _open_elsewhere(3))
    assert write_whole(tmp_path / "wall.html", [b"new"]) == 3
    assert (tmp_path / "wall.html").read_bytes() == b"new"


def test_a_file_that_stays_open_is_named_with_what_to_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wall.html").write_bytes(b"old")
    monkeypatch.setattr(system, "REPLACING_SECONDS", 0.2)
    monkeypatch.setattr(Path, "replace", _open_elsewhere(10_000))
    with pytest.raises(Refused, match=rf"written: {re.escape(CLOSE_IT)}; nothing"):
        write_whole(tmp_path / "wall.html", [b"new"])
    assert [path.name for path in tmp_path.iterdir()] == ["wall.html"]
    assert (tmp_path / "wall.html").read_bytes() == b"old"


def test_a_folder_without_rights_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(system, "sleep", pytest.fail)
    with pytest.raises(PermissionError, match="Permission denied"):
        replace_file(tmp_path / "a", tmp_path / "b")


@contextmanager
def without_modes(folder: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> Iterator[list[str]]:
    """Be on a system whose files have access lists, with an `icacls` that ends with a code.

    Yields the warnings. What `icacls` was called with is in `icacls.txt`.
    """
    program = folder / "bin" / "icacls"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/icacls.txt\nexit {code}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("USERDOMAIN", "HALL")
    monkeypatch.setenv("USERNAME", "olga")
    monkeypatch.setattr(system, "HAS_MODES", False)
    warnings: list[str] = []
    system.warn_by(warnings.append)
    try:
        yield warnings
    finally:
        system.warn_by(system._say_nothing)
        system._listed.clear()


def test_keys_and_vaults_get_a_list_for_their_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, vault, badges = (tmp_path / name for name in ("log.key", "day.db-vault", "badges.html"))
    with without_modes(tmp_path, monkeypatch, 0) as warnings:
        write_line(key, "a line")
        assert read_line(key) == "a line"
        VaultFile(vault).put("stream", {"name": b"secret"})
        VaultFile(vault).put("stream", {"name": b"secret"})
        write_whole(badges, [b"codes"], is_secret=True)
    listed = (tmp_path / "icacls.txt").read_text().splitlines()
    words = "/inheritance:r /grant:r HALL\\olga:F"
    assert listed[:2] == [f"{key} {words}", f"{vault} {words}"], "each once"
    assert len(listed) == 3
    assert ".badges.html." in listed[2], "before its first byte"
    assert warnings == []


@pytest.mark.parametrize("code", [5, None])
def test_each_use_of_a_key_without_a_list_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int | None
) -> None:
    key = tmp_path / "log.key"
    with without_modes(tmp_path, monkeypatch, code or 0) as warnings:
        if code is None:
            (tmp_path / "bin" / "icacls").unlink()
        write_line(key, "a line")
        read_line(key)
        read_line(key)
    assert len(warnings) >= 3
    reason = "icacls ended with 5" if code else "icacls does not run: No such file or directory"
    readable = f"other accounts of this computer may be able to read {key} ({reason})"
    assert set(warnings) == {f"{readable}: move the folder to a disk of your own account"}


def test_without_modules_of_posix_there_are_no_limits_and_no_history(tmp_path: Path) -> None:
    told = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=tmp_path,
        env=told,
        text=True,
        capture_output=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("8192 False False\n", "")
    assert not list(tmp_path.iterdir())


def test_a_system_that_exchanges_no_folders_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "_of_system", lambda _: None)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert not exchange_folders(tmp_path / "a", tmp_path / "b")


def test_a_place_without_links_gets_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("A required privilege is not held by the client")

    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "a.jar").write_bytes(b"jar")
    monkeypatch.setattr(Path, "symlink_to", refuse)
    system.link_or_copy(tmp_path / "home", tmp_path / "jars")
    system.link_or_copy(tmp_path / "one.jar", tmp_path / "jars" / "a.jar")
    assert (tmp_path / "home" / "a.jar").read_bytes() == b"jar"
    assert (tmp_path / "one.jar").read_bytes() == b"jar"


def test_a_person_reads_the_warning(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with without_modes(tmp_path, monkeypatch, 5):
        for words in (("new", "Cup", "--ruleset", "swiss"), ("checkpoint",)):
            err = " ".join(desk.done(*words).err.split())
            assert "other accounts of this computer may be able to read" in err
            assert ".key (icacls ended with 5): move the folder" in err
