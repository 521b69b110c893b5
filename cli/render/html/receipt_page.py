"""Receipts as slips: one for each player of a match, with a code that a phone reads.

A match slip is printed before its match has a result; these are printed after it. Their code
holds the event as well: what a phone reads from it, kept as a file, is all that `verify` asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy
from markupsafe import Markup

from cli.desk.guide import round_in_words
from cli.heads.checkpoint_file import head_in
from cli.input.find_people import name_of
from cli.render.codes import svg_code
from cli.render.html.elements import web_page
from cli.terminal.visible import visible
from cli.wording.result_words import result_in_words
from ledger.proof.evidence.receipts import Receipt, write_receipt
from ledger.tournament.state import Match, Tournament

if TYPE_CHECKING:
    from htpy import Node

STYLE = """
@page { margin: 12mm; }
body { font-size: 11pt; line-height: 1.35; max-width: 190mm; padding-top: 1rem; }
section { display: flex; gap: 6mm; padding: 5mm 0; border-bottom: 1px dashed var(--ink); }
section { break-inside: avoid; align-items: center; }
section > div { flex: 1; }
svg { background: #fff; width: 78mm; height: 78mm; flex: none; }
h1 { font-size: 12pt; margin: 0 0 2mm; font-weight: 600; }
p { margin: 0 0 2mm; }
p.result { font-size: 15pt; font-weight: 600; }
p.proof { font-size: 8pt; margin: 0; }
code { white-space: nowrap; }
@media screen and (max-width: 40rem) {
  section { display: block; }
  svg { max-width: 100%; }
  code { white-space: normal; }
}
"""


def receipts_page(tournament: Tournament, match: Match, receipt: Receipt) -> str:
    """Return a page with a slip for each player of a match.

    Refused where the receipt is too long for a code.
    """
    code = Markup(svg_code(write_receipt(receipt)))  # noqa: S704 - drawn here, of bytes
    slips = [_slip(tournament, match, receipt, player, code) for player in match.players]
    return web_page(f"Receipts of {match.round}/{match.table}", STYLE, slips)


def _slip(
    tournament: Tournament, match: Match, receipt: Receipt, player: int, code: Markup
) -> Node:
    assert match.result is not None  # noqa: S101 - a match without one has no receipt
    opening = tournament.opening
    head = head_in(receipt.note)
    where = f"{round_in_words(tournament, tournament.rounds[match.round - 1])}, table {match.table}"
    return htpy.section[
        htpy.div[
            htpy.h1[f"{visible(opening.name) if opening else ''}: {where}"],
            htpy.p(class_="result")[result_in_words(tournament, match, match.result)],
            htpy.p[f"for {visible(name_of(tournament, player))} (#{player})"],
            htpy.p(class_="proof")[
                f"Event {receipt.position + 1} of {head.size} in the log {head.origin}, ",
                f"whose root is {head.root.hex()}. Keep the text of the code as a file: ",
                htpy.code["tourney verify FILE --policy POLICY"],
                " checks that the signed log has this result.",
            ],
        ],
        code,
    ]
