"""A receipt as a QR code: on the terminal, and on the slips that the players of a table keep.

A match slip is printed before its match has a result; these are printed after it, one for each
player. Their code holds the event as well, so that what a phone reads from it, kept as a file, is
all that `verify` asks for.
"""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING

from cli.input.people import name_of
from cli.render.html import web_page
from cli.terminal.visible import visible
from ledger.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from segno import QRCode

    from ledger.proof.evidence.receipts import Receipt
    from ledger.tournament.state import Match, Tournament

STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.35 system-ui, sans-serif; margin: 1rem; max-width: 190mm; }
section { display: flex; gap: 6mm; padding: 5mm 0; border-bottom: 1px dashed #000; }
section { break-inside: avoid; align-items: center; }
section > div { flex: 1; overflow-wrap: anywhere; }
svg { width: 78mm; height: 78mm; flex: none; }
h1 { font-size: 12pt; margin: 0 0 2mm; font-weight: 600; }
p { margin: 0 0 2mm; }
p.result { font-size: 15pt; font-weight: 600; }
p.proof { font-size: 8pt; margin: 0; }
code { white-space: nowrap; }
"""


def terminal_code(data: bytes) -> bytes:
    """Draw a code for a terminal.

    Raises:
        Refused: it is too long for one.
    """
    drawn = io.StringIO()
    _code(data).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().encode()


def slips_page(tournament: Tournament, match: Match, receipt: Receipt) -> str:
    """Return a page with a slip for each player of a match, to be printed and cut.

    Raises:
        Refused: the receipt is too long for a code.
    """
    from ledger.proof.evidence.receipts import write_receipt

    code = _code(write_receipt(receipt)).svg_inline(border=4, omitsize=True)
    slips = [
        line
        for player in match.players
        for line in _slip(tournament, match, receipt, player=player, code=code)
    ]
    return web_page(f"Receipts of {match.round}/{match.table}", STYLE, slips)


def _slip(
    tournament: Tournament, match: Match, receipt: Receipt, *, player: int, code: str
) -> Iterator[str]:
    from cli.desk.guide import round_in_words
    from cli.heads.checkpoint_file import head_in
    from cli.wording.event_words import result_in_words

    assert match.result is not None  # noqa: S101 - a match without one has no receipt
    opening = tournament.opening
    head = head_in(receipt.note)
    where = f"{round_in_words(tournament, tournament.rounds[match.round - 1])}, table {match.table}"
    result = result_in_words(tournament, match, match.result)
    yield "<section>"
    yield "<div>"
    yield f"<h1>{escape(visible(opening.name) if opening else '')}: {escape(where)}</h1>"
    yield f'<p class="result">{escape(result)}</p>'
    yield f"<p>for {escape(visible(name_of(tournament, player)))} (#{player})</p>"
    yield (
        f'<p class="proof">Event {receipt.position + 1} of {head.size} in the log '
        f"{escape(head.origin)}, whose root is {head.root.hex()}. Keep the text of the code as a "
        "file: <code>tourney verify FILE --policy POLICY</code> checks that this result stands in "
        "the signed log.</p>"
    )
    yield "</div>"
    yield code
    yield "</section>"


def _code(data: bytes) -> QRCode:
    import segno

    try:
        return segno.make(data, mode="byte", error="l", micro=False)
    except segno.DataOverflowError:
        raise Refused(
            f"the receipt has {len(data):,} bytes, too many for a QR code: write it with -o"
        ) from None
