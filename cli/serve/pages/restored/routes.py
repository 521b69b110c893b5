"""Answer phones after an older copy of the log was restored.

`POST /api/v1/restored`   a phone shows the head that this log does not have: the place of the six
                          words that it compares with those on the desk
`GET /api/v1/receipts`    a player's own acts with their receipts, for the phone to keep
`POST /api/v1/offers`     a phone offers these acts to a log without them
`/desk/offered`           the offered acts, which officials take or leave
`/desk/offered/sheet`     the offers that need a judge, to print
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cli.languages.speaking import marked, tr
from cli.machine.checkpoint_file import head_in
from cli.machine.keyring import proving
from cli.machine.renewals import RENEWALS_MAX, Renewal, keys_signed_for, log_keys
from cli.serve.acts import official_of, player_spoken_for
from cli.serve.forms import fields_of
from cli.serve.heads import KeptHead
from cli.serve.pages.frame import own_page
from cli.serve.pages.restored.desk_page import AROUND, offered_page, sheet_page
from cli.serve.pages.restored.losses import add_offers, judged, leave, loss_of, note_loss
from cli.serve.pages.restored.receipts import (
    KeptAct,
    checked,
    key_of,
    key_of_act,
    own_acts,
    receipt_for,
)
from cli.serve.refusals import FRESH, Malformed, NotTheirs
from cli.serve.visitors import visitor_of
from cli.terminal.problems import sentence_of
from cli.terminal.visible import marking_names
from ledger.books.book import Sent
from ledger.errors import LedgerError, Refused
from ledger.problems import phrase, problem
from ledger.proof.formats import open_note, parse_note
from ledger.proof.signatures import origin_of
from ledger.rules.restoring import ActAgain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from htpy import Node
    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from cli.serve.heads import SignedHeads
    from cli.serve.pages.restored.losses import Offer
    from cli.serve.pages.restored.receipts import CheckedAct
    from cli.serve.visitors import Visitor

Value = TypeVar("Value")

ACTS_MAX = 20
"""Acts in one offer, which is as many as a phone keeps."""

SEQ_DIGITS = 15
"""Digits of the highest number of an event."""

SEE_OTHER = 303


class RestoredAt(Struct, frozen=True):
    """The place whose six words are compared: the events here when a first phone missed some."""

    size: int
    root: str


class OwnReceipt(Struct, frozen=True):
    """An act of a player with its receipt, and the key that the phone gives it."""

    key: str
    act: KeptAct


class OwnReceipts(Struct, frozen=True):
    """Receipts for a phone. `undone` lists the phone's keys of acts that were undone.

    `missing` lists the ids of acts that the desk answered and this log lacks. `covered`: a signed
    head covers the phone's acts here, and the phone need not wait. `final`: the final head covers
    all events, and the phone deletes its acts.
    """

    acts: list[OwnReceipt]
    undone: list[str]
    missing: list[str]
    covered: bool
    final: bool


class OfferedActs(Struct, frozen=True, forbid_unknown_fields=True):
    """Acts that a phone offers; `nonce` makes each offer another one, so that its mark is fresh."""

    nonce: Annotated[str, Meta(min_length=8, max_length=48)]
    acts: Annotated[list[KeptAct], Meta(max_length=ACTS_MAX)]


class WeighedAct(Struct, frozen=True):
    """State of an offered act: it waits for the desk, is on record here, or is refused."""

    key: str
    state: Literal["waits", "recorded", "refused"]
    why: str = ""


class Weighed(Struct, frozen=True):
    """State of each offered act."""

    acts: list[WeighedAct]


class RestoredPaths:
    """The paths of a log of which an older copy was restored."""

    def __init__(self, hall: Hall, heads: SignedHeads) -> None:
        self._hall, self._heads = hall, heads
        self.routes = [
            Route("/api/v1/restored", self.place, methods=["POST"]),
            Route("/api/v1/receipts", self.receipts),
            Route("/api/v1/offers", self.offer, methods=["POST"]),
            Route("/desk/offered", self.shown),
            Route("/desk/offered", self.decide, methods=["POST"]),
            Route("/desk/offered/sheet", self.sheet),
        ]

    async def place(self, request: Request) -> Response:
        """Answer with the place of the six words, if this log lacks what a phone's head covers."""
        sent = await _read(request, KeptHead)
        return _json(await self._hall.at_desk(lambda desk: self._place(desk, sent)))

    def _place(self, desk: Desk, sent: KeptHead) -> RestoredAt:
        book, prover = desk.book, self._heads.prover(desk)
        with proving():
            head = head_in(sent.kept.encode())
            keys = keys_signed_for(log_keys(book, revoked=True), book.stream, sent.renewed)
            open_note(parse_note(sent.kept.encode()), keys)
        is_here = head.size <= prover.size and prover.root(head.size) == head.root
        if head.origin != origin_of(book.stream) or is_here:
            text = marked("this log has all that the head covers: nothing was restored")
            raise Refused(problem("restored.nothing_lost", text))
        loss = note_loss(book, prover, head.size)
        return RestoredAt(loss.size, loss.root)

    async def receipts(self, request: Request) -> Response:
        """Answer a player's phone with its own acts and their receipts."""
        visitor = await _player(request)
        have, sent = (
            [text for text in request.query_params.get(name, "").split(",") if text][:ACTS_MAX]
            for name in ("have", "sent")
        )
        return _json(
            await self._hall.at_desk(lambda desk: self._receipts(desk, visitor, have, sent))
        )

    def _receipts(
        self, desk: Desk, visitor: Visitor, have: Sequence[str], sent: Sequence[str]
    ) -> OwnReceipts:
        book, prover = desk.book, self._heads.prover(desk)
        player_acts = own_acts(book, visitor)[-ACTS_MAX:]
        last = [act.events[-1].seq for act in player_acts]
        keys = {
            key_of(seq - 1, book.lines[seq - 1]): act
            for seq, act in zip(last, player_acts, strict=True)
        }
        undone = [
            kept_key for kept_key in have if kept_key not in keys and _is_here(book.lines, kept_key)
        ]
        places = {own: book.tournament.ids.get(visitor.command_id(own), 0) for own in sent}
        missing = [own for own, place in places.items() if not place]
        head = self._heads.covering(desk, max((*last, *places.values()), default=0))
        if head is None:
            return OwnReceipts([], undone, missing, covered=False, final=False)
        covers = head_in(head.note.encode()).size
        renewed = msgspec.convert(head.renewed[-RENEWALS_MAX:], type=tuple[Renewal, ...])
        acts = [
            OwnReceipt(key, receipt_for(book, prover, act, head.note, renewed))
            for key, act in keys.items()
            if key not in have
        ]
        is_final = covers >= len(book.lines) and bool(book.tournament.finished)
        return OwnReceipts(acts, undone, missing, covered=True, final=is_final)

    async def offer(self, request: Request) -> Response:
        """Take what a phone offers, each act with its receipt; the desk decides later."""
        visitor = await _player(request)
        sent = await _read(request, OfferedActs)
        return _json(await self._hall.at_desk(lambda desk: self._weighed(desk, visitor, sent)))

    def _weighed(self, desk: Desk, visitor: Visitor, sent: OfferedActs) -> Weighed:
        book, prover = desk.book, self._heads.prover(desk)
        weighed: list[WeighedAct] = []
        good: list[tuple[KeptAct, CheckedAct]] = []
        for kept_act in sent.acts:
            key = key_of_act(kept_act)
            try:
                act = checked(book, prover, visitor, kept_act)
            except LedgerError as error:
                reasons = "; ".join(
                    sentence_of(problem_found, {}) for problem_found in error.problems
                )
                weighed.append(WeighedAct(key, "refused", reasons))
                continue
            if act.events[0].command_id in book.tournament.ids:
                weighed.append(WeighedAct(key, "recorded"))
                continue
            weighed.append(WeighedAct(key, "waits"))
            good.append((kept_act, act))
        if good:
            size = max(head_in(fitting.note.encode()).size for fitting, _ in good)
            add_offers(book, note_loss(book, prover, size), good)
        return Weighed(weighed)

    async def shown(self, request: Request) -> Response:
        """Show officials what was offered."""
        await official_of(request)
        return await self._page(request, offered_page)

    async def sheet(self, request: Request) -> Response:
        """Show officials what needs a judge, as a page to print."""
        await official_of(request)
        return await self._page(request, sheet_page)

    async def _page(
        self,
        request: Request,
        draw: Callable[[Desk, str], Node],
        problems: tuple[str, ...] = (),
    ) -> Response:
        count_text = request.query_params.get("said", "")

        def made(desk: Desk) -> str:
            with marking_names():
                content, title = draw(desk, count_text), tr("Acts from phones")
                return own_page(self._hall.heading, title, content, problems, AROUND)

        return HTMLResponse(await self._hall.at_desk(made), headers=FRESH)

    async def decide(self, request: Request) -> Response:
        """Take offered acts that fit, all or those that were ticked, or leave the rest."""
        visitor, fields = await official_of(request), fields_of(await request.body())
        names = {name.removeprefix("act-") for name in fields if name.startswith("act-")}
        fitting = await self._hall.at_desk(_fitting)
        if fields.get("what") == "none":
            stream = self._hall.event
            await self._hall.at_desk(lambda _: leave(stream, [offer.id for offer in fitting]))
            return RedirectResponse("/desk/offered?said=0", SEE_OTHER, FRESH)
        chosen = [offer for offer in fitting if fields.get("what") == "all" or offer.id in names]
        refused: list[str] = []
        for offer in chosen:
            command = ActAgain(offer.lines, offer.answers)
            try:
                by = visitor.acting_for(offer.player)
                await self._hall.enter_again(Sent(command, by, offer.id, offer.at))
            except LedgerError as error:
                names_now = await self._hall.view(lambda state: dict(state.names), visitor)
                refused += (sentence_of(refusal, names_now) for refusal in error.problems)
        if refused:
            return await self._page(request, offered_page, tuple(dict.fromkeys(refused)))
        return RedirectResponse(f"/desk/offered?said={len(chosen)}", SEE_OTHER, FRESH)


def _fitting(desk: Desk) -> list[Offer]:
    """Return the offered acts that fit, in the order in which they land."""
    loss = loss_of(desk.book.stream)
    offers = judged(desk.book, loss) if loss is not None else ()
    return [offer_now.offer for offer_now in offers if not offer_now.why]


def _is_here(lines: Sequence[bytes], key: str) -> bool:
    """Return whether a line that a phone names is at its place here."""
    number = key.partition(".")[0]
    if not (number.isascii() and number.isdecimal() and len(number) <= SEQ_DIGITS):
        return False
    place = int(number) - 1
    return 0 <= place < len(lines) and key_of(place, lines[place]) == key


async def _player(request: Request) -> Visitor:
    visitor = await visitor_of(request)
    player_spoken_for(visitor, "")
    if not visitor.player:
        text = marked("receipts are for players: sign in as a player")
        raise NotTheirs(problem("offer.no_player", text))
    return visitor


async def _read(request: Request, kind: type[Value]) -> Value:
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed(phrase("this is not what a phone offers")) from None


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)
