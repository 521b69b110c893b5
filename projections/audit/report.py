"""The audit of a log: one pass over its events, and everything that it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct, field, to_builtins

from ledger.facts import office
from ledger.facts.office import DisqualificationRecommended
from ledger.facts.results import ResultCorrected
from ledger.fold import evolve
from ledger.lines.recorded import Recorded
from ledger.rulesets import Ruleset
from ledger.rulesets.stricter import later_rules
from ledger.tournament import disputes
from ledger.tournament.round_clock import is_clock, minutes_between
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import link_over
from projections.audit.findings import FIRST, SEVERITIES, AuditFinding, findings_of, kind_in
from projections.audit.slips import status_of
from projections.disputes import disputes_as_json, notes_as_json
from projections.standings.table import standings


class Acts(Struct):
    """What somebody entered: the author as in the lines, so o1/p7 is not o1."""

    by: str
    acts: int = 0
    """Commands; one may be several events."""

    types: Counter[str] = field(default_factory=Counter)
    links: dict[int, int] = field(default_factory=dict)
    """How many of the acts were entered over each link."""


class Move(Struct, frozen=True):
    """A player's points and rank before and after a correction."""

    player: int
    points: tuple[int, int]
    ranks: tuple[int, int]


class Correction(Struct, frozen=True):
    """A correction and who moved by it in the standings of its stage; nobody in a bracket."""

    seq: int
    corrects: int
    match: int
    ruling: int
    reason: str
    moved: tuple[Move, ...]


class Audit(Struct):
    """A log's audit; findings stand in the order of their weight, then of the log."""

    tournament: Tournament = field(default_factory=Tournament)
    acts: list[Acts] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    findings: list[AuditFinding] = field(default_factory=list)
    log: list[Recorded] = field(default_factory=list)


def audit_of(log: Iterable[Recorded], from_store: Iterable[AuditFinding] = ()) -> Audit:
    """Read a log that was admitted before, once, from its first line to its last.

    `from_store` is what was found of the store, which the log itself does not show.
    """
    audit = Audit()
    tournament = audit.tournament
    acts: dict[str, Acts] = {}
    findings = list(from_store)
    clocks = [""]
    latest = ""
    for recorded in log:
        audit.log.append(recorded)
        findings += findings_of(tournament, recorded, clocks.__getitem__)
        if not is_clock(recorded.at):
            findings.append(AuditFinding("no-clock", (recorded.seq,)))
        elif recorded.at < latest:
            back = minutes_between(recorded.at, latest)
            findings.append(AuditFinding("clock", (recorded.seq,), minutes=back))
        else:
            latest = recorded.at
        clocks.append(recorded.at)
        entered = acts.setdefault(recorded.by, Acts(recorded.by))
        entered.acts += "." not in recorded.id
        entered.types[recorded.type] += 1
        if link := link_over(tournament.floor.links, recorded.id):
            entered.links[link] = entered.links.get(link, 0) + ("." not in recorded.id)
        if isinstance(recorded.event, ResultCorrected):
            audit.corrections.append(_corrected(tournament, recorded.event, recorded))
        else:
            evolve(tournament, recorded)
    findings += _left_open(tournament)
    findings += _of_slips(audit)
    audit.acts = list(acts.values())
    audit.findings = sorted(_joined(findings), key=partial(_weight, tournament.ruleset))
    return audit


def _corrected(tournament: Tournament, event: ResultCorrected, recorded: Recorded) -> Correction:
    number = tournament.rounds[tournament.matches[event.match].round - 1].stage
    stage = tournament.stages[number - 1]
    before = _places(tournament, number) if stage.is_swiss else {}
    evolve(tournament, recorded)
    after = _places(tournament, number) if stage.is_swiss else {}
    moved = tuple(
        Move(player, (before[player][0], points), (before[player][1], rank))
        for player, (points, rank) in after.items()
        if before[player] != (points, rank)
    )
    ruling, reason = event.ruling, event.reason
    return Correction(recorded.seq, event.corrects, event.match, ruling, reason, moved)


def _places(tournament: Tournament, stage: int) -> dict[int, tuple[int, int]]:
    return {row.player: (row.points, row.rank) for row in standings(tournament, stage).rows}


def _left_open(tournament: Tournament) -> Iterator[AuditFinding]:
    """Disputes, rulings and recommendations that nobody has settled."""
    for each in disputes.unsettled(tournament):
        seqs = (each.reported.seq, each.seq)
        yield AuditFinding("open-dispute", seqs, match=each.match, reason=each.reason)
    for ruling in disputes.unreviewed(tournament):
        asked = (ruling.seq, ruling.appealed) if ruling.appealed else (ruling.seq,)
        yield AuditFinding("unreviewed", asked, 0, ruling.made.match, reason=ruling.made.ruling)
    for player in office.recommended(tournament):
        seq = tournament.floor.recommended[player]
        event = tournament.floor.acts[seq].event
        if isinstance(event, DisqualificationRecommended):
            yield AuditFinding("undecided", (seq,), players=(player,), reason=event.reason)


def _of_slips(audit: Audit) -> Iterator[AuditFinding]:
    """Slips that differ from the log, and audits of them that nobody carried on."""
    for each in audit.tournament.floor.slip_audits:
        status = status_of(audit.log, each)
        for one in status.differences:
            yield AuditFinding("slip-differs", (one.seq,), match=one.match)
        if each.drawn and not status.is_over:
            yield AuditFinding("slips-open", (each.seq, each.drawn))


def _joined(findings: list[AuditFinding]) -> list[AuditFinding]:
    """One finding for each official who plays and entered results of others."""
    entered: dict[int, list[int]] = {}
    for each in findings:
        if each.kind == "plays":
            entered.setdefault(each.official, []).extend(each.seqs)
    return [each for each in findings if each.kind != "plays"] + [
        AuditFinding("plays", tuple(seqs), official=official) for official, seqs in entered.items()
    ]


def _weight(rules: Ruleset, finding: AuditFinding) -> tuple[int, int, int]:
    """Return the place of a finding: first what the proof itself rests on, then by weight."""
    first = FIRST.index(finding.kind) if finding.kind in FIRST else len(FIRST)
    weight = SEVERITIES.index(kind_in(finding.kind, rules).severity)
    return first, weight, max(finding.seqs, default=0)


def audit_as_json(audit: Audit) -> dict[str, object]:
    """Make an audit for scripts."""
    tournament, opening = audit.tournament, audit.tournament.opening
    return {
        "tournament": opening.tournament if opening else "",
        "events": tournament.seq,
        "rules": opening.rules if opening else 0,
        "later_rules": [each._asdict() for each in later_rules(opening.rules)] if opening else [],
        "finished": tournament.finished,
        "acts": [
            {
                "by": each.by,
                "acts": each.acts,
                "types": dict(sorted(each.types.items())),
                "links": {str(link): acts for link, acts in sorted(each.links.items())},
            }
            for each in audit.acts
        ],
        "corrections": [
            to_builtins(each) | {"ruling": each.ruling or None} for each in audit.corrections
        ],
        "findings": [finding_as_json(each, tournament.ruleset) for each in audit.findings],
        "disputes": disputes_as_json(tournament, settled=True),
        "notes": notes_as_json(tournament),
    }


_NULL_IF_EMPTY = ("round", "match", "official", "tables", "minutes", "adjusted", "cards", "tries")


def finding_as_json(finding: AuditFinding, rules: Ruleset) -> dict[str, object]:
    """Make a finding for scripts, with what its kind is called."""
    kind = kind_in(finding.kind, rules, finding.round)
    about = {"title": kind.title, "severity": kind.severity, "clause": kind.clause}
    values = to_builtins(finding)
    nulls = {name: values[name] or None for name in _NULL_IF_EMPTY}
    return {"kind": finding.kind, **about, **values, **nulls}
