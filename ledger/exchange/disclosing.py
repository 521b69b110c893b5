"""Which keys of a log are shown to a reader: those of chosen events, or all that are here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.lines.line import as_stored, decode
from ledger.lines.sealing import MARK, digest_in, key_name, keys_of, texts
from ledger.problems import Act, Problem, problem
from ledger.proof.ciphers import SEALED, digest_of

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded


def all_keys(book: Book) -> dict[str, bytes]:
    """Return the keys of all sealed texts and names that are in the vault, by event."""
    sealed = (decode(line, as_stored) for line in book.lines if MARK in line)
    found = ((recorded.id, _key(book, recorded)) for recorded in sealed)
    return {event: key for event, key in found if key is not None}


def keys_of_events(book: Book, events: Iterable[int]) -> dict[str, bytes]:
    """Return the keys of the texts of these events.

    Raises:
        Refused: every event that does not exist, has no sealed text, or whose key is not here.
    """
    found: dict[str, bytes] = {}
    problems: list[Problem | str] = []
    for seq in dict.fromkeys(events):
        if not 0 < seq <= len(book.lines):
            problems.append(f"there is no event {seq}: the log has {len(book.lines)}")
            continue
        recorded = decode(book.lines[seq - 1], as_stored)
        key = _key(book, recorded)
        if key is not None:
            found[recorded.id] = key
        elif not _digest(recorded):
            text = "event {event}, {act}, has no sealed text"
            problems.append(problem("event.unsealed", text, event=seq, act=Act(recorded.type)))
        elif key_name(recorded) in book.seals.forgotten:
            problems.append(f"the key of event {seq} was destroyed: somebody was forgotten")
        else:
            problems.append(f"the key of event {seq} is not in this store")
    if problems:
        raise Refused(*problems)
    return found


def _key(book: Book, recorded: Recorded) -> bytes | None:
    digest = _digest(recorded)
    found = keys_of(recorded, book.seals.keys).values()
    return next((key for key in found if digest and digest_of(key) == digest), None)


def _digest(recorded: Recorded) -> str:
    sealed = (text for _, text in texts(recorded.event) if text.startswith(SEALED))
    return next(map(digest_in, sealed), "")
