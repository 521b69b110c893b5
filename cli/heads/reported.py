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
from ledger.files.durable import make_folder, whole_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.books.book import Book
    from ledger.proof.formats import Key

FOLDER = "forks"
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
    return (
        f"a phone saw another history of this log, signed with its key: {found[-1]}; "
        "`tourney compare FILE --policy POLICY` shows it"
    )


def keep_report(book: Book, notes: list[bytes]) -> str:
    """Keep two heads that contradict each other; says so, or nothing where they are of one history.

    Refused where the log's key did not sign both.
    """
    from cli.heads.keys_in_use import log_keys
    from ledger.proof.evidence.fraud import heads_by_one_key

    stream, lines, keys = book.stream, book.lines, log_keys(book, revoked=True)
    with proving():
        larger = heads_by_one_key(notes, keys).larger.size
        data = _proof(notes, lines, keys) if larger <= len(lines) else _two_notes(notes)
    if not data:
        return ""
    path = folder() / FOLDER / f"{stream}-{hashlib.sha256(data).hexdigest()[:16]}.json"
    if not path.exists():
        if len(reports(stream)) >= KEPT_MAX:
            raise Refused("enough of such reports were kept: the desk has them")
        _write(path, data)
    return reported_in_words(stream)


def _proof(notes: list[bytes], lines: Sequence[bytes], keys: list[Key]) -> bytes:
    """Make the proof by the lines here; empty where the heads are of one history."""
    from ledger.proof.evidence.fraud import check_fork, heads_by_one_key, prove_fork
    from ledger.proof.evidence.prover import Prover
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


def _two_notes(notes: Sequence[bytes]) -> bytes:
    value = {"format": "tourney/two-heads@1", "notes": [each.decode() for each in notes]}
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    try:
        make_folder(path.parent, 0o700)
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
