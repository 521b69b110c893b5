"""Tables of an audit, of slip audits and of margins, for a terminal, a spreadsheet and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.input.find_people import labels, with_names
from cli.input.matches import ENDED, FACT
from cli.input.reports import words_again
from cli.languages.speaking import ENGLISH, marked, speaking, tr, tr_of
from cli.render.log_tables import note_columns, notes_of, step_columns, steps_of
from cli.render.records import show_value
from cli.terminal.output import show, show_json, show_prose, show_table
from cli.terminal.problems import said
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import visible
from cli.wording.audit_words import (
    ASSUMED,
    MARGIN_ASSUMES,
    cut_in_words,
    difference_in_words,
    finding_in_words,
    head_in_words,
    links_in_words,
    margin_in_words,
    moved_in_words,
    plan_in_words,
    seqs_in_words,
    status_in_words,
    types_in_words,
)
from cli.wording.dispute_words import claim_in_words
from cli.wording.phrases import format_as_json, result_in_words, table_in_words, who
from ledger.tournament.state import Tournament
from projections.audit.findings import KINDS, SEVERITIES, kind_in
from projections.audit.slips import status_of
from projections.disputes import state_in_words

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.tournament.state import Stage
    from ledger.tournament.table_records import SlipAudit
    from projections.audit.report import Audit, Correction
    from projections.audit.slips import SlipPlan, SlipStatus
    from projections.whatif.cut_margin import CutOfStage, Margin


class AuditSection(NamedTuple):
    """A table of the audit, and what is said where it has no row."""

    title: str
    columns: Sequence[Column]
    records: Sequence[Any]
    otherwise: str
    is_for_page: bool = False
    """Whether a page alone has it."""

    counts: bool = False
    """Whether its numbers count events, and name none."""

    has_weights: bool = False
    """Whether a page styles its cells under "weight"."""


def audit_sections(audit: Audit) -> Iterator[AuditSection]:
    """Yield the tables of an audit, the findings first."""
    tournament = audit.tournament
    findings = finding_columns(tournament)
    yield AuditSection(
        tr("Findings"), findings, audit.findings, tr("No findings."), has_weights=True
    )
    disputes = _dispute_columns(tournament), tournament.floor.disputes
    yield AuditSection(tr("Disputes"), *disputes, tr("No result was disputed."), is_for_page=True)
    steps = steps_of(tournament, audit.log)
    yield AuditSection(tr("Disputes step by step"), step_columns(tournament), steps, "")
    corrections = _correction_columns(tournament), audit.corrections
    yield AuditSection(tr("Corrections"), *corrections, tr("No result was corrected."))
    notes = note_columns(tournament), notes_of(tournament)
    yield AuditSection(tr("Notes"), *notes, tr("No notes."))
    yield from _slip_audits(audit)
    yield AuditSection(
        tr("Acts by person"), _act_columns(tournament), audit.acts, tr("No acts."), counts=True
    )
    kinds = [kind_in(name, tournament.ruleset) for name in KINDS]
    kinds.sort(key=lambda kind: SEVERITIES.index(kind.severity))
    yield AuditSection(tr("Kinds of findings"), _KINDS, kinds, "", is_for_page=True)


def _slip_audits(audit: Audit) -> Iterator[AuditSection]:
    """Yield, where slips were held to the log, how far that came and what differs."""
    for audited in audit.tournament.floor.slip_audits:
        status = status_of(audit.log, audited)
        lines = [*head_in_words(audited), *status_in_words(status)]
        differing = [
            difference_in_words(audit.tournament, difference) for difference in status.differences
        ]
        shown = prose(marked("slips compared with the log"), lambda line: line, key="line")
        yield AuditSection(tr("Slips compared with the log"), [shown], [*lines, *differing], "")


WEIGHTS = (marked("breach"), marked("notable"), marked("note"))
"""Severities of a finding, the worst first."""


def weight_in_words(weight: str) -> str:
    """Say how grave a finding is."""
    return tr_of("weight", weight)


_KINDS = (
    Column(marked("finding"), key="title", text=lambda kind: tr(kind.title)),
    Column(marked("weight"), key="severity", text=lambda kind: weight_in_words(kind.severity)),
    Column(marked("clause")),
    Column(marked("meaning"), text=lambda kind: tr(kind.meaning)),
)


def finding_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a finding."""

    def kind(finding: Any, member: str) -> str:  # noqa: ANN401 - a column takes any record
        return str(getattr(kind_in(finding.kind, tournament.ruleset, finding.round), member))

    return [
        for_program("kind"),
        Column(
            marked("weight"),
            key="severity",
            value=lambda finding: kind(finding, "severity"),
            text=lambda finding: weight_in_words(kind(finding, "severity")),
        ),
        prose(
            marked("finding"), lambda finding: finding_in_words(tournament, finding), key="finding"
        ),
        Column(marked("clause"), yields=1, value=lambda finding: kind(finding, "clause")),
        for_program("round", lambda finding: finding.round or None),
        for_program("match", lambda finding: finding.match or None),
        _events(lambda finding: finding.seqs),
    ]


def _events(seqs: Callable[[Any], tuple[int, ...]]) -> Column:
    return prose(
        marked("events"),
        lambda record: " ".join(map(str, seqs(record))),
        text=lambda record: seqs_in_words(seqs(record)),
    )


def _dispute_columns(tournament: Tournament) -> list[Column]:
    return [
        Column(marked("table"), value=lambda dispute: table_in_words(tournament, dispute.match)),
        Column(
            marked("reported"),
            value=lambda dispute: claim_in_words(tournament, dispute.match, dispute.reported),
        ),
        Column(
            marked("against it"),
            value=lambda dispute: claim_in_words(tournament, dispute.match, dispute.against),
        ),
        Column(marked("state"), value=lambda dispute: said(state_in_words(tournament, dispute))),
        _events(lambda dispute: (dispute.reported.seq, dispute.seq)),
    ]


def _correction_columns(tournament: Tournament) -> list[Column]:
    def why(correction: Correction) -> str:
        ruling = tr("ruling {ruling}: ", ruling=correction.ruling) if correction.ruling else ""
        return f"{ruling}{visible(correction.reason)}"

    return [
        Column(marked("event"), right=True, key="seq"),
        Column(
            marked("table"), value=lambda correction: table_in_words(tournament, correction.match)
        ),
        prose(marked("why"), why),
        prose(marked("who moved"), lambda correction: moved_in_words(tournament, correction)),
    ]


def audit_value(read: Audit) -> dict[str, object]:
    """Make an audit for scripts, with names and with the format that lists are held to."""
    from projections.audit.report import audit_as_json

    tournament = read.tournament
    value = with_names(tournament, audit_as_json(read))
    return value | {"format": format_as_json(tournament.opening)}


def _act_columns(tournament: Tournament) -> list[Column]:
    return [
        Column(marked("who"), flexible=True, value=lambda acts: who(acts.by, tournament)),
        Column(marked("acts"), right=True),
        Column(marked("over link"), right=True, value=lambda acts: links_in_words(acts.links)),
        Column(marked("events"), right=True, value=lambda acts: acts.types.total()),
        prose(marked("of which"), lambda acts: types_in_words(acts.types)),
    ]


RESULT_AS_JSON: dict[str, object] = {
    "manner": "played",
    "fields": {},
    "ending": "",
    "facts": {},
    "adjusted": [0, 0],
}
"""The members of a result that a line leaves out if they have these values."""


def show_plan(desk: Desk, stage: Stage, risk: int) -> None:
    """Say how many slips are enough, before anyone begins."""
    from projections.audit.slips import MILLION, plan_of

    plan = plan_of(_fresh(desk), stage.number, Fraction(risk, MILLION))
    lines = plan_in_words(plan)
    show_value(desk, plan_as_json(plan), *lines, *map(tr, ASSUMED))


def show_status(desk: Desk, audit: SlipAudit) -> None:
    """Show how far a slip audit has come, which slips come next, and what differs."""
    from projections.audit.slips import status_of

    tournament = desk.book.tournament
    status = status_of(list(desk.book.recorded()), audit)
    if desk.json:
        show_value(desk, status_as_json(tournament, status))
        return
    show_prose(*head_in_words(audit), *status_in_words(status))
    if status.differences:
        show("", tr("differences:"))
        columns = (
            Column(marked("event"), right=True, value=lambda difference: difference.seq),
            Column(
                marked("table"),
                value=lambda difference: table_in_words(tournament, difference.match),
            ),
            prose(
                marked("what differs"),
                lambda difference: difference_in_words(tournament, difference),
            ),
        )
        show_table(
            columns, [[c.text_of(difference) for c in columns] for difference in status.differences]
        )
    if status.to_pull:
        show("", tr("pull next, in this order ({count}):", count=len(status.to_pull)))
        show_prose(", ".join(table_in_words(tournament, match) for match in status.to_pull))


def show_margin(desk: Desk, stage: Stage) -> None:
    """Say how few wrongly entered results would change a cut, and which; for scripts the proof."""
    from projections.whatif.cut_margin import cut_margin, cut_of

    tournament = desk.book.tournament
    cut = cut_of(tournament, stage)
    margin = cut_margin(_fresh(desk), cut)
    if desk.json:
        show_json(margin_as_json(tournament, cut, margin))
        return
    show_prose(
        *margin_in_words(tournament, cut, margin),
        *(
            f"  {table_in_words(tournament, match)}: "
            f"{result_in_words(tournament, tournament.matches[match], result)}"
            for match, result in margin.example.items()
        ),
        *_moved(tournament, margin),
        tr(MARGIN_ASSUMES),
    )


def _moved(tournament: Tournament, margin: Margin) -> list[str]:
    if not margin.example:
        return []
    moved = in_and_out(tournament, margin.entrants, margin.leavers)
    return [f"  {tr('then: {moved}', moved=moved)}"]


def in_and_out(tournament: Tournament, entrants: Iterable[int], leavers: Iterable[int]) -> str:
    """Name the players who enter a cut and those who leave it."""
    into, out = labels(tournament, entrants), labels(tournament, leavers)
    ways = ((into, tr("{players} in", players=into)), (out, tr("{players} out", players=out)))
    return "; ".join(said for names, said in ways if names)


def _fresh(desk: Desk) -> Tournament:
    """The tournament once more, to be used up."""
    return desk.book.at(len(desk.book.lines))


def plan_as_json(plan: SlipPlan) -> dict[str, object]:
    """Make what is known before anyone begins for scripts."""
    return {
        "stage": plan.cut.stage,
        "made": plan.cut.is_made,
        "size": len(plan.cut.inside),
        "slips": plan.slips,
        "least": plan.least,
        "needed": plan.needed,
        "risk": str(plan.risk),
        "assumed": " ".join(ASSUMED),
    }


def status_as_json(tournament: Tournament, status: SlipStatus) -> dict[str, object]:
    """Make a slip audit for scripts."""
    audit = status.audit
    return plan_as_json(status.plan) | {
        "seq": audit.seq,
        "head": {"size": audit.begun.size, "root": audit.begun.root},
        "signed": bool(audit.begun.signature),
        "word": audit.word,
        "order": [table_in_words(tournament, match) for match in status.order],
        "read": status.pulled,
        "differences": [
            {
                "seq": difference.seq,
                "match": difference.match,
                "table": table_in_words(tournament, difference.match),
                "missing": difference.is_missing,
            }
            for difference in status.differences
        ],
        "least_now": status.least,
        "needed_now": status.needed,
        "chance": str(status.chance),
        "over": status.is_over,
        "changed": status.changed,
    }


def margin_as_json(tournament: Tournament, cut: CutOfStage, margin: Margin) -> dict[str, object]:
    """Make a margin for scripts, with what proves it."""
    import msgspec

    with speaking(ENGLISH):
        named = cut_in_words(cut)
    return {
        "stage": cut.stage,
        "cut": named,
        "least": margin.least,
        "most": margin.most or None,
        "changed": margin.changed,
        "example": [
            {
                "match": match,
                "table": table_in_words(tournament, match),
                "words": words_again(tournament, tournament.matches[match], result),
                **RESULT_AS_JSON,
                **msgspec.to_builtins(result),
            }
            for match, result in margin.example.items()
        ],
        "whatif": _as_whatif(tournament, margin),
        "leavers": list(margin.leavers),
        "entrants": list(margin.entrants),
        "assumed": MARGIN_ASSUMES,
        "certificate": None if margin.changed else _certificate(tournament, cut, margin.least),
    }


def _as_whatif(tournament: Tournament, margin: Margin) -> str | None:
    """Return the line that tries the example; None if it takes facts of several tables."""
    matches = tournament.matches
    lines = [words_again(tournament, matches[at], result) for at, result in margin.example.items()]
    typed = [line for line in lines if line]
    has_facts = any(f" {option} " in line for line in typed for option in (ENDED, FACT))
    if not typed or len(typed) < len(lines) or (has_facts and len(lines) > 1):
        return None
    return f"whatif {' and '.join(typed)}"


def _certificate(tournament: Tournament, cut: CutOfStage, least: int) -> dict[str, object]:
    """Make the proof that fewer results do not change the cut."""
    import msgspec

    from projections.whatif.cut_margin import certificate_of, possible_results, record_of

    results, _ = possible_results(tournament.ruleset)
    certificate = certificate_of(record_of(tournament, cut), max(least - 1, 0), results)
    value: dict[str, object] = msgspec.to_builtins(certificate)
    return value | {
        "pairs": [
            {
                "leaver": pair.leaver or None,
                "entrant": pair.entrant or None,
                "gap": pair.gap,
                "moves": [{"match": match, "gain": gain} for gain, match in pair.moves],
                "level": [list(matches) for matches in pair.level],
            }
            for pair in certificate.pairs
        ],
        "results": [RESULT_AS_JSON | msgspec.to_builtins(result) for result in certificate.results],
    }
