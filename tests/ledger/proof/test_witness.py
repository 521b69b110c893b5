"""A witness never cosigns both sides of a fork: not in turn, not after a restart, not in a race."""

from __future__ import annotations

import json
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.evidence import Prover, Request, Witness, check_fork, prove_fork, write_request
from ledger.proof.formats import COSIGNATURE, Checkpoint, Invalid, open_note, parse_note

if TYPE_CHECKING:
    from pathlib import Path

LOG = notes.signer("tourney/race", b"l" * 32)
SIGNER = notes.signer("w", b"w" * 32, COSIGNATURE)
RACES = int(os.environ.get("TOURNEY_RACES", "200"))
"""1,000 in the long run."""


def entries(size: int, side: str = "", since: int = 0) -> list[bytes]:
    """`size` entries; from place `since` on those of one side of a fork."""
    return [f"{number}{side if number >= since else ''}".encode() for number in range(size)]


def head(lines: list[bytes], signer: notes.Signer = LOG) -> bytes:
    root = Prover(lines).root(len(lines))
    text = notes.checkpoint_text(Checkpoint(signer.key.name, len(lines), root))
    return notes.signed_note(text, signer)


def request(old: int, lines: list[bytes], signer: notes.Signer = LOG) -> bytes:
    proof = Prover(lines).consistency(old, len(lines)) if 0 < old <= len(lines) else []
    return write_request(Request(old, proof, head(lines, signer)))


def tried(path: Path, data: bytes) -> bool:
    try:
        Witness(path).cosign(data, SIGNER, 1)
    except Invalid:
        return False
    return True


@pytest.fixture
def seen(tmp_path: Path) -> Witness:
    witness = Witness(tmp_path / "heads.db")
    witness.add_log(LOG.key)
    return witness


def test_a_head_that_goes_on_is_cosigned(seen: Witness) -> None:
    old = 0
    for size in (0, 1, 5, 5, 8):
        lines = entries(size)
        answer = seen.cosign(request(old, lines), SIGNER, 1_700_000_000)
        note = parse_note(head(lines) + answer)
        assert open_note(note, [LOG.key, SIGNER.key])[SIGNER.key] == 1_700_000_000
        assert seen.heads() == [Checkpoint(LOG.key.name, size, Prover(lines).root(size))]
        old = size


def refusals() -> dict[str, bytes]:
    """What a witness that has seen five entries refuses, and why."""
    stranger = notes.signer("tourney/other", b"o" * 32)
    thief = notes.signer("tourney/race", b"t" * 32)
    good = request(5, entries(8))
    return {
        "does not know the log": request(5, entries(8), stranger),
        "no known key": request(5, entries(8), thief),
        "start there": request(3, entries(8)),
        "not 0": request(0, entries(8)),
        "not 8": request(8, entries(9)),
        "would shorten the log": request(5, entries(4)),
        "does not continue": request(5, entries(8, "x")),
        "continues a tree of 5": request(5, entries(5, "x")),
        "does not have the hashes": good.replace(b"old 5\n", b"old 5\n" + b"A" * 43 + b"=\n"),
        "not a request": good.replace(b"old 5", b"old 05"),
        "is wrong": good.replace(b"\n8\n", b"\n9\n"),
        "not the expected base64": good.replace(b"old 5\n", b"old 5\nAAAA\n"),
        "a text, an empty line and signatures": b"old 5\n\n",
        "too long": b"old 5\n\n" + b"x" * 70_000,
    }


@pytest.mark.parametrize("reason", sorted(refusals()))
def test_what_is_refused_leaves_the_head(seen: Witness, reason: str) -> None:
    seen.cosign(request(0, entries(5)), SIGNER, 1)
    before = seen.heads()
    with pytest.raises(Invalid, match=reason):
        seen.cosign(refusals()[reason], SIGNER, 1)
    assert Witness(seen.path).heads() == before


def test_another_key_does_not_take_a_logs_place(seen: Witness) -> None:
    with pytest.raises(Invalid, match="another key"):
        seen.add_log(notes.signer("tourney/race", b"t" * 32).key)
    seen.add_log(LOG.key)


@pytest.mark.slow
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_one_side_at_most_wins_a_race(
    tmp_path: Path, pool: type[ThreadPoolExecutor | ProcessPoolExecutor]
) -> None:
    """Two ask at once with the two sides of a fork, each time of a log that nobody has seen."""
    count = RACES // 2
    witness = Witness(tmp_path / "heads.db")
    signers = [notes.signer(f"tourney/{n}", n.to_bytes(32, "big")) for n in range(1, count + 1)]
    for signer in signers:
        witness.add_log(signer.key)
    ones = [request(0, entries(3, "a"), signer) for signer in signers]
    others = [request(0, entries(4, "b"), signer) for signer in signers]
    paths = [witness.path] * (2 * count)
    asked = [each for pair in zip(ones, others, strict=True) for each in pair]
    with pool(2) as racers:
        won = list(racers.map(tried, paths, asked, chunksize=1))
    assert [sum(won[place : place + 2]) for place in range(0, 2 * count, 2)] == [1] * count


@pytest.mark.parametrize(("smaller", "larger"), [(5, 5), (5, 8), (8, 13), (1, 2), (7, 8)])
def test_a_fork_is_proven_by_its_two_heads(smaller: int, larger: int) -> None:
    ours, theirs = entries(smaller, "x", smaller - 1), entries(larger)
    proof = prove_fork([head(theirs), head(ours)], Prover(theirs), [LOG.key])
    assert proof is not None
    fork = check_fork(proof, [LOG.key])
    assert (fork.smaller.size, fork.larger.size, fork.key) == (smaller, larger, LOG.key)
    stranger = notes.signer("tourney/race", b"t" * 32)
    with pytest.raises(Invalid):
        check_fork(proof, [stranger.key])
    for place in range(0, len(proof), 7):
        edited = bytearray(proof)
        edited[place] ^= 4
        try:
            assert check_fork(bytes(edited), [LOG.key])[:2] == fork[:2]
        except Invalid:
            continue


def test_one_history_is_no_fork() -> None:
    lines = entries(8)
    assert prove_fork([head(lines[:5]), head(lines)], Prover(lines), [LOG.key]) is None
    assert prove_fork([head(lines), head(lines)], Prover(lines), [LOG.key]) is None
    other = notes.signer("tourney/other", b"o" * 32)
    with pytest.raises(Invalid, match="two logs"):
        prove_fork([head(lines), head(lines, other)], Prover(lines), [LOG.key, other.key])
    made = prove_fork([head(lines[:5]), head(entries(8, "x"))], Prover(entries(8, "x")), [LOG.key])
    assert made is not None
    value = json.loads(made)
    value["root"] = notes.base64_of(Prover(lines).root(5))
    with pytest.raises(Invalid, match="does not continue"):
        check_fork(json.dumps(value).encode(), [LOG.key])


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"[]", b"{}", b"[" * 100_000, b'{"format":"tourney/fork@1"}', b"\xff", b"null"),
        b'{"format":"tourney/fork@1","notes":7,"root":"","proof":[]}',
        b'{"format":"tourney/fork@1","notes":["a","b"],"root":"","proof":null}',
    ],
)
def test_what_proves_no_fork(data: bytes) -> None:
    with pytest.raises(Invalid):
        check_fork(data, [LOG.key])
