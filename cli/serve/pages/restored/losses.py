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
from cli.serve.pages.restored.receipts import number_of_match, seat_of
from cli.terminal.problems import sentence_of
from ledger.books.admission import admit
from ledger.errors import LedgerError, Refused
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.files.access import first_bytes, whole_file
from ledger.lines.line import read
from ledger.problems import phrase
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import base64_of, six_words
from ledger.proof.signatures import origin_of
from ledger.rules.restoring import KEPT, ActAgain, is_undo, place_of
from ledger.tournament.disputes import current_claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.serve.pages.restored.receipts import CheckedAct, KeptAct
    from ledger.books.book import Book
    from ledger.facts.base import Event
    from ledger.facts.shared import Result
    from ledger.lines.recorded import Recorded
    from ledger.proof.evidence import Prover
    from ledger.tournament.state import Match, Tournament

FILE = Path(".tourney-restored")
BYTES_MAX = 8_000_000
TOURNAMENTS_MAX = 20
LINK_MAX, OFFERS_MAX = 60, 2_000
"""Acts that are kept of one player, and in all."""


class Offer(Struct, frozen=True):
    """An act that a phone offered, whose receipt held: whose it is, and its lines.

    Match, round, table and second player are 0 for an act that is not about a match, and as the
    phone had them for any other. `answers` is the line that the act answers; `is_seated` if the
    receipt proves that the line of the seat is the same one here.
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
    lines: tuple[str, ...]
    answers: str
    seat: int
    is_seated: bool
    is_left: bool = False
    """Whether the desk has decided not to take it."""

    @property
    def event(self) -> Event:
        """The first event of the act."""
        return event_in(self.lines[0])

    @property
    def answered(self) -> Recorded | None:
        """The event that the act answers; None if it answers none."""
        return read(self.answers.encode()) if self.answers else None

    @property
    def result(self) -> Result | None:
        """The result of the match that the act reports or corrects; None for another act."""
        event = self.event
        return event.result if isinstance(event, ResultReported | ResultCorrected) else None

    @property
    def is_correction(self) -> bool:
        """Whether an official corrected a result by it: it speaks against reports of before."""
        return isinstance(self.event, ResultCorrected)


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


@lru_cache(OFFERS_MAX)
def event_in(line: str) -> Event:
    """Return the event of a line, without opening its sealed texts."""
    return read(line.encode()).event


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
    """Keep acts that were checked, each once; of two receipts of an act, the one with more lines.

    Raises:
        Refused: there are too many of one player, or in all, or the file cannot be written.
    """
    offers = {offer.id: offer for offer in loss.offers}
    for kept_act, act in acts:
        offer = _offer(kept_act, act)
        if offer.id in offers:
            if len(offers[offer.id].lines) < len(offer.lines):
                offers[offer.id] = structs.replace(offer, is_left=offers[offer.id].is_left)
            continue
        of_player = sum(offer.players[0] in earlier.players for earlier in offers.values())
        if of_player >= LINK_MAX or len(offers) >= OFFERS_MAX:
            raise _enough()
        offers[offer.id] = offer
    made_loss = structs.replace(loss, offers=tuple(offers.values()))
    if made_loss != loss:
        _keep(book.stream, made_loss)
    return made_loss


def _enough() -> Refused:
    return Refused(phrase("the desk has enough acts from phones: go to the desk"))


def _offer(kept_act: KeptAct, act: CheckedAct) -> Offer:
    first, answered = act.events[0], act.answered
    is_correction = isinstance(first.event, ResultCorrected)
    match = number_of_match(first.event, answered.event if answered else None)
    player = 0 if is_correction else int(first.by.rpartition("p")[2])
    return Offer(
        first.command_id,
        first.by,
        player,
        first.seq,
        first.at,
        match,
        kept_act.round if match else 0,
        kept_act.table if match else 0,
        kept_act.players if match else (player, 0),
        (kept_act.line, *(line.line for line in kept_act.rest)),
        kept_act.answers.line if kept_act.answers else "",
        kept_act.seat.place + 1,
        act.is_seated,
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


def waiting_in(tournament: Tournament, loss: Loss) -> list[Offer]:
    """Return the acts that are not in this log, in the order of their receipts' times."""
    waiting = (offer for offer in loss.offers if offer.id not in tournament.ids)
    return sorted(waiting, key=lambda offer: (offer.at, offer.seq))


def judged(book: Book, loss: Loss) -> list[OfferNow]:
    """Return the acts that are not in this log, each with the reason if it cannot be taken.

    They are tried in the order in which they would land, so that an act can rest on one before it.
    Acts without an effect are left out, also those that undo an act from outside of this log.
    """
    waiting = waiting_in(book.tournament, loss)
    trial, offers_now = _Trial(book), []
    for offer in waiting:
        reason = _why_not(book, trial.tournament, offer, waiting)
        if not reason and _undoes_nothing(trial.tournament, offer):
            continue
        obstacle = reason or trial.why_not(offer)
        if obstacle is not None:
            offers_now.append(OfferNow(offer, obstacle))
    return offers_now


class _Trial:
    """A copy of the tournament in which acts land one after the other, and nothing is written."""

    def __init__(self, book: Book) -> None:
        self._book, self._landed = book, list[Offer]()
        self._begin()

    def _begin(self) -> None:
        book = self._book
        self.tournament = book.at(len(book.lines))
        self._context = structs.replace(book.context(), tree=book.tree_at(len(book.lines)))

    def _admit(self, offer: Offer) -> list[Recorded]:
        command, state = ActAgain(offer.lines, offer.answers), self.tournament
        by, act_id, at = offer.by, offer.id, offer.at
        return admit(command, state, self._context, by=by, command_id=act_id, at=at)

    def why_not(self, offer: Offer) -> str | None:
        """Let an act land; return why it cannot, "" if it did, and None if it is so already."""
        seq = self.tournament.seq
        try:
            done = self._admit(offer)
        except LedgerError as error:
            names = dict(self.tournament.names)
            if self.tournament.seq != seq:  # in part
                self._begin()
                for landed in self._landed:
                    self._admit(landed)
            return "; ".join(sentence_of(refusal, names) for refusal in error.problems)
        self._landed.append(offer)
        return "" if done else None


def match_of(tournament: Tournament, offer: Offer) -> Match | None:
    """Return the match of an act, if its receipt proves that it is the same one here."""
    number = offer.match
    if not (offer.is_seated and 0 < number < len(tournament.matches)):
        return None
    match = tournament.matches[number]
    if match.void or seat_of(tournament, match, 0, type(offer.event)) != offer.seat:
        return None
    seating = (match.round, match.table, (match.first, match.second))
    return match if seating == (offer.round, offer.table, offer.players) else None


def is_of_same_player(tournament: Tournament, offer: Offer) -> bool:
    """Return whether an act without a match is of the same player, and the same check-in."""
    seat = seat_of(tournament, None, offer.player, type(offer.event))
    return offer.is_seated and offer.match == 0 and seat == offer.seat


def _undoes_nothing(tournament: Tournament, offer: Offer) -> bool:
    answered = offer.answered if is_undo(offer.event) else None
    return answered is not None and not place_of(tournament, answered)


def _why_not(book: Book, tournament: Tournament, offer: Offer, others: Sequence[Offer]) -> str:
    if offer.is_correction:
        return tr("an official corrected the result: enter it at the desk")
    if offer.match and match_of(tournament, offer) is None:
        return tr("the table was paired or seated again after the copy")
    if not offer.match and not is_of_same_player(tournament, offer):
        return tr("the player or the check-in is not the same here")
    reason = _why_no_report(tournament, offer, others) if offer.result else ""
    if replaces := KEPT[type(offer.event)].replaces:
        current = replaces(book.tournament, offer.player)
        if current and book.recorded_at(current).at > offer.at:
            reason = tr("the player submitted a newer list here")
    return reason or (tr("left to the judge") if offer.is_left else "")


def _why_no_report(tournament: Tournament, offer: Offer, others: Sequence[Offer]) -> str:
    match = tournament.matches[offer.match]
    claim = current_claim(tournament, match)
    if claim is not None:
        is_same = claim.result == offer.result
        has_it = tr("the table has this result already")
        return has_it if is_same else tr("the table has another result now")
    if tournament.rounds[match.round - 1].status == "closed":
        return tr("the round is closed here")
    return _against(offer, others)


def _against(offer: Offer, others: Sequence[Offer]) -> str:
    """Return why another receipt of the same match contradicts a report; empty if there is none."""
    of_match = [
        other_offer
        for other_offer in others
        if other_offer.match == offer.match and other_offer.is_seated and other_offer.result
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
    content = msgspec.json.encode(_File(losses)) + b"\n"
    if len(content) > BYTES_MAX:
        raise _enough()
    try:
        with whole_file(FILE) as file:
            file.write(content)
    except OSError as error:
        raise Refused(
            phrase("{path} cannot be written: {reason}", path=str(FILE), reason=str(error.strerror))
        ) from None
