"""The head beside a log's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.keys.keyring import proving
from ledger.errors import InvalidLog

if TYPE_CHECKING:
    from pathlib import Path


def read_head(path: Path, *, is_asked_for: bool) -> bytes:
    """Return the head beside a log, which has the form of one; empty where there may be none.

    Raises:
        InvalidLog: what is wrong with it, by its own name.
    """
    from ledger.files.access import first_bytes
    from ledger.proof.formats import NOTE_BYTES_MAX, parse_checkpoint, parse_note
    from ledger.proof.hashes import CHECKPOINT, beside

    note = beside(path, CHECKPOINT)
    if not note.exists() and not is_asked_for:
        return b""
    if not note.exists():
        raise InvalidLog(
            f"there is no {note}, which the policy asks for: it comes with the log, from `export`"
        )
    try:
        data = first_bytes(note, NOTE_BYTES_MAX + 1)
    except OSError as error:
        raise InvalidLog(f"{note} cannot be read: {error.strerror}") from None
    with proving(str(note)):
        parse_checkpoint(parse_note(data).text)
    return data
