"""Further heads of a log that are at hand: a newer one shows that a file was shortened."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cli.heads.checkpoint_file import CheckpointFile, NotAsSigned
from cli.keys.keyring import folder, proving
from cli.terminal.output import say
from ledger.errors import NotFound
from ledger.files.access import first_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.proof.table import Other

WITNESSED = "witness.db"
RECEIPT = ".tlog-proof"
BYTES_MAX = 3 << 16
FILES_MAX = 1_000
"""How many files beside a log are looked at."""


def heads_given(files: list[str]) -> list[Other]:
    """Read heads by their files, receipts or requests to witnesses; NotFound, or InvalidLog."""
    found = []
    for file in files:
        try:
            with proving(file):
                found.append(_head_in(Path(file), file))
        except OSError as error:
            raise NotFound(f"{file}: {error.strerror}") from None
    return found


def heads_at_hand(path: Path) -> Iterator[Other]:
    """Yield heads of a file's log beside it, beside the log's key, at a witness, if readable."""
    from ledger.proof.heads import tournament_in
    from ledger.proof.signatures import origin_of

    stream = tournament_in(path)
    if stream:
        yield from _beside(path, origin_of(stream))
        yield from _kept(stream)
        yield from heads_witnessed(stream)


def heads_witnessed(stream: str) -> Iterator[Other]:
    """Yield the last head of a log that this machine saw as a witness."""
    from ledger.proof.evidence import Witness
    from ledger.proof.formats import Invalid
    from ledger.proof.signatures import origin_of
    from ledger.proof.table import Other

    path = folder() / WITNESSED
    if not path.exists():
        return
    try:
        seen = Witness(path).seen(origin_of(stream))
    except Invalid as error:
        say(f"not compared with what this machine saw as a witness: {error}")
        return
    if seen is not None and seen.size:
        yield Other(f"seen by the witness here, {path}", seen)


def _beside(path: Path, origin: str) -> Iterator[Other]:
    from ledger.proof.formats import Invalid
    from ledger.proof.heads import CHECKPOINT, beside

    places = sorted(
        each
        for each in path.parent.iterdir()
        if each.name.endswith((CHECKPOINT, RECEIPT)) and each != beside(path, CHECKPOINT)
    )
    if len(places) > FILES_MAX:
        say(f"not compared with {len(places):,} heads beside it: --head names one that counts")
        return
    for place in places:
        try:
            other = _head_in(place, place.name)._replace(is_asked_for=False)
        except (Invalid, OSError):
            continue
        if other.head.origin == origin:
            yield other


def _kept(stream: str) -> Iterator[Other]:
    beside = CheckpointFile(stream)
    try:
        kept = beside.read()
    except NotAsSigned as error:
        say(f"not compared with the head signed here: {error}")
        return
    if kept is None:
        return
    other = _other(kept.note.encode(), f"signed here, {beside.path}")._replace(is_asked_for=False)
    with suppress(NotAsSigned):
        beside.verify(kept, {})
        other = other._replace(note=None)  # whatever the lines say of its key: it was signed here
    yield other


def _head_in(path: Path, where: str) -> Other:
    from ledger.proof.evidence import RECEIPT_HEADER, parse_receipt, parse_request

    data = first_bytes(path, BYTES_MAX)
    if data.startswith(RECEIPT_HEADER.encode()):
        data = parse_receipt(data).note
    elif data.startswith(b"old "):
        data = parse_request(data).note
    return _other(data, where)


def _other(note: bytes, where: str) -> Other:
    from ledger.proof.formats import parse_checkpoint, parse_note
    from ledger.proof.table import Other

    parsed = parse_note(note)
    return Other(where, parse_checkpoint(parsed.text), parsed)
