"""Make receipts for the results that a phone keeps, and check the receipts that it offers.

A receipt holds the line, its place under a signed head, and the line by which the players were
seated. The hashes to the left of that line's path cover all lines before it. If this log has the
same hashes and that line, both histories are equal up to it, so the match is the same match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Meta, Struct

from cli.machine.checkpoint_file import head_in
from cli.machine.renewals import Renewals, keys_signed_for, log_keys
from ledger.errors import InvalidLog, Refused
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.lines.line import read
from ledger.problems import marked, problem
from ledger.proof.evidence import HASHES_MAX
from ledger.proof.formats import (
    HASH_BYTES,
    NOTE_BYTES_MAX,
    Checkpoint,
    Invalid,
    leaf_hash,
    open_note,
    parse_note,
    unbase64,
    verify_inclusion,
)
from ledger.proof.notes import base64_of
from ledger.proof.signatures import origin_of
from ledger.tournament.disputes import current_claim
from ledger.tournament.progress import latest_match_of
from ledger.tournament.table_records import link_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.serve.visitors import Visitor
    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded
    from ledger.proof.evidence import Prover
    from ledger.tournament.state import Match, Tournament

LINE_MAX, HASH_MAX = 4_000, 44
KEY_DIGITS = 12

Hash = Annotated[str, Meta(max_length=HASH_MAX)]
Path = Annotated[tuple[Hash, ...], Meta(max_length=HASHES_MAX)]
Place = Annotated[int, Meta(ge=0, lt=1 << 40)]
Ordinal = Annotated[int, Meta(ge=1, le=1 << 20)]


class SeatProof(Struct, frozen=True, forbid_unknown_fields=True):
    """The line by which the players of a match were seated: its place, its hash, and its path."""

    place: Place
    leaf: Hash
    proof: Path


class KeptAct(Struct, frozen=True, forbid_unknown_fields=True):
    """A result that a phone keeps, without names."""

    line: Annotated[str, Meta(max_length=LINE_MAX)]
    place: Place
    proof: Path
    seat: SeatProof
    round: Ordinal
    table: Ordinal
    players: tuple[Ordinal, Ordinal]
    note: Annotated[str, Meta(max_length=NOTE_BYTES_MAX)]
    """The signed head that both paths lead to."""

    renewed: Renewals = ()
    """The lines that renewed the log's key up to there."""


class CheckedAct(NamedTuple):
    """An act whose receipt holds; `is_seated` if the match is the same here, from the seat on."""

    recorded: Recorded
    event: ResultReported | ResultCorrected
    is_seated: bool


def key_of(place: int, line: bytes) -> str:
    """Return the key of a line on a phone: its number, and the beginning of its hash."""
    return f"{place + 1}.{leaf_hash(line).hex()[:KEY_DIGITS]}"


def own_results(book: Book, visitor: Visitor) -> Iterator[tuple[Recorded, Match]]:
    """Yield the results in force at a player's tables that their phone keeps, the oldest first.

    They are what the player entered over a link, and what an official corrected: that speaks
    against a report of before.
    """
    tournament, player = book.tournament, visitor.player
    seqs = {
        played_round.seqs[player]
        for played_round in tournament.rounds
        if player < len(played_round.seqs) and played_round.seqs[player]
    }
    latest = latest_match_of(tournament, player)
    claim = current_claim(tournament, latest) if latest else None
    for seq in sorted(seqs | ({claim.seq} if claim else set())):
        recorded = book.recorded_at(seq)
        event = recorded.event
        if isinstance(event, ResultReported | ResultCorrected) and (
            isinstance(event, ResultCorrected) or _is_by(tournament, recorded, visitor.by)
        ):
            yield recorded, tournament.matches[event.match]


def _is_by(tournament: Tournament, recorded: Recorded, by: str) -> bool:
    """Return whether this player entered an event over one of the player's links."""
    link = tournament.floor.links.get(link_in(recorded.id))
    return recorded.by == by and link is not None and link.of == by


def receipt_for(
    book: Book, prover: Prover, seq: int, match: Match, note: str, renewed: Renewals
) -> KeptAct:
    """Make the receipt of an event under a signed head that covers it."""
    size = head_in(note.encode()).size

    def path(place: int) -> tuple[str, ...]:
        return tuple(base64_of(digest) for digest in prover.inclusion(place, size))

    seated = seat_of(book.tournament, match) - 1
    seat = SeatProof(seated, base64_of(prover.leaf(seated)), path(seated))
    line = book.lines[seq - 1].decode()
    place = match.round, match.table, (match.first, match.second)
    return KeptAct(line, seq - 1, path(seq - 1), seat, *place, note, renewed)


def seat_of(tournament: Tournament, match: Match) -> int:
    """Return the number of the latest event that seated a match."""
    played = tournament.rounds[match.round - 1]
    return played.reseated.get(match.number, played.paired_seq)


def checked(book: Book, prover: Prover, visitor: Visitor, act: KeptAct) -> CheckedAct:
    """Check an act that a phone offers.

    Raises:
        Refused: its receipt is not valid, or belongs to another player.
    """
    line = act.line.encode()
    head = _head(book, act)
    path, seat_path = _hashes(act.proof), _hashes(act.seat.proof)
    leaf = _hashes((act.seat.leaf,))[0]
    try:
        verify_inclusion(act.place, head.size, leaf_hash(line), path, head.root)
        verify_inclusion(act.seat.place, head.size, leaf, seat_path, head.root)
    except Invalid:
        text = marked("this receipt does not hold: its signed head does not cover the act")
        raise Refused(problem("offer.not_covered", text)) from None
    try:
        recorded = read(line)
    except (InvalidLog, UnicodeDecodeError):
        text = marked("this receipt does not hold: it is not of an act")
        raise Refused(problem("offer.no_act", text)) from None
    event = recorded.event
    is_correction = isinstance(event, ResultCorrected)
    is_theirs = is_correction or _is_by(book.tournament, recorded, visitor.by)
    if not (isinstance(event, ResultReported | ResultCorrected) and is_theirs) or (
        visitor.player not in act.players
    ):
        text = marked("only results that {by} reported over a link can be offered from this phone")
        raise Refused(problem("offer.others", text, by=visitor.by))
    if recorded.seq != act.place + 1 or act.seat.place >= act.place:
        text = marked("this receipt does not hold: it names another place of the log")
        raise Refused(problem("offer.misplaced", text))
    is_same = _is_same_until(prover, act.seat.place, head.size, leaf, seat_path)
    return CheckedAct(recorded, event, is_same)


def _head(book: Book, act: KeptAct) -> Checkpoint:
    """Return the head of a receipt.

    Raises:
        Refused: the head is missing, belongs to another log, or is not signed by the log's key.
    """
    try:
        head = head_in(act.note.encode())
    except (InvalidLog, Invalid):
        text = marked("this receipt does not hold: it has no signed head")
        raise Refused(problem("offer.no_head", text)) from None
    if head.origin != origin_of(book.stream):
        text = marked("this receipt is of another tournament")
        raise Refused(problem("offer.other_tournament", text))
    try:
        keys = keys_signed_for(log_keys(book, revoked=True), book.stream, act.renewed)
        open_note(parse_note(act.note.encode()), keys)
    except Invalid:
        text = marked("this receipt does not hold: the log's key did not sign its head")
        raise Refused(problem("offer.unsigned", text)) from None
    return head


def _hashes(texts: Sequence[str]) -> list[bytes]:
    try:
        return [unbase64(hash_text, HASH_BYTES) for hash_text in texts]
    except Invalid:
        text = marked("this receipt does not hold: a hash in it is damaged")
        raise Refused(problem("offer.damaged", text)) from None


def _is_same_until(prover: Prover, seat: int, size: int, leaf: bytes, proof: list[bytes]) -> bool:
    """Return whether the lines here are those of a checked path, up to and with its leaf.

    The left neighbours of a path, from the bottom up, are the path of the same leaf in the tree
    that ends with it.
    """
    if seat >= prover.size or prover.leaf(seat) != leaf:
        return False
    inner = (seat ^ (size - 1)).bit_length()
    left_hashes = [
        digest for level, digest in enumerate(proof) if level >= inner or seat >> level & 1
    ]
    return left_hashes == prover.inclusion(seat, seat + 1)
