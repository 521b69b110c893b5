"""The record as a file: the stored lines, unchanged, and the keys of the names in a last line.

An export of a running tournament holds no secret: the shuffle key stays in the vault, and stands
in the log only once play is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.exchange.names import names_line
from ledger.files.access import write_whole
from ledger.files.kinds import LOG

if TYPE_CHECKING:
    from ledger.books.book import Book


def export(book: Book, *, names: bool = True) -> Iterator[bytes]:
    """Yield the lines of a book, each with its newline, and perhaps who is who in a last line.

    Raises:
        NotFound: the keys of some names are not at hand.
    """
    last = names_line(book.lines, book.seals, book.tournament) if names else b""
    for line in book.lines:
        yield line + b"\n"
    if last:
        yield last + b"\n"


def export_file(book: Book, path: Path, *, names: bool = True) -> int:
    """Write the lines of a book to a file, whole or not at all; returns its bytes.

    Raises:
        NotFound: the keys of some names are not at hand.
        Refused: it cannot be written; the file that was there is unchanged.
    """
    return write_whole(path, export(book, names=names), LOG)
