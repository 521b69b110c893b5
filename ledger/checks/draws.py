"""What the draws rest on: the head of the start, its cosignature, the random ranks."""

from __future__ import annotations

from ledger.checks.authority.signing import active
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.problems import Problems, problem
from ledger.proof import formats
from ledger.proof.acts import origin_of
from ledger.proof.evidence.notes import checkpoint_text
from ledger.tournament.progress import draws_wait_for, next_ranks
from ledger.tournament.state import Tournament


def head_text(tournament: Tournament, head: HeadRecorded) -> str:
    """Write the head as it is signed."""
    assert tournament.opening is not None  # noqa: S101 - the head covers it
    origin = origin_of(tournament.opening.tournament)
    return checkpoint_text(formats.Checkpoint(origin, head.size, bytes.fromhex(head.root)))


def head_recorded(tournament: Tournament, event: HeadRecorded) -> Problems:
    if tournament.head is not None:
        text = "the head of the start is on record: there is no second one"
        yield problem("start.head_recorded", text)
    elif not tournament.started or tournament.seq != tournament.start_seq:
        text = "the head of the start comes right after the word called out at the start"
        yield problem("start.head_late", text)
    elif event.size != tournament.seq:
        text = "the head of the start covers {lines} lines, not {size}"
        yield problem("start.head_size", text, lines=tournament.seq, size=event.size)
    elif event.signature and not _is_by_the_log(tournament, event):
        text = "the head of the start is not signed with the log's key"
        yield problem("start.head_unsigned", text)
    elif not event.signature and tournament.opening and tournament.opening.witness:
        text = "the witness cosigns what the log's key has signed: start at the desk that has it"
        yield problem("start.log_key_absent", text)


def root_problems(event: HeadRecorded, tree: formats.Tree | None) -> Problems:
    """Hold a recorded head to the tree of every line before it."""
    if tree is None or tree.root().hex() != event.root:
        text = "the head of the start has not the root of the lines before it"
        yield problem("start.head_root", text)


def _is_by_the_log(tournament: Tournament, event: HeadRecorded) -> bool:
    try:
        signature = formats.unbase64(event.signature, formats.SIGNATURE_BYTES)
    except formats.Invalid:
        return False
    text = head_text(tournament, event).encode()
    return any(formats.is_signed(held.public, signature, text) for held in active(tournament, 0))


def head_cosigned(tournament: Tournament, event: HeadCosigned) -> Problems:
    head = tournament.head
    if head is None or not tournament.witness:
        text = "no witness is named in the first event, or no head is on record to be cosigned"
        yield problem("start.no_witness", text)
    elif tournament.cosignature:
        text = "the witness has cosigned the head of the start: there is no second cosignature"
        yield problem("start.cosigned", text)
    elif not _is_by_the_witness(tournament, head, event):
        text = "this is not the witness's cosignature of the head of the start"
        yield problem("start.cosignature_wrong", text)


def _is_by_the_witness(tournament: Tournament, head: HeadRecorded, event: HeadCosigned) -> bool:
    try:
        data = formats.unbase64(event.cosignature, formats.TIME_BYTES + formats.SIGNATURE_BYTES)
        key = formats.parse_key(tournament.witness, formats.COSIGNATURE)
    except formats.Invalid:
        return False
    text = head_text(tournament, head)
    time = int.from_bytes(data[: formats.TIME_BYTES], "big")
    return time <= formats.TIME_MAX and formats.is_signed(
        key.public, data[formats.TIME_BYTES :], formats.cosigned(text, time)
    )


def ranks_drawn(tournament: Tournament, event: RanksDrawn) -> Problems:
    following = next_ranks(tournament)
    if not following:
        if waiting := draws_wait_for(tournament):
            yield waiting
        else:
            yield problem("ranks.drawn", "everybody has a random rank")
    elif (event.first, len(event.ranks)) != (following[0], len(following)):
        text = "the ranks of players {first} to {last} are drawn next, in one event"
        yield problem("ranks.next", text, first=following[0], last=following[-1])
