"""`audit`: one report on how the day was run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.input.moments import AsPosted, At, AtRound, AtTime, look_at
from cli.input.people import with_names
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from projections.audit.finding import AuditFinding
    from projections.audit.report import Audit

_FINDINGS = (
    Column("weight"),
    Column("what was found", flexible=True, wraps=True),
    Column("clause", yields=1),
    Column("events", flexible=True, wraps=True),
)
_CORRECTIONS = (
    Column("event", right=True),
    Column("table"),
    Column("why", flexible=True, wraps=True),
    Column("who moved", flexible=True, wraps=True),
)
_ACTS = (
    Column("who", flexible=True),
    Column("acts", right=True),
    Column("events", right=True),
    Column("of which", flexible=True, wraps=True),
)


def audit(
    context: typer.Context,
    html: Annotated[
        str, typer.Option("--html", metavar="FILE", help="Write it as one page for a browser.")
    ] = "",
    at: At = "",
    number: AtRound = "",
    time: AtTime = "",
    posted: AsPosted = False,
) -> None:
    """Report what departs from draw, clock and rules.

    Events changed since they were signed, rematches, byes, tables by hand, results edited late or
    by who plays, disputes, rulings without a clause, clocks that ran back; each correction and whom
    it moved; notes; and who did what.

        tourney audit
        tourney audit --html audit.html
    """
    from projections.audit.report import audit_as_json, audit_of

    desk = desk_of(context)
    desk.if_changed = "pass"  # it is a finding
    look_at(desk, at=at, number=number, time=time, posted=posted)
    changed = _changed(desk)
    read = audit_of(desk.book.recorded(), [changed] if changed else [])
    if html:
        from cli.render.audit import audit_page
        from ledger.files.access import write_whole

        write_whole(Path(html), [audit_page(read).encode()])
    if desk.json:
        show_json(with_names(read.tournament, audit_as_json(read)))
    elif not html:
        _show(read)
    _sum_up(read, html)


def _changed(desk: Desk) -> AuditFinding | None:
    """Hold the store's lines, not only those looked at, to the log's signed head."""
    from cli.heads.checkpoint_file import NotAsSigned
    from cli.heads.last_heads import known
    from projections.audit.finding import AuditFinding

    try:
        known(desk.stream).hold(desk.store().lines(desk.stream))
    except NotAsSigned as error:
        return AuditFinding("changed", (error.seq,) if error.seq else (), reason=str(error))
    return None


def _show(read: Audit) -> None:
    from cli.render.office_tables import NOTES, note_rows
    from cli.wording.audit_words import acts_row, correction_row, finding_in_words, seqs_in_words
    from projections.audit.kinds import kind_in

    tournament = read.tournament
    kinds = [kind_in(each.kind, tournament.ruleset) for each in read.findings]
    findings = [
        [
            kind.severity,
            finding_in_words(tournament, each),
            kind.clause,
            seqs_in_words(each.seqs),
        ]
        for kind, each in zip(kinds, read.findings, strict=True)
    ]
    corrections = [correction_row(tournament, each) for each in read.corrections]
    acts = [acts_row(tournament, each) for each in read.acts]
    parts = (
        ("findings", _FINDINGS, findings),
        ("corrections", _CORRECTIONS, corrections),
        ("notes", NOTES, note_rows(tournament)),
        ("who did what", _ACTS, acts),
    )
    for place, (title, columns, rows) in enumerate(part for part in parts if part[2]):
        show(*([""] if place else []), f"{title}:")
        show_table(columns, rows)


def _sum_up(read: Audit, html: str) -> None:
    from collections import Counter

    from projections.audit.kinds import SEVERITIES, kind_in

    rules = read.tournament.ruleset
    counted = Counter(kind_in(each.kind, rules).severity for each in read.findings)
    told = ", ".join(f"{counted[each]} {each}" for each in SEVERITIES if counted[each])
    where = f" | written to {html}" if html else ""
    say(f"{how_many(read.tournament.seq, 'event')}: {told or 'nothing found'}{where}")
