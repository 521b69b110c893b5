"""What a desk saw, without any key: a past that was changed or cut off is refused."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from tests.hostile.readers.test_heads import STORE, lines, put_back, put_line
from tests.hostile.readers.turns import by_turns
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

KEYS = "reader-keys"


@typed_once
def reader(desk: Desk) -> Desk:
    """A desk with no key, which saw a day of four after its first results."""
    desk.open(4, "custom", "--rounds", "3")
    shutil.copy(desk.folder / STORE, desk.folder / "early")
    desk.done("pair")
    desk.report_all()
    desk.patch.setenv("TOURNEY_KEYS", KEYS)
    desk.done("standings")
    return desk


def of_organizer(desk: Desk, *words: str) -> None:
    """Act at the organizer's desk, which has the log's key."""
    with desk.patch.context() as patch:
        patch.setenv("TOURNEY_KEYS", ".tourney-keys")
        desk.done(*words)


def seen(desk: Desk) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in (desk.folder / KEYS / "seen").iterdir()}


def nothing_is_shown(desk: Desk, told: str) -> None:
    before, known = lines(desk), seen(desk)
    for words in (
        ("standings",),
        ("list",),
        ("list", "--at", "5"),
        ("report", "1", "draw"),
        ("drop", "#1"),
        ("export", "-o", "day.jsonl"),
        ("backup", "day.backup"),
        ("verify",),
        ("season", "add", STORE),
    ):
        answer = desk.type(*words)
        assert (answer.code, answer.out) == (1, ""), (words, answer)
        assert told in answer.err, (words, answer.err)
        assert words[0] == "season" or "move " in answer.err
    assert told in desk.done("tournaments").err
    assert told in desk.done("log").err
    assert "changed" in {each["kind"] for each in desk.done("audit", "--json").json["findings"]}
    assert (lines(desk), seen(desk)) == (before, known)


def test_a_changed_line_that_no_head_covers_is_named(reader: Desk) -> None:
    """The organizer turns a result that no head covers yet: no key is needed for that."""
    seq = next(n for n, line in enumerate(lines(reader), 1) if b'"ResultReported"' in line)
    line = lines(reader)[seq - 1]
    put_line(reader, seq, line.replace(b'"at":"2', b'"at":"1'))
    nothing_is_shown(reader, f"the past changed: event {seq} is not the one that this desk saw")
    put_line(reader, seq, line)
    reader.done("standings")


def test_a_store_that_went_back_is_refused(reader: Desk) -> None:
    size = len(lines(reader))
    put_back(reader, reader.folder / "early")
    nothing_is_shown(
        reader, f"the store is older than before: this desk saw {size} events, and it now has"
    )


def test_an_older_head_put_back_with_an_older_store(reader: Desk) -> None:
    """Store and signed head of the same moment fit each other: it is what was seen that tells."""
    reader.patch.setenv("TOURNEY_KEYS", ".tourney-keys")
    keys, copy = reader.folder / ".tourney-keys" / "checkpoints", reader.folder / "older"
    shutil.copytree(keys, copy)
    reader.done("post", "standings")
    shutil.rmtree(keys)
    shutil.copytree(copy, keys)
    put_back(reader, reader.folder / "early")
    for words in (("pair",), ("checkpoint",), ("standings",)):
        assert "the store is older than before: this desk saw" in reader.refused(*words).err


def test_another_history_is_not_taken_in(reader: Desk) -> None:
    """An export of other lines, into a new store: nothing of it is written."""
    of_organizer(reader, "export", "-o", "ours.jsonl", "--without-names")
    text = (reader.folder / "ours.jsonl").read_bytes().splitlines(keepends=True)
    forged = [*text[:-1], text[-1].replace(b'"at":"2', b'"at":"1')]
    (reader.folder / "theirs.jsonl").write_bytes(b"".join(forged))
    (reader.folder / "short.jsonl").write_bytes(b"".join(text[:-2]))
    answer = reader.type("--store", "other.db", "import", "theirs.jsonl", "--unsigned", "as sent")
    assert (answer.code, f"event {len(text)} is not the one" in answer.err) == (1, True)
    answer = reader.type("--store", "other.db", "import", "short.jsonl", "--unsigned", "as sent")
    assert (answer.code, "the store is older than" in answer.err) == (1, True)
    assert not (reader.folder / "other.db").exists()
    reader.done("--store", "other.db", "import", "ours.jsonl")


def test_what_is_lost_is_put_on_record(reader: Desk) -> None:
    """The organizer's own desk goes on in the open, with its key; the reader hears of it."""
    size = len(lines(reader))
    put_back(reader, reader.folder / "early")
    of_organizer(reader, "checkpoint", "--accept-fork", "--reason", "the disk broke")
    assert f'"size":{size},' in lines(reader)[-1].decode()
    answer = reader.done("standings")
    assert "records that the log lost events: this desk had seen" in answer.err
    assert "event" not in reader.done("standings").err
    of_organizer(reader, "pair")
    reader.done("standings")


def test_a_fork_that_was_accepted_before_excuses_nothing(reader: Desk) -> None:
    put_back(reader, reader.folder / "early")
    of_organizer(reader, "checkpoint", "--accept-fork", "--reason", "the disk broke")
    of_organizer(reader, "pair")
    reader.done("standings")
    line = lines(reader)[-1]
    put_line(reader, len(lines(reader)), line.replace(b'"at":"2', b'"at":"1'))
    assert f"event {len(lines(reader))} is not the one" in reader.refused("standings").err


@pytest.mark.parametrize("damage", [b"", b"{}", b"[" * 5_000, bytes(70_000)], ids=len)
def test_a_memory_that_is_damaged_begins_again(reader: Desk, damage: bytes) -> None:
    (path,) = (reader.folder / KEYS / "seen").glob("*.json")
    whole = path.read_bytes()
    path.write_bytes(damage)
    answer = reader.done("standings")
    assert answer.err.count("this desk's record of the last heads, cannot be read") == 1
    assert path.read_bytes() == whole
    assert "seen" not in reader.done("standings").err


def test_a_digest_that_is_damaged_stops_nobody(reader: Desk) -> None:
    """What a power cut may leave: the tree still fits the lines, and is believed."""
    (path,) = (reader.folder / KEYS / "seen").glob("*.json")
    memory = json.loads(path.read_bytes())
    path.write_text(json.dumps(memory | {"digest": memory["root"]}), "utf-8")
    assert "past" not in reader.done("standings").err


def test_a_memory_that_does_not_fit_itself_begins_again(reader: Desk) -> None:
    """One line beside the frontier of more."""
    (path,) = (reader.folder / KEYS / "seen").glob("*.json")
    whole = path.read_bytes()
    path.write_text(json.dumps(json.loads(whole) | {"size": 1}), "utf-8")
    assert "its parts contradict each other" in reader.done("standings").err
    assert path.read_bytes() == whole


def test_a_look_at_the_past_alone_is_not_kept(reader: Desk) -> None:
    shutil.rmtree(reader.folder / KEYS / "seen")
    reader.done("list", "--at", "5")
    assert not (reader.folder / KEYS / "seen").exists()


def test_without_its_hashes_the_event_is_not_named(reader: Desk) -> None:
    (path,) = (reader.folder / KEYS / "seen").glob("*.hashes")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    put_line(reader, 5, lines(reader)[4].replace(b'"at":"2', b'"at":"1'))
    told = reader.refused("standings").err
    assert f"its first {len(lines(reader))} events are not those that were seen" in told


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_takes_nothing_is_said_once(reader: Desk) -> None:
    (reader.folder / "closed").mkdir(0o500)
    reader.patch.setenv("TOURNEY_KEYS", "closed")
    assert reader.done("standings").err.count("cannot be kept") == 1


def test_a_place_that_takes_nothing_is_said_once(reader: Desk) -> None:
    (reader.folder / "closed").write_bytes(b"no folder")
    reader.patch.setenv("TOURNEY_KEYS", "closed")
    assert reader.done("standings").err.count("cannot be kept") == 1


def test_a_look_at_the_past_forgets_nothing(reader: Desk) -> None:
    before = seen(reader)
    reader.done("list", "--at", "5")
    assert seen(reader) == before


@pytest.mark.slow
def test_two_desks_in_one_folder(reader: Desk) -> None:
    desks, count = ("A", "B", "C"), 8
    with ProcessPoolExecutor(len(desks), get_context("spawn")) as pool:
        each = [pool.submit(by_turns, reader.folder, label, count) for label in desks]
        assert {code for done in each for code in done.result()} == {0}
    reader.done("standings")
    assert len(lines(reader)) > len(desks) * count
