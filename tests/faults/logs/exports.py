"""Honest exports with everything that can lie beside one: head, cosignatures, hashes, receipts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ledger.proof import notes
from ledger.proof.evidence import Prover, Receipt, write_receipt
from ledger.proof.formats import COSIGNATURE
from ledger.proof.policy import Policy, parse_policy
from tests.support.paths import ROOT
from tests.support.signed_logs import head_of, log_signer, plain_day, policy_of, tournament_of
from tests.support.simulate import play

SAMPLES = ROOT / "sample_logs" / "earlier"
SAMPLE_LINES_MAX = 200
WITNESSES = tuple(notes.signer(f"witness{n}", bytes([n]) * 32, COSIGNATURE) for n in (1, 2))
COSIGNED_AT = 1_800_000_000


@dataclass(frozen=True)
class Export:
    """A log as its lines, and the files beside it. The policy asks for both witnesses."""

    lines: tuple[bytes, ...]
    note: bytes
    policy_text: bytes
    prover: Prover

    @property
    def policy(self) -> Policy:
        """Its policy, read."""
        return _policy(self.policy_text)

    @property
    def whole(self) -> list[bytes]:
        """Its lines, each with its newline."""
        return [line + b"\n" for line in self.lines]

    @property
    def hashes(self) -> bytes:
        """The file of the hashes of its lines."""
        return b"".join(self.prover.levels[0])

    def receipt(self, place: int) -> bytes:
        """Return the receipt for a line, from 0, with the line in it."""
        proof = self.prover.inclusion(place, len(self.lines))
        return write_receipt(Receipt(place, proof, self.note, self.lines[place]))


def cosigned(note: bytes, time: int = COSIGNED_AT) -> bytes:
    """Return a head's note with the signatures of both witnesses."""
    text = note.decode().rpartition("\n\n")[0] + "\n"
    return note + "".join(notes.signature_line(each, text, time) for each in WITNESSES).encode()


def export_of(lines: tuple[bytes, ...]) -> Export:
    """Sign and cosign the head of these lines."""
    keys = [f"witness {each.key.name} {notes.vkey(each.key)}" for each in WITNESSES]
    group = f"group both all {' '.join(each.key.name for each in WITNESSES)}"
    policy = policy_of(tournament_of(lines), *keys, group, "quorum both")
    return Export(lines, cosigned(head_of(lines)), policy, Prover(lines))


@cache
def exports() -> tuple[Export, ...]:
    """Every sample log that is not too long, and days of chance in all structures."""
    days = [plain_day()]
    days += [tuple(play(seed, 5 + seed, rounds=2, disputes=True).lines) for seed in range(1, 5)]
    days += [tuple(play(seed, 6, rounds=2, cut=2).lines) for seed in range(11, 13)]
    for path in sorted(SAMPLES.glob("*/*.jsonl")):
        lines = tuple(path.read_bytes().splitlines())
        if path.parent.name != "broken" and len(lines) <= SAMPLE_LINES_MAX:
            days.append(tuple(each for each in lines if not each.startswith(b'{"names":')))
    return tuple(map(export_of, days))


def older_head(export: Export) -> bytes:
    """Return a cosigned head of the same log, two lines ago."""
    return cosigned(head_of(export.lines[:-2]))


def stolen_head(lines: tuple[bytes, ...], note: bytes) -> bytes:
    """Return a head computed for other lines, under the signatures of the honest one."""
    forged = head_of(lines).rpartition(b"\n\n")[0]
    return forged + b"\n\n" + note.rpartition(b"\n\n")[2]


def thiefs_head(lines: tuple[bytes, ...]) -> bytes:
    """Return a head computed for other lines, signed with a key that nobody trusts."""
    return cosigned(head_of(lines, log_signer(tournament_of(lines), b"t" * 32)))


_policy = cache(parse_policy)
