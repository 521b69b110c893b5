"""The tables of an audit, for a terminal, a spreadsheet and a page alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.input.find_people import with_names
from cli.render.log_table import step_columns, steps_of
from cli.render.office_tables import note_columns, notes_of
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import visible
from cli.wording.audit_words import (
    finding_in_words,
    links_in_words,
    moved_in_words,
    seqs_in_words,
    types_in_words,
)
from cli.wording.dispute_words import claim_in_words
from cli.wording.format_words import format_as_json
from cli.wording.phrases import table_in_words, who
from cli.wording.slip_words import difference_in_words, head_in_words, status_in_words
from ledger.tournament.state import Tournament
from projections.audit.finding import KINDS, SEVERITIES, kind_in
from projections.audit.slip_audits import status_of
from projections.matches.dispute_status import state_in_words

if TYPE_CHECKING:
    from projections.audit.report import Audit, Correction


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


def audit_sections(audit: Audit) -> Iterator[AuditSection]:
    """Yield the tables of an audit, the findings first."""
    tournament = audit.tournament
    findings = finding_columns(tournament)
    yield AuditSection("Findings", findings, audit.findings, "Nothing was found.")
    disputes = _dispute_columns(tournament), tournament.floor.disputes
    yield AuditSection("Disputes", *disputes, "No result was disputed.", is_for_page=True)
    steps = steps_of(tournament, audit.log)
    yield AuditSection("How each dispute went", step_columns(tournament), steps, "")
    corrections = _correction_columns(tournament), audit.corrections
    yield AuditSection("Corrections", *corrections, "No result was corrected.")
    notes = note_columns(tournament), notes_of(tournament)
    yield AuditSection("Notes", *notes, "Nobody took a note.")
    yield from _slip_audits(audit)
    yield AuditSection(
        "Who did what", _act_columns(tournament), audit.acts, "Nobody acted.", counts=True
    )
    kinds = [kind_in(name, tournament.ruleset) for name in KINDS]
    kinds.sort(key=lambda kind: SEVERITIES.index(kind.severity))
    yield AuditSection("What is looked for", _KINDS, kinds, "", is_for_page=True)


def _slip_audits(audit: Audit) -> Iterator[AuditSection]:
    """Yield, where slips were held to the log, how far that came and what differs."""
    for each in audit.tournament.floor.slip_audits:
        status = status_of(audit.log, each)
        lines = [*head_in_words(each), *status_in_words(status)]
        differing = [difference_in_words(audit.tournament, one) for one in status.differences]
        shown = prose("slips held to the log", lambda line: line, key="line")
        yield AuditSection("Slips held to the log", [shown], [*lines, *differing], "")


_KINDS = (
    Column("finding", key="title"),
    Column("weight", key="severity"),
    Column("clause"),
    Column("meaning"),
)


def finding_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a finding."""

    def kind(finding: Any, member: str) -> str:  # noqa: ANN401 - a column takes any record
        return str(getattr(kind_in(finding.kind, tournament.ruleset), member))

    return [
        for_program("kind"),
        Column("weight", key="severity", value=lambda each: kind(each, "severity")),
        prose("what was found", lambda each: finding_in_words(tournament, each), key="finding"),
        Column("clause", yields=1, value=lambda each: kind(each, "clause")),
        for_program("round", lambda each: each.round or None),
        for_program("match", lambda each: each.match or None),
        _events(lambda each: each.seqs),
    ]


def _events(seqs: Callable[[Any], tuple[int, ...]]) -> Column:
    return prose(
        "events",
        lambda each: " ".join(map(str, seqs(each))),
        text=lambda each: seqs_in_words(seqs(each)),
    )


def _dispute_columns(tournament: Tournament) -> list[Column]:
    return [
        Column("table", value=lambda each: table_in_words(tournament, each.match)),
        Column(
            "reported", value=lambda each: claim_in_words(tournament, each.match, each.reported)
        ),
        Column(
            "against it", value=lambda each: claim_in_words(tournament, each.match, each.against)
        ),
        Column("state", value=lambda each: state_in_words(tournament, each)),
        _events(lambda each: (each.reported.seq, each.seq)),
    ]


def _correction_columns(tournament: Tournament) -> list[Column]:
    def why(correction: Correction) -> str:
        ruling = f"ruling {correction.ruling}: " if correction.ruling else ""
        return f"{ruling}{visible(correction.reason)}"

    return [
        Column("event", right=True, key="seq"),
        Column("table", value=lambda each: table_in_words(tournament, each.match)),
        prose("why", why),
        prose("who moved", lambda each: moved_in_words(tournament, each)),
    ]


def audit_value(read: Audit) -> dict[str, object]:
    """Make an audit for scripts, with names and with the format that lists are held to."""
    from projections.audit.report import audit_as_json

    tournament = read.tournament
    value = with_names(tournament, audit_as_json(read))
    return value | {"format": format_as_json(tournament.opening)}


def _act_columns(tournament: Tournament) -> list[Column]:
    return [
        Column("who", flexible=True, value=lambda each: who(each.by, tournament)),
        Column("acts", right=True),
        Column("over link", right=True, value=lambda each: links_in_words(each.links)),
        Column("events", right=True, value=lambda each: each.types.total()),
        prose("of which", lambda each: types_in_words(each.types)),
    ]
