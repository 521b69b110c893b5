"""Checking a log beside hashing its lines alone; signing a head; a signature beside a line without.

Run with `pytest tests/benchmarks/bench_proof.py`; TOURNEY_LINES=1000000 TOURNEY_SIGNED=1000000 for
the full size. Compare the groups: times of a busy machine say little by themselves.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint, Tree, is_signed, leaf_hash
from ledger.proof.lines import RULES, WIRE
from ledger.proof.signatures import possession, signed_body
from ledger.proof.verifier import verify_file
from tests.support.signed_logs import tree_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

LINES = int(os.environ.get("TOURNEY_LINES", "50000"))
SIGNED = int(os.environ.get("TOURNEY_SIGNED", "5000"))
TOURNAMENT = "5" * 32
HEAD_LINES = 5_000


def line(seq: int) -> bytes:
    if seq == 1:
        data = f'{{"wire":{WIRE},"rules":{RULES},"tournament":"{TOURNAMENT}"}}'
    else:
        data = '{"match":53,"result":{"outcomes":["loss","win"],"points":[1,10]}}'
    kind = "ResultReported" if seq > 1 else "TournamentOpened"
    at = "2026-03-14T08:58:40.000Z"
    return (
        f'{{"seq":{seq},"id":"{seq:032x}","type":"{kind}","at":"{at}","by":"o1","data":{data}}}'
    ).encode()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proof") / "log"
    with path.open("wb") as file:
        file.writelines(line(seq) + b"\n" for seq in range(1, LINES + 1))
    return path


def test_structure_and_tree(benchmark: BenchmarkFixture, log: Path) -> None:
    verdict = benchmark(verify_file, log)
    assert verdict.log.tree.size == LINES


@pytest.fixture(scope="module")
def signed_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log in which every line but the first three is a signed act."""
    made = notes.signer("o1", b"o" * 32)
    public = notes.base64_of(made.key.public)
    proof = notes.base64_of(made.sign(possession(TOURNAMENT, 1, public)))
    registered = f'"data":{{"holder":1,"public":"{public}","proof":"{proof}"}}'.encode()

    def signed(seq: int) -> bytes:
        unsigned = line(seq).replace(b"ResultReported", b"ResultCorrected")
        body = signed_body(TOURNAMENT, seq - 1, tree.root(), unsigned)
        sig = notes.base64_of(made.sign(body))
        written = unsigned[:-1] + f',"sig":"{sig}"}}'.encode()
        tree.add(leaf_hash(written))
        return written

    def other(seq: int, kind: bytes, data: bytes) -> bytes:
        bare = line(seq).replace(b"ResultReported", kind)
        return bare[: bare.index(b'"data"')] + data + b"}"

    organizer = b'"data":{"official":1,"roles":["organizer"]}'
    path = tmp_path_factory.mktemp("proof") / "signed"
    with path.open("wb") as file:
        appointed = other(2, b"OfficialAppointed", organizer)
        first = [line(1), appointed, other(3, b"KeyRegistered", registered)]
        tree = tree_of(first)
        file.writelines(each + b"\n" for each in first)
        file.writelines(signed(seq) + b"\n" for seq in range(4, SIGNED + 1))
    return path


def test_all_signatures(benchmark: BenchmarkFixture, signed_log: Path) -> None:
    verdict = benchmark(verify_file, signed_log)
    assert verdict.log.signatures == SIGNED - 3


def test_hashing_the_lines_alone(benchmark: BenchmarkFixture, log: Path) -> None:
    def hashed() -> None:
        with log.open("rb") as file:
            for each in file:
                hashlib.sha256(each).digest()

    benchmark(hashed)


def test_the_next_head_from_the_frontier(benchmark: BenchmarkFixture) -> None:
    lines = [line(seq) for seq in range(1, HEAD_LINES + 1)]
    frontier = Prover(lines[:-40])
    signer = notes.signer("tourney/bench", b"b" * 32)
    kept = Tree()
    for each in frontier.levels[0]:
        kept.add(each)

    def head() -> bytes:
        tree = Tree(kept.size, tuple(kept.frontier))
        for each in lines[tree.size :]:
            tree.add(leaf_hash(each))
        checkpoint = Checkpoint(signer.key.name, tree.size, tree.root())
        return notes.signed_note(notes.checkpoint_text(checkpoint), signer)

    assert benchmark(head)


def test_one_signature(benchmark: BenchmarkFixture) -> None:
    signer = notes.signer("o1", b"o" * 32)
    signature = signer.sign(line(2))
    assert benchmark(is_signed, signer.key.public, signature, line(2))
