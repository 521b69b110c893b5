"""The keys that a log signs its heads with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.proof.formats import ED25519, Key
from ledger.proof.signatures import origin_of

if TYPE_CHECKING:
    from ledger.books.book import Book


def log_keys(book: Book, *, revoked: bool = False) -> list[Key]:
    """Return the log's own keys that are in use; with `revoked` those of before, too."""
    held = (each for each in book.tournament.keys.values() if not each.holder)
    origin = origin_of(book.stream)
    return [Key(origin, ED25519, each.public) for each in held if revoked or not each.until]
