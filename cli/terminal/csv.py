"""Comma-separated values for a spreadsheet that must calculate nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cli.terminal.values import as_text
from ledger.files.kinds import marked

_TO_QUOTE = re.compile('[,"\r\n]')


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Yield an answer as RFC 4180 has it; what a spreadsheet would take for a formula is quoted."""
    yield _csv_line(columns)
    yield from map(_csv_line, rows)


def _csv_line(cells: Sequence[object]) -> bytes:
    return (",".join(map(_csv_cell, cells)) + "\r\n").encode()


def _csv_cell(value: object) -> str:
    text = as_text(value)
    if not isinstance(value, int | float):
        text = marked(text)
    if _TO_QUOTE.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text
