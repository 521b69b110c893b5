"""A newcomer's own phone: the link of the player that the desk registers, sealed to that phone.

A phone that asks to be registered posts a public key (X25519) with the request. Once the desk has
registered the player, `GET /api/v1/claim?key=` answers with the secret of the player's link, sealed
to that key. Other phones cannot open the answer, and nothing that crosses the wire lets a listener
in. The id of the request follows from the key, so that no other key can be named for a request that
was overheard. A key belongs to one link: when that link has ended, the phone does not get another
link.

    id     = the first 24 digits of SHA-256(key)
    shared = X25519(ephemeral secret, key of the phone)
    K      = HMAC-SHA-256(shared, claim LF log LF request LF key LF ephemeral key)
    sealed = secret XOR HMAC-SHA-256(K, mask)
    tag    = HMAC-SHA-256(K, tag LF sealed)

    claim:<key>     an item of the vault: the request, and the link that it got
"""

from __future__ import annotations

import asyncio
import hmac
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct
from starlette.responses import Response
from starlette.routing import Route

from cli import outside
from cli.machine.keyring import draw_key
from cli.serve.refusals import FRESH, Malformed
from cli.serve.visitors import Visitor, visitor_of
from ledger.books.links import LINKS_KEY, digest_of_link, links_key, secret_of, secret_of_link
from ledger.errors import LedgerError, NotFound
from ledger.facts.office import lets_in
from ledger.problems import problem
from ledger.rules.keys import IssueLinks
from ledger.tournament.table_records import link_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall

CLAIM = "claim"
ID_DIGITS = 24
"""Digits of the id of a request that follow from the phone's key."""

_KEY = re.compile(r"[0-9a-f]{64}")

State = Literal["waiting", "refused", "badge", "sealed"]
"""`badge`: the player is registered, and only the desk hands the link out."""


class PhoneClaim(Struct, frozen=True):
    """The request that a phone asked with a key, and the number of the link that it got."""

    request: int
    link: int = 0


class ClaimAnswer(Struct, frozen=True):
    """State of a claim; with `sealed` also the server's ephemeral key and the sealed secret."""

    log: str
    request: int
    state: State
    point: str = ""
    sealed: str = ""
    tag: str = ""


class Claims:
    """The phones of newcomers that wait to become their players' phones."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._handing_out = hall, asyncio.Lock()
        self.routes = [Route("/api/v1/claim", self.shown)]

    async def note(self, key: str, request: int) -> None:
        """Remember the key that a request was asked with; a key of an earlier request stays."""
        item = f"{CLAIM}:{key}"

        def put(desk: Desk) -> None:
            store, stream = desk.store(), desk.book.stream
            if store.vault_get(stream, item) is None:
                store.vault_put(stream, item, msgspec.json.encode(PhoneClaim(request)))

        await self._hall.at_desk(put)

    async def shown(self, request: Request) -> Response:
        """Answer with the state of the request that was asked with a key."""
        await visitor_of(request)
        key = checked_key(request.query_params.get("key", ""))
        if not key:
            raise Malformed(problem("claim.key", "a claim needs the key that the phone drew"))
        async with self._handing_out:
            value = msgspec.json.encode(await self._answer(key))
        return Response(value, media_type="application/json", headers=FRESH)

    async def _answer(self, key: str) -> ClaimAnswer:
        claim, player, is_answered = await self._hall.at_desk(lambda desk: _found(desk, key))
        log = self._hall.event
        if not is_answered:
            return ClaimAnswer(log, claim.request, "waiting")
        if not player:
            return ClaimAnswer(log, claim.request, "refused")
        secret = await self._secret(key, claim, player)
        if not secret:
            return ClaimAnswer(log, claim.request, "badge")
        return sealed_to(key, secret, log, claim.request)

    async def _secret(self, key: str, claim: PhoneClaim, player: int) -> str:
        """Return the secret of the player's link, which is issued if there is none; or ""."""
        of = f"p{player}"
        if not claim.link and not await self._hall.at_desk(lambda desk: _has_link(desk, of)):
            command_id, order, by = await self._hall.at_desk(lambda desk: _order(desk, of))
            try:
                await self._hall.act(Visitor(by), command_id, order)
            except LedgerError:
                return ""  # the act needs a signature, or the store is away
        return await self._hall.at_desk(lambda desk: _handed_out(desk, key, claim, of))


def key_of_request(text: str, command_id: str) -> str:
    """Return the public key that a phone sent with a request, or "" if the id is of another key."""
    key = checked_key(text)
    own_id = sha256(key.encode()).hexdigest()[:ID_DIGITS]
    return key if key and hmac.compare_digest(own_id.encode(), command_id.encode()) else ""


def checked_key(text: str) -> str:
    """Return the public key that a phone sent, or "" if the text is not a usable one."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    if not _KEY.fullmatch(text):
        return ""
    try:
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(text)))
    except ValueError:  # a point whose shared secret anyone knows
        return ""
    return text


def sealed_to(key: str, secret: str, log: str, request: int) -> ClaimAnswer:
    """Seal the secret of a link to a phone's key, under an ephemeral key."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    ephemeral = X25519PrivateKey.generate()
    point = ephemeral.public_key().public_bytes_raw().hex()
    shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(key)))
    sealing = hmac.digest(shared, f"{CLAIM}\n{log}\n{request}\n{key}\n{point}".encode(), "sha256")
    mask = hmac.digest(sealing, b"mask", "sha256")
    sealed = bytes(
        byte ^ covering for byte, covering in zip(secret.encode(), mask, strict=False)
    ).hex()
    tag = hmac.digest(sealing, f"tag\n{sealed}".encode(), "sha256").hex()
    return ClaimAnswer(log, request, "sealed", point, sealed, tag)


def _found(desk: Desk, key: str) -> tuple[PhoneClaim, int, bool]:
    """Return a claim, the player that was registered for it, and whether the desk has answered."""
    content = desk.store().vault_get(desk.book.stream, f"{CLAIM}:{key}")
    claim = msgspec.json.decode(content, type=PhoneClaim) if content else None
    asked = desk.book.tournament.floor.request(claim.request) if claim else None
    if claim is None or asked is None:
        raise NotFound(problem("claim.none", "nothing was asked with this key"))
    return claim, asked.player, bool(asked.answered)


def _has_link(desk: Desk, of: str) -> bool:
    return link_of(desk.book.tournament.floor.links, of) is not None


def _order(desk: Desk, of: str) -> tuple[str, IssueLinks, str]:
    """Return the act that issues a link: its id, its command, and the desk that enters it."""
    command_id = outside.draw_id()
    key = links_key(desk.store(), desk.book.stream, draw_key)
    return command_id, IssueLinks(((of, digest_of_link(secret_of(key, command_id, of))),)), desk.by


def _handed_out(desk: Desk, key: str, claim: PhoneClaim, of: str) -> str:
    """Return the secret of the claim's link, and note the link; "" if that link has ended."""
    tournament, store, stream = desk.book.tournament, desk.store(), desk.book.stream
    links = tournament.floor.links
    link = links.get(claim.link) if claim.link else link_of(links, of)
    if link is None or link.of != of or not lets_in(tournament, link):
        return ""
    if not claim.link:
        noted = PhoneClaim(claim.request, link.number)
        store.vault_put(stream, f"{CLAIM}:{key}", msgspec.json.encode(noted))
    return secret_of_link(store.vault_get(stream, LINKS_KEY) or b"", link)
