"""SQLite files from a stranger: a store, its vault, a league's vault, a witness's file, answers.

The property: whatever a file holds, a verb that opens it ends soon, with a documented code and one
line, and runs nothing of it. What its schema shows is refused before a row is read.
"""

from __future__ import annotations

import gc
import shutil
import sqlite3
import warnings
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cli.exits import EXITS, FAULT
from tests.hostile.databases.database_attacks import ATTACKS, Attack
from tests.support.cli_desk import once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

    Words = tuple[str, ...]


class Kind(NamedTuple):
    """A kind of file, its tables, and lines that read it and that write into it."""

    file: str
    tables: tuple[str, ...]
    lines: tuple[Words, ...]
    code: int = 4


KINDS = {
    "store": Kind(
        "tourney.db",
        ("tourney_events", "tourney_streams"),
        (
            (),
            ("list", "--json"),
            ("log",),
            ("register", "Bob Kay"),
            ("note", "heard", "--id", "abcdefgh"),
            ("verify",),
            ("export", "-o", "out.jsonl"),
            ("backup", "out.backup"),
            ("whatif", "drop", "1"),
        ),
    ),
    "vault": Kind(
        "tourney.db-vault",
        ("vault",),
        (
            ("list",),
            ("register", "Bob Kay"),
            ("note", "heard"),
            ("links", "new", "#1"),
            ("forget", "Player 01", "--yes"),
            ("backup", "out.backup"),
        ),
    ),
    "league": Kind(
        "league.db",
        ("persons", "acts", "answers"),
        (
            ("season", "people"),
            ("season", "people", "acts", "--json"),
            ("season", "people", "name", "Cleo Roe", "aaaaaaaa", "--id", "ijklmnop"),
            ("season", "people", "name", "Ann Lee", "11111111", "--id", "abcdefgh"),
            ("season", "people", "rename", "11111111", "Ann Roe"),
            (
                *("season", "people", "merge", "11111111", "22222222"),
                *("--by", "Kim", "--reason", "one"),
            ),
            (
                *("season", "people", "forget", "11111111"),
                *("--by", "Kim", "--reason", "asked", "--yes"),
            ),
        ),
    ),
    "witness": Kind(
        ".tourney-keys/witness.db",
        ("heads",),
        (
            ("witness", "cosign", "ask.txt"),
            ("witness", "trust", "KEY"),
            ("verify", "out.jsonl"),
        ),
        code=1,
    ),
    "answers": Kind(
        ".tourney-answers",
        ("answers",),
        (
            ("witness", "init", "league.example/cup", "--id", "yzabcdef"),
            ("witness", "trust", "KEY", "--id", "ijklmnop"),
            ("note", "heard", "--id", "abcdefgh"),
        ),
    ),
}


def typed(desk: Desk) -> None:
    """Have a file of each kind."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("export", "-o", "out.jsonl")
    for name, person in (("Ann Lee", "11111111"), ("Ben Roe", "22222222"), ("Cy", "33333333")):
        desk.done("season", "people", "name", name, person)
    split = ("season", "people", "merge", "33333333", "22222222", "--by", "Kim", "--reason", "one")
    desk.done(*split, "--id", "qrstuvwx")
    desk.done("witness", "init", "league.example/cup", "--id", "yzabcdef")
    policy = desk.done("checkpoint", "--policy").out
    (desk.folder / "policy").write_text(policy, "utf-8")
    key = policy.splitlines()[0].split()[1]
    desk.done("witness", "ask", "-o", "ask.txt")
    desk.done("witness", "trust", key)


@pytest.fixture
def day(desk: Desk) -> Iterator[Desk]:
    once(desk, "strange databases", typed)
    yield desk
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()  # a verb that is refused half-way leaves its store to the end of its process


def checked(answer: Answer, words: Words) -> Answer:
    assert answer.code in EXITS, (words, answer)
    assert answer.code != FAULT, (words, answer.err)
    if answer.code and not answer.out:
        assert answer.err.rstrip("\n").count("\n") <= answer.err.count("tourney: "), answer.err
    return answer


def _lines(day: Desk, kind: Kind) -> list[Words]:
    key = (day.folder / "policy").read_text("utf-8").splitlines()[0].split()[1]
    return [tuple(key if word == "KEY" else word for word in words) for words in kind.lines]


def attempt(day: Desk, kind: Kind, table: str, attack: Attack) -> None:
    """Put an attack into a file, and type every line that opens it."""
    file, kept = day.folder / kind.file, day.folder / "strange"
    attack.applied(file, table)
    shutil.copy(file, kept)
    for words in _lines(day, kind):
        for left in (f"{kind.file}-wal", f"{kind.file}-shm", f"{kind.file}-journal"):
            (day.folder / left).unlink(missing_ok=True)
        shutil.copy(kept, file)
        answer = checked(day.type(*words), words)
        if attack.is_schema:
            assert answer.code == kind.code or kind.file in answer.err, (
                words,
                answer,
            )
            assert file.read_bytes() == kept.read_bytes(), words


def _rows(file: Path, table: str) -> list[object]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(f"SELECT * FROM {table} LIMIT 100").fetchall()


CASES = [
    pytest.param(kind, table, id=f"{name}-{table}")
    for name, kind in KINDS.items()
    for table in kind.tables
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
@pytest.mark.parametrize(("kind", "table"), CASES)
def test_nothing_of_a_strange_file_runs(day: Desk, kind: Kind, table: str, attack: Attack) -> None:
    attempt(day, kind, table, attack)


@pytest.mark.parametrize(("kind", "table"), CASES)
def test_the_lines_work_on_a_genuine_file(day: Desk, kind: Kind, table: str) -> None:
    assert _rows(day.folder / kind.file, table)
    answers = [day.type(*words) for words in _lines(day, kind)]
    assert [answer.code for answer in answers].count(0) >= len(answers) // 2, answers
