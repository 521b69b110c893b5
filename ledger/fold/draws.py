"""What the head of the start, the ranks and a slip audit do to the tournament."""

from __future__ import annotations

from ledger.events.draws import (
    HeadCosigned,
    HeadRecorded,
    RanksDrawn,
    SlipAuditBegun,
    SlipRead,
    SlipsDrawn,
)
from ledger.lines.recorded import Recorded
from ledger.tournament.progress import slips_before
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SlipAudit


def head_recorded(tournament: Tournament, event: HeadRecorded, _: Recorded) -> None:
    tournament.head = event


def head_cosigned(tournament: Tournament, event: HeadCosigned, _: Recorded) -> None:
    tournament.cosignature = event.cosignature


def ranks_drawn(tournament: Tournament, event: RanksDrawn, recorded: Recorded) -> None:
    for number, rank in enumerate(event.ranks, start=event.first):
        player = tournament.players[number]
        player.random_rank, player.rank_seq = rank, recorded.seq
    tournament.ranked += len(event.ranks)


def slip_audit_begun(tournament: Tournament, event: SlipAuditBegun, recorded: Recorded) -> None:
    results = {match.number: match.result for match in slips_before(tournament, event.stage)}
    known = {number: result for number, result in results.items() if result is not None}
    tournament.floor.slip_audits.append(SlipAudit(recorded.seq, event, known))


def undo_slip_audit_begun(tournament: Tournament, _: SlipAuditBegun, recorded: Recorded) -> None:
    audits = tournament.floor.slip_audits
    audits[:] = [each for each in audits if each.seq != recorded.seq]


def slips_drawn(tournament: Tournament, event: SlipsDrawn, recorded: Recorded) -> None:
    audit = tournament.floor.slip_audit(event.audit)
    if audit is not None:
        audit.word, audit.drawn = event.word, recorded.seq


def slip_read(tournament: Tournament, event: SlipRead, recorded: Recorded) -> None:
    audit = tournament.floor.slip_audit(event.audit)
    if audit is not None:
        audit.read[event.match] = recorded


def undo_slip_read(tournament: Tournament, event: SlipRead, _: Recorded) -> None:
    audit = tournament.floor.slip_audit(event.audit)
    if audit is not None:
        audit.read.pop(event.match, None)
