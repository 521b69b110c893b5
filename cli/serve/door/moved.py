"""Answer a page of another address that has lost its desk, and sign its browser in here.

`GET /api/v1/moved`   what a phone checks (`Witnessed`), and the address that the code of this desk
                      names, signed by the log's key for the nonce of the page that asks
`POST /in`            takes a proof by the key that a browser already has (`sign_in.py`)

The log of this desk is public, so any computer can show a copy of it. The signature is what ties an
address to the log: a desk signs the address that its own code names, and no other. A page at the
address of a stranger who passes on the answers of the desk gets a signature for the address of the
desk, and does not go to the stranger.

The answer may be read by pages of other addresses, because the page that asks is one. It contains
what every visitor reads, is made as for a stranger without a cookie, and may be read only by pages
of addresses at which a hall could be: no site of the internet reads it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from starlette.responses import Response
from starlette.routing import Route

from cli.machine.keyring import log_signer
from cli.serve.door.guard import is_own_host
from cli.serve.heads import Witnessed, asked_size
from cli.serve.refusals import FRESH, Malformed
from cli.serve.visitors import visitor_of
from ledger.errors import LedgerError
from ledger.problems import phrase
from ledger.proof.notes import base64_of
from ledger.proof.signatures import encoded

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.heads import SignedHeads

_NONCE = re.compile(r"[0-9a-f]{32}")
_ORIGIN = re.compile(r"https?://([^/@?#]{1,300})")


class Moved(Struct, frozen=True):
    """Answer for a page that was opened at another address: the log, and this address, signed."""

    log: Witnessed
    address: str
    """The address that this desk's code names; empty if phones cannot open this desk."""

    sig: str
    """Signature of the log's key for the address and the nonce; empty without that key."""


class MovedPaths:
    """The path that pages of other addresses ask."""

    def __init__(self, hall: Hall, heads: SignedHeads) -> None:
        self._hall, self._heads = hall, heads
        self.routes = [Route("/api/v1/moved", self.answer)]

    async def answer(self, request: Request) -> Response:
        """Answer with all that a page checks; `kept` is how many events its head covers."""
        await visitor_of(request)
        size, nonce = asked_size(request, "kept"), request.query_params.get("nonce", "")
        if not _NONCE.fullmatch(nonce):
            raise Malformed(phrase("nonce must be 32 hexadecimal digits"))
        value = await self._hall.at_desk(lambda desk: self._moved(desk, size, nonce))
        headers = FRESH | {"vary": "origin"}
        origin = request.headers.get("origin", "")
        if (page := _ORIGIN.fullmatch(origin)) and is_own_host(page[1]):
            headers |= {"access-control-allow-origin": origin}
        return Response(msgspec.json.encode(value), media_type="application/json", headers=headers)

    def _moved(self, desk: Desk, size: int, nonce: str) -> Moved:
        log = self._heads.witnessed(desk, size, signed_in=False)
        address, sig = self._hall.public_address(), ""
        if address and log.key == "open":
            try:
                signer = log_signer(desk.book.stream)
            except LedgerError:
                signer = None
            if signer is not None:
                sig = base64_of(signer.sign(address_text(desk.book.stream, address, nonce)))
        return Moved(log, address, sig)


def address_text(tournament: str, address: str, nonce: str) -> bytes:
    """Return the bytes that the log's key signs for an address of its desk."""
    return encoded("address", tournament, f"{address}\n{nonce}".encode())
