"""Draws and slips: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.facts import base
from ledger.facts.base import (
    DESK,
    LEADERS,
    ORGANIZER,
    RANKS_MAX,
    WORD_MAX,
    Event,
    Number,
    Recording,
)
from ledger.facts.shared import HeadRecorded, Result, Signature, SlipAuditBegun
from ledger.problems import marked, remedy
from ledger.tournament.progress import slips_before
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SlipAudit

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

Rank = Annotated[int, Meta(ge=0, lt=RANKS_MAX)]


class HeadCosigned(Event, frozen=True):
    """The witness that the first event names cosigned the recorded head: once.

    `cosignature` is the time in 8 bytes and the signature of 64.
    """

    recording = Recording(
        marked("recording the witness's cosignature"),
        ORGANIZER,
        stays=marked("the cosignature and its draws are final"),
    )

    cosignature: Signature


class RanksDrawn(Event, frozen=True):
    """The random ranks of players in order of their numbers, from number `first` on.

    They break exact ties for good, the lowest first.
    """

    recording = Recording(
        marked("drawing the random ranks"),
        ORGANIZER,
        instead=remedy("start.change.to"),
        stays=marked("a draw is final"),
    )

    first: Number
    ranks: tuple[Rank, ...]


class SlipsDrawn(Event, frozen=True):
    """A word was called out once the head of a slip audit had been shown.

    The order in which slips are pulled follows from both; `audit` is the event that began it.
    """

    recording = Recording(
        marked("drawing slips"),
        DESK | LEADERS,
        after_finish=True,
        stays=marked("the word was called out"),
    )

    audit: base.Seq
    word: Annotated[str, Meta(min_length=1, max_length=WORD_MAX)]


class SlipRead(Event, frozen=True):
    """A slip was pulled and read: the result that it gives its match; without one it is missing.

    A slip that nobody can read, and slips of one table that say different things, are missing too.
    """

    recording = Recording(
        marked("reading a slip"), DESK | LEADERS, after_finish=True, withdrawable=True
    )

    audit: base.Seq
    match: base.Ordinal
    result: Result | None = None
    note: base.Text = ""


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
