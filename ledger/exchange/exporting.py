"""The record as a file: the stored lines, unchanged.

An export of a running tournament holds no secret: the shuffle key stays in the vault, and stands
in the log only once play is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.exchange.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.books import Book


def export(book: Book) -> Iterator[bytes]:
    """Yield the lines of a book, each with its newline."""
    for line in book.lines:
        yield line + b"\n"


def export_file(book: Book, path: Path) -> int:
    """Write the lines of a book to a file, whole or not at all; returns its bytes.

    Raises:
        Refused: it can not be written; what stood there is unchanged.
    """
    return write_whole(path, export(book))
