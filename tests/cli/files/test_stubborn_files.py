"""Places and files that a command cannot write to, or that fail while they are read: one line."""

from __future__ import annotations

import hashlib
import io
import json
from typing import TYPE_CHECKING

import pytest

from ledger.proof.formats import opened
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Four players in round 1."""
    desk.open(4, "basic")
    desk.done("pair")
    return desk


@pytest.mark.slow
@pytest.mark.parametrize("place", [".", "/", "..", "loop"])
def test_no_backup_and_no_export_goes_to_a_place_that_is_no_file(day: Desk, place: str) -> None:
    (day.folder / "loop").symlink_to("loop")
    before = sorted(day.folder.rglob("*"))
    assert "directory" in day.refused("backup", place).err or place == "loop"
    day.refused("export", "-o", place)
    if place == "loop":
        assert "loop is a link that leads to itself" in day.refused("backup", place).err
    assert sorted(day.folder.rglob("*")) == before


@pytest.mark.slow
@pytest.mark.parametrize("events", [10**30, 2**63, 999_999_999, -1, 1.5, "7", None])
def test_a_backup_that_says_how_many_events_it_has_is_not_believed(
    day: Desk, events: object
) -> None:
    day.done("backup", "good.backup")
    first, head, *rest = (day.folder / "good.backup").read_bytes().splitlines(keepends=True)
    changed = json.dumps({**json.loads(head), "events": events}).encode() + b"\n"
    body = b"".join([first, changed, *rest[:-1]])
    end = json.dumps({"kind": "end", "sha256": hashlib.sha256(body).hexdigest()})
    (day.folder / "giant.backup").write_bytes(body + end.encode() + b"\n")
    told = day.refused("restore", "giant.backup", "--store", "other.db")
    assert told.code == 1
    assert "giant.backup is damaged or was cut off" in told.err


def test_a_file_that_fails_as_it_is_closed_was_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "read"
    path.write_bytes(b"all of it")

    class Failing(io.FileIO):
        def close(self) -> None:
            super().close()
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(io, "FileIO", Failing)
    with opened(path) as file:
        assert file.read() == b"all of it"
    file = opened(path)
    file.close()
    assert file.closed


@pytest.mark.slow
def test_what_fails_as_it_is_closed_is_imported(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    day.done("export", "-o", "day.jsonl")

    class Failing(io.FileIO):
        def close(self) -> None:
            was_open = not self.closed
            super().close()
            if was_open:
                raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(io, "FileIO", Failing)
        for verb in ("replay", "verify", "import"):
            told = day.done(verb, "day.jsonl", "--store", "other.db")
            assert "Traceback" not in told.err
            assert "error" not in told.err
        assert "season.duckdb" not in day.done("season", "add", "day.jsonl").err
