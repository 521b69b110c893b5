"""The log and its tree as files for a static host, read by tlog-tiles alone."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.truth import second_trees

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

LOG = "day.jsonl"


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    return desk


def root_of_tiles(folder: Path) -> tuple[int, bytes, list[bytes]]:
    """Read a static host by tlog-tiles alone: size and root of the head, and the entries.

    Every hash of every level is held to the hashes below it.
    """
    _, size, root, *_ = (folder / "checkpoint").read_text("utf-8").split("\n")
    count = int(size)

    def tile(level: str, number: int, width: int) -> bytes:
        name = f"{number:03}" + (f".p/{width}" if width < 256 else "")
        return (folder / "tile" / level / name).read_bytes()

    def widths(count: int) -> list[int]:
        return [min(256, count - start) for start in range(0, count, 256)]

    entries = []
    for number, width in enumerate(widths(count)):
        data = tile("entries", number, width)
        for _ in range(width):
            length = int.from_bytes(data[:2], "big")
            entries.append(data[2 : 2 + length])
            data = data[2 + length :]
        assert data == b""
    below = [hashlib.sha256(b"\0" + entry).digest() for entry in entries]
    hashes, level = list(below), 0
    while below:
        stored = b"".join(tile(str(level), n, w) for n, w in enumerate(widths(len(below))))
        assert stored == b"".join(below)
        whole = len(below) // 256
        below = [second_trees.tree_hash(below[256 * n : 256 * n + 256]) for n in range(whole)]
        level += 1
    assert second_trees.tree_hash(hashes) == base64.b64decode(root)
    return count, base64.b64decode(root), entries


@pytest.mark.slow
def test_tiles_for_a_static_host(day: Desk) -> None:
    """Twice into one folder: the second time the log has gone past a whole tile."""
    for size in (0, 300):
        if size:
            given = "".join(f"Late {number}\n" for number in range(size))
            day.done("register", "--file", "-", stdin=f"name\n{given}")
        day.done("export", "--tiles", "www")
        count, root, entries = root_of_tiles(day.folder / "www")
        head = day.done("checkpoint", "--json").json
        assert (count, root.hex()) == (head["size"], head["root"])
        assert entries == day.log().encode().splitlines()
    assert count > 256
    assert b'{"names":' not in b"".join(entries)
    (day.folder / "file").write_text("", "utf-8")
    assert "cannot be made" in day.refused("export", "--tiles", "file").err
    assert day.type("export", "--tiles", "www", "-o", LOG).code == 2
