"""A receipt: the proof that one event is in a signed log (C2SP tlog-proof)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof import formats
from ledger.proof.evidence.notes import base64_of
from ledger.proof.formats import HASH_BYTES, Checkpoint, Invalid, unbase64

if TYPE_CHECKING:
    from ledger.proof.policy import Policy

HEADER = "c2sp.org/tlog-proof@v1"
HASHES_MAX = 63


class Receipt(NamedTuple):
    """Where the event stands, from 0, the hashes up to the root, and the signed head.

    `extra` is nobody's word: nothing vouches for it. Here it is the event's own line.
    """

    position: int
    proof: list[bytes]
    note: bytes
    extra: bytes = b""


def write_receipt(receipt: Receipt) -> bytes:
    """Write a `.tlog-proof` file."""
    lines = [HEADER]
    lines += [f"extra {base64_of(receipt.extra)}"] if receipt.extra else []
    lines += [f"index {receipt.position}", *map(base64_of, receipt.proof), "", ""]
    return "\n".join(lines).encode() + receipt.note


def parse_receipt(data: bytes) -> Receipt:
    """Read a `.tlog-proof` file; nothing in it is checked yet; Invalid where it is not one."""
    top, blank, note = data[: 3 * formats.NOTE_BYTES_MAX].partition(b"\n\n")
    lines = top.decode("ascii", "replace").split("\n")
    if len(data) >= 3 * formats.NOTE_BYTES_MAX or not blank or lines.pop(0) != HEADER:
        raise Invalid("this is no receipt: it does not begin as a tlog-proof")
    extra = b""
    if lines and lines[0].startswith("extra "):
        extra = unbase64(lines.pop(0).removeprefix("extra "))
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0) if lines else "")
    if index is None or len(lines) > HASHES_MAX:
        raise Invalid("a receipt has no index, or more hashes than a log could need")
    return Receipt(int(index[1]), [unbase64(line, HASH_BYTES) for line in lines], note, extra)


def check_receipt(receipt: Receipt, line: bytes, policy: Policy) -> Checkpoint:
    """Hold that the line is in the log of a head that the policy trusts; Invalid if not."""
    head, _, _ = policy.open(receipt.note)
    formats.verify_inclusion(
        receipt.position, head.size, formats.leaf_hash(line), receipt.proof, head.root
    )
    return head
