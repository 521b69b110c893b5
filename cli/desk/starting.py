"""The head of the start: signed here, cosigned by the witness that the first event names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.acts import carry_out
from cli.input.arguments import UsageError
from cli.machine.keyring import log_signer, proving
from cli.terminal.output import say, write_bytes
from ledger.errors import InvalidLog, Refused

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from cli.input.file_names import InFile, OutFile
    from ledger.proof.evidence import Request


def sign_with_the_log(desk: Desk) -> None:
    """Have the next act sign the head of the start, where the log's key is on this machine."""
    from ledger.proof.signatures import revoked

    signer = log_signer(desk.book.stream)
    if signer is not None and not revoked(desk.book.tournament.keys, [signer.key.public]):
        desk.book.sign_head = signer.sign


def waits_for_witness(desk: Desk) -> bool:
    """Whether the head of the start is on record, and the witness's cosignature is not."""
    tournament = desk.book.tournament
    waits = tournament.head is not None and not tournament.cosignature
    return waits and bool(tournament.witness)


def request_of_start(desk: Desk, old: int) -> Request:
    """Ask the witness, who saw the first `old` lines, for the start's head; Refused if too many."""
    from ledger.proof.evidence import Prover, Request
    from ledger.proof.formats import ED25519, Key, is_signed, unbase64
    from ledger.proof.notes import base64_of
    from ledger.proof.signatures import origin_of
    from ledger.rules.draws import head_text

    tournament = desk.book.tournament
    head = tournament.head
    assert head is not None  # noqa: S101 - somebody waits for its cosignature
    if old > head.size:
        raise Refused(f"the start is event {head.size}: the witness cannot have seen {old}")
    text, signature = head_text(tournament, head), unbase64(head.signature)
    name = origin_of(desk.book.stream)
    keys = [Key(name, ED25519, held.public) for held in tournament.keys.values() if not held.holder]
    by = next(key for key in keys if is_signed(key.public, signature, text.encode()))
    proof = Prover(desk.book.lines[: head.size]).consistency(old, head.size) if old else []
    note = f"{text}\n\u2014 {name} {base64_of(by.id + signature)}\n"
    return Request(old, proof, note.encode())


def request_to_witness(desk: Desk, output: OutFile) -> dict[str, object]:
    """Print the request for the cosignature, where the start waits for it; for scripts, as text."""
    from ledger.proof.evidence import write_request

    if not waits_for_witness(desk):
        if output:
            raise UsageError("-o is for the request to a witness, and no witness is waited for")
        return {}
    data = write_request(request_of_start(desk, 0))
    if output:
        desk.files.write(output, [data])
        say(str(output))
    elif desk.json:
        return {"request": data.decode()}
    else:
        write_bytes([data])
    return {}


def record_cosignature(desk: Desk, file: InFile) -> None:
    """Put the witness's answer on record, to draw the ranks with; InvalidLog if it is another's."""
    from ledger.files.access import whole as read_whole
    from ledger.proof.formats import COSIGNATURE, parse_key, parse_note
    from ledger.proof.notes import base64_of
    from ledger.rules.draws import CosignHead

    witness = desk.tournament.witness
    if not witness:
        raise Refused("the first event names no witness: there is nothing to be cosigned")
    path = desk.files.reading(file)
    with proving(str(file)):
        key = parse_key(witness, COSIGNATURE)
        lines = parse_note(b"head\n\n" + read_whole(path)).signatures
    found = [data for name, by, data in lines if (name, by) == (key.name, key.id)]
    if len(found) != 1 or len(lines) != 1:
        raise InvalidLog(f"{file}: this is not the one line that the witness {key.name} answers")
    carry_out(desk, CosignHead(base64_of(found[0])), "the head of the start is cosigned")
