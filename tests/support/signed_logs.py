"""A small day, its signed head and a policy: what the tests of the proof tamper with."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import COSIGNATURE, Checkpoint, Tree, leaf_hash
from ledger.proof.heads import CHECKPOINT, HASHES, beside
from ledger.proof.signatures import origin_of
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WITNESS = notes.signer("witness", b"w" * 32, COSIGNATURE)


@cache
def plain_day() -> tuple[bytes, ...]:
    """The lines of four players' day of two rounds, nothing in it signed."""
    day = Day(4)
    day.start(2)
    for _ in range(2):
        day.pair()
        day.report_all()
    return tuple(day.lines)


def tournament_of(lines: Sequence[bytes]) -> str:
    return lines[0].decode().partition('"tournament":"')[2][:32]


def log_signer(tournament: str, seed: bytes = b"") -> notes.Signer:
    return notes.signer(origin_of(tournament), seed or hashlib.sha256(b"log").digest())


def head_of(lines: Sequence[bytes], signer: notes.Signer | None = None) -> bytes:
    """The signed head of these lines."""
    tournament = tournament_of(lines)
    prover = Prover(lines)
    head = Checkpoint(origin_of(tournament), len(lines), prover.root(len(lines)))
    return notes.signed_note(notes.checkpoint_text(head), signer or log_signer(tournament))


def tree_of(lines: Sequence[bytes]) -> Tree:
    """The tree of these lines."""
    tree = Tree()
    for line in lines:
        tree.add(leaf_hash(line))
    return tree


def policy_of(tournament: str, *further: str) -> bytes:
    """A policy that trusts the log's key; without `further` lines it asks for no witness."""
    lines = [f"log {notes.vkey(log_signer(tournament).key)}", *(further or ("quorum none",))]
    return "\n".join([*lines, ""]).encode()


def write_log(path: Path, lines: Sequence[bytes], note: bytes) -> None:
    """Write what `export` writes: the lines, their head and their hashes."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    beside(path, CHECKPOINT).write_bytes(note)
    beside(path, HASHES).write_bytes(b"".join(Prover(lines).levels[0]))
