"""Serve the desks that follow this desk, and stop this desk when one of them took over.

`POST /api/v1/followers`   an organizer lets a computer follow: its key is registered as a further
                           key of the log, signed with the log's own
`POST /api/v1/follow`      a follower asks for news: lines, the head that covers them, and
                           the secrets, sealed for its reader's key
`POST /api/v1/taken-over`  a phone brings the act of a desk that took over: this desk stops

A follower uses a link only the first time. The secrets in an answer are sealed for a reader's key
that the follower's registered key has signed, so a copied question reveals no secrets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from cli import outside
from cli.languages.speaking import tr
from cli.machine.keyring import log_signer
from cli.serve.refusals import FRESH, Malformed, NotSignedIn, NotTheirs
from cli.serve.visitors import Lane, visitor_of, why_only_reads
from cli.succession.acts_of_desks import TakeOverLine, keep_taken_over
from cli.succession.questions_of_followers import (
    Applying,
    AskingFollower,
    Followed,
    reader_text,
    secrets_text,
)
from cli.succession.secrets import digest_of_secrets, plain_secrets, sealed_secrets
from cli.terminal.output import say
from ledger.errors import LedgerError, Refused
from ledger.problems import marked, problem
from ledger.proof.formats import SIGNATURE_BYTES, Invalid, is_signed, unbase64
from ledger.proof.notes import base64_of
from ledger.proof.signatures import LOG as LOG_ITSELF
from ledger.proof.signatures import is_follower
from ledger.rules.keys import RegisterKey
from ledger.rules.signing import signing_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.machine.checkpoint_file import StoredCheckpoint
    from cli.serve.hall import Hall
    from cli.serve.visitors import Visitor
    from ledger.proof.notes import Signer

Value = TypeVar("Value")

WAIT_SECONDS = 2.0
"""Maximum seconds to wait for news; the answer then has secrets that came without a line, too."""


class Followers:
    """Routes for the questions of followers."""

    def __init__(self, hall: Hall, announce: Callable[[str, str], None]) -> None:
        """Keep the hall, and `announce`, which shows a line on every page and screen."""
        self._hall, self._announce = hall, announce
        self.routes = [
            Route("/api/v1/followers", self.register, methods=["POST"]),
            Route("/api/v1/follow", self.follow, methods=["POST"]),
            Route("/api/v1/taken-over", self.taken_over, methods=["POST"]),
        ]

    async def register(self, request: Request) -> Response:
        """Register the key of a computer that is to follow, as a further key of the log."""
        visitor = await visitor_of(request)
        sent = await _read(request, Applying)
        if not visitor.official:
            text = marked("only the link of an organizer lets a computer follow")
            raise NotSignedIn(problem("follow.no_official", text))
        if visitor.only_reads:
            raise NotSignedIn(why_only_reads(visitor, self._hall.private_address))
        event = await self._hall.at_desk(
            lambda desk: _registered(desk, visitor, sent), Lane.WRITING
        )
        say(tr("another computer follows this tournament from event {event} on", event=event))
        return _json({"event": event})

    async def follow(self, request: Request) -> Response:
        """Answer a follower with what is new; wait a moment if there is nothing."""
        question = await _read(request, AskingFollower)
        position = self._hall.position
        news = await self._hall.at_desk(lambda desk: _news(desk, question))
        if news.fits and not news.lines and not news.secrets:
            await self._hall.news_after(position, WAIT_SECONDS)
            news = await self._hall.at_desk(lambda desk: _news(desk, question))
        return _json(news)

    async def taken_over(self, request: Request) -> Response:
        """Stop this desk if another one took over; the act is held to the keys of this log."""
        act = await _read(request, TakeOverLine)
        is_new = await self._hall.at_desk(lambda desk: keep_taken_over(desk.book, act))
        if is_new:
            text = tr(
                "Another computer took over this tournament. Nothing is entered here any more."
            )
            say(text)
            self._announce(text, outside.now())
            self._hall.wake()
        return _json({"kept": is_new})


async def _read(request: Request, kind: type[Value]) -> Value:
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = marked("this is not what a computer that follows sends")
        raise Malformed(problem("follow.malformed", text)) from None


def _registered(desk: Desk, visitor: Visitor, sent: Applying) -> int:
    """Register a further key of the log, signed with the log's own key; return the event."""
    book, heads = desk.book, desk.heads
    signer = _log_key(desk)
    if signer is None:
        text = marked("this computer cannot sign for the log, so no other one can follow it")
        raise Refused(problem("follow.no_key", text))
    heads.begin_act()
    book.guard, book.sign = heads.guard, signing_with({signer.key.public: signer})
    try:
        order = RegisterKey(LOG_ITSELF, sent.public, sent.proof)
        command_id = visitor.command_id(sent.id)
        recorded = book.act(order, by=visitor.by, command_id=command_id, at=outside.now)
    finally:
        book.sign = None
    heads.sign()
    return recorded[-1].seq if recorded else 0


def _news(desk: Desk, question: AskingFollower) -> Followed:
    """Return the lines, the head and the secrets that a follower does not have yet.

    Raises:
        NotTheirs: the follower's key is not registered in this log, or did not sign for its
            reader's key.
    """
    book = desk.book
    _check_key(desk, question)
    head, lines = _head(desk), book.lines
    covered = head.size if head is not None else 0
    fits = question.after <= covered
    if fits and question.after:
        fits = base64_of(book.tree_at(question.after).root()) == question.root
    new = [line.decode() for line in lines[question.after : covered]] if fits else []
    plain = plain_secrets(book.stream, desk.store().vault_items(book.stream))
    digest = digest_of_secrets(plain)
    sealed, voucher = b"", ""
    if digest != question.secrets and (signer := _log_key(desk)) is not None:
        sealed = sealed_secrets(plain, question.reader)
        voucher = base64_of(signer.sign(secrets_text(book.stream, digest)))
    note = head.note if head is not None else ""
    return Followed(len(lines), fits, new, note, digest, sealed, voucher)


def _log_key(desk: Desk) -> Signer | None:
    """Return the log's key if this computer has it and it is open; ask for no passphrase."""
    try:
        return log_signer(desk.book.stream) if desk.heads.has_key_in_use() else None
    except LedgerError:
        return None


def _check_key(desk: Desk, question: AskingFollower) -> None:
    tournament = desk.book.tournament
    try:
        public = unbase64(question.public)
        signature = unbase64(question.sig, SIGNATURE_BYTES)
    except Invalid:
        public = signature = b""
    key = tournament.keys.get(public)
    is_known = key is not None and not key.until and is_follower(tournament.keys, key)
    text = reader_text(desk.book.stream, question.reader)
    if not (is_known and is_signed(public, signature, text)):
        why = marked("no key of that computer is registered here, or it was revoked")
        raise NotTheirs(problem("follow.unknown", why))


def _head(desk: Desk) -> StoredCheckpoint | None:
    """Return the newest head; sign one first if lines are not covered yet and the key is open."""
    heads = desk.heads
    stored = heads.kept()
    if stored is not None and stored.size >= len(desk.book.lines):
        return stored
    try:
        return heads.sign() or stored
    except LedgerError:  # the log's key is locked, or the disk is full: the follower waits
        return stored


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)
