"""The highest signed head: whoever takes it away, changes it or goes back behind it is refused.

The owner of the disk can change any file, and has no more than an old copy of what the key signed.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.formats import Checkpoint, Tree, leaf_hash
from ledger.proof.signatures import origin_of
from ledger.store import open_store
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

STORE, SAVED, POLICY, OTHER = "tourney.db", "day.backup", "policy", "other.db"
THIEF = b"t" * 32
HEAD = re.compile(r"[0-9a-f]{32}\.json")

ACTING = {
    "pair": ("pair",),
    "post": ("post", "pairings"),
    "drop": ("drop", "#1"),
    "round close": ("round", "close"),
    "finish": ("finish",),
    "checkpoint": ("checkpoint",),
    "receipt": ("receipt", "1/1"),
    "export": ("export", "-o", "day.jsonl"),
    "tiles": ("export", "--tiles", "tiles"),
    "backup": ("backup", "next.backup"),
    "witness": ("witness", "ask", "-o", "ask.txt"),
}
SHOWING = (("standings",), ("pairings",), ("verify",), ("season", "add", STORE))


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, round 1 closed and its head signed, round 2 paired."""
    desk.open(4, "custom", "--rounds", "3")
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("pair")
    desk.report_all()
    desk.done("round", "close")
    desk.done("pair")
    return desk


def head_file(desk: Desk) -> Path:
    (found,) = (each for each in heads_folder(desk).iterdir() if HEAD.fullmatch(each.name))
    return found


def heads_folder(desk: Desk) -> Path:
    return desk.folder / ".tourney-keys" / "checkpoints"


def lines(desk: Desk, store: str = STORE) -> list[bytes]:
    with open_store(str(desk.folder / store)) as opened:
        return opened.lines(opened.streams()[0])


def nothing_is_done(desk: Desk, *told: str, store: str = STORE) -> None:
    """Whatever shows, does or signs something refuses, writes nothing and signs nothing."""
    before, path = lines(desk, store), desk.folder / ".tourney-keys" / "checkpoints"
    signed = {each: each.read_bytes() for each in path.glob("*.json")}
    for words in (*ACTING.values(), *SHOWING):
        words = tuple(store if word == STORE else word for word in words)  # noqa: PLW2901
        answer = desk.type("--store", store, *words)
        assert answer.code == 1, (words, answer.err)
        assert answer.out == ""
        assert answer.err.count("\n") == 1, (words, answer.err)
        assert any(each in answer.err for each in told), (words, answer.err)
    assert lines(desk, store) == before
    assert {each: each.read_bytes() for each in path.glob("*.json")} == signed
    assert not (desk.folder / "day.jsonl").exists()
    assert not (desk.folder / "next.backup").exists()


def put_back(desk: Desk, copy: Path) -> None:
    """Put an older copy of the store in its place."""
    for path in desk.folder.glob(f"{STORE}-[sw]*"):
        path.unlink()
    shutil.copy(copy, desk.folder / STORE)


def heads_of(desk: Desk, other: str) -> Iterator[str]:
    """What each of two exports says of the same size."""
    for name in ("ours.jsonl", other):
        yield (desk.folder / f"{name}.checkpoint").read_text("utf-8")


@pytest.mark.slow
def test_a_head_that_is_gone_is_missed(day: Desk) -> None:
    shutil.rmtree(day.folder / ".tourney-keys" / "checkpoints")
    nothing_is_done(day, "the latest signed head, is missing")
    told = day.done("audit", "--json").json["findings"]
    assert "changed" in {each["kind"] for each in told}
    assert "the latest signed head, is missing" in day.done("log").err


def test_it_is_missed_from_the_first_round_on(desk: Desk) -> None:
    """The first one is signed before the first act, so that none can be missing honestly."""
    desk.open(4, "custom", "--rounds", "3")
    head_file(desk).unlink()
    desk.done("pair")
    assert head_file(desk).exists()
    desk.done("post", "pairings")
    head_file(desk).unlink()
    assert "is missing" in desk.refused("drop", "#1").err


@pytest.mark.slow
def test_a_rewritten_head_is_no_head(day: Desk) -> None:
    """Every member of the file made to fit lines of somebody else, but for the signature."""
    path = head_file(day)
    held = json.loads(path.read_bytes())
    origin = origin_of(path.stem)
    for signer in (None, notes.signer(origin, THIEF)):  # the old signature, and another's
        tree = Tree()
        for line in lines(day)[:3]:
            tree.add(leaf_hash(line))
        text = notes.checkpoint_text(Checkpoint(origin, 3, tree.root()))
        note = f"{text}\n{held['note'].splitlines()[-1]}\n"
        if signer is not None:
            note = notes.signed_note(text, signer).decode()
        frontier = [notes.base64_of(each) for each in tree.frontier]
        path.write_text(json.dumps(held | {"size": 3, "note": note, "frontier": frontier}), "utf-8")
        nothing_is_done(day, "is not signed with the log's key")


def test_a_head_that_says_less_than_its_note(day: Desk) -> None:
    """The true note, and size and frontier of an older moment beside it."""
    path, tree = head_file(day), Tree()
    for line in lines(day)[:3]:
        tree.add(leaf_hash(line))
    frontier = [notes.base64_of(each) for each in tree.frontier]
    held = json.loads(path.read_bytes())
    path.write_text(json.dumps(held | {"size": 3, "frontier": frontier}), "utf-8")
    nothing_is_done(day, "its contents do not match the signature on it")


def test_a_head_of_another_tournament_is_none(day: Desk) -> None:
    path = head_file(day)
    day.done("new", "Another", "--ruleset", "swiss")
    (other,) = (each for each in path.parent.glob("*.json") if each != path)
    shutil.copy(other, path)
    other.unlink()
    for words in ACTING.values():
        answer = day.type("-t", "Library", *words)
        assert (answer.code, "it is the head of another log" in answer.err) == (1, True), answer


def test_a_store_that_names_another_key_is_not_believed(day: Desk) -> None:
    """A thief of the disk rewrites line 1, signs with their own key, and puts that head here."""
    path = head_file(day)
    thief = notes.signer(origin_of(path.stem), THIEF)
    stored = lines(day)
    own = stored[0].partition(b'"log_key":"')[2].partition(b'"')[0]
    stored[0] = stored[0].replace(own, notes.base64_of(thief.key.public).encode())
    tree = Tree()
    for line in stored:
        tree.add(leaf_hash(line))
    text = notes.checkpoint_text(Checkpoint(thief.key.name, tree.size, tree.root()))
    held = json.loads(path.read_bytes())
    held |= {
        "size": tree.size,
        "note": notes.signed_note(text, thief).decode(),
        "frontier": [notes.base64_of(each) for each in tree.frontier],
    }
    path.write_text(json.dumps(held), "utf-8")
    put_line(day, 1, stored[0])
    nothing_is_done(day, "is not signed with the log's key")


def put_line(desk: Desk, seq: int, line: bytes) -> None:
    with closing(sqlite3.connect(desk.folder / STORE)) as store:
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in store.execute(triggers).fetchall():
            store.execute(f"DROP TRIGGER {name}")
        where = "UPDATE tourney_events SET state = ? WHERE originator_version = ?"
        store.execute(where, [line, seq])
        store.commit()


@pytest.mark.slow
def test_a_store_put_back_to_an_older_copy(day: Desk) -> None:
    shutil.copy(day.folder / STORE, day.folder / "copy")
    day.report_all()
    day.done("round", "close")
    put_back(day, day.folder / "copy")
    nothing_is_done(day, "the store is older than")


@pytest.mark.slow
def test_an_honest_organizer_signs_one_history(day: Desk) -> None:
    """The newest backup into a new store, as the program itself advised: behind the head."""
    day.done("backup", SAVED)
    day.report_all()
    day.done("round", "close")
    day.done("export", "-o", "ours.jsonl")
    told = day.done("--store", OTHER, "restore", SAVED).err
    assert "the store is older than" in told
    nothing_is_done(day, "the store is older than", store=OTHER)
    lost = head_file(day).read_bytes()
    size = json.loads(lost)["size"]
    answer = day.refused("--store", OTHER, "checkpoint", "--accept-fork")
    assert answer.code == 2
    day.done("--store", OTHER, "checkpoint", "--accept-fork", "--reason", "the disk broke")
    (event,) = (json.loads(line) for line in lines(day, OTHER) if b'"ForkAccepted"' in line)
    root = json.loads(lost)["note"].splitlines()[2]
    assert event["data"]["size"] == size
    assert notes.base64_of(bytes.fromhex(event["data"]["root"])) == root
    for words in (("report", "1", f"#{day.seats(1)[0]}"), ("report", "2", f"#{day.seats(2)[0]}")):
        day.done("--store", OTHER, *words)
    day.done("--store", OTHER, "round", "close")
    day.done("--store", OTHER, "export", "-o", "theirs.jsonl")
    ours, theirs = (text.splitlines()[-1] for text in heads_of(day, "theirs.jsonl"))
    assert ours.split()[2][:6] != theirs.split()[2][:6]  # no key signed both
    (aside,) = heads_folder(day).glob(f"*.abandoned-{size}.json")
    assert aside.read_bytes() == lost


def test_a_lost_head_is_put_on_record(day: Desk) -> None:
    """Where nobody knows what it was: of size 0."""
    shutil.rmtree(heads_folder(day))
    day.done("checkpoint", "--accept-fork", "--reason", "the folder was deleted")
    (event,) = (json.loads(line) for line in lines(day) if b'"ForkAccepted"' in line)
    assert event["data"]["size"] == 0
    day.report_all()
    day.done("round", "close")
    found = day.done("audit", "--json").json["findings"]
    assert "lost-end" in {each["kind"] for each in found}


def test_a_backup_takes_the_highest_head_along(day: Desk) -> None:
    """A machine without the log's key is held to it, too: not to an older backup later on."""
    day.done("backup", "early.backup")
    day.report_all()
    day.done("round", "close")
    day.done("backup", SAVED)
    kept = head_file(day).read_bytes()
    day.patch.setenv("TOURNEY_KEYS", "new-keys")
    day.done("--store", OTHER, "restore", SAVED)
    (path,) = (day.folder / "new-keys" / "checkpoints").glob("*.json")
    assert path.read_bytes() == kept
    assert (
        "the store is older than" in day.done("--store", "third.db", "restore", "early.backup").err
    )
    assert path.read_bytes() == kept
    assert "the store is older than" in day.refused("--store", "third.db", "pair").err
