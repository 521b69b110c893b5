"""QR codes of receipts, for a terminal and for a page."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from cli.languages.speaking import in_figures, tr
from cli.terminal.tables import terminal_width
from ledger.errors import Refused

if TYPE_CHECKING:
    from segno import QRCode

BORDERS = (2, 1)
"""Modules that stay free around a code, the better number first."""


def terminal_code(data: bytes) -> bytes:
    """Draw a code for a terminal, with a narrower border if only that fits.

    Raises:
        Refused: the data is too long for a code.
    """
    code = _code(data)
    for border in BORDERS:
        drawn = io.StringIO()
        code.terminal(drawn, compact=True, border=border)
        if not too_narrow(drawn.getvalue()):
            break
    return drawn.getvalue().encode()


def too_narrow(code: str) -> str:
    """Say that a drawn code is wider than the terminal that it would be shown on, if it is."""
    wide = max(map(len, code.splitlines()), default=0)
    room = terminal_width()
    if not sys.stdout.isatty() or wide <= room:
        return ""
    return tr(
        "this terminal is {room} columns wide, and the code needs {wide}: make it wider",
        room=room,
        wide=wide,
    )


def svg_code(data: bytes) -> str:
    """Draw a code for a page.

    Raises:
        Refused: the data is too long for a code.
    """
    return _code(data).svg_inline(border=4, omitsize=True)


def _code(data: bytes) -> QRCode:
    import segno

    try:
        return segno.make(data, mode="byte", error="l", micro=False)
    except segno.DataOverflowError:
        raise Refused(
            tr(
                "the receipt has {data} bytes, too many for a QR code: write a file with -o",
                data=in_figures(len(data)),
            )
        ) from None
