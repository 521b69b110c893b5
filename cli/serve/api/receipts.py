"""What a player's result proves: the receipt of its event, as a code and as a file.

A receipt is a line of the log and the proof that a signed head covers it. `tourney verify FILE
--policy POLICY` checks it anywhere, without this server and without the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cli.desk.guide import round_in_words
from cli.machine.checkpoint_file import head_in
from cli.render.codes import svg_code
from cli.serve.api.acts import player_spoken_for
from cli.serve.pages.frame import Surroundings, own_page
from cli.serve.refusals import FRESH, NotTheirs
from cli.serve.visitors import visitor_of
from cli.terminal.visible import visible
from cli.wording.page_words import public_view
from cli.wording.phrases import result_in_words
from ledger.errors import NotFound
from ledger.problems import problem
from ledger.proof.evidence import Prover, Receipt, write_receipt
from ledger.proof.formats import leaf_hash
from ledger.tournament.progress import latest_match_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from ledger.tournament.state import Match, Tournament

FILE = "/me/receipt.tlog-proof"
AROUND = Surroundings(styles=("hall", "player"), script="player")


class ShownReceipt(NamedTuple):
    """A receipt with what it is of, in words."""

    receipt: Receipt
    result: str
    where: str


class Receipts:
    """The receipt of a player's latest result, by its path."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._prover = hall, Prover()
        self.routes = [Route("/me/receipt", self.page), Route(FILE, self.file)]

    async def page(self, request: Request) -> Response:
        """Answer with the receipt as a code, and what it says."""
        shown = await self._of(request)
        whole = own_page(self._hall.heading, "Receipt", _page(shown), around=AROUND)
        return HTMLResponse(whole, headers=FRESH)

    async def file(self, request: Request) -> Response:
        """Answer with the receipt as a file to keep."""
        shown = await self._of(request)
        headers = FRESH | {"content-disposition": 'attachment; filename="receipt.tlog-proof"'}
        return Response(write_receipt(shown.receipt), media_type="text/plain", headers=headers)

    async def _of(self, request: Request) -> ShownReceipt:
        visitor = await visitor_of(request)
        player_spoken_for(visitor, "")
        if not visitor.player:
            raise NotTheirs(problem("serve.no_player", "a receipt here is of a player's own match"))
        return await self._hall.at_desk(lambda desk: self._made(desk, visitor.player))

    def _made(self, desk: Desk, player: int) -> ShownReceipt:
        tournament = desk.book.tournament
        match = latest_match_of(tournament, player)
        if match is None or not match.result_seq:
            raise NotFound("your latest match has no result yet: there is nothing to prove")
        kept, lines = desk.heads.kept(), desk.book.lines
        if kept is None or kept.size < match.result_seq:
            raise NotFound("no signed head covers your result yet: look again in a few seconds")
        for line in lines[self._prover.size :]:
            self._prover.add(leaf_hash(line))
        place = match.result_seq - 1
        proof = self._prover.inclusion(place, kept.size)
        receipt = Receipt(place, proof, kept.note.encode(), lines[place])
        return ShownReceipt(receipt, *_in_words(public_view(tournament), match))


def _in_words(tournament: Tournament, match: Match) -> tuple[str, str]:
    result = result_in_words(tournament, match, match.result) if match.result else ""
    played = tournament.rounds[match.round - 1]
    return result, f"{round_in_words(tournament, played)}, table {match.table}"


def _page(shown: ShownReceipt) -> htpy.Node:
    head = head_in(shown.receipt.note)
    code = svg_code(write_receipt(shown.receipt._replace(extra=b"")))
    return [
        htpy.p[htpy.a(href="/me")["Back to my table"]],
        htpy.p(class_="about")[shown.where],
        htpy.p(class_="result")[visible(shown.result)],
        htpy.p[
            f"That is event {shown.receipt.position + 1} of {head.size} in the log {head.origin}. "
            "The log's signature is under all of them: with this nobody can take the event out or "
            "change it without being found out."
        ],
        htpy.div(class_="code")[Markup(code)],  # noqa: S704 - drawn here, of bytes
        htpy.p[htpy.a(href=FILE, download=True)["Keep it as a file"]],
        htpy.p(class_="about")["tourney verify FILE --policy POLICY checks it anywhere."],
    ]
