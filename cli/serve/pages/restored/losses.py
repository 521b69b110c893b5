"""Keep a loss next to the store: the words to compare, and the acts that phones offered.

    .tourney-restored    JSON: of each tournament, its loss and the offered acts

Nothing of it is part of the record: what is taken from it becomes ordinary acts.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct, structs

from cli import outside
from cli.languages.speaking import tr
from cli.serve.pages.restored.receipts import seat_of
from ledger.errors import Refused
from ledger.facts.base import Waiver  # noqa: TC001 - msgspec reads it
from ledger.facts.results import ResultCorrected
from ledger.facts.shared import Result  # noqa: TC001 - msgspec reads it
from ledger.files.access import first_bytes, whole_file
from ledger.problems import phrase
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import base64_of, six_words
from ledger.proof.signatures import origin_of
from ledger.tournament.disputes import current_claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.serve.pages.restored.receipts import CheckedAct, KeptAct
    from ledger.books.book import Book
    from ledger.proof.evidence import Prover
    from ledger.tournament.state import Match, Tournament

FILE = Path(".tourney-restored")
BYTES_MAX = 4_000_000
TOURNAMENTS_MAX = 20
LINK_MAX, OFFERS_MAX = 30, 2_000
"""Acts that are kept of one player, and in all."""

RESULT_BYTES_MAX = 2_000


class Offer(Struct, frozen=True):
    """An act that a phone offered, whose receipt held: whose it is, and its result of a match.

    Round, table and players are as the phone had them; `is_seated` if the receipt proves that the
    match of this number is the same one here.
    """

    id: str
    by: str
    player: int
    seq: int
    at: str
    match: int
    round: int
    table: int
    players: tuple[int, int]
    result: Result
    seat: int
    is_seated: bool
    waiver: Waiver | None = None
    is_correction: bool = False
    """Whether an official corrected a result by it: it speaks against reports of before."""

    is_left: bool = False
    """Whether the desk has decided not to take it."""


class Loss(Struct, frozen=True):
    """A loss that phones noticed: the events here at the first notice, and the events they saw."""

    size: int
    root: str
    words: tuple[str, ...]
    at: str
    seen: int
    offers: tuple[Offer, ...] = ()


class _File(Struct, frozen=True):
    tournaments: dict[str, Loss] = {}


class OfferNow(NamedTuple):
    """An offered act, and `why` it cannot be taken at present; empty if it fits."""

    offer: Offer
    why: str = ""


def loss_of(stream: str) -> Loss | None:
    """Return the loss of a tournament; None if no phone noticed one."""
    return _read().get(stream)


def note_loss(book: Book, prover: Prover, seen: int) -> Loss:
    """Record that a phone saw events that are missing from this log; return the loss.

    The words of the first notice remain, unless the log went back to before them.
    """
    before = loss_of(book.stream)
    if before is not None and _is_here(prover, before):
        if before.seen >= seen:
            return before
        updated = structs.replace(before, seen=seen)
    else:
        size = prover.size
        words = six_words(Checkpoint(origin_of(book.stream), size, prover.root(size)))
        offers = before.offers if before is not None else ()
        updated = Loss(size, base64_of(prover.root(size)), words, outside.now(), seen, offers)
    _keep(book.stream, updated)
    return updated


def _is_here(prover: Prover, loss: Loss) -> bool:
    return loss.size <= prover.size and base64_of(prover.root(loss.size)) == loss.root


def add_offers(book: Book, loss: Loss, acts: Sequence[tuple[KeptAct, CheckedAct]]) -> Loss:
    """Keep acts that were checked, each once.

    Raises:
        Refused: there are too many of one player, or in all, or the file cannot be written.
    """
    offers = {offer.id: offer for offer in loss.offers}
    for kept_act, act in acts:
        offer = _offer(kept_act, act)
        if offer.id in offers or len(msgspec.json.encode(offer)) > RESULT_BYTES_MAX:
            continue
        of_player = sum(offer.players[0] in earlier.players for earlier in offers.values())
        if of_player >= LINK_MAX or len(offers) >= OFFERS_MAX:
            raise Refused(phrase("the desk has enough results from phones: go to the desk"))
        offers[offer.id] = offer
    made_loss = structs.replace(loss, offers=tuple(offers.values()))
    if made_loss != loss:
        _keep(book.stream, made_loss)
    return made_loss


def _offer(kept_act: KeptAct, act: CheckedAct) -> Offer:
    recorded, event = act.recorded, act.event
    is_correction = isinstance(event, ResultCorrected)
    return Offer(
        recorded.command_id,
        recorded.by,
        0 if is_correction else int(recorded.by[1:]),
        recorded.seq,
        recorded.at,
        event.match,
        kept_act.round,
        kept_act.table,
        kept_act.players,
        event.result,
        kept_act.seat.place + 1,
        act.is_seated,
        None if isinstance(event, ResultCorrected) else event.waiver,
        is_correction,
    )


def leave(stream: str, ids: Sequence[str]) -> None:
    """Record that the desk does not take these acts."""
    loss = loss_of(stream)
    if loss is None:
        return
    offers = (
        structs.replace(offer, is_left=True) if offer.id in ids else offer for offer in loss.offers
    )
    _keep(stream, structs.replace(loss, offers=tuple(offers)))


def judged(tournament: Tournament, loss: Loss) -> list[OfferNow]:
    """Return the acts that are not on record here, each with why it is not taken, if so."""
    waiting = [offer for offer in loss.offers if offer.id not in tournament.ids]
    offers_now = [OfferNow(offer, _why_not(tournament, offer, waiting)) for offer in waiting]
    return sorted(
        offers_now,
        key=lambda offer_now: (offer_now.offer.round, offer_now.offer.table, offer_now.offer.seq),
    )


def match_of(tournament: Tournament, offer: Offer) -> Match | None:
    """Return the match of an act, if its receipt proves that it is the same one here."""
    number = offer.match
    if not (offer.is_seated and 0 < number < len(tournament.matches)):
        return None
    match = tournament.matches[number]
    if match.void:
        return None
    is_same = seat_of(tournament, match) == offer.seat
    seating = (match.round, match.table, (match.first, match.second))
    return match if is_same and seating == (offer.round, offer.table, offer.players) else None


def _why_not(tournament: Tournament, offer: Offer, others: Sequence[Offer]) -> str:
    match = match_of(tournament, offer)
    if offer.is_correction:
        return tr("an official corrected the result: enter it at the desk")
    if match is None:
        return tr("the table was paired or seated again after the copy")
    claim = current_claim(tournament, match)
    if claim is not None:
        is_same = claim.result == offer.result
        has_it = tr("the table has this result already")
        return has_it if is_same else tr("the table has another result now")
    if tournament.rounds[match.round - 1].status == "closed":
        return tr("the round is closed here")
    return _against(offer, others) or (tr("left to the judge") if offer.is_left else "")


def _against(offer: Offer, others: Sequence[Offer]) -> str:
    """Return why another receipt of the same match contradicts an act; empty if there is none."""
    of_match = [
        other_offer
        for other_offer in others
        if other_offer.match == offer.match and other_offer.is_seated
    ]
    if any(other_offer.is_correction and other_offer.seq > offer.seq for other_offer in of_match):
        return tr("an official corrected this result later")
    if any(other_offer.result != offer.result for other_offer in of_match):
        return tr("another receipt of this table has another result")
    return ""


@lru_cache(1)
def _read_at(_size: int, _changed: int) -> dict[str, Loss]:
    return msgspec.json.decode(first_bytes(FILE, BYTES_MAX), type=_File).tournaments


def _read() -> dict[str, Loss]:
    """Read the file, once for each content; an absent or damaged file has no losses."""
    try:
        status = FILE.stat()
        return _read_at(status.st_size, status.st_mtime_ns)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _keep(stream: str, loss: Loss) -> None:
    losses = {**_read(), stream: loss}
    losses = dict(list(losses.items())[-TOURNAMENTS_MAX:])
    try:
        with whole_file(FILE) as file:
            file.write(msgspec.json.encode(_File(losses)) + b"\n")
    except OSError as error:
        raise Refused(
            phrase("{path} cannot be written: {reason}", path=str(FILE), reason=str(error.strerror))
        ) from None
