"""Make receipts for the acts of a player that a phone keeps, and check the receipts that it offers.

A receipt holds the lines of the act, their places under a signed head, and the line by which the
players were seated. The hashes to the left of that line's path cover all lines before it. If this
log has the same hashes and that line, both histories are equal up to it, so the match is the same
match. An act that answers another one, as a confirmation, also has the line of that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Meta, Struct

from cli.machine.checkpoint_file import head_in
from cli.machine.renewals import Renewals, keys_signed_for, log_keys
from ledger.errors import InvalidLog, Refused
from ledger.facts.results import ResultCorrected
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
from ledger.rules.restoring import KEPT
from ledger.tournament.disputes import current_claim
from ledger.tournament.progress import find_player, latest_match_of
from ledger.tournament.table_records import link_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.serve.visitors import Visitor
    from ledger.books.book import Book
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.proof.evidence import Prover
    from ledger.tournament.state import Match, Tournament

LINE_MAX, HASH_MAX = 4_000, 44
KEY_DIGITS = 12
EVENTS_MAX = 4
"""Events of one act: a player who leaves a match reports it, too."""

Hash = Annotated[str, Meta(max_length=HASH_MAX)]
Path = Annotated[tuple[Hash, ...], Meta(max_length=HASHES_MAX)]
Place = Annotated[int, Meta(ge=0, lt=1 << 40)]
Ordinal = Annotated[int, Meta(ge=0, le=1 << 20)]
Line = Annotated[str, Meta(max_length=LINE_MAX)]


class SeatProof(Struct, frozen=True, forbid_unknown_fields=True):
    """The line that ties an act to its players: its place, its hash, and its path."""

    place: Place
    leaf: Hash
    proof: Path


class ProvedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line with its place and its path."""

    line: Line
    place: Place
    proof: Path


class KeptAct(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that a phone keeps, without names.

    Round, table and second player are 0 for an act that is not about a match.
    """

    line: Line
    place: Place
    proof: Path
    seat: SeatProof
    round: Ordinal
    table: Ordinal
    players: tuple[Ordinal, Ordinal]
    note: Annotated[str, Meta(max_length=NOTE_BYTES_MAX)]
    """The signed head that all paths lead to."""

    renewed: Renewals = ()
    """The lines that renewed the log's key up to there."""

    rest: Annotated[tuple[ProvedLine, ...], Meta(max_length=EVENTS_MAX - 1)] = ()
    """The further lines of the act."""

    answers: ProvedLine | None = None
    """The line that the act answers."""


class CheckedAct(NamedTuple):
    """An act whose receipt holds; `is_seated` if the seat's line is the same here."""

    events: tuple[Recorded, ...]
    answered: Recorded | None
    is_seated: bool


class OwnAct(NamedTuple):
    """An act of a player that is in force; `match` is None if it is not about a match."""

    events: tuple[Recorded, ...]
    match: Match | None


def key_of(place: int, line: bytes) -> str:
    """Return the key of a line on a phone: its number, and the beginning of its hash."""
    return f"{place + 1}.{leaf_hash(line).hex()[:KEY_DIGITS]}"


def key_of_act(act: KeptAct) -> str:
    """Return what a phone calls an act: the key of its last line."""
    last = act.rest[-1] if act.rest else act
    return key_of(last.place, last.line.encode())


def own_acts(book: Book, visitor: Visitor) -> list[OwnAct]:
    """Return the acts in force that a player's phone keeps, the oldest first.

    They are what the player entered over a link, and what an official corrected at the player's
    tables: that speaks against a report of before.
    """
    acts = (*_over_links(book, visitor), *_corrections(book, visitor.player))
    fitting = (act for act in acts if _fits(book, act))
    return sorted(fitting, key=lambda act: act.events[-1].seq)


def _over_links(book: Book, visitor: Visitor) -> Iterator[OwnAct]:
    tournament = book.tournament
    links = tournament.floor.links.items()
    mine = tuple(f"w{number}-" for number, link in links if link.of == visitor.by)
    for command_id, first in tournament.ids.items():
        if not command_id.startswith(mine):
            continue
        mark = f'"id":"{command_id}'.encode()
        places = range(first, min(first + EVENTS_MAX, len(book.lines) + 1))
        recorded = [book.recorded_at(seq) for seq in places if mark in book.lines[seq - 1]]
        events = tuple(
            event
            for event in recorded
            if event.command_id == command_id
            and _is_by(tournament, event, visitor.by)
            and type(event.event) in KEPT
            and KEPT[type(event.event)].in_force(tournament, event.event, event.seq)
        )
        if events:
            yield OwnAct(events, _match_of(book, events[0]))


def _corrections(book: Book, player: int) -> Iterator[OwnAct]:
    tournament = book.tournament
    seqs = {
        played_round.seqs[player]
        for played_round in tournament.rounds
        if player < len(played_round.seqs) and played_round.seqs[player]
    }
    latest = latest_match_of(tournament, player)
    claim = current_claim(tournament, latest) if latest else None
    for seq in seqs | ({claim.seq} if claim else set()):
        if b'"ResultCorrected' not in book.lines[seq - 1]:
            continue
        recorded = book.recorded_at(seq)
        if isinstance(recorded.event, ResultCorrected):
            yield OwnAct((recorded,), tournament.matches[recorded.event.match])


def _is_by(tournament: Tournament, recorded: Recorded, by: str) -> bool:
    """Return whether an event was entered for this player over one of the player's links."""
    link = tournament.floor.links.get(link_in(recorded.command_id))
    return recorded.by.split("/")[-1] == by and link is not None and link.of == by


def _answered_by(recorded: Recorded) -> int:
    """Return the event that an event answers; 0 if it answers none."""
    keeping = KEPT.get(type(recorded.event))
    return getattr(recorded.event, keeping.answers) if keeping and keeping.answers else 0


def _match_of(book: Book, recorded: Recorded) -> Match | None:
    """Return the match that a player's act is about; None if there is none, or it was unpaired."""
    answered = _answered_by(recorded)
    events = [recorded.event, *([book.recorded_at(answered).event] if answered else ())]
    number = number_of_match(events[0], events[-1])
    return book.tournament.matches[number] if number else None


def number_of_match(event: Event, answered: Event | None) -> int:
    """Return the match that an act ties its players to, by the event that it answers; 0 if none."""
    keeping = KEPT.get(type(event))
    if keeping and keeping.to != "match":
        return 0
    return int(getattr(event, "match", 0) or getattr(answered, "match", 0))


def _fits(book: Book, act: OwnAct) -> bool:
    """Return whether a receipt has room for an act, and a seat that comes before it."""
    seqs = [event.seq for event in act.events]
    seqs += [answered for answered in map(_answered_by, act.events) if answered]
    is_short = all(len(book.lines[seq - 1]) <= LINE_MAX for seq in seqs)
    is_void = act.match is not None and act.match.void
    return is_short and not is_void and 0 < _seat_of_act(book.tournament, act) < seqs[0]


def _seat_of_act(tournament: Tournament, act: OwnAct) -> int:
    first = act.events[0]
    player = 0 if act.match else int(first.by.rpartition("p")[2])
    return seat_of(tournament, act.match, player, type(first.event))


def receipt_for(book: Book, prover: Prover, act: OwnAct, note: str, renewed: Renewals) -> KeptAct:
    """Make the receipt of an act under a signed head that covers it."""
    size = head_in(note.encode()).size

    def path(place: int) -> tuple[str, ...]:
        return tuple(base64_of(digest) for digest in prover.inclusion(place, size))

    def proved(seq: int) -> ProvedLine:
        return ProvedLine(book.lines[seq - 1].decode(), seq - 1, path(seq - 1))

    first, *others = act.events
    match, player = act.match, 0 if act.match else int(first.by.rpartition("p")[2])
    seated = _seat_of_act(book.tournament, act) - 1
    seat = SeatProof(seated, base64_of(prover.leaf(seated)), path(seated))
    line = proved(first.seq)
    answered = _answered_by(first)
    return KeptAct(
        line.line,
        line.place,
        line.proof,
        seat,
        match.round if match else 0,
        match.table if match else 0,
        (match.first, match.second) if match else (player, 0),
        note,
        renewed,
        tuple(proved(event.seq) for event in others),
        proved(answered) if answered else None,
    )


def seat_of(tournament: Tournament, match: Match | None, player: int, kind: type[Event]) -> int:
    """Return the latest event that ties an act to its players; 0 if there is none.

    It has seated the match, or registered the player, and opened the check-in.
    """
    if match is not None:
        played = tournament.rounds[match.round - 1]
        return played.reseated.get(match.number, played.paired_seq)
    player_now = find_player(tournament, player) if player else None
    registered = player_now.seq if player_now else 0
    if KEPT[kind].to != "check-in" or not registered:
        return registered
    latest = tournament.floor.check_ins[-1:]
    return max(registered, latest[0].seq) if latest else 0


def checked(book: Book, prover: Prover, visitor: Visitor, act: KeptAct) -> CheckedAct:
    """Check an act that a phone offers.

    Raises:
        Refused: its receipt is not valid, or belongs to another player.
    """
    head = _head(book, act)
    lines = [ProvedLine(act.line, act.place, act.proof), *act.rest]
    covered = [*lines, *((act.answers,) if act.answers else ())]
    seat_path, leaf = _hashes(act.seat.proof), _hashes((act.seat.leaf,))[0]
    try:
        for line in covered:
            digest = leaf_hash(line.line.encode())
            verify_inclusion(line.place, head.size, digest, _hashes(line.proof), head.root)
        verify_inclusion(act.seat.place, head.size, leaf, seat_path, head.root)
    except Invalid:
        text = marked("this receipt does not hold: its signed head does not cover the act")
        raise Refused(problem("offer.not_covered", text)) from None
    try:
        recorded = [read(line.line.encode()) for line in covered]
    except (InvalidLog, UnicodeDecodeError):
        text = marked("this receipt does not hold: it is not of an act")
        raise Refused(problem("offer.no_act", text)) from None
    events, answered = tuple(recorded[: len(lines)]), recorded[-1] if act.answers else None
    if not _are_theirs(book.tournament, visitor, act, events):
        text = marked("only acts that {by} entered over a link can be offered from this phone")
        raise Refused(problem("offer.others", text, by=visitor.by))
    if not _are_placed(act, events, answered):
        text = marked("this receipt does not hold: it names another place of the log")
        raise Refused(problem("offer.misplaced", text))
    is_same = _is_same_until(prover, act.seat.place, head.size, leaf, seat_path)
    return CheckedAct(events, answered, is_same)


def _are_theirs(
    tournament: Tournament, visitor: Visitor, act: KeptAct, events: Sequence[Recorded]
) -> bool:
    """Return whether an act is a player's own, or a correction at the player's table."""
    if visitor.player not in act.players:
        return False
    if isinstance(events[0].event, ResultCorrected):
        return len(events) == 1
    return all(
        type(recorded.event) in KEPT
        and recorded.command_id == events[0].command_id
        and _is_by(tournament, recorded, visitor.by)
        for recorded in events
    )


def _are_placed(act: KeptAct, events: Sequence[Recorded], answered: Recorded | None) -> bool:
    """Return whether lines name their places, and the place that the act answers."""
    places = [act.place, *(line.place for line in act.rest)]
    are_named = all(
        recorded.seq == place + 1 for recorded, place in zip(events, places, strict=True)
    )
    answers = answered.seq if answered else 0
    is_named = answered is None or (act.answers is not None and answers == act.answers.place + 1)
    is_ordered = places == sorted(set(places)) and act.seat.place < act.place
    return are_named and is_named and is_ordered and answers == _answered_by(events[0])


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
