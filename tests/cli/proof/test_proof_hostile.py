"""What a stranger hands in as a log, a receipt, a policy, an answer or a key: one line, and no."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.formats import COSIGNATURE
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Answer, Desk

LOG, POLICY, BAD = "day.jsonl", "policy", "bad"


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with a round played, exported, with the policy that was given out."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.report_all()
    (desk.folder / POLICY).write_text(desk.done("checkpoint", "--policy").out, "utf-8")
    desk.done("export", "-o", LOG)
    return desk


def refused(desk: Desk, *words: str) -> Answer:
    """One clear line, exit code 1 or 2, nothing on stdout."""
    answer = desk.type(*words)
    assert answer.code in {1, 2}, words
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.startswith("tourney: ")
    assert answer.err[:-1].isprintable()
    assert len(answer.err) < 600
    assert answer.out == ""
    return answer


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)


def hostile(kind: str, log: bytes) -> bytes:
    deep = 30_000
    first = log.split(b"\n")[0]
    return {
        "gz": gzip.compress(log),
        "nested": b"[" * deep + b"]" * deep + b"\n",
        "nested line": first[: first.index(b'"data":') + 7]
        + b'{"a":' * (deep // 5)
        + b"1"
        + b"}" * (deep // 5 + 1)
        + b"\n",
        "escape codes": b"\x1b]0;owned\x07\x1b[2J\n",
        "utf-16": log.decode().encode("utf-16"),
        "zeros": bytes(70_000),
        "nothing": b"",
    }[kind]


READERS = (
    ("verify", BAD),
    ("verify", BAD, "--policy", POLICY),
    ("replay", BAD),
    ("verify", LOG, "--policy", BAD),
    ("diff", BAD, LOG, "--policy", POLICY),
    ("diff", LOG, BAD, "--policy", POLICY),
    ("diff", BAD, "--policy", POLICY),
    ("diff", LOG, LOG, "--policy", BAD),
    ("witness", "cosign", BAD),
    ("witness", "add", BAD),
)


@pytest.mark.slow
@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_files_that_are_no_proof(day: Desk, words: tuple[str, ...]) -> None:
    day.done("witness", "init", "league.example/cup")
    log = (day.folder / LOG).read_bytes()
    for kind in ("gz", "nested", "nested line", "escape codes", "utf-16", "zeros", "nothing"):
        (day.folder / BAD).write_bytes(hostile(kind, log))
        if kind == "nested line" and words[0] == "diff" and words.count(LOG) == 1:
            answer = day.type(*words)  # which shows how its first event differs
            assert (answer.code, answer.err.count("\n")) == (1, 1)
            assert answer.err.startswith("tourney: ")
        else:
            refused(day, *words)
    huge(day.folder / BAD)
    refused(day, *words)


def test_a_head_or_hashes_of_64_megabytes(day: Desk) -> None:
    huge(day.folder / f"{LOG}.hashes")
    told = f"{LOG}.hashes next to it does not match: it has 67,108,865 bytes"
    assert told in refused(day, "verify", LOG, "--policy", POLICY).err
    huge(day.folder / f"{LOG}.checkpoint")
    assert "too long" in refused(day, "verify", LOG, "--policy", POLICY).err
    assert "too long" in refused(day, "verify", LOG).err


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    [
        [],
        {"scrypt": []},
        {"scrypt": 32768.0},
        {"scrypt": True},
        {"scrypt": 1 << 40},
        {"scrypt": 1 << 10},
        {"salt": "AAAA"},
        {"nonce": 7},
        {"sealed": "AA=="},
        {"sealed": None},
        "nested",
        "long",
        "binary",
    ],
    ids=str,
)
def test_key_files_that_are_none(day: Desk, value: object) -> None:
    day.patch.setenv("TOURNEY_PASSPHRASE", "cherry blossom")
    day.done("key", "new", "Pat Jones", "--passphrase")
    (key,) = day.folder.glob(".tourney-keys/o2-*")
    whole = json.loads(key.read_bytes())
    match value:
        case "nested":
            key.write_text("[" * 4_000, "ascii")
        case "long":
            key.write_text(" " * 5_000, "ascii")
        case "binary":
            key.write_bytes(bytes(range(256)))
        case dict():
            key.write_text(json.dumps(whole | value), "ascii")
        case _:
            key.write_text(json.dumps(value), "ascii")
    refused(day, "rule", "1", "the table was too small", "--as", "Pat Jones")


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o777])
def test_keys_of_the_log_and_of_a_witness_are_for_their_owner(day: Desk, bits: int) -> None:
    day.done("witness", "init", "league.example/cup")
    day.done("witness", "ask", "-o", "ask.txt")
    for key in (*day.folder.glob(".tourney-keys/log-*"), *day.folder.glob("**/witness.key")):
        key.chmod(bits)
    assert "other users can read the key" in refused(day, "checkpoint").err
    assert "other users can read the key" in refused(day, "witness", "cosign", "ask.txt").err


def test_policies(day: Desk) -> None:
    log = (day.folder / POLICY).read_text("utf-8").splitlines()[0]
    name = log.split()[1].split("+")[0]
    witness = notes.vkey(notes.signer("w", b"w" * 32, COSIGNATURE).key)
    unknown = log.split("+")[0] + "+00000000+" + notes.base64_of(b"\x06" + bytes(32))
    cases = {
        "no quorum": [log],
        "a quorum that nobody is": [log, "quorum w"],
        "no log": ["quorum none"],
        "another algorithm": [unknown, "quorum none"],
        "a witness's key for a log": [f"log {witness}", "quorum none"],
        "a log's key for a witness": [log, f"witness w {log.split()[1]}", "quorum w"],
        "one key for two witnesses": [log, f"witness w {witness}", f"witness v {witness}"],
        "a witness that did not sign": [log, f"witness w {witness}", "quorum w"],
        "another key": [f"log {notes.vkey(notes.signer(name, b'x' * 32).key)}", "quorum none"],
    }
    for lines in cases.values():
        (day.folder / BAD).write_text("\n".join([*lines, ""]), "utf-8")
        refused(day, "verify", LOG, "--policy", BAD)


def test_signatures_said_twice_or_by_an_unknown_algorithm(day: Desk) -> None:
    """Who signs twice counts once; who is unknown counts not at all; no one else is not enough."""
    path = day.folder / f"{LOG}.checkpoint"
    note = path.read_bytes()
    text, _, signature = note.rpartition(b"\n\n")
    path.write_bytes(note + signature)
    day.done("verify", LOG, "--policy", POLICY)
    stranger = "\u2014 someone " + notes.base64_of(b"\x06" * 80) + "\n"
    path.write_bytes(note + stranger.encode())
    day.done("verify", LOG, "--policy", POLICY)
    path.write_bytes(text + b"\n\n" + stranger.encode())
    assert "no known key" in refused(day, "verify", LOG, "--policy", POLICY).err
    path.write_bytes(text + b"\n\n" + signature * 101)
    assert "too many" in refused(day, "verify", LOG, "--policy", POLICY).err


def test_two_events_are_no_fork(day: Desk) -> None:
    first = (day.folder / POLICY).read_text("utf-8")
    day.done("new", "Another", "--ruleset", "swiss", "--organizer", "Kim Larsen")
    day.done("export", "-o", "other.jsonl")
    both = first.splitlines()[0] + "\n" + day.done("checkpoint", "--policy").out
    (day.folder / "both").write_text(both, "utf-8")
    day.done("verify", "other.jsonl", "--policy", "both")
    assert "two logs" in refused(day, "diff", LOG, "other.jsonl", "--policy", "both").err
    (day.folder / f"{LOG}.checkpoint").write_bytes(
        (day.folder / "other.jsonl.checkpoint").read_bytes()
    )
    assert "another log" in refused(day, "verify", LOG, "--policy", "both").err


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "none.jsonl"),
        ("verify", "."),
        ("verify", LOG, "--policy", "none"),
        ("verify", LOG, "--policy", LOG),
        ("diff", LOG, "none", "--policy", POLICY),
        ("diff", LOG, POLICY, "--policy", POLICY),
        ("diff", LOG, LOG, "-o", "fork.json"),
        ("receipt", "2/1"),
        ("receipt", "#999"),
        ("key", "revoke", "AAAA", "--reason", "x"),
        ("key", "register", "o2", "AAAA", "BBBB"),
        ("key", "steal"),
        ("key", "new", "a", "b"),
        ("checkpoint", "--accept-fork"),
        ("checkpoint", "--reason", "x"),
        ("witness", "cosign", LOG),
        ("witness", "trust", "x+y+z"),
        ("witness", "init", "two words"),
        ("witness", "add", LOG),
        ("witness", "ask", "--old", "999"),
        ("witness", "dance"),
        ("witness", "--renewed"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(day: Desk, words: tuple[str, ...]) -> None:
    day.done("pair")  # table 2/1 has no result
    answer = day.type(*words)
    assert answer.code in {1, 2, 3}
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.startswith("tourney: ")
