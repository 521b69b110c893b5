"""The record as a file: the stored lines, unchanged, and the keys of the names in a last line.

An export of a running tournament holds no secret: the shuffle key stays in the vault, and stands
in the log only once play is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.exchange.files import write_whole
from ledger.exchange.names import names_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.books import Book


def export(book: Book, *, names: bool = True) -> Iterator[bytes]:
    """Yield the lines of a book, each with its newline; `names`: with the line of names last."""
    for line in book.lines:
        yield line + b"\n"
    if names and (keys := names_line(book.seals, book.tournament)):
        yield keys + b"\n"


def lacks_names(book: Book) -> bool:
    """Whether names are sealed in a book whose keys are not all at hand, so that none is told."""
    seals = book.seals
    return not seals.digests.keys() <= book.tournament.forgotten and not names_line(
        seals, book.tournament
    )


def export_file(book: Book, path: Path, *, names: bool = True) -> int:
    """Write the lines of a book to a file, whole or not at all; returns its bytes.

    Raises:
        Refused: it can not be written; what stood there is unchanged.
    """
    return write_whole(path, export(book, names=names))
