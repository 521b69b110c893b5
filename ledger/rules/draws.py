"""The head of the start, random ranks and slips: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.errors import Refused
from ledger.facts.base import Event
from ledger.facts.draws import HeadCosigned, RanksDrawn, SlipRead, SlipsDrawn
from ledger.facts.keys import DeskTakenOver
from ledger.facts.shared import HeadRecorded, SlipAuditBegun
from ledger.facts.undo import ActWithdrawn
from ledger.pairing.shuffling import normalized, word_problem
from ledger.problems import Problem, Problems, Table, marked, problem, remedy
from ledger.proof import formats
from ledger.proof.notes import base64_of, checkpoint_text
from ledger.proof.signatures import origin_of
from ledger.rules.command import Command, Context, match_of
from ledger.rules.references import table_of
from ledger.rules.results import StatedResult, result_from, rules_problems
from ledger.rules.signing import active
from ledger.tournament.progress import (
    draws_wait_for,
    find_match,
    next_ranks,
    no_match,
    slips_before,
)
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SlipAudit

AnyHead = HeadRecorded | SlipAuditBegun


def head_text(tournament: Tournament, head: AnyHead) -> str:
    """Write the head as it is signed."""
    assert tournament.opening is not None  # noqa: S101 - the head covers it
    origin = origin_of(tournament.opening.tournament)
    return checkpoint_text(formats.Checkpoint(origin, head.size, bytes.fromhex(head.root)))


def head_recorded(tournament: Tournament, event: HeadRecorded) -> Problems:
    if tournament.head is not None:
        text = marked("the head of the start is already on record")
        yield problem("start.head_recorded", text)
    elif not tournament.started or tournament.seq != tournament.start_seq:
        text = marked(
            "the head of the start must be the next event after the start of the tournament"
        )
        yield problem("start.head_late", text)
    elif event.size != tournament.seq:
        text = marked("the head of the start must cover {lines} lines, not {size}")
        yield problem("start.head_size", text, lines=tournament.seq, size=event.size)
    elif event.signature and not _is_by_the_log(tournament, event):
        text = marked("the head of the start is not signed with the log's key")
        yield problem("start.head_unsigned", text)
    elif not event.signature and tournament.opening and tournament.opening.witness:
        text = marked(
            "the witness cosigns only a head signed with the log's key: start at the "
            "desk that has the key"
        )
        yield problem("start.log_key_absent", text)


def root_problems(event: AnyHead | DeskTakenOver, tree: formats.Tree | None) -> Problems:
    """Hold a recorded head to the tree of every line before it."""
    if tree is not None and tree.root().hex() == event.root:
        return
    if isinstance(event, SlipAuditBegun):
        yield problem("slips.head_root", "the root of the head does not match the lines before it")
    elif isinstance(event, DeskTakenOver):
        text = marked("the root of the head that it continues does not match the lines before it")
        yield problem("takeover.root", text)
    else:
        text = marked("the root of the head of the start does not match the lines before it")
        yield problem("start.head_root", text)


def _is_by_the_log(tournament: Tournament, event: AnyHead) -> bool:
    try:
        signature = formats.unbase64(event.signature, formats.SIGNATURE_BYTES)
    except formats.Invalid:
        return False
    text = head_text(tournament, event).encode()
    return any(formats.is_signed(held.public, signature, text) for held in active(tournament, 0))


def head_cosigned(tournament: Tournament, event: HeadCosigned) -> Problems:
    head = tournament.head
    if head is None or not tournament.witness:
        text = marked(
            "there is nothing to cosign: the first event names no witness, or no head is on record"
        )
        yield problem("start.no_witness", text)
    elif tournament.cosignature:
        text = marked("the witness has already cosigned the head of the start")
        yield problem("start.cosigned", text)
    elif not _is_by_the_witness(tournament, head, event):
        text = marked("this is not the witness's cosignature of the head of the start")
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
            yield problem("ranks.drawn", "all players already have a random rank")
    elif (event.first, len(event.ranks)) != (following[0], len(following)):
        text = marked("the next ranks to draw are those of players {first} to {last}, in one event")
        yield problem("ranks.next", text, first=following[0], last=following[-1])


def slip_audit_begun(tournament: Tournament, event: SlipAuditBegun) -> Problems:
    yield from not_cut_by_results(tournament, event.stage)
    begun = next((a for a in tournament.floor.slip_audits if a.begun.stage == event.stage), None)
    if begun is not None:
        text = marked(
            "the slips of this cut are already being audited (event {event}): slips are "
            "drawn only once"
        )
        yield problem("slips.begun", text, event=begun.seq)
    if event.size != tournament.seq:
        text = marked("the head must cover {lines} lines, not {size}")
        yield problem("slips.head_size", text, lines=tournament.seq, size=event.size)
    elif event.signature and not _is_by_the_log(tournament, event):
        yield problem("slips.head_unsigned", "the head is not signed with the log's key")


def not_cut_by_results(tournament: Tournament, stage: int) -> Problems:
    """Yield why no slips say who makes a cut: none is announced, or results are missing."""
    if not 1 < stage <= len(tournament.stages) or not _goes_by_rank(tournament, stage):
        text = marked(
            "stage {stage} does not begin with a cut by the standings: there are no slips to audit"
        )
        yield problem("slips.no_cut", text, clause="FFG-ANNOUNCE", stage=stage)
        return
    slips = slips_before(tournament, stage)
    missing = next((match for match in slips if not match.result), None)
    if missing is not None:
        text, table = marked("{table} has no result that counts yet"), table_of(missing)
        yield problem(
            "slips.result_missing", text, table=table, remedy=remedy("report", table=table)
        )
    elif not slips:
        yield problem("slips.none", "no match was played before this cut: there are no slips")


def _goes_by_rank(tournament: Tournament, stage: int) -> bool:
    before, cut = tournament.stages[stage - 2 : stage]
    return before.is_swiss and cut.plan.entry in {"top", "points"}


def slips_drawn(tournament: Tournament, event: SlipsDrawn) -> Problems:
    audit = tournament.floor.slip_audit(event.audit)
    if not audit:
        yield no_slip_audit(event.audit)
    elif audit.drawn:
        text = marked('the slips were already drawn with the word "{word}" (event {event})')
        yield problem("slips.drawn", text, word=audit.word, event=audit.drawn)
    elif not event.word:
        yield problem("slips.no_word", "the word that is called out must not be empty")
    elif normalized(event.word) != event.word:
        yield problem(
            "slips.word_spelling",
            "the word must be in lower case and normalized Unicode (NFC), without extra spaces",
        )
    elif wrong := word_problem(event.word):
        yield problem("slips.word", "{why}", why=wrong)


def no_slip_audit(seq: int) -> Problem:
    """Say that no slip audit has begun."""
    way = remedy("audit.begin")
    if not seq:
        return problem("slips.not_begun", "no slip audit has begun", remedy=way)
    return problem(
        "slips.unknown", "event {event} did not begin a slip audit", remedy=way, event=seq
    )


def slip_read(tournament: Tournament, event: SlipRead) -> Problems:
    audit, match = tournament.floor.slip_audit(event.audit), find_match(tournament, event.match)
    if not audit:
        yield no_slip_audit(event.audit)
    elif not match:
        yield no_match(event.match)
    elif match.number not in audit.results:
        text, table = marked("{table} has no slip in this audit"), table_of(match)
        yield problem("slips.not_in_audit", text, table=table)
    elif not audit.drawn:
        text = marked("slips can be read only after the word is called out")
        yield problem("slips.not_drawn", text, remedy=remedy("audit.draw"))
    else:
        yield from _contradicts(audit, event, table_of(match))
        if event.result is not None:
            yield from rules_problems(tournament, match, event.result)


def _contradicts(audit: SlipAudit, event: SlipRead, table: Table) -> Problems:
    """A slip is read once; of two that say different things neither counts."""
    if (before := audit.read.get(event.match)) is not None:
        text = marked(
            "the slip of {table} was already read (event {event}): withdraw that entry "
            "first; a slip that is illegible, or contradicts another slip of the table, "
            "counts as missing"
        )
        ways = (remedy("audit.withdraw", table=table), remedy("audit.missing", table=table))
        yield problem("slips.read", text, remedy=ways, table=table, event=before.seq)


RANK = "random-rank@1"


def recorded_head(tournament: Tournament, context: Context) -> HeadRecorded:
    """Make the head that covers the word, signed where the log's key is at hand."""
    unsigned = HeadRecorded(context.tree.size, context.tree.root().hex())
    if context.sign_head is None:
        return unsigned
    signature = context.sign_head(head_text(tournament, unsigned).encode())
    return HeadRecorded(unsigned.size, unsigned.root, base64_of(signature))


def drawn_ranks(tournament: Tournament, context: Context) -> Iterator[Event]:
    """Draw the random ranks of everyone who has none, unless something comes before them."""
    while following := next_ranks(tournament):
        ranks = [rank_of(tournament, context, number) for number in following]
        yield RanksDrawn(following[0], tuple(ranks))


def rank_of(tournament: Tournament, context: Context, number: int) -> int:
    """Draw the random rank of one player."""
    return context.draws(tournament, RANK, number).random_rank()


class CosignHead(Command, frozen=True):
    """Record the witness's cosignature of the head of the start, in base64; the ranks are drawn."""

    cosignature: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if self.cosignature == tournament.cosignature != "":
            return
        if tournament.head is None:
            text = marked("the tournament has not started: there is no head to cosign")
            raise Refused(problem("start.none", text, remedy=remedy("start")))
        yield HeadCosigned(self.cosignature)
        yield from drawn_ranks(tournament, context)


class BeginSlipAudit(Command, frozen=True):
    """Put the head on record that is shown before slips are drawn; the risk is in millionths."""

    stage: int
    risk: int

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        begun = tournament.floor.slip_audits[-1:]
        asked = self.stage, self.risk
        if any((a.begun.stage, a.begun.risk) == asked and not a.drawn for a in begun):
            return
        head = recorded_head(tournament, context)
        yield SlipAuditBegun(*asked, head.size, head.root, head.signature)


class DrawSlips(Command, frozen=True):
    """Draw the slips of the audit that has begun, by a word as it was called out."""

    word: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        audit, word = _latest_audit(tournament), normalized(self.word)
        if not audit.drawn or audit.word != word:
            yield SlipsDrawn(audit.seq, word)


class ReadSlip(Command, frozen=True):
    """Say what a slip says: a result, or what was on record; without either it is missing."""

    match: int
    result: StatedResult | None = None
    agrees: bool = False
    note: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        audit, match = _latest_audit(tournament), match_of(tournament, self.match)
        known = audit.results.get(match.number) if self.agrees else None
        result = result_from(tournament, match, self.result) if self.result else known
        before = audit.read.get(match.number)
        said = SlipRead(audit.seq, match.number, result, self.note)
        if not before or before.event != said:
            yield said


class WithdrawSlip(Command, frozen=True):
    """Take back what was entered of a slip."""

    match: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        audit, match = _latest_audit(tournament), match_of(tournament, self.match)
        read = audit.read.get(match.number)
        if not read:
            text = marked("there is no entry for the slip of {table}")
            raise Refused(problem("slips.not_read", text, table=table_of(match)))
        yield ActWithdrawn(read.seq, self.reason)


def _latest_audit(tournament: Tournament) -> SlipAudit:
    if not tournament.floor.slip_audits:
        raise Refused(no_slip_audit(0))
    return tournament.floor.slip_audits[-1]
