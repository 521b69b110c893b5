"""What the draws rest on: the head of the start, its cosignature, the random ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks.signing import active
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.proof.acts import origin_of
from ledger.proof.evidence.notes import checkpoint_text
from ledger.proof.formats import (
    COSIGNATURE,
    SIGNATURE_BYTES,
    TIME_BYTES,
    TIME_MAX,
    Checkpoint,
    Invalid,
    cosigned,
    is_signed,
    parse_key,
    unbase64,
)
from ledger.tournament.progress import draws_wait_for, next_ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.proof.formats import Tree
    from ledger.tournament.state import Tournament


def head_text(tournament: Tournament, head: HeadRecorded) -> str:
    """Write the head as it is signed."""
    assert tournament.opening is not None  # noqa: S101 - the head covers it
    origin = origin_of(tournament.opening.tournament)
    return checkpoint_text(Checkpoint(origin, head.size, bytes.fromhex(head.root)))


def _recorded(tournament: Tournament, event: HeadRecorded) -> Iterator[str]:
    if tournament.head is not None:
        yield "the head of the start is on record: there is no second one"
    elif not tournament.started or tournament.seq != tournament.start_seq:
        yield "the head of the start comes right after the word, and nowhere else"
    elif event.size != tournament.seq:
        yield f"the head of the start covers {tournament.seq} lines, not {event.size}"
    elif event.signature and not _is_by_the_log(tournament, event):
        yield "the head of the start is not signed with the log's key"
    elif not event.signature and tournament.opening and tournament.opening.witness:
        yield (
            "the witness cosigns what the log's key has signed, and that is not here: start at the "
            "desk that has it"
        )


def root_problems(event: HeadRecorded, tree: Tree | None) -> Iterator[str]:
    """Hold a recorded head to the tree of every line before it."""
    if tree is None or tree.root().hex() != event.root:
        yield "the head of the start has not the root of the lines before it"


def _is_by_the_log(tournament: Tournament, event: HeadRecorded) -> bool:
    try:
        signature = unbase64(event.signature, SIGNATURE_BYTES)
    except Invalid:
        return False
    text = head_text(tournament, event).encode()
    return any(is_signed(held.public, signature, text) for held in active(tournament, 0))


def _cosigned(tournament: Tournament, event: HeadCosigned) -> Iterator[str]:
    head = tournament.head
    if head is None or not tournament.witness:
        yield "no witness is named in the first event, or no head is there to be cosigned"
    elif tournament.cosignature:
        yield "the witness has cosigned the head of the start: there is no second cosignature"
    elif not _is_by_the_witness(tournament, head, event):
        yield "this is not the witness's cosignature of the head of the start"


def _is_by_the_witness(tournament: Tournament, head: HeadRecorded, event: HeadCosigned) -> bool:
    try:
        data = unbase64(event.cosignature, TIME_BYTES + SIGNATURE_BYTES)
        key = parse_key(tournament.witness, COSIGNATURE)
    except Invalid:
        return False
    text = head_text(tournament, head)
    time = int.from_bytes(data[:TIME_BYTES], "big")
    return time <= TIME_MAX and is_signed(key.public, data[TIME_BYTES:], cosigned(text, time))


def _ranked(tournament: Tournament, event: RanksDrawn) -> Iterator[str]:
    following = next_ranks(tournament)
    if not following:
        yield draws_wait_for(tournament) or "everybody has a random rank"
    elif (event.first, len(event.ranks)) != (following[0], len(following)):
        yield f"the ranks of players {following[0]} to {following[-1]} are drawn next, in one event"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    HeadRecorded: _recorded,
    HeadCosigned: _cosigned,
    RanksDrawn: _ranked,
}
