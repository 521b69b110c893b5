"""Logs of another wire, or of newer rules: every reader says which release reads them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ledger import ENGINE
from ledger.lines.line import name_in
from ledger.proof.lines import RULES, WIRE, wire_problem
from ledger.store import backup, open_store
from tests.support.signed_logs import head_of, plain_day, policy_of, tournament_of, write_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.cli_desk import Answer, Desk

LOG, POLICY, SEASON, STORE = "day.jsonl", "policy", "season.duckdb", "other.db"
NUMBERS = f'"wire":{WIRE},"rules":{RULES},'.encode()
BY = b'"engine":"simulator"'
OF_OTHERS = {
    "older": (b"", "tourney 0.1.0", "it is a log of wire 1, which tourney 0.1.0 reads; this "),
    "newer": (
        b'"wire":3,"rules":1,',
        "tourney 0.9.0",
        "of wire 3, by tourney 0.9.0; this rel",
    ),
    "stricter": (b'"wire":2,"rules":5,', "tourney 0.3.1", "of rules 5, by tourney 0.3.1; this rel"),
    "nameless": (b'"wire":1,"rules":1,', "\\u001b[31m", "of wire 1, which its release reads; thi"),
}


@pytest.fixture(params=OF_OTHERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def day(desk: Desk, kind: str) -> Desk:
    """A day as another release wrote it, with its head, its hashes and a policy."""
    first, *rest = plain_day()
    numbers, engine, _ = OF_OTHERS[kind]
    assert NUMBERS in first
    assert BY in first
    first = first.replace(NUMBERS, numbers).replace(BY, f'"engine":"{engine}"'.encode())
    lines = [first, *rest]
    write_log(desk.folder / LOG, lines, head_of(lines))
    (desk.folder / POLICY).write_bytes(policy_of(tournament_of(lines)))
    (desk.folder / "elsewhere").mkdir()
    return desk


def lines_of(day: Desk) -> list[bytes]:
    return (day.folder / LOG).read_bytes().splitlines()


def stored(day: Desk, lines: Sequence[bytes]) -> None:
    """A store that holds the log, as its own release wrote it."""
    entries = [(name_in(line), line) for line in lines]
    with open_store(str(day.folder / STORE)) as store:
        store.transact(tournament_of(lines), 0, lambda _: entries)
        backup.save(store, str(day.folder / "other.backup"))


def says_which_release(answer: Answer, kind: str) -> None:
    assert answer.code == 1, answer
    assert answer.err.count("\n") == 1, answer.err
    assert OF_OTHERS[kind][2] in answer.err
    assert "damaged" not in answer.err
    assert "\x1b" not in answer.err
    assert answer.out == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("replay", LOG),
        ("replay", LOG, "--policy", POLICY),
        ("import", LOG, "--store", "elsewhere/tourney.db"),
        ("verify", LOG),
        ("verify", LOG, "--policy", POLICY),
        ("season", "add", LOG),
        ("season", "rebuild", LOG),
    ],
    ids=" ".join,
)
def test_a_file_of_another_release(day: Desk, kind: str, words: tuple[str, ...]) -> None:
    says_which_release(day.type(*words), kind)
    assert not (day.folder / SEASON).exists()
    assert not (day.folder / "elsewhere/tourney.db").exists()


@pytest.mark.slow
def test_the_small_verifier_says_it_too(day: Desk, kind: str) -> None:
    for further in ([], ["--policy", POLICY]):
        printed = subprocess.run(
            [sys.executable, "-m", "ledger.proof.verifier", LOG, *further],
            cwd=day.folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = printed.stdout + printed.stderr
        assert printed.returncode == 1
        assert said.count("\n") == 1, said
        assert OF_OTHERS[kind][2] in said


@pytest.mark.slow
def test_a_store_that_holds_such_a_log(day: Desk, kind: str) -> None:
    stored(day, lines_of(day))
    for words in (("standings",), ("list",), ("drop", "1"), ("export",), ("verify",), ("audit",)):
        answer = day.type(*words, "--store", STORE)
        assert answer.code == 1, (words, answer)
        assert answer.err.count("\n") == 1, answer.err
        assert OF_OTHERS[kind][2] in answer.err
        assert "damaged" not in answer.err
    says_which_release(day.type("backup", "new.backup", "--store", STORE), kind)
    says_which_release(day.type("season", "add", STORE), kind)
    assert day.done("tournaments", "--store", STORE).out
    assert not (day.folder / "new.backup").exists()


def test_a_backup_of_such_a_store_is_not_taken_back(day: Desk, kind: str) -> None:
    stored(day, lines_of(day))
    says_which_release(day.type("restore", "other.backup", "--store", "elsewhere/x.db"), kind)
    assert not (day.folder / "elsewhere/x.db").exists()


def test_only_whole_numbers_name_a_wire() -> None:
    good: dict[str, object] = {"wire": WIRE, "rules": RULES, "engine": ENGINE}
    assert wire_problem(good) == ""
    wrong: object
    for wrong in (True, "2", 2.0, None, [2], {}, -1, 0, 2**53, -(2**53)):
        assert wire_problem(good | {"wire": wrong})
        assert wire_problem(good | {"rules": wrong})
    for engine in (None, 7, "", "x" * 65, "tourney\n", "t\u00fcrney", "\x1b[2J", " tourney"):
        assert "its release" in wire_problem({"engine": engine})


def test_what_is_wrong_besides_is_said_as_before(desk: Desk) -> None:
    """Of a first line with the right numbers its own faults are named."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    text = desk.done("export", "--without-names").out
    (desk.folder / LOG).write_text(text.replace('"tier":"relaxed"', '"tier":"none"'), "utf-8")
    told = desk.type("replay", LOG).err
    assert "tier" in told
    assert "wire" not in told
