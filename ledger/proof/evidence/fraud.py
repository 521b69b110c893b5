"""Two signed heads of one log that no single history has: a proof that anyone can check.

The file is one JSON object: the two signed notes, the smaller log first. Where the sizes differ,
`root` is the root that the larger log has at the smaller size, and `proof` shows that it has it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof import formats
from ledger.proof.evidence.notes import base64_of
from ledger.proof.formats import HASH_BYTES, Checkpoint, Invalid, Key, parse_checkpoint, unbase64

if TYPE_CHECKING:
    from ledger.proof.evidence.prover import Prover

FORMAT = "tourney/fork@1"
MEMBERS = {"format", "notes", "root", "proof"}


class ForkProof(NamedTuple):
    """What two heads amount to: the smaller first, and the key that signed both."""

    smaller: Checkpoint
    larger: Checkpoint
    key: Key


def heads_by_one_key(notes: list[bytes], keys: list[Key]) -> ForkProof:
    """Open two heads of one log, signed by one of these keys; Invalid if they are not."""
    parsed = [formats.parse_note(note) for note in notes]
    heads = [parse_checkpoint(note.text) for note in parsed]
    if heads[0].origin != heads[1].origin:
        raise Invalid(f"these are two logs, {heads[0].origin} and {heads[1].origin}")
    own = [key for key in keys if key.name == heads[0].origin]
    signed = [formats.open_note(note, own) for note in parsed]
    both = [key for key in signed[0] if key in signed[1]]
    if not both:
        raise Invalid("no one key signed both heads")
    smaller, larger = sorted(heads, key=lambda head: head.size)
    return ForkProof(smaller, larger, both[0])


def prove_fork(notes: list[bytes], larger: Prover, keys: list[Key]) -> bytes | None:
    """Prove, by the larger log's lines, that two heads are of two histories; None if not."""
    fork = heads_by_one_key(notes, keys)
    heads = sorted(notes, key=lambda note: parse_checkpoint(formats.parse_note(note).text).size)
    size, total = fork.smaller.size, fork.larger.size
    root, proof = b"", list[bytes]()
    if size < total:
        root = larger.root(size)
        proof = larger.consistency(size, total) if size else []
    if fork.smaller.root == (root or fork.larger.root):
        return None
    value = {
        "format": FORMAT,
        "notes": [note.decode() for note in heads],
        "root": base64_of(root),
        "proof": [base64_of(each) for each in proof],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def check_fork(data: bytes, keys: list[Key]) -> ForkProof:
    """Hold that the file proves two histories under one key; Invalid where it proves nothing."""
    try:
        value = json.loads(data[: 3 * formats.NOTE_BYTES_MAX + 1])
    except (ValueError, RecursionError):
        raise Invalid("this is no proof of a fork: it is no JSON") from None
    if not isinstance(value, dict) or set(value) != MEMBERS or value["format"] != FORMAT:
        raise Invalid("this is no proof of a fork: it has other members")
    notes, written, proof = value["notes"], value["root"], value["proof"]
    are_lists = isinstance(notes, list) and isinstance(proof, list)
    texts = [*notes, written, *proof] if are_lists else [None]
    if not all(isinstance(each, str) for each in texts) or len(notes) != 2:  # noqa: PLR2004
        raise Invalid("this is no proof of a fork: it needs two notes, a root and hashes")
    fork = heads_by_one_key([note.encode("utf-8", "replace") for note in notes], keys)
    root = unbase64(written, HASH_BYTES) if written else fork.larger.root
    if written:
        before = Checkpoint(fork.larger.origin, fork.smaller.size, root)
        formats.verify_consistency(
            before, fork.larger, [unbase64(each, HASH_BYTES) for each in proof]
        )
    elif fork.smaller.size != fork.larger.size:
        raise Invalid("heads of two sizes need the root of the larger log at the smaller size")
    if root == fork.smaller.root:
        raise Invalid("the two heads are of one history: this proves no fork")
    return fork
