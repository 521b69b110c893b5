"""The audit of a log: `audit`; of its paper slips: `audit begin`, `audit draw`, `audit slip`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.matches import Typed, find_match
from cli.input.moments import NOW, AtRound, look_at
from cli.input.options import Facts, NeededReason, flag, option, word
from cli.input.reports import read
from cli.languages.speaking import ENGLISH, language, marked, tr, tr_of
from cli.render.records import as_read, refuse_csv, show_records, shows_table
from cli.terminal.output import say, show, show_table
from cli.terminal.visible import how_many
from cli.verbs.day.report import Ended  # noqa: TC001 - typer resolves it
from cli.wording.phrases import game_in_words, rules_in_words
from ledger.errors import NotFound, Refused
from ledger.problems import phrase
from ledger.rules.draws import (
    BeginSlipAudit,
    DrawSlips,
    ReadSlip,
    WithdrawSlip,
    not_cut_by_results,
)

if TYPE_CHECKING:
    from ledger.tournament.state import Stage, Tournament
    from projections.audit.findings import AuditFinding
    from projections.audit.report import Audit

RISK = "5%"
MILLION = 1_000_000
HOW = marked("a share such as 5%, 2.5% or 0.05, above 0 and at most 50%")
_RISK = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,4})?)%|(0?\.[0-9]{1,6})", re.ASCII)

Risk = Annotated[
    str, option("PERCENT", "Accepted chance that a wrong cut passes; default: 5%.", "--risk")
]
CutStage = Annotated[
    str,
    option(
        "N",
        "The stage after the cut; default: after the pending cut, or else the latest.",
        "--stage",
    ),
]
Table = Annotated[str, word("R/T", "The table of the slip, with its round.")]


def begin(desk: Desk, risk: Risk = RISK, stage: CutStage = "") -> None:
    """Begin a slip audit: record the head of the log.

    Show the head before a word is called out. The answer states how many wrong results would
    change the cut, and how many slips are enough.

        tourney audit --slips --risk 5%
        tourney audit begin --risk 5%
    """
    limit, cut = risk_of(risk), stage_of_cut(desk.tournament, stage)
    carry_out(desk, BeginSlipAudit(cut.number, limit), tr("this audit has begun"))
    _say_where_it_stands(desk)


def draw(
    desk: Desk, text: Annotated[list[str], word("WORD", "The word called out in the room.")]
) -> None:
    """Draw the slips to check, with a word called out in the room.

    The word must be called out after the head was shown.

    tourney audit draw blue heron
    """
    carry_out(desk, DrawSlips(" ".join(text)), tr("the slips were drawn with this word"))
    _say_where_it_stands(desk)


def slip(
    desk: Desk,
    words: Annotated[
        list[str], word("R/T [RESULT]", "The table of the slip, and the result on it.")
    ],
    agrees: Annotated[bool, flag("--agrees", "The slip agrees with the log.")] = False,
    missing: Annotated[bool, flag("--missing", "The slip is missing, or cannot be read.")] = False,
    note: Annotated[str, option("TEXT", "A remark, for the log.")] = "",
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Record the result on a paper slip, typed as for `report`.

    A person who does not look at the log should read the slips. If a table has two slips with
    different results, enter it as missing.

        tourney audit slip 3/4 bob
        tourney audit slip 3/4 --agrees
        tourney audit slip 3/4 --missing --note "two slips, two winners"
    """
    match = find_match(desk.tournament, words[0])
    typed = Typed(ended, tuple(fact or ()))
    said = bool(words[1:] or typed)
    if said + agrees + missing != 1:
        raise UsageError(tr("give one of these: the result on the slip, --agrees, or --missing"))
    where = f"{match.round}/{match.table}"
    result = read(desk.tournament, [where, *words[1:]], typed).result if said else None
    carry_out(
        desk,
        ReadSlip(match.number, result, agrees, note),
        tr("the slip of {where} was read", where=where),
    )
    _say_what_comes_next(desk)


def withdraw(
    desk: Desk,
    table: Table,
    reason: NeededReason = "",
) -> None:
    """Undo the entry of a slip, to read the slip again."""
    needs_reason(reason, tr("undoing a slip"))
    match = find_match(desk.tournament, table)
    carry_out(desk, WithdrawSlip(match.number, reason))
    _say_what_comes_next(desk)


def _say_what_comes_next(desk: Desk) -> None:
    from cli.wording.audit_words import next_slip_in_words
    from projections.audit.slips import status_of

    book = desk.book
    status = status_of(list(book.recorded()), book.tournament.floor.slip_audits[-1])
    say(next_slip_in_words(book.tournament, status))


def _say_where_it_stands(desk: Desk) -> None:
    from cli.render.audit_tables import show_status

    if desk.options.for_person:
        show_status(desk, desk.book.tournament.floor.slip_audits[-1])


def stage_of_cut(tournament: Tournament, typed: str = "") -> Stage:
    """Return the stage whose cut is in question; NotFound where none is announced."""
    from projections.whatif.cut_margin import cut_stage, cut_stages

    last = cut_stage(tournament)
    if not last:
        raise NotFound(phrase("no cut by the standings is announced: there is no cut to audit"))
    known = {str(each.number): each for each in cut_stages(tournament)}
    if typed and typed not in known:
        stages = ", ".join(known)
        raise NotFound(
            phrase(
                "stage {typed} does not follow a cut by the standings; {stages} can be used",
                typed=typed,
                stages=stages,
            )
        )
    return known[typed] if typed else last


def risk_of(typed: str) -> int:
    """Read a limit to the risk, in millionths; UsageError for anything else."""
    found = _RISK.fullmatch(typed.replace(" ", ""))
    if found is not None:
        share = Fraction(found[1]) / 100 if found[1] else Fraction(found[2])
        millionths = share * MILLION
        if millionths.denominator == 1 and 0 < millionths <= MILLION // 2:
            return int(millionths)
    raise UsageError(tr("--risk must be {how}, not {typed}", how=tr(HOW), typed=repr(typed)))


@shows_table
def audit(
    desk: Desk,
    html: Annotated[
        OutFile, option("FILE", "Write the report as a web page.", "--html")
    ] = NO_OUTPUT,
    slips: Annotated[
        bool,
        flag("--slips", "Number of paper slips to check against the log, and progress."),
    ] = False,
    risk: Risk = "",
    margin: Annotated[
        bool, flag("--margin", "Smallest number of wrong results that would change the cut.")
    ] = False,
    stage: CutStage = "",
    moment: AtRound = NOW,
) -> None:
    """Report deviations from the draws, the clock and the rules.

    It answers what was unusual in a log that is genuine; `verify` checks whether it is.

    It lists events changed since they were signed, rematches, byes, tables paired by hand, results
    changed late or by an official who plays, disputes, rulings without a clause, and clocks that
    ran backward; each correction and the players whose rank it changed; notes; and the number of
    acts of each official.

        tourney audit
        tourney audit --html audit.html
        tourney audit --margin
        tourney audit --slips --risk 5%
    """
    from projections.audit.report import audit_of

    if slips or margin or risk or stage:
        if slips == margin or html or (risk and not slips):
            raise UsageError(
                tr(
                    "choose one of --slips, --margin and --html; --risk needs --slips, and --stage "
                    "needs --slips or --margin"
                )
            )
        refuse_csv(desk, "--slips" if slips else "--margin")
        _of_the_cut(desk, moment, risk, stage, margin=margin)
        return
    desk.if_changed = "pass"  # it is a finding
    look_at(desk, moment)
    changed = _changed(desk)
    read = audit_of(desk.book.recorded(), [changed] if changed else [])
    if html:
        from functools import partial

        from cli.render.evidence_pages import audit_page
        from ledger.facts.hands import as_seen

        refuse_csv(desk, "--html")
        page = audit_page(read, partial(as_seen, read.tournament, desk.by))
        desk.files.write(html, [page.encode()])
    if desk.json or not html:
        _show(desk, read)
    _sum_up(read, html)


def _of_the_cut(desk: Desk, moment: AtRound, risk: str, typed: str, *, margin: bool) -> None:
    """Say how few wrong results change the cut, or how many slips are to be held to the log."""
    from cli.render.audit_tables import show_margin, show_plan, show_status

    limit, tournament = risk_of(risk or RISK), look_at(desk, moment)
    stage = stage_of_cut(tournament, typed)
    audits = [
        slip_audit
        for slip_audit in tournament.floor.slip_audits
        if slip_audit.begun.stage == stage.number
    ]
    if against := list(not_cut_by_results(tournament, stage.number)):
        raise Refused(*against)
    if margin:
        show_margin(desk, stage)
    elif audits and not risk:
        show_status(desk, audits[-1])
    else:
        show_plan(desk, stage, limit)


def _changed(desk: Desk) -> AuditFinding | None:
    """Hold the store's lines, not only those looked at, to the log's signed head.

    The file of `--log` passed that check when it was read.
    """
    if not desk.reads_machine:
        return None
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
        title = each.title.lower() if language() == ENGLISH else tr(each.title)
        show(*([""] if place else []), f"{title}:")
        show_table(*as_read(each.columns, each.records))


def _sum_up(read: Audit, html: OutFile) -> None:
    from collections import Counter

    from ledger.rulesets.stricter import later_rules
    from projections.audit.findings import SEVERITIES, kind_in

    rules = read.tournament.ruleset
    counted = Counter(kind_in(finding.kind, rules).severity for finding in read.findings)
    found = ", ".join(
        tr("{count} {severity}", count=counted[each], severity=tr_of("severity", each))
        for each in SEVERITIES
        if counted[each]
    )
    opening = read.tournament.opening
    if opening is not None and opening.format is not None:
        game, optional = game_in_words(opening), rules_in_words(opening)
        say(tr("{game}; optional rules: {rules}", game=game, rules=optional) if optional else game)
    summed_up = tr(
        "{events}: {found}",
        events=how_many(read.tournament.seq, "event"),
        found=found or tr("nothing found"),
    )
    say(tr("{found} | written to {file}", found=summed_up, file=html) if html else summed_up)
    later = later_rules(read.tournament.rules_number)
    if later:
        clauses = ", ".join(sorted({rule.clause for rule in later}))
        number = read.tournament.rules_number
        say(
            tr(
                "rules {number}: these clauses became stricter later and were not applied: "
                "{clauses}",
                number=number,
                clauses=clauses,
            )
        )
