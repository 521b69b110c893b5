"""A store's file that the same process reads as a file: the locks on the store stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.files.access import first_bytes, kind_at, pieces, whole
from ledger.proof.formats import LOCKED_FILES
from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

STREAM = "c" * 32
AS_ANOTHER_DESK = f"""
import sys
from ledger.store import open_store
with open_store(sys.argv[1]) as store:
    print(store.size("{STREAM}"))
"""


def _opened_again(path: Path) -> None:
    open_store(str(path)).close()


READINGS: dict[str, Callable[[Path], object]] = {
    "its kind": kind_at,
    "its beginning": lambda path: first_bytes(path, 10),
    "whole": whole,
    "a piece of it": lambda path: next(pieces(path)),
    "as a store": _opened_again,
}
"""What reads a file that may be a store, as import, verify and `-o` do."""


@pytest.mark.skipif(os.name != "posix", reason="locks that a close releases are those of POSIX")
@pytest.mark.parametrize("reading", READINGS)
def test_a_store_that_is_read_as_a_file_stays_locked(tmp_path: Path, reading: str) -> None:
    """Without its lock another desk that closes the store would delete its write-ahead log."""
    path = tmp_path / "day.db"
    log = tmp_path / "day.db-wal"
    with open_store(str(path)) as store:
        store.transact(STREAM, 0, lambda _: [("Noted", b"one")])
        READINGS[reading](path)
        number = log.stat().st_ino
        words = [sys.executable, "-c", AS_ANOTHER_DESK, str(path)]
        subprocess.run(words, check=True, capture_output=True)
        assert log.stat().st_ino == number
        store.transact(STREAM, 1, lambda _: [("Noted", b"two")])
    with open_store(str(path)) as store:
        assert store.lines(STREAM) == [b"one", b"two"]


def test_a_store_that_is_closed_may_be_closed_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "day.db"
    with open_store(str(path)):
        assert LOCKED_FILES
    assert not LOCKED_FILES
    before = open_files()
    for _ in range(20):
        kind_at(path)
    assert open_files() == before


def test_a_store_that_is_read_again_and_again_takes_one_more_file(tmp_path: Path) -> None:
    """A hall that reads its store's file all day would end without a file for a visitor."""
    path = tmp_path / "day.db"
    before = open_files()
    with open_store(str(path)) as store:
        store.transact(STREAM, 0, lambda _: [("Noted", b"one")])
        kind_at(path)
        once = open_files()
        for _ in range(50):
            assert whole(path)[:6] == b"SQLite"
        assert open_files() == once
    assert open_files() == before


def open_files() -> int:
    """Return how many files this process has open, if the system lists them."""
    listed = Path("/proc/self/fd")
    return sum(1 for _ in listed.iterdir()) if listed.exists() else 0
