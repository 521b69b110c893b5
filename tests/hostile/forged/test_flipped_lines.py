"""Bits flipped in the lines of a store: nothing false is shown, and nothing signed that none takes.

Below the signed head every verb that shows something refuses; behind it no head is signed over a
line that a verifier would not take.
"""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.store import open_store
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

STORE, SAVED = "tourney.db", "day.backup"
SIGNING = (("round", "close"), ("post", "standings"), ("backup", SAVED), ("export",))
SHOWING = (
    ("standings",),
    ("list",),
    ("pairings",),
    ("round",),
    ("match", "1/1"),
    ("explain", "#1"),
    ("diff", "round:1", "now"),
    ("whatif", "--sweep"),
    ("bracket",),
    ("disputes",),
    ("lists",),
    ("key",),
    ("report", "2/1", "#1"),
    ("drop", "#1"),
    ("pair",),
    ("start",),
    ("verify",),
    ("checkpoint", "--policy"),
)


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four: round 1 closed and signed for, round 2 played behind the head."""
    desk.open(4, "custom", "--rounds", "3")
    desk.done("pair")
    desk.report_all()
    desk.done("pair")
    desk.report_all()
    return desk


def lines(folder: Path) -> list[bytes]:
    with open_store(str(folder / STORE)) as store:
        return store.lines(store.streams()[0])


def put(folder: Path, seq: int, line: bytes) -> None:
    """Change a line of the store, as a failing disk or somebody who has the file can."""
    with closing(sqlite3.connect(folder / STORE)) as store:
        for (name,) in store.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            store.execute(f"DROP TRIGGER {name}")
        where = "UPDATE tourney_events SET state = ? WHERE originator_version = ?"
        store.execute(where, [line, seq])
        store.commit()


def covered(folder: Path) -> int:
    """How many lines the signed head covers."""
    (path,) = (folder / ".tourney-keys/checkpoints").glob("*.hashes")
    return path.stat().st_size // 32


def flip(line: bytes, place: int, bit: int = 0) -> bytes:
    return line[:place] + bytes([line[place] ^ 1 << bit]) + line[place + 1 :]


def member(pattern: bytes, bit: int = 0) -> Callable[[bytes], bytes]:
    """What flips a bit of the last byte that a pattern finds."""

    def changed(line: bytes) -> bytes:
        found = re.search(pattern, line)
        assert found is not None, line
        return flip(line, found.end() - 1, bit)

    return changed


MEMBERS: dict[str, Callable[[bytes], bytes]] = {
    "seq": member(rb'"seq":\d+'),
    "id": member(rb'"id":"[a-z]*\d', 4),
    "type": member(rb'"type":"R'),
    "at": member(rb'"at":"\d{4}-'),
    "by": member(rb'"by":"o'),
    "whose": member(rb'"by":"o1', 1),
    "data": member(rb'"match":\d+', 2),
    "points": member(rb'"points":\[\d+', 0),
    "name": member(rb'"match'),
    "blank": lambda line: line.replace(b":", b": ", 1),
    "escape": lambda line: line.replace(b"win", rb"\u0077in", 1),
    "order": lambda line: re.sub(rb'("at":"[^"]*"),("by":"[^"]*")', rb"\2,\1", line),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", MEMBERS)
def test_below_the_head_every_verb_that_shows_something_refuses(day: Desk, what: str) -> None:
    seq = next(n for n, line in enumerate(lines(day.folder), 1) if b'"ResultReported"' in line)
    assert seq < covered(day.folder)
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    before = lines(day.folder)
    put(day.folder, seq, MEMBERS[what](before[seq - 1]))
    for words in (*SHOWING, *SIGNING):
        answer = day.type(*words)
        assert answer.code in {1, 4}, (words, answer)
        assert answer.out == ""
        assert re.search(rf"event (must be )?({seq}|{seq ^ 1})\b", answer.err), answer.err
    assert len(lines(day.folder)) == len(before)
    assert (day.folder / SAVED).read_bytes() == good
    audit = day.type("audit", "--json")
    assert audit.code == 4 or "changed" in {each["kind"] for each in audit.json["findings"]}
    log = day.type("log")
    assert log.code == 4 or "warning: the store was changed by something other" in log.err


@pytest.mark.slow
@pytest.mark.parametrize("moment", [("--at", "4"), ("--round", "1"), ("--at", "round:1")], ids=str)
def test_so_does_a_look_at_the_past(day: Desk, moment: tuple[str, str]) -> None:
    before = lines(day.folder)
    put(day.folder, 3, MEMBERS["at"](before[2]))
    assert "event 3 is not the one" in day.refused("list", *moment).err
    put(day.folder, 3, before[2])
    shown = day.done("list", *moment).out
    for path in (day.folder / ".tourney-keys/checkpoints").glob("*.hashes"):
        path.unlink()
    assert day.done("list", *moment).out == shown  # without its hashes the tree says so
    put(day.folder, 3, MEMBERS["at"](before[2]))
    assert "head of" in day.refused("list", *moment).err


@pytest.mark.slow
@pytest.mark.parametrize("what", MEMBERS)
def test_behind_the_head_nothing_is_signed_over_it(day: Desk, what: str) -> None:
    before = lines(day.folder)
    seq = max(n for n, line in enumerate(before, 1) if b'"ResultReported"' in line)
    head = covered(day.folder)
    assert seq > head
    with day.patch.context() as patch:
        patch.setenv(
            "TOURNEY_KEYS", "without-the-log's-key"
        )  # which would sign a head of all lines
        day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    put(day.folder, seq, MEMBERS[what](before[seq - 1]))
    day.forget_what_was_seen()
    for words in (*SIGNING, ("pair",), ("checkpoint",), ("receipt", "1/1")):
        answer = day.type(*words)
        if words == ("export",) and answer.code == 0:
            continue  # to stdout, with no head
        assert answer.code == 4, (words, answer)
        assert re.search(rf"event (must be )?({seq}|{seq ^ 1})\b", answer.err), answer.err
    assert "damaged" in day.type("export", "-o", "day.jsonl").err
    assert not (day.folder / "day.jsonl").exists()
    assert day.type("verify").code in {1, 4}
    assert covered(day.folder) == head
    assert (day.folder / SAVED).read_bytes() == good
    put(day.folder, seq, before[seq - 1])
    day.forget_what_was_seen()
    day.done("pair")
    day.done("verify")


def test_no_head_is_signed_over_what_was_never_read(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Sam Doe", "--role", "scorekeeper")
    before, head = lines(desk.folder), covered(desk.folder)
    seq = head + 1  # the last head is that of the start
    put(desk.folder, seq, MEMBERS["at"](before[seq - 1]))
    desk.forget_what_was_seen()
    desk.done("pair")
    desk.report_all()
    answer = desk.type("post", "standings")
    assert answer.code == 4
    assert f"event {seq} " in answer.err
    assert covered(desk.folder) == head


def tried(day: Desk, place: Path, *words: str) -> Answer:
    """Run a command in a copy of the folder, and leave."""
    day.patch.chdir(place)
    answer = day.type(*words)
    day.patch.chdir(day.folder)
    return answer


@pytest.mark.slow
def test_any_flipped_bit_is_refused_or_taken_by_every_verifier(day: Desk, tmp_path: Path) -> None:
    """Whatever bit it is: no covered line is shown with it, and `verify` takes what is signed."""
    before, head, chance = lines(day.folder), covered(day.folder), random.Random(12)
    taken = 0
    for number in range(60):
        seq = chance.randrange(head + 1, len(before) + 1) if number % 2 else chance.randint(1, head)
        line = before[seq - 1]
        changed = flip(line, chance.randrange(len(line)), chance.randrange(8))
        place = tmp_path / f"copy-{number}"
        shutil.copytree(day.folder, place, ignore=shutil.ignore_patterns("copy-*"))
        put(place, seq, changed)
        if seq <= head:
            answer = tried(day, place, "standings")
            assert answer.code in {1, 4}, (seq, changed)
            assert answer.out == ""
        elif tried(day, place, "post", "standings").code == 0:
            taken += 1
            assert tried(day, place, "verify").code == 0, (seq, changed)
        shutil.rmtree(place)
    assert taken < 15
