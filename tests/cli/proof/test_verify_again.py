"""`verify` tells a log several times: each time the same one, and a posting as it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from msgspec.structs import replace

from ledger import ENGINE
from ledger.fold import fold_lines
from ledger.rules.people import RenamePerson
from ledger.rules.rounds import PostTable
from projections import verification
from projections.standings import table
from projections.standings.table import standings
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Desk

    Wall = Literal["pairings", "standings"]

LOG = "day.jsonl"


@pytest.fixture
def day() -> Day:
    """Four players, two rounds of two reported."""
    played = Day(4)
    played.context = replace(played.context, engine=ENGINE)
    played.start(2)
    for _ in range(2):
        played.pair()
        played.report_all()
    return played


def written(desk: Desk, day: Day) -> Path:
    path = desk.folder / LOG
    path.write_bytes(b"".join(line + b"\n" for line in day.lines))
    return path


def exchanged(monkeypatch: pytest.MonkeyPatch, exchange: Callable[[], object]) -> None:
    """Exchange the file just before it is read again."""
    real = verification.rederive

    def meanwhile(lines: verification.Lines, key: str) -> verification.Rederived:
        exchange()
        return real(lines, key)

    monkeypatch.setattr(verification, "rederive", meanwhile)


@pytest.mark.parametrize("how", ["another line", "a line more", "a line less", "nothing"])
def test_a_file_that_is_exchanged_meanwhile_is_refused(
    desk: Desk, day: Day, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = written(desk, day)
    lines = path.read_bytes().splitlines(keepends=True)
    day.do(RenamePerson("p2", "Bob"))
    more = day.lines[-1] + b"\n"
    day.do(RenamePerson("p2", "Bo"))
    other = {
        "another line": [*lines[:-1], lines[-1].replace(b".000Z", b".001Z")],
        "a line more": [*lines, more],
        "a line less": lines[:-1],
        "nothing": [],
    }[how]
    assert other != lines
    exchanged(monkeypatch, lambda: path.write_bytes(b"".join(other)))
    answer = desk.type("verify", LOG)
    assert answer.code == 1
    assert answer.out == ""
    assert how == "nothing" or "changed while it was read" in answer.err


def seen_by(day: Day, up_to: int) -> bytes:
    """The standings after so many events."""
    return table.posted_standings(standings(fold_lines(day.lines[:up_to])))


def posted(day: Day, what: Wall, number: int, up_to: int, data: bytes) -> None:
    day.do(PostTable(what, number, up_to, table.fingerprint(data)))


def test_postings_are_held_to_what_they_saw(desk: Desk, day: Day) -> None:
    """Several of one moment and several moments, some of them long past."""
    size = len(day.lines)
    for up_to in (size, size - 1, 10):
        posted(day, "standings", 0, up_to, seen_by(day, up_to))
    posted(day, "pairings", 1, size, table.posted_pairings(day.tournament.rounds[0]))
    written(desk, day)
    assert desk.done("verify", LOG, "--json").json["postings"]["checked"] == 4


@pytest.mark.parametrize("wrong", range(3))
def test_a_posting_of_another_moment_is_named(desk: Desk, day: Day, wrong: int) -> None:
    size = len(day.lines)
    for number, up_to in enumerate((size - 1, size, 10)):
        posted(day, "standings", 0, up_to, seen_by(day, up_to - 1 if number == wrong else up_to))
    written(desk, day)
    line = size + 1 + wrong
    answer = desk.type("verify", LOG)
    assert answer.code == 1
    assert f"line {line}: the posted standings do not match the lines before" in answer.err


@pytest.mark.parametrize("what", ["pairings", "standings"])
def test_a_posting_of_a_round_that_its_moment_had_not_is_named(
    desk: Desk, day: Day, what: Wall
) -> None:
    posted(day, what, 2, 10, b"")
    written(desk, day)
    answer = desk.type("verify", LOG)
    assert answer.code == 1
    assert f"the posted {what} do not match the lines before" in answer.err
