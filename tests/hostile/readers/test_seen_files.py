"""What a desk saw of a log, held against files of it: another past is refused, a shorter one said.

The reader has the policy and no key, and once verified a file with it, or looked into the store.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.hostile.keys.test_renewals import policy_in
from tests.hostile.readers.test_heads import put_back
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

POLICY, EARLY, LATE, OTHER = "policy", "a/early.jsonl", "b/late.jsonl", "c/other.jsonl"
KEYS, OWN = "reader-keys", ".tourney-keys"


@typed_once
def reader(desk: Desk) -> Desk:
    """Three exports of one log: early, late, and the late one with another past, signed as well."""
    desk.open(4, "custom", "--rounds", "2")
    policy_in(desk, POLICY)
    for folder in "abcd":  # apart: heads that lie beside a file are compared as well
        (desk.folder / folder).mkdir()
    desk.done("export", "--without-names", "-o", EARLY)
    desk.done("pair")
    shutil.copy(desk.folder / "tourney.db", desk.folder / "early")
    for path in (desk.folder / "tourney.db", desk.folder / OWN):
        copy = desk.folder / f"copy{path.name}"
        shutil.copytree(path, copy) if path.is_dir() else shutil.copy(path, copy)
    desk.report_all()
    desk.done("export", "--without-names", "-o", LATE)
    with desk.patch.context() as patch:  # whoever has the key and an old copy signs another one
        patch.setenv("TOURNEY_KEYS", f"copy{OWN}")
        patch.setenv("TOURNEY_STORE", "copytourney.db")
        desk.done("note", "the lights went out")
        desk.report_all()
        desk.done("export", "--without-names", "-o", OTHER)
    desk.patch.setenv("TOURNEY_KEYS", KEYS)
    return desk


def first_change(desk: Desk) -> int:
    one, other = ((desk.folder / each).read_bytes().splitlines() for each in (LATE, OTHER))
    return next(n for n, (a, b) in enumerate(zip(one, other, strict=False), 1) if a != b)


def refused_as_changed(desk: Desk, seq: int) -> None:
    kept = {each: each.read_bytes() for each in (desk.folder / KEYS).rglob("*.*")}
    for words in (
        ("verify", OTHER),
        ("verify", OTHER, "--policy", POLICY),
        ("replay", OTHER),
        ("replay", OTHER, "--policy", POLICY),
        ("season", "add", OTHER),
        ("season", "add", OTHER, "--policy", POLICY),
    ):
        answer = desk.type(*words)
        assert (answer.code, answer.out) == (1, ""), (words, answer)
        assert (
            f"{OTHER} has a different history: event {seq} is not what this desk saw" in answer.err
        )
        assert "tourney diff" in answer.err
    assert {each: each.read_bytes() for each in (desk.folder / KEYS).rglob("*.*")} == kept
    assert not (desk.folder / "season.duckdb").exists()


@pytest.mark.slow
@pytest.mark.parametrize("verb", [("verify",), ("replay",), ("season", "add")])
def test_a_file_that_a_policy_accepted_is_kept(reader: Desk, verb: tuple[str, ...]) -> None:
    reader.done(*verb, LATE, "--policy", POLICY)
    (reader.folder / "season.duckdb").unlink(missing_ok=True)
    refused_as_changed(reader, first_change(reader))
    for words in (("verify", LATE), ("replay", LATE), ("season", "add", LATE)):
        assert "saw" not in reader.done(*words).err


@pytest.mark.slow
def test_what_the_store_showed_counts_too(reader: Desk) -> None:
    reader.done("standings")
    refused_as_changed(reader, first_change(reader))


@pytest.mark.slow
def test_a_shorter_file_is_said(reader: Desk) -> None:
    reader.done("verify", LATE, "--policy", POLICY)
    size, seen = (len((reader.folder / each).read_bytes().splitlines()) for each in (EARLY, LATE))
    for words in (
        ("verify", EARLY),
        ("replay", EARLY, "--policy", POLICY),
        ("season", "add", EARLY),
    ):
        answer = reader.done(*words)
        assert f"{EARLY} has {size} events, and this desk saw {seen} of this log" in answer.err
    (path,) = (reader.folder / KEYS / "seen").glob("*.files.json")
    assert json.loads(path.read_bytes())["size"] == seen
    path.with_suffix(".hashes").unlink()
    assert "the events cannot be compared" in reader.done("verify", EARLY).err


@pytest.mark.slow
def test_without_a_policy_a_file_is_not_kept(reader: Desk) -> None:
    """Anybody can write one: it would have the true one refused."""
    for words in (("verify", OTHER), ("replay", OTHER), ("season", "add", OTHER)):
        reader.done(*words)
    assert not list((reader.folder / KEYS).glob("seen/*.files.json"))
    reader.done("verify", LATE, "--policy", POLICY)


def test_a_longer_file_refuses_no_store(reader: Desk) -> None:
    """A store that did not go on yet is a day behind, and no forgery."""
    reader.done("verify", LATE, "--policy", POLICY)
    reader.patch.setenv("TOURNEY_STORE", "behind.db")
    reader.done("import", EARLY)
    reader.done("standings")


def test_compare_and_witness_are_for_both(reader: Desk) -> None:
    """Who examines two histories is shown both."""
    reader.done("verify", LATE, "--policy", POLICY)
    answer = reader.type("diff", LATE, OTHER, "--policy", POLICY)
    assert (answer.code, "two histories signed with one key" in answer.err) == (1, True)


def test_a_fork_on_record_is_said(reader: Desk) -> None:
    """The organizer lost what was shown, and goes on in the open: what came then is kept."""
    reader.done("verify", LATE, "--policy", POLICY)
    with reader.patch.context() as patch:
        patch.setenv("TOURNEY_KEYS", OWN)
        put_back(reader, reader.folder / "early")
        reader.done("checkpoint", "--accept-fork", "--reason", "the disk broke")
        reader.report_all()
        reader.done("round", "close")
        policy_in(reader, "policy2")
        reader.done("export", "--without-names", "-o", "d/new.jsonl")
    words = ("verify", "d/new.jsonl", "--policy", "policy2")
    assert "records that the log lost events: this desk had seen" in reader.done(*words).err
    assert "on record" not in reader.done(*words).err
    assert "has a different history" in reader.type("verify", LATE).err


def test_a_name_of_a_tournament_is_no_path(reader: Desk) -> None:
    """A first line that names a place elsewhere is refused before any file is written."""
    text = (reader.folder / LATE).read_bytes()
    stream = json.loads(text.splitlines()[0])["data"]["tournament"].encode()
    (reader.folder / "odd.jsonl").write_bytes(text.replace(stream, b"../../out"))
    for words in (("verify", "odd.jsonl"), ("replay", "odd.jsonl"), ("season", "add", "odd.jsonl")):
        assert reader.type(*words).code == 1
    assert not list(reader.folder.rglob("out*"))
