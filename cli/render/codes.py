"""QR codes of receipts, for a terminal and for a page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ledger.errors import Refused

if TYPE_CHECKING:
    from segno import QRCode


def terminal_code(data: bytes) -> bytes:
    """Draw a code for a terminal; Refused where it is too long for one."""
    drawn = io.StringIO()
    _code(data).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().encode()


def svg_code(data: bytes) -> str:
    """Draw a code for a page; Refused where it is too long for one."""
    return _code(data).svg_inline(border=4, omitsize=True)


def _code(data: bytes) -> QRCode:
    import segno

    try:
        return segno.make(data, mode="byte", error="l", micro=False)
    except segno.DataOverflowError:
        raise Refused(
            f"the receipt has {len(data):,} bytes, too many for a QR code: write it with -o"
        ) from None
