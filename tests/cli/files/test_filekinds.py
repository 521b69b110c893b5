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
