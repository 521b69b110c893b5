"""What a disk may show after a power cut, for a few calls each: all of it, and no more."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.faults.disk import Call, Cut, Disk, calls_in
from tests.faults.server import Request, serving
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SAME = {"fsync": "sync", "fdatasync": "sync", "pwrite64": "write", "ftruncate": "truncate"}
TRACED = "trace=write,pwrite64,writev,fsync,fdatasync,rename,unlink,link,mkdir"


def call(name: str, path: str, inode: int = 1, *, data: bytes = b"", **more: Any) -> Call:  # noqa: ANN401 - the fields of a call
    blank = Call(name, inode, 0, data, False, f"/d/{path}", "", 0)  # noqa: FBT003 - a field
    return blank._replace(**more)


def created(path: str, inode: int = 1) -> Call:
    return call("open", path, inode, is_new=True)


SYNC_FOLDER = Call("sync", 9, 0, b"", False, "/d", "", 0)  # noqa: FBT003 - a field


def shown(*calls: Call, torn: float = 0) -> set[tuple[tuple[str, bytes | None], ...]]:
    """Everything that a power cut after these calls may leave."""
    disk = Disk("/d")
    for each in calls:
        disk.follow(each)
    cuts = (Cut(random.Random(n), files=0.5, names=0.5, torn=torn) for n in range(300))
    return {tuple(sorted(cut.tree(disk).items())) for cut in cuts}


def test_a_synced_file_may_have_no_name() -> None:
    write = call("write", "a", data=b"one")
    assert shown(created("a"), write, call("sync", "a")) == {(), (("a", b"one"),)}
    assert shown(created("a"), write, call("sync", "a"), SYNC_FOLDER) == {(("a", b"one"),)}


def test_a_name_may_have_no_bytes() -> None:
    found = shown(created("a"), SYNC_FOLDER, call("write", "a", data=b"one"))
    assert found == {(("a", b""),), (("a", b"one"),)}


def test_writes_are_kept_in_any_selection() -> None:
    first, second = call("write", "a", data=b"one"), call("write", "a", data=b"two", offset=3)
    found = shown(created("a"), SYNC_FOLDER, first, second)
    assert {data for ((_, data),) in found} == {b"", b"one", b"onetwo", b"\0\0\0two"}


def test_a_rename_is_there_or_not() -> None:
    safe = (created("a"), call("write", "a", data=b"one"), call("sync", "a"), SYNC_FOLDER)
    draft = (created("b", 2), call("write", "b", 2, data=b"two"), call("sync", "b", 2))
    found = shown(*safe, *draft, call("rename", "b", other="/d/a"))
    old, new, both = ("a", b"one"), ("a", b"two"), ("b", b"two")
    assert found == {(old,), (new,), (old, both)}


def test_an_unlinked_file_may_be_there_again() -> None:
    safe = (created("a"), SYNC_FOLDER)
    assert shown(*safe, call("unlink", "a")) == {(), (("a", b""),)}
    assert shown(*safe, call("unlink", "a"), SYNC_FOLDER) == {()}


def test_a_folder_that_is_lost_takes_its_files() -> None:
    within = (call("mkdir", "k"), created("k/a"), call("sync", "k"))
    assert shown(*within) == {(), (("k", None), ("k/a", b""))}


def test_a_new_file_in_an_old_ones_place_is_another(tmp_path: Path) -> None:
    old = (created("a"), call("write", "a", data=b"one"), call("sync", "a"), SYNC_FOLDER)
    again = (call("unlink", "a"), created("a"), call("write", "a", data=b"two"), call("sync", "a"))
    assert shown(*old, *again) == {(), (("a", b"one"),), (("a", b"two"),)}
    assert not list(tmp_path.iterdir())


def test_a_torn_write_has_whole_sectors() -> None:
    write = call("write", "a", data=b"x" * 1_024)
    found = {data or b"" for ((_, data),) in shown(created("a"), SYNC_FOLDER, write, torn=0.9)}
    assert b"x" * 512 in found
    assert b"\0" * 512 + b"x" * 512 in found
    assert any(set(data) - set(b"x\0") for data in found)
    assert all(len(data) in {0, 512, 1_024} for data in found)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_shim_sees_every_call(tmp_path: Path) -> None:
    """Another tracer counts the same calls on the files of a whole process."""
    words = ["new", "Night", "--ruleset", "l5r", "--organizer", "Kim"]
    with serving() as server:
        (tmp_path / "one").mkdir()
        log = tmp_path / "log"
        server.run(Request(str(tmp_path / "one"), words, log=str(log)))
    ours = Counter(each.name for each in calls_in(log) if "-shm" not in each.path)
    (tmp_path / "two").mkdir()
    begin = ["strace", "-f", "-y", "-qq", "-e", TRACED, "-o", str(tmp_path / "trace")]
    program = [sys.executable, "-c", "import sys; from cli.entry import main; sys.exit(main())"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [*begin, *program, *words], cwd=tmp_path / "two", env=environment, check=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    theirs = Counter(
        SAME.get(name := line.split()[1].partition("(")[0], name)
        for line in (tmp_path / "trace").read_text("utf-8", "replace").splitlines()
        if _is_on_a_file(line)
    )
    for name in ("write", "sync", "rename", "unlink", "link", "mkdir"):
        assert ours[name] == theirs[name], (name, ours, theirs)


def _is_on_a_file(line: str) -> bool:
    """Tell the calls on the store and the keys from those on the terminal and on Python's own."""
    names = (".tourney", "tourney.db", "/two>")
    return any(name in line for name in names) and "-shm" not in line and "ENOENT" not in line
