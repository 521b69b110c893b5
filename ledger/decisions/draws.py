"""What draws rest on: the head of the start, random ranks; and slips held to the log."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.draws import head_text, no_slip_audit
from ledger.checks.references import table_of
from ledger.decisions.command import Command, Context, match_of
from ledger.decisions.results import StatedResult, result_from
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.draws import (
    HeadCosigned,
    HeadRecorded,
    RanksDrawn,
    SlipAuditBegun,
    SlipRead,
    SlipsDrawn,
)
from ledger.events.undo import ActWithdrawn
from ledger.lines.called_word import normalized
from ledger.problems import problem, remedy
from ledger.proof.notes import base64_of
from ledger.tournament.progress import next_ranks
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SlipAudit

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
            text = "the tournament has not started: no head of it is on record"
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
            text = "nothing was entered of the slip of {table}"
            raise Refused(problem("slips.not_read", text, table=table_of(match)))
        yield ActWithdrawn(read.seq, self.reason)


def _latest_audit(tournament: Tournament) -> SlipAudit:
    if not tournament.floor.slip_audits:
        raise Refused(no_slip_audit(0))
    return tournament.floor.slip_audits[-1]
