"""The record as a file: the stored lines, unchanged, and the keys of the names in a last line.

An export of a running tournament holds no secret: the shuffle key stays in the vault, and stands
in the log only once play is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.exchange.names import names_line
from ledger.exchange.nrtm.writing import write_nrtm
from ledger.exchange.programs.go_writing import write_h9, write_opengotha
from ledger.exchange.programs.trf_writing import write_trf16, write_trf26
from ledger.exchange.sheets.writing import write_rounds
from ledger.files.access import write_whole
from ledger.files.kinds import LOG

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.exchange.programs.written import WrittenRow
    from ledger.tournament.state import Tournament


WRITERS: Mapping[str, Callable[[Tournament, Sequence[WrittenRow]], bytes]] = MappingProxyType(
    {
        "trf16": write_trf16,
        "trf26": write_trf26,
        "h9": write_h9,
        "opengotha": write_opengotha,
        "nrtm": write_nrtm,
        "rounds": write_rounds,
    }
)
"""What writes an event as another program takes it, by the name of the form."""


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
