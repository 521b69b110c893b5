"""`audit`: one report on how the day was run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.moments import AS_IT_IS, AtRound, look_at
from cli.input.options import flag, option
from cli.render.records import as_read, refuse_csv, show_records, shows_table
from cli.terminal.output import say, show, show_table
from cli.terminal.visible import how_many
from cli.verbs.view.slip_audit import CutStage, Risk  # noqa: TC001 - the parser resolves them
from cli.wording.phrases import game_in_words, rules_in_words
from ledger.errors import Refused
from ledger.rules.draws import not_cut_by_results

if TYPE_CHECKING:
    from projections.audit.findings import AuditFinding
    from projections.audit.report import Audit


@shows_table
def audit(
    desk: Desk,
    html: Annotated[
        OutFile, option("FILE", "Write it as one page for a browser.", "--html")
    ] = NO_OUTPUT,
    slips: Annotated[
        bool,
        flag("--slips", "How many paper slips are to be held to the log, and how far that is."),
    ] = False,
    risk: Risk = "",
    margin: Annotated[
        bool, flag("--margin", "How few wrongly entered results would change the cut, and which.")
    ] = False,
    stage: CutStage = "",
    as_of: AtRound = AS_IT_IS,
) -> None:
    """Report what departs from draw, clock and rules.

    Events changed since they were signed, rematches, byes, tables by hand, results edited late or
    by who plays, disputes, rulings without a clause, clocks that ran back; each correction and whom
    it moved; notes; and who did what.

        tourney audit
        tourney audit --html audit.html
        tourney audit --margin
        tourney audit --slips --risk 5%
    """
    from projections.audit.report import audit_of

    if slips or margin or risk or stage:
        if slips == margin or html or (risk and not slips):
            raise UsageError(
                "--slips with its --risk, --margin, --html: one of them; --stage is of a cut"
            )
        refuse_csv(desk, "--slips" if slips else "--margin")
        _of_the_cut(desk, as_of, risk, stage, margin=margin)
        return
    desk.if_changed = "pass"  # it is a finding
    look_at(desk, as_of)
    changed = _changed(desk)
    read = audit_of(desk.book.recorded(), [changed] if changed else [])
    if html:
        from functools import partial

        from cli.render.evidence_pages import audit_page
        from ledger.tournament.lists.hidden_hands import as_seen

        refuse_csv(desk, "--html")
        page = audit_page(read, partial(as_seen, read.tournament, desk.by))
        desk.files.write(html, [page.encode()])
    if desk.json or not html:
        _show(desk, read)
    _sum_up(read, html)


def _of_the_cut(desk: Desk, as_of: AtRound, risk: str, typed: str, *, margin: bool) -> None:
    """Say how few wrong results change the cut, or how many slips are to be held to the log."""
    from cli.render.audit_tables import show_margin, show_plan, show_status
    from cli.verbs.view.slip_audit import RISK, risk_of, stage_of_cut

    limit, tournament = risk_of(risk or RISK), look_at(desk, as_of)
    stage = stage_of_cut(tournament, typed)
    audits = [each for each in tournament.floor.slip_audits if each.begun.stage == stage.number]
    if against := list(not_cut_by_results(tournament, stage.number)):
        raise Refused(*against)
    if margin:
        show_margin(desk, stage)
    elif audits and not risk:
        show_status(desk, audits[-1])
    else:
        show_plan(desk, stage, limit)


def _changed(desk: Desk) -> AuditFinding | None:
    """Hold the store's lines, not only those looked at, to the log's signed head."""
    from cli.machine.checkpoint_file import NotAsSigned
    from cli.machine.last_heads import known
    from projections.audit.findings import AuditFinding

    try:
        known(desk.stream).hold(desk.store().lines(desk.stream), desk.store().where)
    except NotAsSigned as error:
        return AuditFinding("changed", (error.seq,) if error.seq else (), reason=str(error))
    return None


def _show(desk: Desk, read: Audit) -> None:
    """Print the tables that have anything in them; to a spreadsheet the findings alone."""
    from cli.render.audit_tables import audit_sections, audit_value, finding_columns

    if not desk.options.for_person:
        columns = finding_columns(read.tournament)
        show_records(
            desk,
            columns,
            read.findings,
            json=lambda: audit_value(read),
        )
        return
    sections = [each for each in audit_sections(read) if each.records and not each.is_for_page]
    for place, each in enumerate(sections):
        show(*([""] if place else []), f"{each.title.lower()}:")
        show_table(*as_read(each.columns, each.records))


def _sum_up(read: Audit, html: OutFile) -> None:
    from collections import Counter

    from ledger.rulesets.stricter import later_rules
    from projections.audit.findings import SEVERITIES, kind_in

    rules = read.tournament.ruleset
    counted = Counter(kind_in(each.kind, rules).severity for each in read.findings)
    found = ", ".join(f"{counted[each]} {each}" for each in SEVERITIES if counted[each])
    opening = read.tournament.opening
    if opening is not None and opening.format is not None:
        optional = rules_in_words(opening)
        say(f"{game_in_words(opening)}{f'; optional rules {optional}' if optional else ''}")
    where = f" | written to {html}" if html else ""
    say(f"{how_many(read.tournament.seq, 'event')}: {found or 'nothing found'}{where}")
    later = later_rules(read.tournament.rules_number)
    if later:
        clauses = ", ".join(sorted({rule.clause for rule in later}))
        say(f"rules {read.tournament.rules_number}: not held to what later asks by {clauses}")
