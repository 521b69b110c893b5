"""A store that was changed, or damaged, behind tourney's back: who hears of it, when, and how."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from base64 import b64encode
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import open_store
from ledger.store.backup import save
from ledger.store.sqlite import SQLiteStore
from tests.support.cli_desk import typed_once
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

STORE, SAVED, LOG, POLICY = "tourney.db", "day.backup", "day.jsonl", "policy"


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with round 1 closed, its head signed, and round 2 played."""
    desk.open(4, "custom", "--rounds", "2")
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("pair")
    desk.report_all()
    desk.done("round", "close")
    desk.done("pair")
    desk.report_all()
    return desk


def edit(day: Desk, seq: int, column: str, old: bytes, new: bytes) -> None:
    """Change a row of the store, as somebody who has the file can."""
    with closing(sqlite3.connect(day.folder / STORE)) as store:
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in store.execute(triggers).fetchall():
            store.execute(f"DROP TRIGGER {name}")
        where = "FROM tourney_events WHERE originator_version = ?"
        ((held,),) = store.execute(f"SELECT CAST({column} AS BLOB) {where}", [seq])
        assert old in held
        store.execute(
            f"UPDATE tourney_events SET {column} = ? WHERE originator_version = ?",
            [held.replace(old, new) if column == "state" else new.decode(), seq],
        )
        store.commit()


def stored(day: Desk) -> list[bytes]:
    """The lines as they are in the store."""
    with open_store(str(day.folder / STORE)) as store:
        return store.lines(store.streams()[0])


def line_of(day: Desk, kind: str) -> int:
    """The number of the first event of a type."""
    lines = day.log().splitlines()
    return next(seq for seq, line in enumerate(lines, 1) if f'"type":"{kind}"' in line)


def turn_a_result(day: Desk) -> int:
    """Make the winner of the first table its loser; returns the event that tells of it."""
    seq = line_of(day, "ResultReported")
    pattern = rb'"result":\{"outcomes":\["(\w+)","(\w+)"\],"points":\[(\d+),(\d+)\]'
    (line,) = day.log().encode().splitlines()[seq - 1 : seq]
    told = re.search(pattern, line)
    assert told is not None
    turned = b'"result":{"outcomes":["%s","%s"],"points":[%s,%s]' % told.group(2, 1, 4, 3)
    edit(day, seq, "state", told[0], turned)
    return seq


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("post", "standings"),
        ("round", "close"),
        ("finish",),
        ("backup", SAVED),
        ("season", "add", STORE),
        ("season", "restate", STORE),
        ("receipt", "1/1"),
        ("export", "-o", LOG),
        ("export", "--tiles", "tiles"),
        ("checkpoint",),
        ("verify",),
        ("verify", "--policy", POLICY),
    ],
    ids=" ".join,
)
def test_a_turned_result_is_named_wherever_a_head_is_looked_at(
    day: Desk, words: tuple[str, ...]
) -> None:
    if words[1:2] == ("restate",):
        day.done("season", "add", STORE)
        day.done("rename", "#1", "Ann Lee")
    seq = turn_a_result(day)
    answer = day.refused(*words)
    assert answer.code == 1
    assert f"event {seq} is not the one that the signed head of" in answer.err
    assert "restore a backup that has them into a new store" in answer.err
    assert not (day.folder / SAVED).exists()
    assert not (day.folder / LOG).exists()


def test_nothing_is_drawn_on_a_turned_result(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    desk.done("round", "close")
    seq = turn_a_result(desk)
    assert f"event {seq} is not the one" in desk.refused("pair").err


@pytest.mark.slow
@pytest.mark.parametrize("words", [("finish",), ("backup", SAVED), ("verify",)], ids=" ".join)
def test_marks_that_were_made_to_fit_deceive_nobody_for_long(
    day: Desk, words: tuple[str, ...]
) -> None:
    """Whoever changed the store may change what lies beside it, but for the signed note."""
    seq = turn_a_result(day)
    (path,) = (day.folder / ".tourney-keys/checkpoints").glob("*.json")
    held = json.loads(path.read_bytes())
    lines = stored(day)[: held["size"]]
    digest = sha256(b"".join(line + b"\n" for line in lines)).digest()
    path.write_text(json.dumps(held | {"digest": b64encode(digest).decode()}), "utf-8")
    assert f"event {seq} is not the one" in day.refused(*words).err


def test_the_audit_finds_it(day: Desk) -> None:
    assert day.done("audit", "--json").json["findings"] == []
    seq = turn_a_result(day)
    for words in ((), ("--at", "round:1"), ("--at", "5")):
        (found,) = day.done("audit", *words, "--json").json["findings"]
        assert (found["kind"], found["severity"], found["seqs"]) == ("changed", "breach", [seq])
    answer = day.done("audit")
    assert "event changed after it was signed" in answer.out
    assert answer.err.endswith("1 breach\n")


def test_a_season_skips_such_a_store_and_names_it(day: Desk) -> None:
    seq = turn_a_result(day)
    answer = day.type("season", "add", "--keep-going", STORE)
    assert answer.code == 1
    assert f"event {seq} is not the one" in answer.err
    assert answer.err.endswith("1 log: 1 skipped\n")


def hashes(day: Desk) -> Path:
    (path,) = (day.folder / ".tourney-keys/checkpoints").glob("*.hashes")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("how", ["gone", "torn", "other"])
def test_without_its_hash_the_event_can_not_be_named(day: Desk, how: str) -> None:
    path = hashes(day)
    data = path.read_bytes()
    seq = turn_a_result(day)
    path.unlink()
    if how != "gone":
        other = data[:-1] + bytes([data[-1] ^ 1])
        path.write_bytes(data[:-40] if how == "torn" else other)
    told = day.refused("checkpoint").err
    assert f"event {seq} " not in told
    assert "events are not those that the signed head of" in told


@pytest.mark.slow
@pytest.mark.parametrize("how", ["gone", "torn", "too long"])
def test_hashes_that_are_lost_are_made_again(day: Desk, how: str) -> None:
    path = hashes(day)
    data = path.read_bytes()
    path.unlink()
    if how != "gone":
        path.write_bytes(data[:-40] if how == "torn" else data + b"x" * 50)
    day.done("round", "close")
    assert path.read_bytes().startswith(data)
    assert len(path.read_bytes()) == 32 * len(day.log().splitlines())
    seq = turn_a_result(day)
    assert f"event {seq} is not the one" in day.refused("checkpoint").err


def test_marks_that_are_wrong_keep_nobody_from_acting(day: Desk) -> None:
    (path,) = (day.folder / ".tourney-keys/checkpoints").glob("*.json")
    for mark in ("last", "digest"):
        held = json.loads(path.read_bytes())
        path.write_text(json.dumps(held | {mark: "A" * 43 + "="}), "utf-8")
        day.done("post", "standings")


def test_a_head_that_does_not_fit_its_note_is_refused(day: Desk) -> None:
    (path,) = (day.folder / ".tourney-keys/checkpoints").glob("*.json")
    held = json.loads(path.read_bytes())
    other = ["A" * 43 + "=" for _ in held["frontier"]]
    for change in ({"size": held["size"] + 1}, {"frontier": other}, {"note": "none"}):
        path.write_text(json.dumps(held | change), "utf-8")
        for words in (("drop", "#1"), ("checkpoint",), ("backup", SAVED)):
            told = day.refused(*words).err
            assert f"{path.name} cannot be read" in told
            assert "put a copy of it back" in told


def test_a_changed_store_is_gone_on_from_in_the_open(day: Desk) -> None:
    day.refused("checkpoint", "--accept-fork", "--reason", "none")
    seq = turn_a_result(day)
    day.done("checkpoint", "--accept-fork", "--reason", "nobody knows who it was")
    assert list((day.folder / ".tourney-keys/checkpoints").glob("*.abandoned-*.hashes"))
    day.done("finish")
    told = day.type("verify").err  # who met in round 2 hung on the result that was turned
    assert f"{STORE}: line {line_of(day, 'RoundClosed') + 1}: " in told
    assert day.type("verify", "--policy", POLICY).code == 1
    found = day.done("audit", "--json").json["findings"]
    assert "lost-end" in {each["kind"] for each in found}
    assert turn_a_result(day) == seq
    assert f"event {seq} is not the one" in day.refused("backup", SAVED).err


def test_a_backup_leads_out_of_it(day: Desk) -> None:
    day.done("backup", SAVED)
    turn_a_result(day)
    day.refused("backup", SAVED)
    day.done("--store", "new.db", "restore", SAVED)
    day.done("finish")
    day.done("verify", "--policy", POLICY)


def test_an_older_backup_in_the_place_of_the_store_is_told_of(day: Desk) -> None:
    day.done("backup", SAVED)
    assert "is older than" not in day.done("restore", SAVED).err
    day.done("round", "close")
    for path in day.folder.glob(f"{STORE}*"):
        if path.is_file():
            path.unlink()
    told = day.done("restore", SAVED).err
    assert "the store is older than its signed head" in told
    day.refused("post", "standings")


def test_the_store_in_hand_is_verified(day: Desk) -> None:
    answer = day.done("verify", "--policy", POLICY, "--json").json
    size = answer["tree"]["checked"]
    assert answer["tree"]["unchecked"] == f"no head covers the lines from {size + 1} on yet"
    day.done("finish")
    for words in ((), ("--policy", POLICY)):
        answer = day.done("verify", *words, "--json").json
        left = {row for row in answer if answer[row]["unchecked"]}
        assert left == {"acts", "witnesses", "draws"}
        assert answer["draws"]["checked"] == answer["draws"]["of"] > 0
    for path in day.folder.glob(".tourney-keys/log-*"):
        path.unlink()
    assert day.done("verify", "--json").json["head"]["unchecked"]
    for path in (day.folder / ".tourney-keys/checkpoints").iterdir():
        path.unlink()
    answer = day.done("verify", "--json").json
    assert answer["tree"]["unchecked"]
    assert answer["head"]["unchecked"]


def test_a_store_whose_rules_were_broken_before_the_head(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log's owner changes it, and signs it by other means: the lines have to keep the rules."""
    seq = line_of(day, "ResultReported")
    edit(day, seq, "state", b'"points":[', b'"points":[7')
    told = day.refused("checkpoint", "--accept-fork", "--reason", "to see what it says").err
    assert f"event {seq} would fail verification " in told
    monkeypatch.setattr("cli.machine.integrity.StrictReader.read", lambda *_: None)
    day.done("checkpoint", "--accept-fork", "--reason", "to see what it says")
    answer = day.type("verify")
    assert answer.code == 1
    assert f"{STORE}: line {seq}: " in answer.err


def test_an_event_that_is_listed_as_another(day: Desk) -> None:
    """The type beside a line is in no hash; what is looked for by type would miss it."""
    seq = line_of(day, "RoundClosed")
    edit(day, seq, "topic", b"RoundClosed", b"RoundStarted")
    told = day.refused("verify").err
    assert f"line {seq}, RoundClosed, is listed as 'RoundStarted'" in told


def test_an_event_that_is_listed_as_another_is_not_saved(day: Desk) -> None:
    seq = line_of(day, "RoundClosed")
    edit(day, seq, "topic", b"RoundClosed", b"RoundStarted")
    answer = day.type("backup", SAVED)
    assert answer.code == 1
    assert f"line {seq}, RoundClosed, is listed as 'RoundStarted'" in answer.err
    assert not (day.folder / SAVED).exists()


def test_the_list_of_tournaments_says_which_was_changed(day: Desk) -> None:
    whole = day.done("tournaments")
    assert whole.err == ""
    edit(day, 1, "state", b"Library Night", b"Library Fight")
    for words in (("tournaments",), ("tournaments", "--json")):
        assert "event 1 is not the one that the signed head of" in day.done(*words).err


def test_a_time_that_is_none_is_a_finding_and_breaks_nothing(day: Desk) -> None:
    seq = len(stored(day))
    (at,) = re.findall(rb'"at":"[^"]*"', stored(day)[-1])
    for damaged in (at.replace(b"T", b"p"), at.replace(b"20", b"p0"), at[:-2] + b'"'):
        edit(day, seq, "state", at, damaged)
        day.forget_what_was_seen()
        (found,) = day.done("audit", "--json").json["findings"]
        assert (found["kind"], found["seqs"]) == ("no-clock", [seq])
        for words in (("log",), ("round",), ("disputes",), ("match", "2/1")):
            day.done(*words)
        edit(day, seq, "state", damaged, at)


def test_a_round_that_started_at_no_time(day: Desk) -> None:
    day.done("round", "start")
    (at,) = re.findall(rb'"at":"[^"]*"', stored(day)[-1])
    edit(day, len(stored(day)), "state", at, at.replace(b"-", b"p"))
    day.forget_what_was_seen()
    answer = day.type("round")
    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "is not a time: the log is damaged" in answer.err


def test_a_damaged_store_takes_no_good_backups_place(day: Desk) -> None:
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    seq = line_of(day, "ResultReported")
    edit(day, seq, "state", b'"match"', b'"motch"')
    answer = day.refused("backup", SAVED)
    assert answer.code == 4
    assert f"event {seq} cannot be read" in answer.err
    assert (day.folder / SAVED).read_bytes() == good


@pytest.mark.parametrize("line", [["backup", SAVED], ["verify"]])
def test_lines_that_come_in_between_are_no_damage(
    day: Desk, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    """A hall enters a line after each of the first reads that are compared."""
    tree, lines, names = SQLiteStore.tree, SQLiteStore.lines, iter(["Ann B", "Ann C", "Ann D"])

    def comes_behind(answer: Any) -> Any:  # noqa: ANN401 - what was read
        if name := next(names, ""):
            words = [sys.executable, "-m", "cli", "rename", "1", name]
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            subprocess.run(words, cwd=day.folder, env=env, check=True, capture_output=True)
        return answer

    monkeypatch.setattr(SQLiteStore, "tree", lambda *given: comes_behind(tree(*given)))
    monkeypatch.setattr(
        SQLiteStore, "lines", lambda *given, **more: comes_behind(lines(*given, **more))
    )
    answer = day.type(*line)
    assert "damaged" not in answer.out + answer.err
    assert next(names, "") == ""


def test_a_backup_of_a_damaged_store_is_not_taken_back(day: Desk) -> None:
    """As a release made it that did not look."""
    seq = line_of(day, "ResultReported")
    edit(day, seq, "state", b'"match"', b'"motch"')
    with open_store(str(day.folder / STORE)) as store:
        save(store, str(day.folder / SAVED))
    answer = day.type("--store", "fresh.db", "restore", SAVED)
    assert answer.code == 1
    assert f"line {seq}: " in answer.err
    assert "use an older backup" in answer.err


@pytest.mark.slow
def test_verify_sees_a_bit_in_any_row_or_index_that_says_whose_a_line_is(day: Desk) -> None:
    """The lines read through an index may still be right; what reads the rows would miss one."""
    with open_store(str(day.folder / STORE)) as store:
        stream = store.streams()[0].encode()
    file = day.folder / STORE
    whole = file.read_bytes()
    places = [found.start() for found in re.finditer(stream, whole)]
    in_lines = whole.find(b'"tournament":"') + len(b'"tournament":"')
    assert len(places) > 2 * len(stored(day))
    for place in places[::7]:
        if place != in_lines:
            file.write_bytes(
                whole[: place + 9] + bytes([whole[place + 9] ^ 1]) + whole[place + 10 :]
            )
            assert day.type("verify").code in {1, 3, 4}, place
    file.write_bytes(whole)
    day.done("verify")


def test_the_story_of_a_match_is_of_the_lines_that_were_read(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not of those that a damaged index finds when it is asked again."""
    story = day.done("match", "1/1").out
    monkeypatch.setattr(SQLiteStore, "lines_of", lambda *_: [])
    assert day.done("match", "1/1").out == story
    assert "paired at table 1" in story
