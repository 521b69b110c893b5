"""A file given to the wrong verb: what it is, and the verb that takes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.support.files.nrtm_files import document, table

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def files(desk: Desk) -> Desk:
    """A backup, a log, a store and a file of Cobra's."""
    desk.open(4, "basic")
    desk.done("backup", "day.backup")
    desk.done("export", "-o", "day.jsonl")
    (desk.folder / "day.json").write_text(
        json.dumps(document([1, 2], [[table(1, 2, 3, 0)]])), "utf-8"
    )
    return desk


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "file", "told"),
    [
        ("import", "day.backup", "is a backup: use `tourney restore day.backup`"),
        ("replay", "day.backup", "is a backup: use `tourney restore day.backup`"),
        ("restore", "day.jsonl", "is a log: use `tourney import day.jsonl`"),
        ("restore", "day.json", "NRTM/Cobra JSON, not a log: use `tourney import day.json`"),
        ("replay", "day.json", "NRTM/Cobra JSON, not a log: use `tourney import day.json`"),
        ("import", "tourney.db", "is a SQLite store: use `tourney --store tourney.db tournaments`"),
        ("replay", "tourney.db", "is a SQLite store"),
        ("restore", "tourney.db", "is a SQLite store"),
    ],
)
def test_the_right_verb_is_named(files: Desk, verb: str, file: str, told: str) -> None:
    answer = files.refused(verb, file)
    assert told in answer.err
    assert answer.code == 1


@pytest.mark.parametrize("line", ["verify", "replay", "import", "reproduce", "season add", "--log"])
def test_what_lies_next_to_a_log_is_not_taken_for_it(files: Desk, line: str) -> None:
    """The head and the hashes are named as such; the log is named, if it is here."""
    head = (files.folder / "day.jsonl.checkpoint").read_bytes()
    (files.folder / "head.txt").write_bytes(head)
    after = ["standings"] if line == "--log" else []
    itself = "name the log itself"
    for name, told in (
        ("day.jsonl.checkpoint", f"is the signed head next to a log: {itself}, day.jsonl"),
        ("day.jsonl.hashes", f"has only the hashes of a log's lines: {itself}, day.jsonl"),
        ("head.txt", f"is the signed head next to a log: {itself}\n"),
    ):
        answer = files.refused(*line.split(), name, *after)
        assert (f"{name} {told}" in answer.err, answer.code) == (True, 1), answer.err
    files.done("verify", "day.jsonl", "--head", "day.jsonl.checkpoint")


@pytest.mark.parametrize("line", ["verify", "diff", "replay", "import", "season add", "restore"])
@pytest.mark.parametrize("begins", [b"\xff\xfe", b"\0", b"a\0", b"\x1f\x8b", b"BZh", b"{}", b"ok"])
def test_hashes_are_known_by_the_name_whatever_they_begin_with(
    files: Desk, line: str, begins: bytes
) -> None:
    (files.folder / "day.jsonl.hashes").write_bytes(begins.ljust(64, b"h"))
    after = ["day.jsonl"] if line == "diff" else []
    told = "has only the hashes of a log's lines: name the log itself, day.jsonl"
    assert told in files.refused(*line.split(), "day.jsonl.hashes", *after).err


def test_the_right_verbs_take_them(files: Desk) -> None:
    files.done("replay", "day.jsonl")
    assert "no key" not in files.done("import", "day.jsonl").err
    files.done("import", "day.json")
    files.done("--store", "other.db", "restore", "day.backup")


def test_a_running_log_in_another_store_has_no_key(files: Desk) -> None:
    said = files.done("--store", "other.db", "import", "day.jsonl").err
    assert "has no key for its draws" in said
    assert "to move it, use `backup` and `restore`" in said
    assert "permanently lost, use `key draws`" in said
    files.done("--store", "other.db", "key", "draws", "--reason", "the laptop was lost")
    files.done("--store", "other.db", "pair")
