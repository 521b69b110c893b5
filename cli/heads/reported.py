"""Heads that phones saw and that no single history has: kept beside the log's key, as evidence.

    forks/<tournament>-<digest>.json    a proof that `compare` checks, or the two notes alone

Only what the log's own key signed is kept, so that nobody fills the disk with heads made up.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from cli.keys.keyring import folder, proving
from ledger.errors import Refused
from ledger.files.access import first_bytes, make_private_folder, whole_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cli.heads.renewals import Renewal
    from ledger.books.book import Book
    from ledger.proof.formats import Checkpoint, Key

FOLDER = "forks"
TWO_HEADS = "tourney/two-heads@1"
HEADING_BYTES = 100
KEPT_MAX = 20
"""Reports of one log: two are as good as a thousand."""


def reports(stream: str) -> list[Path]:
    """List what was reported of a log."""
    return sorted((folder() / FOLDER).glob(f"{stream}-*.json"))


def reported_in_words(stream: str) -> str:
    """Say that phones saw another history; empty where none did."""
    found = reports(stream)
    if not found:
        return ""
    is_proof = TWO_HEADS.encode() not in first_bytes(found[-1], HEADING_BYTES)
    shows = "`tourney compare FILE --policy POLICY` shows it" if is_proof else "it has both heads"
    return f"a phone saw another history of this log, signed with its key: {found[-1]}; {shows}"


def keep_report(book: Book, notes: list[bytes], renewed: Sequence[Renewal] = ()) -> str:
    """Keep two heads that contradict each other; says so, or nothing where they are of one history.

    `renewed` are lines of another history that renewed the log's key. InvalidLog where the log's
    keys did not sign both heads.
    """
    from cli.heads.keys_in_use import log_keys
    from cli.heads.renewals import keys_signed_for

    stream, lines = book.stream, book.lines
    with proving():
        keys = keys_signed_for(log_keys(book, revoked=True), stream, renewed)
        heads, is_one_key = _opened(notes, keys)
        if max(each.size for each in heads) > len(lines):
            data = _two_notes(notes, renewed)
        elif _has_both(lines, heads):
            data = b""
        else:
            data = (_proof(notes, lines, keys) if is_one_key else b"") or _two_notes(notes, renewed)
    if not data:
        return ""
    path = folder() / FOLDER / f"{stream}-{hashlib.sha256(data).hexdigest()[:16]}.json"
    if not path.exists():
        if len(reports(stream)) >= KEPT_MAX:
            raise Refused("enough of such reports were kept: the desk has them")
        _write(path, data)
    return reported_in_words(stream)


def _opened(notes: list[bytes], keys: list[Key]) -> tuple[list[Checkpoint], bool]:
    """Open two heads of the log, each by one of its keys; whether that is one key."""
    from ledger.proof.formats import Invalid, open_note, parse_checkpoint, parse_note

    parsed = [parse_note(each) for each in notes]
    one, other = (open_note(each, keys) for each in parsed)
    heads = [parse_checkpoint(each.text) for each in parsed]
    if any(each.origin != keys[0].name for each in heads):
        raise Invalid("these are no heads of this log")
    return heads, bool(one.keys() & other.keys())


def _has_both(lines: Sequence[bytes], heads: list[Checkpoint]) -> bool:
    """Whether the lines here are those of both heads."""
    from ledger.proof.evidence import Prover

    made = Prover(lines)
    return all(made.root(each.size) == each.root for each in heads)


def _proof(notes: list[bytes], lines: Sequence[bytes], keys: list[Key]) -> bytes:
    """Make the proof by the lines here; empty where the heads are of one history."""
    from ledger.proof.evidence import Prover, check_fork, heads_by_one_key, prove_fork
    from ledger.proof.formats import Invalid

    larger = heads_by_one_key(notes, keys).larger.size
    proof = prove_fork(notes, Prover(lines[:larger]), keys)
    if proof is None:
        return b""
    try:
        check_fork(proof, keys)
    except Invalid:  # the lines here are those of neither
        return _two_notes(notes)
    return proof


def _two_notes(notes: Sequence[bytes], renewed: Sequence[Renewal] = ()) -> bytes:
    value: dict[str, object] = {"format": TWO_HEADS, "notes": [each.decode() for each in notes]}
    if renewed:
        value["renewed"] = [{"line": each.line, "root": each.root} for each in renewed]
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    try:
        make_private_folder(path.parent)
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
