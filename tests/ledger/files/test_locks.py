"""Locks between processes: shared and alone, given back by a process that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from cli.machine.checkpoints import locked
from cli.serve.publish import write_site
from ledger.errors import Refused
from ledger.files import locks
from ledger.files.locks import InUse, NoLock, lock_beside, share, take_alone
from projections.season.loading.scratch import room_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

HOLDER = """
import sys
from pathlib import Path
from ledger.files.locks import share, take_alone
take = share if sys.argv[2] == "shared" else take_alone
lock = take(Path(sys.argv[1]))
print("taken", flush=True)
sys.stdin.read()
"""
READER_ALONE = """
import os, sqlite3, sys, urllib.parse
from pathlib import Path
from ledger.files.locks import NoLock, share, take_alone
if os.geteuid() == 0:
    os.setuid(65_534)  # root may write everywhere
print(share(Path(sys.argv[1])) is not None)
try:
    take_alone(Path(sys.argv[1]))
except NoLock as error:
    print(error)
"""
BOTH = ("alone", "shared")


@contextmanager
def holder(file: Path, kind: str) -> Iterator[subprocess.Popen[str]]:
    """Have a second process that has the lock, until the block ends or it is killed."""
    words = [sys.executable, "-c", HOLDER, str(file), kind]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, text=True, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "taken\n"
        try:
            yield process
        finally:
            process.kill()


def is_free(file: Path, kind: str) -> bool:
    """Whether this process can take the lock now."""
    try:
        lock = share(file, 0) if kind == "shared" else take_alone(file)
    except InUse:
        return False
    assert lock is not None
    lock.close()
    return True


@pytest.mark.parametrize("second", BOTH)
@pytest.mark.parametrize("first", BOTH)
def test_only_readers_have_a_lock_together(tmp_path: Path, first: str, second: str) -> None:
    file = tmp_path / "a.lock"
    with holder(file, first) as process:
        assert is_free(file, second) == (first == second == "shared")
        process.kill()
        process.wait()
        assert is_free(file, second)
    assert file.stat().st_size == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.lock"]


@pytest.mark.parametrize("first", BOTH)
def test_two_of_one_process_are_told_apart(tmp_path: Path, first: str) -> None:
    """Closing one of two shared locks leaves the second in force."""
    file = tmp_path / "a.lock"
    lock = share(file) if first == "shared" else take_alone(file)
    assert lock is not None
    with lock:
        assert not is_free(file, "alone")
        assert is_free(file, "shared") == (first == "shared")
        assert not is_free(file, "alone")
    assert is_free(file, "alone")


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "a.lock"
    with holder(file, "alone") as process:
        process.stdin.close()  # type: ignore[union-attr]
        take_alone(file, locks.LOCK_SECONDS).close()


def test_a_folder_that_is_read_only_can_be_read_and_not_locked_alone() -> None:
    with TemporaryDirectory() as folder:  # pytest's own is closed to other accounts
        file = Path(folder) / "a.lock"
        missing = _as_reader(file)
        share(file).close()  # type: ignore[union-attr]
        there = _as_reader(file)
    assert (missing[0], there[0]) == ("False", "True"), "a lock that is there can be shared"
    assert all(
        said.endswith("make its folder writable, or use a local disk")
        for _, said in (missing, there)
    )


def _as_reader(file: Path) -> list[str]:
    file.parent.chmod(0o555)
    try:
        ran = subprocess.run(
            [sys.executable, "-c", READER_ALONE, str(file)],
            check=True,
            capture_output=True,
            text=True,
        )
    finally:
        file.parent.chmod(0o755)
    return ran.stdout.splitlines()


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "text"])
def test_what_is_no_lock_is_not_locked(tmp_path: Path, kind: str) -> None:
    file, made = tmp_path / "a.lock", tmp_path / "made"
    if kind == "link":
        file.symlink_to(made)
    elif kind == "folder":
        file.mkdir()
    elif kind == "text":
        file.write_text("a text of somebody's\n" * 100)
    else:
        os.mkfifo(file)
    assert share(file) is None
    with pytest.raises(NoLock, match=r"a\.lock cannot be locked"):
        take_alone(file)
    assert not made.exists()


def test_a_folders_lock_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("parts")
    (tmp_path / "parts").mkdir()
    for name in ("parts", "link"):
        assert lock_beside(tmp_path / name, "use") == tmp_path.resolve() / ".parts.use.lock"


def test_one_publishes_into_a_folder_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.files.locks.alone.__wrapped__.__defaults__", (0.05,))
    place = tmp_path / "public"
    with holder(lock_beside(place, "published"), "alone") as process:
        with pytest.raises(Refused, match="locked by another process: wait until it is done"):
            write_site(place, "event", [("a.html", b"1")])
        assert not place.exists()
        process.kill()
        process.wait()
        assert write_site(place, "event", [("a.html", b"1")]) == 1
    assert sorted(path.name for path in place.iterdir()) == [".tourney-published", "a.html"]


def test_heads_and_rooms_use_the_same_lock(tmp_path: Path) -> None:
    with locked(tmp_path / "heads" / "log.json"):
        assert not is_free(tmp_path / "heads" / "log.lock", "shared")
    with room_beside(tmp_path) as room:
        assert not list(room.iterdir())
        assert not is_free(tmp_path / f"{room.name}.lock", "shared")
    assert [path.name for path in tmp_path.iterdir()] == ["heads"]


def test_rooms_of_a_killed_process_go_and_those_in_use_stay(tmp_path: Path) -> None:
    with room_beside(tmp_path) as used:
        left = tmp_path / ".season-room-left"
        left.mkdir()
        with holder(tmp_path / f"{left.name}.lock", "alone") as process:
            with room_beside(tmp_path):
                assert left.is_dir(), "its process still runs"
            process.kill()
            process.wait()
        stray = tmp_path / ".season-room-stray.lock"
        stray.touch()
        with room_beside(tmp_path):
            names = {path.name for path in tmp_path.iterdir()}
        assert not {left.name, f"{left.name}.lock", stray.name} & names
        assert used.is_dir()
    assert not list(tmp_path.iterdir())
