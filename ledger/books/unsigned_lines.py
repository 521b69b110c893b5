"""Lines of a log that no signed head covered when they were taken, and the reason that was given.

A log that names a key has a signed head over all its lines. Lines without one are taken only for a
reason. The reason is an item of the vault, so that it survives a backup, and not an event: the log
and its exports stay unchanged. A head of the log that is imported later, and covers these lines,
removes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ledger.errors import InvalidLog
from ledger.problems import marked, problem

ITEM = "unsigned"
"""The name of the item in the vault."""

HEAD = "head"
"""The name of the vault's item with the signed head that an imported log came with."""

NOTES_MAX = 100
"""Maximum number of notes of one log; the first and the latest ones are kept."""

BYTES_MAX = 1 << 17
Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Words = Annotated[str, Meta(max_length=400)]


class UnsignedLines(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines, from one to another, that were taken unsigned: why, when and at which machine."""

    first: Count
    last: Count
    reason: Words
    at: Words
    machine: Words

    @property
    def size(self) -> int:
        """Number of lines."""
        return self.last - self.first + 1


def unsigned_lines(secrets: Mapping[str, bytes]) -> tuple[UnsignedLines, ...]:
    """Return the notes that a vault has of a log, in the order in which they were made.

    Raises:
        InvalidLog: the item is damaged.
    """
    data = secrets.get(ITEM)
    if data is None:
        return ()
    try:
        return msgspec.json.decode(data[:BYTES_MAX], type=tuple[UnsignedLines, ...])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = marked(
            "the note about unsigned lines is damaged; restore a backup that contains "
            "it, or import the log again with its head"
        )
        raise InvalidLog(problem("log.unsigned_note", text)) from None


def with_note(secrets: Mapping[str, bytes], note: UnsignedLines) -> dict[str, bytes]:
    """Return the item with one more note; a note of the same lines and reason is not repeated."""
    notes = unsigned_lines(secrets)
    if any(_is_known(each, note) for each in notes):
        return {ITEM: secrets[ITEM]}
    return {ITEM: _encoded((*notes[: NOTES_MAX - 1], note))}


def covered_up_to(secrets: Mapping[str, bytes], size: int) -> dict[str, bytes] | None:
    """Return the item without the lines that a head of that many lines covers.

    The result is empty if no note is left, and None if nothing changes.
    """
    notes = unsigned_lines(secrets)
    left = tuple(_behind(notes, size))
    if left == notes:
        return None
    return {ITEM: _encoded(left)} if left else {}


def from_backup(
    there: Mapping[str, bytes], here: Mapping[str, bytes], size: int
) -> dict[str, bytes]:
    """Return the item of a backup with that many lines, unless the vault here has one.

    Raises:
        InvalidLog: the item is damaged, or of lines that the backup does not have.
    """
    if ITEM in here or not (notes := unsigned_lines(there)):
        return {}
    if any(not each.first <= each.last <= size for each in notes):
        text = marked(
            "the backup notes unsigned lines that it does not contain; use another backup"
        )
        raise InvalidLog(problem("log.unsigned_note_range", text))
    return {ITEM: there[ITEM]}


def _behind(notes: Iterable[UnsignedLines], size: int) -> Iterable[UnsignedLines]:
    for each in notes:
        if each.last > size:
            yield msgspec.structs.replace(each, first=max(each.first, size + 1))


def _is_known(note: UnsignedLines, other: UnsignedLines) -> bool:
    return note.first <= other.first and note.last >= other.last and note.reason == other.reason


def _encoded(notes: tuple[UnsignedLines, ...]) -> bytes:
    return msgspec.json.encode(notes)
