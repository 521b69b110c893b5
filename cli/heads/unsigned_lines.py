"""Lines that were taken without a signed head: noted in the vault, repeated, and cleared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli import outside
from cli.terminal.output import Caveat, set_caveat
from ledger.books import unsigned_lines as notes
from ledger.books.unsigned_lines import UnsignedLines
from ledger.errors import InvalidLog
from ledger.proof.signatures import LOG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.books.book import Book
    from ledger.proof.signatures import Held
    from ledger.store import Store

BYTES_OF_DAY = 10
"""Length of the date at the beginning of a moment."""


def note_of(first: int, last: int, reason: str) -> UnsignedLines:
    """Return the note that these lines are taken unsigned now, at this machine."""
    from cli.keys.draw_keys import machine_name

    return UnsignedLines(first, last, reason, outside.now(), machine_name())


def keep_head(store: Store, stream: str, note: bytes) -> None:
    """Keep the signed head that came with a log in its store, unless a higher one is there.

    The lines that it covers are not unsigned any more.
    """
    from cli.heads.checkpoint_file import head_in

    size, known = head_in(note).size, store.vault_items(stream).get(notes.HEAD)
    if known is None or head_in(known).size < size:
        store.vault_put_all(stream, {notes.HEAD: note})
    clear_covered(store, stream, size)


def clear_covered(store: Store, stream: str, size: int) -> bool:
    """Delete the notes of lines that a signed head of that size covers; return whether any was."""
    secrets = store.vault_items(stream)
    try:
        left = notes.covered_up_to(secrets, size)
    except InvalidLog:  # damaged: a head over all lines makes it good
        left = {} if size >= store.size(stream) else None
    if left is None:
        return False
    if left:
        store.vault_put_all(stream, left)
    else:
        store.vault_delete_all(stream, [notes.ITEM])
    return True


def caveat_of(book: Book) -> Caveat | None:
    """Return what every view of a log repeats of its unsigned lines; None if there are none."""
    if not names_key(book.tournament.keys):
        return None
    return caveat_in(book.seals.keys or book.store.vault_items(book.stream))


def caveat_of_stored(store: Store, stream: str) -> tuple[str, ...]:
    """Return what is repeated of a log in a store, as sentences."""
    caveat = caveat_in(store.vault_items(stream))
    return caveat.sentences if caveat is not None else ()


def caveat_in(secrets: Mapping[str, bytes]) -> Caveat | None:
    """Return the same of a vault's items."""
    try:
        found = notes.unsigned_lines(secrets)
    except InvalidLog as error:
        return Caveat((str(error),), [])
    if not found:
        return None
    values = [
        {
            "first": each.first,
            "last": each.last,
            "reason": each.reason,
            "at": each.at,
            "machine": each.machine,
        }
        for each in found
    ]
    return Caveat(tuple(map(in_words, found)), values)


def caveat_of_file(size: int, uncovered: int, reason: str) -> None:
    """Let what is shown of a file state which of its lines no signed head covers."""
    first = size - uncovered + 1
    value = {"first": first, "last": size, "reason": reason}
    set_caveat("unsigned", Caveat((), [value]))


def in_words(note: UnsignedLines) -> str:
    """State which lines were taken without a signed head, when, at which machine and why."""
    lines, were = f"line {note.first}", "was"
    if note.size > 1:
        lines, were = f"lines {note.first} to {note.last}", "were"
    day = note.at[:BYTES_OF_DAY]
    return f"{lines} {were} taken unsigned on {day} at {note.machine}: {note.reason}"


def names_key(keys: Mapping[bytes, Held]) -> bool:
    """Return whether a log names a key that signs its heads."""
    return any(each.holder == LOG for each in keys.values())


def reasons_in(secrets: Mapping[str, bytes]) -> str:
    """Join the reasons for which lines of a log were taken unsigned; empty if none were."""
    return "; ".join(dict.fromkeys(each.reason for each in notes.unsigned_lines(secrets)))
