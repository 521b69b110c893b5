"""Names of new files and folders: synced before anybody is told of them; a key whole or not."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.desk.in_hand import Memory, remember
from cli.machine import keyring
from ledger.errors import Refused
from ledger.files import access
from ledger.files.access import write_whole
from ledger.files.key_files import read_key, write_key
from ledger.proof.formats import Invalid
from ledger.proof.notes import signer

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

SIGNER = signer("league.example/cup", b"k" * 32)


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files and folders that were synced, in order."""
    names: list[str] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        names.append(Path(f"/proc/self/fd/{number}").readlink().name)
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    return names


def failing(number: int, code: int = errno.EIO) -> None:
    """Fail where a folder is synced."""
    if stat.S_ISDIR(os.fstat(number).st_mode):
        raise OSError(code, os.strerror(code))


linux = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="/proc names open files")


@linux
def test_each_new_folder_is_synced_into_the_one_above(tmp_path: Path, synced: list[str]) -> None:
    access.make_folder(tmp_path / "a" / "b")
    assert sorted(synced) == sorted(["a", tmp_path.name])
    synced.clear()
    access.make_folder(tmp_path / "a" / "b")
    assert not synced


@linux
def test_a_key_is_synced_with_its_folders(tmp_path: Path, synced: list[str]) -> None:
    path = tmp_path / "keys" / "log.key"
    write_key(path, SIGNER)
    drafts = [f".{name}.{os.getpid()}.part" for name in ("gitignore", "log.key")]
    assert synced == [tmp_path.name, drafts[0], "keys", drafts[1], "keys"]
    assert {each.name for each in path.parent.iterdir()} == {"log.key", ".gitignore"}
    assert read_key(path) == SIGNER


def test_a_key_takes_nobody_elses_place(tmp_path: Path) -> None:
    path = tmp_path / "log.key"
    write_key(path, SIGNER)
    with pytest.raises(Invalid, match="there is already a key"):
        write_key(path, signer("another", b"x" * 32))
    assert read_key(path) == SIGNER
    assert [each.name for each in tmp_path.iterdir()] == ["log.key"]


def test_a_key_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.key"

    def full(_: int) -> None:
        assert not path.exists()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Invalid, match="No space left"):
        write_key(path, SIGNER)
    assert not list(tmp_path.iterdir())


def test_a_revoked_key_has_its_name_before_the_next_takes_its_place(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open(0)
    seen: list[list[str]] = []

    def sync(folder: Path) -> None:
        files = (each for each in folder.iterdir() if each.is_file() and each.suffix)
        keys = (each.suffix.rstrip("0123456789") for each in files)
        seen.append(sorted(keys))

    (key,) = (each["key"] for each in desk.done("key", "--json").json)
    monkeypatch.setattr(keyring, "sync_folder", sync)
    desk.done("key", "revoke", key, "--reason", "the laptop was stolen")
    assert seen == [[".next", ".until-"], [".key", ".until-"]]


@linux
def test_what_is_in_hand_is_synced(
    tmp_path: Path, synced: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    remember(Memory("other.db"))
    assert synced == [f".tourney.{os.getpid()}.part", tmp_path.name]


def test_a_file_whose_name_may_be_lost_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(Refused, match="was written, but a power cut could still lose it"):
        write_whole(tmp_path / "log", [b"line"])
    assert (tmp_path / "log").read_bytes() == b"line"


def test_a_system_that_syncs_no_folders_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda number: failing(number, errno.EINVAL))
    assert write_whole(tmp_path / "log", [b"line"]) == 4


@pytest.mark.slow
@linux
def test_a_new_season_has_its_name(desk: Desk, synced: list[str]) -> None:
    """Its id is kept as answered from then on, so the season must not be lost behind it."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("export", "-o", "day.jsonl")
    synced.clear()
    desk.done("season", "add", "day.jsonl")
    assert desk.folder.name in synced
